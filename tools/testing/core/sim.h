/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A requestor and a responder over simulated paths, in virtual time.
 *
 * One direction of a connection: A sends messages, B delivers them.  Packets
 * are encoded and decoded with the real wire code; headers are copied into
 * blocks of exactly their size, so that a sanitizer sees any read beyond.
 * A path has a rate, a queue that marks and drops, a delay, random loss,
 * duplication and reordering, and times at which it swallows everything.
 */
#ifndef _MRC_TEST_SIM_H
#define _MRC_TEST_SIM_H

#include "harness.h"
#include "recovery.h"
#include "rxwin.h"

#define US		MRC_NSEC_PER_USEC
#define MS		MRC_NSEC_PER_MSEC
#define SIM_SACK_DELAY	(2 * MS)
#define SIM_RKEY	0x12345678

struct sim_path {
	u64 delay;		/* ns, one way */
	u32 rate;		/* bytes per millisecond */
	u64 queue;		/* ns of queue at which packets are dropped */
	u64 mark;		/* ns of queue at which packets are marked */
	u32 loss;		/* per mille */
	u32 dup;		/* per mille */
	u32 reorder;		/* per mille that are delayed by up to 1 ms */
	u64 hole_from;		/* swallows everything in [from, to) */
	u64 hole_to;
	u64 busy[2];		/* until when each direction transmits */
};

struct sim_pkt {
	u64 at;
	u64 order;
	u8 dir;			/* 0: to B, 1: to A */
	u8 path;
	u16 ev;
	bool ce;
	u32 hdr_len;
	u32 pkt_len;
	u8 *hdr;
	struct sim_pkt *next;
};

struct sim_conf {
	unsigned int n_paths;
	unsigned int n_msgs;
	u32 msg_max;		/* largest message, bytes */
	u32 mss;
	u32 buffer;		/* packets that B can hold */
	u32 credits;		/* messages that B can hold, 0: no limit */
	unsigned int mpr_shift;
	u32 first_psn;
	bool unordered;
	bool open_len;		/* MSG_MORE: length known at the end only */
	u32 no_memory;		/* per mille of receptions */
	u32 reader_stall;	/* per mille of reads after which B sleeps */
	struct sim_path path[MRC_SUBFLOWS_MAX];
};

struct sim {
	struct sim_conf c;
	u64 now;
	u64 order;
	struct sim_pkt *queue;

	struct mrc_req rq;
	struct mrc_subflow sf[MRC_SUBFLOWS_MAX];
	u64 tx_va;
	u32 tx_msn;
	u32 tx_msg_sent;	/* bytes of the current message in the window */
	u32 *msg_len;
	u64 acked_msn;

	struct mrc_rxwin rx;
	u64 adv_right;
	u64 sack_since;
	int last_path;
	u32 unread;		/* packets delivered, not read */
	u32 unread_msgs;
	u64 read_msgs;
	u64 told_msgs;
	u64 read_ns;		/* when the application reads next */
	u8 *fate;		/* of each message: packets seen of it, done */
	u64 cur_msn;		/* message being delivered */
	u64 cur_va;
	u64 msg_va;
	bool cur_open;
	u64 done_msgs;
	u64 last_done;

	u64 sacks;
	u64 probes;
};

/* Cookies that exist: payload at A, packets at B. */
static long sim_tx_live, sim_rx_live;

static void sim_rx_release(void *cookie)
{
	sim_rx_live--;
	free(cookie);
}

/* ---------------------------------------------------------------- network */

static void sim_enqueue(struct sim *s, struct sim_pkt *p)
{
	struct sim_pkt **at = &s->queue;

	p->order = s->order++;
	while (*at && (*at)->at <= p->at)
		at = &(*at)->next;
	p->next = *at;
	*at = p;
}

static struct sim_pkt *sim_pkt_copy(const struct sim_pkt *p)
{
	struct sim_pkt *q = malloc(sizeof(*q));

	*q = *p;
	q->hdr = malloc(p->hdr_len);
	memcpy(q->hdr, p->hdr, p->hdr_len);
	return q;
}

static void sim_pkt_free(struct sim_pkt *p)
{
	free(p->hdr);
	free(p);
}

/* When a packet that is sent now arrives; MRC_NEVER if it does not. */
static u64 sim_transit(struct sim *s, struct sim_path *path, int dir, u32 bytes,
		       bool *ce)
{
	u64 start = max(s->now, path->busy[dir]);
	u64 wait = start - s->now;

	if (s->now >= path->hole_from && s->now < path->hole_to)
		return MRC_NEVER;
	if (wait > path->queue || rnd_chance(path->loss))
		return MRC_NEVER;
	*ce = dir == 0 && wait > path->mark;
	path->busy[dir] = start + (u64)bytes * MS / path->rate;
	start = path->busy[dir] + path->delay;
	if (rnd_chance(path->reorder))
		start += rnd_below(1000) * US;
	return start;
}

