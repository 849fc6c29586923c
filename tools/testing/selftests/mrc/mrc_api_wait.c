// SPDX-License-Identifier: GPL-2.0
/* The socket API of MRC: waiting, by sleeping, poll, epoll and signals. */
#include <sys/epoll.h>
#include <sys/select.h>

#include "mrc_util.h"

static volatile sig_atomic_t signals;

static void on_signal(int sig)
{
	(void)sig;
	signals++;
}

/* Sends until it would block; returns the number of messages taken. */
static int fill(int fd, size_t size)
{
	char *buf = calloc(1, size);
	int n = 0;

	while (send(fd, buf, size, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)size)
		if (++n > 1000000)
			FAIL("no end of space");
	CHECK_EQ(errno, EAGAIN);
	free(buf);
	return n;
}

/* What has been sent but not read becomes full at both ends. */
static int fill_for_good(int fd, size_t size)
{
	int n = 0, more;

	do {
		more = fill(fd, size);
		n += more;
		usleep(50000);
	} while (more);
	return n;
}

static void poll_events(void)
{
	int c, s;

	pair_new(&c, &s);
	CHECK_EQ(poll_now(c), POLLOUT);
	CHECK_EQ(poll_now(s), POLLOUT);
	send_str(c, "a");
	send_str(c, "b");
	poll_for(s, POLLIN);
	CHECK_EQ(poll_now(s), POLLIN | POLLOUT);
	recv_str(s, "a");
	CHECK(poll_now(s) & POLLIN || poll_for(s, POLLIN));
	recv_str(s, "b");
	CHECK_EQ(poll_now(s), POLLOUT);
	CHECK_EQ(poll_now(c), POLLOUT);
}

static void select_works(void)
{
	struct timeval tv = { .tv_sec = 20 };
	fd_set r, w;
	int c, s;

	pair_new(&c, &s);
	FD_ZERO(&r);
	FD_ZERO(&w);
	FD_SET(s, &r);
	FD_SET(s, &w);
	CHECK_EQ(select(s + 1, &r, &w, NULL, &tv), 1);
	CHECK(!FD_ISSET(s, &r) && FD_ISSET(s, &w));
	send_str(c, "x");
	FD_SET(s, &r);
	CHECK_EQ(select(s + 1, &r, NULL, NULL, &tv), 1);
	recv_str(s, "x");
}

static void full_gives_eagain_then_pollout(void)
{
	static const size_t sizes[] = { 1, 1000, 50000 };
	char *buf = malloc(50000);
	unsigned int i;
	int c, s, n, got;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		pair_new(&c, &s);
		set_int(c, SOL_SOCKET, SO_SNDBUF, 65536);
		set_int(s, SOL_SOCKET, SO_RCVBUF, 65536);
		n = fill_for_good(c, sizes[i]);
		CHECK(n > 0);
		CHECK_EQ(poll_now(c) & (POLLOUT | POLLERR | POLLHUP), 0);
		CHECK_EQ(sock_error(c), 0);
		/* Everything that was taken arrives, nothing else. */
		for (got = 0; got < n; got++)
			CHECK_EQ(recv(s, buf, 50000, 0), sizes[i]);
		CHECK(poll_for(c, POLLOUT) & POLLOUT);
		send_str(c, "after");
		recv_str(s, "after");
		close(c);
		close(s);
	}
}

static void blocked_writer_wakes(void)
{
	enum { MORE = 200 };
	static char buf[4096];
	int c, s, n, i;
	pid_t pid;

	pair_new(&c, &s);
	set_int(c, SOL_SOCKET, SO_SNDBUF, 32768);
	n = fill_for_good(c, sizeof(buf));
	pid = fork_child();
	if (!pid) {
		for (i = 0; i < MORE; i++)
			CHECK_EQ(send(c, buf, sizeof(buf), 0), sizeof(buf));
		_exit(0);
	}
	usleep(200000);
	for (i = 0; i < n + MORE; i++)
		CHECK_EQ(recv(s, buf, sizeof(buf), 0), sizeof(buf));
	wait_child(pid);
}

