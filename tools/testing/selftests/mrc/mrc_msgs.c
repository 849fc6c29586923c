// SPDX-License-Identifier: GPL-2.0
/*
 * Messages whose size and every byte follow from their number, sent and
 * checked: order, boundaries, content, and that nothing is lost or doubled.
 *
 *	mrc_msgs [OPTIONS]		both ends over the loopback device
 *	mrc_msgs -l [OPTIONS]		wait for the sender
 *	mrc_msgs -c ADDR [OPTIONS]	be the sender
 *
 * Both ends need the same -z or -m, -n, -S, -u and -b.  On success each end
 * prints "sent N messages B bytes" and "received N messages B bytes".
 */
#include <sys/stat.h>

#include "mrc_util.h"

static struct {
	const char *connect_to;
	const char *stop_file;
	bool listen, v6, both, unordered;
	uint16_t port;
	uint32_t count, max, chunk, delay_us;
	uint32_t sizes[64], n_sizes;
	uint64_t seed;
	int rcvbuf, sndbuf;
	unsigned int seconds;
} o = {
	.port = 7000, .count = 100, .max = 20000, .chunk = 1 << 20, .seconds = 120,
};

#define UNORDERED_HDR	8

/* Number in the patterns: the two directions differ. */
static uint32_t salt(bool client, uint32_t msn)
{
	return msn * 2 + client;
}

static uint32_t size_of(bool client, uint32_t msn)
{
	uint64_t state = o.seed + salt(client, msn) * 0x9e3779b97f4a7c15ULL;
	uint32_t size;

	if (o.n_sizes) {
		size = o.sizes[msn % o.n_sizes];
	} else {
		rng(&state);
		/* Half of them are small. */
		size = rng(&state) & 1 ? rng(&state) % 200 : rng(&state) % (o.max + 1);
		if (size > o.max)
			size = o.max;
	}
	if (o.unordered && size < UNORDERED_HDR)
		size = UNORDERED_HDR;
	return size;
}

static uint32_t largest(void)
{
	uint32_t i, max = o.max;

	for (i = 0; i < o.n_sizes; i++)
		if (i == 0 || o.sizes[i] > max)
			max = o.sizes[i];
	return max < UNORDERED_HDR ? UNORDERED_HDR : max;
}

/* Accepted sockets inherit all of it. */
static void set_buffers(int fd)
{
	if (o.rcvbuf)
		set_int(fd, SOL_SOCKET, SO_RCVBUF, o.rcvbuf);
	if (o.sndbuf)
		set_int(fd, SOL_SOCKET, SO_SNDBUF, o.sndbuf);
	if (o.unordered)
		set_int(fd, SOL_MRC, MRC_UNORDERED, 1);
}

static bool stopped(void)
{
	struct stat st;

	return o.stop_file && !stat(o.stop_file, &st);
}

static void send_all(int fd, bool client)
{
	uint8_t *buf = malloc(largest());
	unsigned long long bytes = 0;
	uint32_t msn, size;
	ssize_t n;

	for (msn = 0; o.stop_file ? !stopped() : msn < o.count; msn++) {
		size = size_of(client, msn);
		pattern_fill(buf, salt(client, msn), 0, size);
		if (o.unordered) {
			memcpy(buf, &msn, 4);
			memcpy(buf + 4, &size, 4);
		}
		n = send(fd, buf, size, MSG_NOSIGNAL);
		if (n != size)
			FAIL("message %u: send of %u bytes returns %zd, %s", msn, size, n,
			     strerror(errno));
		bytes += size;
	}
	CHECK_EQ(shutdown(fd, SHUT_WR), 0);
	printf("sent %u messages %llu bytes\n", msn, bytes);
	fflush(stdout);
}

/* Checks the bytes at @off of message @msn that has come so far to @off + @n. */
static void check_bytes(const uint8_t *buf, bool client, uint32_t msn, uint32_t off, size_t n)
{
	size_t good, skip = 0;

	if (o.unordered && off < UNORDERED_HDR)
		skip = n < UNORDERED_HDR - off ? n : UNORDERED_HDR - off;
	good = pattern_check(buf + skip, salt(client, msn), off + skip, n - skip) + skip;
	if (good != n)
		FAIL("message %u: byte %zu is %#x, expected %#x", msn, off + good, buf[good],
		     pattern(salt(client, msn), off + good));
}

static void recv_all(int fd, bool client)
{
	size_t room = o.chunk;
	uint8_t *buf = malloc(room), *seen = NULL;
	unsigned long long bytes = 0;
	uint32_t msn = 0, got = 0, number = 0, off = 0, size;
	int flags;
	ssize_t n;

	if (o.unordered) {
		CHECK(room >= UNORDERED_HDR);
		seen = calloc(1, 1 << 20);
	}
	for (;;) {
		n = recv_flags(fd, buf, room, 0, &flags);
		if (n < 0)
			FAIL("message %u: recv: %s", got, strerror(errno));
		if (!n && !(flags & MSG_EOR))
			break;
		if (flags & MSG_TRUNC)
			FAIL("message %u: MSG_TRUNC", got);
		if (!off && o.unordered) {
			CHECK(n >= UNORDERED_HDR);
			memcpy(&number, buf, 4);
			if (number >= 1 << 20 || seen[number]++)
				FAIL("message %u came twice or never was", number);
		} else if (!off) {
			number = msn;
		}
		size = size_of(client, number);
		if (off + (size_t)n > size)
			FAIL("message %u: %zd bytes at %u, but it has only %u", number, n, off,
			     size);
		check_bytes(buf, client, number, off, n);
		off += n;
		bytes += n;
		if (!(flags & MSG_EOR)) {
			if (off == size)
				FAIL("message %u: no MSG_EOR at its end %u", number, size);
			continue;
		}
		if (off != size)
			FAIL("message %u: ends after %u bytes of %u", number, off, size);
		off = 0;
		msn++;
		got++;
		if (o.delay_us)
			usleep(o.delay_us);
	}
	if (off)
		FAIL("end in the middle of message %u", number);
	if (!o.stop_file && got != o.count)
		FAIL("%u messages instead of %u", got, o.count);
	printf("received %u messages %llu bytes\n", got, bytes);
	fflush(stdout);
}