static void sim_transmit(struct sim *s, int dir, int path, u16 ev,
			 const struct mrc_pkt *p, u32 payload)
{
	struct sim_pkt pkt = { .dir = dir, .path = path, .ev = ev }, *q;
	u8 buf[MRC_HDR_PULL_MAX];

	pkt.hdr = buf;
	pkt.hdr_len = mrc_wire_build(buf, sizeof(buf), p);
	CHECK(pkt.hdr_len);
	pkt.pkt_len = pkt.hdr_len + payload + p->pad + MRC_ICRC_LEN;
	do {
		pkt.at = sim_transit(s, &s->c.path[path], dir, pkt.pkt_len + 42,
				     &pkt.ce);
		if (pkt.at == MRC_NEVER)
			continue;
		q = sim_pkt_copy(&pkt);
		sim_enqueue(s, q);
	} while (rnd_chance(s->c.path[path].dup));
}

/* -------------------------------------------------------------- requestor */

/* Put packets into the window as long as there is "send buffer". */
static void sim_fill(struct sim *s)
{
	struct mrc_txwin *w = &s->rq.win;

	while (s->tx_msn < s->c.n_msgs && w->end - w->una < 4 * s->c.buffer) {
		u32 len = s->msg_len[s->tx_msn];
		u32 n = min(s->c.mss, len - s->tx_msg_sent);
		struct mrc_txd *d = mrc_txwin_append(w, GFP_KERNEL);
		bool last = s->tx_msg_sent + n == len;

		if (!d)
			return;
		d->va = s->tx_va;
		d->msn = s->tx_msn;
		d->len = n;
		d->msg_len = s->c.open_len && !last ? MRC_LEN_OPEN : len;
		d->flags = (s->tx_msg_sent ? 0 : MRC_TXD_F_FIRST) |
			   (last ? MRC_TXD_F_LAST : 0);
		d->data = malloc(1);
		sim_tx_live++;
		s->tx_va += n;
		s->tx_msg_sent += n;
		if (last) {
			s->tx_msn++;
			s->tx_msg_sent = 0;
		}
	}
}

static void sim_tx_release(struct sim *s, u64 from, u64 to)
{
	for (; from != to; from++) {
		struct mrc_txd *d = mrc_txwin_at(&s->rq.win, from);

		CHECK(d->data);
		free(d->data);
		d->data = NULL;
		sim_tx_live--;
	}
}

static void sim_push(struct sim *s)
{
	struct mrc_tx tx;

	sim_fill(s);
	while (mrc_req_next(&s->rq, s->now, &tx)) {
		struct mrc_txd *d = mrc_txwin_at(&s->rq.win, tx.psn);
		struct mrc_pkt p = {
			.opcode = mrc_op_write(d->flags & MRC_TXD_F_FIRST,
					       d->flags & MRC_TXD_F_LAST),
			.pad = -d->len & 3,
			.ack_req = tx.ack_req,
			.rtx = tx.rtx,
			.ts = true,
			.dqpn = 77,
			.psn = tx.psn & MRC_PSN_MASK,
			.write = {
				.msn = d->msn, .rqmsn = d->msn, .va = d->va,
				.tstamp = s->now >> 7, .rkey = SIM_RKEY,
				.msg_len = d->msg_len,
			},
		};

		CHECK(d->data);
		CHECK_EQ(s->rq.sf[tx.sf]->state, MRC_SF_ACTIVE);
		sim_transmit(s, 0, tx.sf, tx.ev, &p, d->len);
		mrc_req_sent(&s->rq, &tx, s->now);
	}
}

static void sim_tx_probes(struct sim *s)
{
	unsigned int i;

	for (i = 0; i < s->c.n_paths; i++) {
		struct mrc_pkt p = { .opcode = MRC_OP_PROBE, .dqpn = 77 };
		struct mrc_evset *evs = &s->sf[i].evs;

		if (!mrc_subflow_probe_due(&s->sf[i], s->now))
			continue;
		s->probes++;
		p.probe.probe_id = mrc_subflow_probe_sent(&s->sf[i], s->now);
		sim_transmit(s, 0, i, evs->ev[mrc_evset_next(evs)].value, &p, 0);
	}
}