static void timeouts(void)
{
	long long start = mrc_ms();
	char b;
	int c, s;

	pair_new(&c, &s);
	set_timeout(s, SO_RCVTIMEO, 300);
	CHECK_ERR(recv(s, &b, 1, 0), EAGAIN);
	CHECK(mrc_ms() - start >= 290);
	set_timeout(c, SO_SNDTIMEO, 300);
	fill_for_good(c, 1000);
	start = mrc_ms();
	CHECK_ERR(send(c, &b, 1000, 0), EAGAIN);
	CHECK(mrc_ms() - start >= 290);
	CHECK_EQ(sock_error(c), 0);
	/* A message larger than the buffer, half of which has gone already. */
	CHECK(recv(s, &b, 1, 0) == 1);
}

static void signals_interrupt(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	char b[1000];
	uint16_t port;
	int lfd = listener_new(&port, 1), c, s;

	sigaction(SIGALRM, &sa, NULL);
	pair_from(lfd, port, &c, &s);
	ualarm(200000, 0);
	CHECK_ERR(recv(s, b, 1, 0), EINTR);
	ualarm(200000, 0);
	CHECK_ERR(accept(lfd, NULL, NULL), EINTR);
	fill_for_good(c, sizeof(b));
	ualarm(200000, 0);
	CHECK_ERR(send(c, b, sizeof(b), 0), EINTR);
	CHECK_EQ(signals, 3);
	/* Nothing has been lost by it. */
	while (recv(s, b, sizeof(b), MSG_DONTWAIT) > 0)
		usleep(100);
	WAIT_FOR(recv(s, b, sizeof(b), MSG_DONTWAIT) < 0 && poll_now(c) & POLLOUT);
	send_str(c, "fine");
	WAIT_FOR(recv(s, b, sizeof(b), 0) == 4);
}

/* With SA_RESTART the call goes on; with a time limit it does not. */
static void signals_restart(void)
{
	struct sigaction sa = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
	char b;
	int c, s;
	pid_t pid;

	sigaction(SIGALRM, &sa, NULL);
	pair_new(&c, &s);
	pid = fork_child();
	if (!pid) {
		usleep(600000);
		send_str(c, "late");
		_exit(0);
	}
	ualarm(200000, 0);
	recv_str(s, "late");
	CHECK_EQ(signals, 1);
	wait_child(pid);
	set_timeout(s, SO_RCVTIMEO, 20000);
	ualarm(200000, 0);
	CHECK_ERR(recv(s, &b, 1, 0), EINTR);
}

static int epoll_add(int fd, uint32_t events)
{
	struct epoll_event ev = { .events = events, .data.fd = fd };
	int ep = epoll_create1(0);

	CHECK(ep >= 0);
	CHECK_EQ(epoll_ctl(ep, EPOLL_CTL_ADD, fd, &ev), 0);
	return ep;
}

static uint32_t epoll_get(int ep, int ms)
{
	struct epoll_event ev = {};
	int n = epoll_wait(ep, &ev, 1, ms);

	CHECK(n >= 0);
	return n ? ev.events : 0;
}

static void epoll_level(void)
{
	int c, s, ep;

	pair_new(&c, &s);
	ep = epoll_add(s, EPOLLIN | EPOLLRDHUP);
	CHECK_EQ(epoll_get(ep, 0), 0);
	send_str(c, "x");
	CHECK_EQ(epoll_get(ep, 20000), EPOLLIN);
	CHECK_EQ(epoll_get(ep, 0), EPOLLIN);
	recv_str(s, "x");
	CHECK_EQ(epoll_get(ep, 0), 0);
	shutdown(c, SHUT_WR);
	CHECK_EQ(epoll_get(ep, 20000), EPOLLIN | EPOLLRDHUP);
	CHECK_EQ(epoll_get(ep, 0), EPOLLIN | EPOLLRDHUP);
}

static void epoll_edge(void)
{
	int c, s, ep;

	pair_new(&c, &s);
	ep = epoll_add(s, EPOLLIN | EPOLLRDHUP | EPOLLET);
	CHECK_EQ(epoll_get(ep, 0), 0);
	send_str(c, "a");
	CHECK(epoll_get(ep, 20000) & EPOLLIN);
	CHECK_EQ(epoll_get(ep, 100), 0);
	/* A new message is a new edge although the old one is unread. */
	send_str(c, "b");
	CHECK(epoll_get(ep, 20000) & EPOLLIN);
	recv_str(s, "a");
	recv_str(s, "b");
	CHECK_EQ(epoll_get(ep, 100), 0);
	shutdown(c, SHUT_WR);
	CHECK(epoll_get(ep, 20000) & EPOLLRDHUP);
	recv_eof(s);
}

