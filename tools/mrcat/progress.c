// SPDX-License-Identifier: GPL-2.0
/* mrcat: what -p, -P and -g print */

#include <arpa/inet.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "mrcat.h"

#define BAR_WIDTH	20

static const char * const state_names[__MRC_SF_STATES] = {
	[MRC_SF_CLOSED] = "closed",
	[MRC_SF_JOINING] = "joining",
	[MRC_SF_ACTIVE] = "active",
	[MRC_SF_SUSPECT] = "suspect",
	[MRC_SF_FAILED] = "failed",
	[MRC_SF_DOWN] = "down",
};

__u64 now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (__u64)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

void progress_take(struct conn *c, struct snapshot *s)
{
	socklen_t len;

	memset(s, 0, sizeof(*s));
	s->time = now_ns();
	s->sent = atomic_load(&c->sent);
	s->received = atomic_load(&c->received);
	if (!c->opt->progress && !c->opt->report)
		return;
	len = sizeof(s->info);
	if (getsockopt(c->fd, SOL_MRC, MRC_INFO, &s->info, &len) < 0)
		memset(&s->info, 0, sizeof(s->info));
	s->sf[0].size = sizeof(s->sf[0]);
	len = sizeof(s->sf);
	if (!getsockopt(c->fd, SOL_MRC, MRC_SUBFLOW_INFO, s->sf, &len))
		s->subflows = len / sizeof(s->sf[0]);
}

static const char *state_name(unsigned int state)
{
	return state < __MRC_SF_STATES ? state_names[state] : "unknown";
}

/* One JSON object on a line for each subflow, or one without a subflow. */
static void show_json(FILE *f, const struct snapshot *s)
{
	const struct mrc_subflow_info *sf;
	char address[INET6_ADDRSTRLEN];
	unsigned int i;

	for (i = 0; i < s->subflows || !i; i++) {
		fprintf(f, "{\"time\":%llu.%06u", s->time / 1000000000,
			(unsigned int)(s->time % 1000000000 / 1000));
		fprintf(f, ",\"sent\":%llu,\"received\":%llu,\"acked\":%llu",
			s->sent, s->received, s->info.bytes_acked);
		if (s->subflows) {
			sf = &s->sf[i];
			fprintf(f, ",\"subflow\":%u,\"plane\":%u,\"state\":\"%s\"",
				sf->id, sf->plane, state_name(sf->state));
			if (inet_ntop(sf->family, sf->local, address, sizeof(address)))
				fprintf(f, ",\"local\":\"%s\"", address);
			if (inet_ntop(sf->family, sf->remote, address, sizeof(address)))
				fprintf(f, ",\"remote\":\"%s\"", address);
			fprintf(f, ",\"rtt_us\":%u,\"cwnd\":%u,\"inflight\":%u",
				sf->srtt_us, sf->cwnd, sf->inflight);
			fprintf(f, ",\"tx_bytes\":%llu,\"rx_bytes\":%llu",
				sf->bytes_sent, sf->bytes_received);
			fprintf(f, ",\"retrans\":%llu,\"lost\":%llu",
				sf->pkts_retrans, sf->pkts_lost);
		}
		fputs("}\n", f);
	}
	fflush(f);
}

static void show_amount(FILE *f, double value, const char *unit)
{
	static const char prefix[] = " kMGTP";
	unsigned int i = 0;

	while (value >= 999.95 && i < sizeof(prefix) - 2) {
		value /= 1000;
		i++;
	}
	if (i)
		fprintf(f, "%6.1f %c%s", value, prefix[i], unit);
	else
		fprintf(f, "%6.0f %s", value, unit);
}

static __u64 carried(const struct mrc_subflow_info *sf)
{
	return sf->bytes_sent + sf->bytes_received;
}

/* What subflow @id had carried at the previous line. */
static __u64 carried_before(const struct snapshot *prev, unsigned int id)
{
	unsigned int i;

	for (i = 0; i < prev->subflows; i++) {
		if (prev->sf[i].id == id)
			return carried(&prev->sf[i]);
	}
	return 0;
}

static void show_shares(const struct snapshot *s, const struct snapshot *prev)
{
	__u64 part[MRC_SUBFLOWS_MAX];
	__u64 before, sum = 0;
	unsigned int i;

	for (i = 0; i < s->subflows; i++) {
		before = carried_before(prev, s->sf[i].id);
		part[i] = carried(&s->sf[i]) > before ? carried(&s->sf[i]) - before : 0;
		sum += part[i];
	}
	for (i = 0; i < s->subflows; i++) {
		fprintf(stderr, "%s%u:", i ? " " : "  ", s->sf[i].plane);
		if (s->sf[i].state == MRC_SF_ACTIVE)
			fprintf(stderr, "%llu%%", sum ? (part[i] * 100 + sum / 2) / sum : 0);
		else
			fputs(state_name(s->sf[i].state), stderr);
	}
}

static void show_bar(struct conn *c, const struct snapshot *s)
{
	const struct snapshot *prev = &c->prev;
	__u64 elapsed = s->time - prev->time;
	__u64 bytes = s->sent + s->received;
	__u64 before = prev->sent + prev->received;
	bool tty = isatty(STDERR_FILENO);
	char bar[BAR_WIDTH + 1];
	unsigned int full;

	if (tty)
		fputc('\r', stderr);
	show_amount(stderr, bytes, "B");
	if (c->total) {
		full = s->sent < c->total ? s->sent * BAR_WIDTH / c->total : BAR_WIDTH;
		memset(bar, '.', BAR_WIDTH);
		memset(bar, '#', full);
		bar[BAR_WIDTH] = '\0';
		fprintf(stderr, " [%s] %3llu%%", bar,
			s->sent < c->total ? s->sent * 100 / c->total : 100);
	}
	show_amount(stderr, elapsed ? (bytes - before) * 1e9 / elapsed : 0, "B/s");
	show_shares(s, prev);
	fputs(tty ? "\033[K" : "\n", stderr);
	fflush(stderr);
}

void progress_show(struct conn *c, const struct snapshot *s)
{
	if (c->opt->report)
		show_json(c->opt->report, s);
	if (c->opt->progress)
		show_bar(c, s);
	c->prev = *s;
}

/* The end of a connection: its last numbers, for the bar over all of its time. */
void progress_end(struct conn *c)
{
	struct snapshot *s = &c->final;

	s->sent = atomic_load(&c->sent);
	s->received = atomic_load(&c->received);
	if (!s->subflows && c->prev.subflows) {
		s->subflows = c->prev.subflows;
		memcpy(s->sf, c->prev.sf, sizeof(s->sf));
		s->info = c->prev.info;
	}
	if (c->opt->report)
		show_json(c->opt->report, s);
	if (c->opt->progress) {
		memset(&c->prev, 0, sizeof(c->prev));
		c->prev.time = c->start;
		show_bar(c, s);
		if (isatty(STDERR_FILENO))
			fputc('\n', stderr);
	}
	if (c->opt->gap)
		fprintf(stderr, "mrcat: longest gap %.3f ms at %.3f s\n",
			c->gap / 1e6, c->gap_at / 1e9);
}