static void sim_rx_at_a(struct sim *s, const struct sim_pkt *in,
			const struct mrc_pkt *p)
{
	struct mrc_ack_result res;
	u64 msn;

	if (p->opcode == MRC_OP_TACK) {
		msn = mrc_expand(s->acked_msn, p->tack.msn, 16);
		if (msn > s->acked_msn) {
			s->acked_msn = msn;
			s->rq.msn_limit = msn + s->c.credits;
		}
	} else {
		CHECK_EQ(p->opcode, MRC_OP_SACK);
		CHECK_EQ(mrc_req_sack(&s->rq, &p->sack, s->c.mpr_shift, s->now,
				      &res), 0);
		if (p->sack.probe &&
		    mrc_subflow_probe_answered(&s->sf[in->path],
					       p->sack.probe_id, s->now))
			mrc_req_subflow_event(&s->rq, in->path,
					      MRC_SF_EV_PROVED, s->now);
		sim_tx_release(s, res.freed_from, res.freed_to);
	}
	sim_push(s);
}

/* -------------------------------------------------------------- responder */

static u32 sim_held(const struct sim *s)
{
	return sim_rx_live - s->unread;
}

static u64 sim_right_edge(struct sim *s)
{
	u32 used = s->unread + sim_held(s);
	u64 right = s->rx.next + s->rx.ooo;

	if (used < s->c.buffer)
		right += s->c.buffer - used;
	right = min(right, mrc_rxwin_base(&s->rx) + s->rx.max_size);
	return max(right, s->rx.right);
}

static u8 sim_advertise(struct sim *s)
{
	u64 units;

	mrc_rxwin_advance(&s->rx, sim_right_edge(s));
	units = min_t(u64, (s->rx.right - s->rx.next) >> s->c.mpr_shift, 255);
	s->adv_right = s->rx.next + (units << s->c.mpr_shift);
	return units;
}

static void sim_send_tack(struct sim *s, int path)
{
	struct mrc_pkt p = { .opcode = MRC_OP_TACK, .dqpn = 78 };

	p.tack.msn = s->read_msgs;
	s->told_msgs = s->read_msgs;
	sim_transmit(s, 1, path, MRC_EV_MIN, &p, 0);
}

static void sim_send_sacks(struct sim *s, int path)
{
	struct mrc_sack out[MRC_RX_DIRTY_MAX];
	struct mrc_pkt p = { .opcode = MRC_OP_SACK, .dqpn = 78 };
	unsigned int i, n = mrc_rxwin_sack(&s->rx, out, ARRAY_SIZE(out));
	u8 mpr = sim_advertise(s);

	for (i = 0; i < n; i++) {
		p.sack = out[i];
		p.sack.mpr = mpr;
		p.psn = out[i].cack;
		p.rtx = out[i].rtx;
		s->sacks++;
		sim_transmit(s, 1, path, MRC_EV_MIN, &p, 0);
	}
	s->sack_since = MRC_NEVER;
}

/* What the application gets: whole messages, each once, in order. */
static void sim_deliver(struct sim *s, const struct mrc_rxd *rxd)
{
	bool first = rxd->flags & MRC_RXD_F_FIRST;

	CHECK(rxd->msn < s->c.n_msgs);
	if (rxd->msn >= s->c.n_msgs)
		return;
	CHECK_EQ(first, !s->cur_open);
	if (first) {
		CHECK_EQ(s->fate[rxd->msn], 0);
		if (!s->c.unordered)
			CHECK_EQ(rxd->msn, s->done_msgs);
		s->cur_msn = rxd->msn;
		s->msg_va = rxd->va;
		s->cur_va = rxd->va;
		s->cur_open = true;
	}
	CHECK_EQ(rxd->msn, s->cur_msn);
	CHECK_EQ(rxd->va, s->cur_va);
	s->cur_va += rxd->len;
	if (rxd->flags & MRC_RXD_F_LAST) {
		CHECK_EQ(s->cur_va - s->msg_va, s->msg_len[rxd->msn]);
		s->fate[rxd->msn] = 1;
		s->cur_open = false;
		s->done_msgs++;
		s->last_done = s->now;
		s->unread_msgs++;
	}
	s->unread++;
	free(rxd->cookie);
	/* It stays in the "receive queue": counted until it is read. */
}