/*
 * Both ends live by edges alone, with small buffers: an edge that is lost
 * leaves both asleep.
 */
static void epoll_edge_loses_no_wakeup(void)
{
	enum { BYTES = 2000000 };
	static char buf[7000];
	int c, s, ep;
	long got = 0, put = 0;
	uint64_t seed = 3;
	size_t size = 1;
	pid_t pid;
	ssize_t n;

	pair_new(&c, &s);
	set_int(c, SOL_SOCKET, SO_SNDBUF, 20000);
	set_int(s, SOL_SOCKET, SO_RCVBUF, 20000);
	set_nonblock(c, true);
	set_nonblock(s, true);
	pid = fork_child();
	if (!pid) {
		ep = epoll_add(c, EPOLLOUT | EPOLLET);
		while (put < BYTES) {
			n = send(c, buf, size, MSG_NOSIGNAL);
			if (n < 0) {
				CHECK_EQ(errno, EAGAIN);
				if (!epoll_get(ep, 20000))
					FAIL("no edge for the writer after %ld bytes", put);
				continue;
			}
			put += n;
			size = 1 + rng(&seed) % sizeof(buf);
		}
		CHECK_EQ(shutdown(c, SHUT_WR), 0);
		_exit(0);
	}
	ep = epoll_add(s, EPOLLIN | EPOLLET);
	for (;;) {
		n = recv(s, buf, sizeof(buf), 0);
		if (!n)
			break;
		if (n < 0) {
			CHECK_EQ(errno, EAGAIN);
			if (!epoll_get(ep, 20000))
				FAIL("no edge for the reader after %ld bytes", got);
			continue;
		}
		got += n;
	}
	CHECK(got >= BYTES);
	wait_child(pid);
}

/* accept() after each event of the listener finds a connection. */
static void epoll_listener(void)
{
	uint16_t port;
	int lfd = listener_new(&port, 16), c[10], i, ep;

	ep = epoll_add(lfd, EPOLLIN);
	CHECK_EQ(epoll_get(ep, 0), 0);
	for (i = 0; i < 10; i++) {
		c[i] = sock_new();
		CHECK_EQ(connect_loop(c[i], port), 0);
	}
	set_nonblock(lfd, true);
	for (i = 0; i < 10; i++) {
		CHECK_EQ(epoll_get(ep, 20000), EPOLLIN);
		CHECK(accept(lfd, NULL, NULL) >= 0);
	}
	CHECK_EQ(epoll_get(ep, 100), 0);
}

/* A reset wakes everybody: reader, writer and poll. */
static void reset_wakes_sleepers(void)
{
	char buf[1000];
	int c, s, events, i;
	pid_t pid[3];

	pair_new(&c, &s);
	fill_for_good(c, sizeof(buf));
	for (i = 0; i < 3; i++) {
		pid[i] = fork_child();
		if (!pid[i]) {
			close(s);
			if (i == 0)
				CHECK(recv(c, buf, 1, 0) <= 0);
			if (i == 1)
				CHECK(send(c, buf, sizeof(buf), MSG_NOSIGNAL) < 0);
			if (i == 2) {
				events = poll_for(c, POLLRDHUP);
				CHECK(events & (POLLERR | POLLHUP | POLLRDHUP));
			}
			_exit(0);
		}
	}
	usleep(300000);
	close(s);
	for (i = 0; i < 3; i++)
		wait_child(pid[i]);
}

static const struct mrc_case cases[] = {
	CASE(poll_events),
	CASE(select_works),
	CASE(full_gives_eagain_then_pollout),
	CASE(blocked_writer_wakes),
	CASE(timeouts),
	CASE(signals_interrupt),
	CASE(signals_restart),
	CASE(epoll_level),
	CASE(epoll_edge),
	CASE_IN(epoll_edge_loses_no_wakeup, IN_V4 | IN_V6),
	CASE(epoll_listener),
	CASE(reset_wakes_sleepers),
};

MRC_MAIN(cases)