/* One end; with both directions a child sends. */
static void serve(int fd, bool client)
{
	pid_t pid = 0;

	if (client || o.both) {
		pid = fork_child();
		if (!pid) {
			send_all(fd, client);
			_exit(0);
		}
	}
	if (client && !o.both)
		recv_eof(fd);
	else
		recv_all(fd, !client);
	if (pid)
		wait_child(pid);
	CHECK_EQ(sock_error(fd), 0);
	CHECK_EQ(close(fd), 0);
}

static socklen_t address(struct sockaddr_storage *ss, const char *text)
{
	if (text) {
		mrc_fam = strchr(text, ':') ? FAM_V6 : FAM_V4;
		return addr_make(ss, text, text, o.port);
	}
	mrc_fam = o.v6 ? FAM_V6 : FAM_V4;
	return addr_make(ss, "0.0.0.0", "::", o.port);
}

static int open_listener(void)
{
	struct sockaddr_storage ss;
	socklen_t len;
	int fd;

	/* For both families where nothing else is asked for. */
	o.v6 |= o.listen;
	len = address(&ss, NULL);
	fd = sock_new();
	set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	set_buffers(fd);
	if (bind(fd, (struct sockaddr *)&ss, len))
		FAIL("bind: %s", strerror(errno));
	CHECK_EQ(listen(fd, 8), 0);
	return fd;
}

/* The listener may be a moment late. */
static int open_client(const char *to)
{
	struct sockaddr_storage ss;
	socklen_t len = address(&ss, to);
	int fd, tries;

	for (tries = 0;; tries++) {
		fd = sock_new();
		set_buffers(fd);
		if (!connect(fd, (struct sockaddr *)&ss, len))
			return fd;
		if (errno != ECONNREFUSED || tries == 200)
			FAIL("connect: %s", strerror(errno));
		close(fd);
		usleep(50000);
	}
}

static void loopback(void)
{
	int lfd, fd;
	pid_t pid;

	o.port = 0;
	lfd = open_listener();
	o.port = sock_port(lfd);
	pid = fork_child();
	if (!pid) {
		close(lfd);
		serve(open_client(o.v6 ? "::1" : "127.0.0.1"), true);
		_exit(0);
	}
	fd = accept(lfd, NULL, NULL);
	CHECK(fd >= 0);
	close(lfd);
	serve(fd, false);
	wait_child(pid);
}

static void parse_sizes(char *arg)
{
	char *word;

	for (word = strtok(arg, ","); word; word = strtok(NULL, ",")) {
		if (o.n_sizes == ARRAY_SIZE(o.sizes))
			FAIL("too many sizes");
		o.sizes[o.n_sizes++] = strtoul(word, NULL, 0);
	}
}

static void parse(int argc, char **argv)
{
	int opt;

	while ((opt = getopt(argc, argv, "6bc:d:lm:n:p:r:R:S:t:T:uw:z:")) != -1) {
		switch (opt) {
		case '6':
			o.v6 = true;
			break;
		case 'b':
			o.both = true;
			break;
		case 'c':
			o.connect_to = optarg;
			break;
		case 'd':
			o.delay_us = atoi(optarg);
			break;
		case 'l':
			o.listen = true;
			break;
		case 'm':
			o.max = strtoul(optarg, NULL, 0);
			break;
		case 'n':
			o.count = strtoul(optarg, NULL, 0);
			break;
		case 'p':
			o.port = atoi(optarg);
			break;
		case 'r':
			o.rcvbuf = atoi(optarg);
			break;
		case 'R':
			o.chunk = strtoul(optarg, NULL, 0);
			break;
		case 'S':
			o.seed = strtoull(optarg, NULL, 0);
			break;
		case 't':
			o.seconds = atoi(optarg);
			break;
		case 'T':
			o.stop_file = optarg;
			break;
		case 'u':
			o.unordered = true;
			break;
		case 'w':
			o.sndbuf = atoi(optarg);
			break;
		case 'z':
			parse_sizes(optarg);
			break;
		default:
			exit(2);
		}
	}
}

/* Ends the whole group, so that no child keeps the connection. */
static void on_alarm(int sig)
{
	static const char text[] = "# out of time\n";

	(void)sig;
	if (write(1, text, sizeof(text) - 1) < 0)
		_exit(3);
	kill(0, SIGKILL);
}

int main(int argc, char **argv)
{
	int lfd, fd;

	parse(argc, argv);
	setpgid(0, 0);
	signal(SIGALRM, on_alarm);
	alarm(o.seconds);
	if (o.connect_to) {
		serve(open_client(o.connect_to), true);
	} else if (o.listen) {
		lfd = open_listener();
		fd = accept(lfd, NULL, NULL);
		CHECK(fd >= 0);
		close(lfd);
		serve(fd, false);
	} else {
		loopback();
	}
	return 0;
}