static void sim_rx_data(struct sim *s, const struct sim_pkt *in,
			const struct mrc_pkt *p)
{
	struct mrc_rx_trigger t = {
		.entropy = in->ev, .tstamp = p->write.tstamp, .rtx = p->rtx,
		.ce = in->ce,
	};
	void *cookie = malloc(1);
	enum mrc_rx_verdict v;
	struct mrc_rxd rxd;

	if (rnd_chance(s->c.no_memory))
		shim_alloc_fail = 1;
	v = mrc_rxwin_receive(&s->rx, p, &t, cookie, GFP_ATOMIC);
	shim_alloc_fail = 0;
	CHECK(v != MRC_RX_INVALID);
	/* What was promised is taken; the promise is kept by the requestor. */
	CHECK(v != MRC_RX_OUT_OF_WINDOW);
	CHECK(!s->rx.broken);
	if (v == MRC_RX_NEW) {
		sim_rx_live++;
		while (mrc_rxwin_pop(&s->rx, &rxd))
			sim_deliver(s, &rxd);
	} else {
		free(cookie);
	}
	s->last_path = in->path;
	if (mrc_rxwin_sack_due(&s->rx))
		sim_send_sacks(s, in->path);
	else if (mrc_rxwin_sack_pending(&s->rx) && s->sack_since == MRC_NEVER)
		s->sack_since = s->now;
	if (s->unread && s->read_ns == MRC_NEVER)
		s->read_ns = s->now + rnd_below(200) * US;
}

static void sim_rx_probe(struct sim *s, const struct sim_pkt *in,
			 const struct mrc_pkt *in_p)
{
	struct mrc_pkt p = { .opcode = MRC_OP_SACK, .dqpn = 78 };

	CHECK_EQ(mrc_rxwin_sack(&s->rx, &p.sack, 1), 1);
	p.psn = p.sack.cack;
	p.sack.probe = true;
	p.sack.probe_id = in_p->probe.probe_id;
	p.sack.mpr = sim_advertise(s);
	s->sacks++;
	sim_transmit(s, 1, in->path, MRC_EV_MIN, &p, 0);
	if (s->c.credits)
		sim_send_tack(s, in->path);
}

/* The application takes all that waits, and may then be busy for a while. */
static void sim_read(struct sim *s)
{
	u32 step = max_t(u32, s->c.buffer / 4, 1U << s->c.mpr_shift);

	sim_rx_live -= s->unread;
	s->unread = 0;
	s->read_msgs += s->unread_msgs;
	s->unread_msgs = 0;
	s->read_ns = MRC_NEVER;
	if (sim_right_edge(s) >= s->adv_right + step)
		sim_send_sacks(s, s->last_path);
	if (s->c.credits && s->read_msgs - s->told_msgs >= s->c.credits / 4)
		sim_send_tack(s, s->last_path);
	if (rnd_chance(s->c.reader_stall))
		s->read_ns = s->now + 30 * MS;
}

/* ------------------------------------------------------------------- loop */

static void sim_rx(struct sim *s, struct sim_pkt *in)
{
	struct mrc_pkt p;

	CHECK_EQ(mrc_wire_parse(in->hdr, in->hdr_len, in->pkt_len, &p), 0);
	if (in->dir)
		sim_rx_at_a(s, in, &p);
	else if (p.opcode == MRC_OP_PROBE)
		sim_rx_probe(s, in, &p);
	else
		sim_rx_data(s, in, &p);
}

/* Lists, counters and states of the send window must tell the same story. */
static void sim_check_req(const struct mrc_req *rq)
{
	const struct mrc_txwin *w = &rq->win;
	u32 i, low, n_inflight = 0, n_lost = 0;
	u64 psn, last = 0;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++) {
		const struct mrc_subflow *sf = rq->sf[i];
		u32 cost = 0;
		u64 seq = 0;

		if (!sf)
			continue;
		for (low = sf->head; low != MRC_TX_NIL;
		     low = mrc_txwin_at(w, low)->next) {
			const struct mrc_txd *d = mrc_txwin_at(w, low);

			CHECK_EQ(d->state, MRC_TXD_INFLIGHT);
			CHECK_EQ(d->subflow, i);
			CHECK(d->send_seq > seq);
			seq = d->send_seq;
			cost += mrc_txd_cost(d);
			n_inflight++;
		}
		CHECK_EQ(cost, sf->inflight);
		CHECK(sf->state == MRC_SF_ACTIVE || !sf->inflight);
	}
	for (low = w->lost_head; low != MRC_TX_NIL;
	     low = mrc_txwin_at(w, low)->next) {
		CHECK_EQ(mrc_txwin_at(w, low)->state, MRC_TXD_LOST);
		psn = mrc_txwin_psn(w, low);
		CHECK(psn > last && psn >= w->una && psn < w->nxt);
		last = psn;
		n_lost++;
	}
	CHECK_EQ(n_inflight, w->n_inflight);
	CHECK_EQ(n_lost, w->n_lost);
	for (psn = w->una; psn < w->end; psn++) {
		const struct mrc_txd *d = mrc_txwin_at(w, psn);

		CHECK_EQ(d->state == MRC_TXD_QUEUED, psn >= w->nxt);
		n_inflight -= d->state == MRC_TXD_INFLIGHT;
		n_lost -= d->state == MRC_TXD_LOST;
	}
	CHECK_EQ(n_inflight, 0);
	CHECK_EQ(n_lost, 0);
}

static u64 sim_next_time(const struct sim *s)
{
	u64 t = mrc_req_deadline(&s->rq, s->now);

	if (s->queue)
		t = min(t, s->queue->at);
	if (s->sack_since != MRC_NEVER)
		t = min(t, s->sack_since + SIM_SACK_DELAY);
	return min(t, s->read_ns);
}

static bool sim_done(const struct sim *s)
{
	return s->done_msgs == s->c.n_msgs && s->tx_msn == s->c.n_msgs &&
	       mrc_req_idle(&s->rq);
}

static void sim_step(struct sim *s)
{
	struct sim_pkt *in;

	s->now = max(s->now, sim_next_time(s));
	while (s->queue && s->queue->at <= s->now) {
		in = s->queue;
		s->queue = in->next;
		sim_rx(s, in);
		sim_pkt_free(in);
	}
	if (s->sack_since != MRC_NEVER &&
	    s->now >= s->sack_since + SIM_SACK_DELAY)
		sim_send_sacks(s, s->last_path);
	if (s->now >= s->read_ns)
		sim_read(s);
	if (mrc_req_deadline(&s->rq, s->now) <= s->now) {
		mrc_req_timer(&s->rq, s->now);
		sim_tx_probes(s);
	}
	sim_push(s);
}

static void sim_init(struct sim *s, const struct sim_conf *c)
{
	u64 first = mrc_psn_first(c->first_psn);
	unsigned int i;

	memset(s, 0, sizeof(*s));
	s->c = *c;
	s->now = MRC_NSEC_PER_SEC;
	s->msg_len = calloc(c->n_msgs, sizeof(*s->msg_len));
	s->fate = calloc(c->n_msgs, 1);
	for (i = 0; i < c->n_msgs; i++)
		s->msg_len[i] = rnd_chance(300) ? rnd_below(200) :
						  rnd_below(c->msg_max + 1);
	mrc_req_init(&s->rq, first, c->buffer);
	if (c->credits)
		s->rq.msn_limit = c->credits;
	mrc_rxwin_init(&s->rx, first, MRC_RXWIN_MAX, c->unordered);
	mrc_rxwin_advance(&s->rx, first + c->buffer);
	s->adv_right = s->rx.right;
	s->sack_since = MRC_NEVER;
	s->read_ns = MRC_NEVER;
	for (i = 0; i < c->n_paths; i++) {
		mrc_subflow_init(&s->sf[i], i, i, c->mss, 8, rnd() | 1, s->now,
				 GFP_KERNEL);
		s->rq.sf[i] = &s->sf[i];
		mrc_req_subflow_event(&s->rq, i, MRC_SF_EV_ADD, s->now);
	}
	/* REQ and REP went over the first one. */
	mrc_req_subflow_event(&s->rq, 0, MRC_SF_EV_PROVED, s->now);
	sim_push(s);
}

static void sim_destroy(struct sim *s)
{
	struct sim_pkt *p;
	unsigned int i;

	while ((p = s->queue)) {
		s->queue = p->next;
		sim_pkt_free(p);
	}
	sim_rx_live -= s->unread;
	mrc_rxwin_destroy(&s->rx, sim_rx_release);
	sim_tx_release(s, s->rq.win.una, s->rq.win.end);
	mrc_req_destroy(&s->rq);
	for (i = 0; i < s->c.n_paths; i++)
		mrc_subflow_destroy(&s->sf[i]);
	free(s->msg_len);
	free(s->fate);
}

/* Run until everything is delivered and acknowledged, or until @limit. */
static bool sim_run(struct sim *s, u64 limit)
{
	u64 end = s->now + limit;
	unsigned int steps = 0;
	int bad = harness_bad;

	while (!sim_done(s) && s->now < end && harness_bad == bad) {
		if (sim_next_time(s) == MRC_NEVER)
			return false;
		sim_step(s);
		if (++steps % 64 == 0)
			sim_check_req(&s->rq);
	}
	sim_check_req(&s->rq);
	return sim_done(s);
}

#endif /* _MRC_TEST_SIM_H */
