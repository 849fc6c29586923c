// SPDX-License-Identifier: GPL-2.0
/* The socket API of MRC: connect(), shutdown(), close() and their errors. */
#include "mrc_util.h"

static volatile sig_atomic_t signals;

static void on_signal(int sig)
{
	(void)sig;
	signals++;
}

static void connect_refused(void)
{
	uint16_t port;
	int lfd = listener_new(&port, 1), fd = sock_new(), s;

	close(lfd);
	CHECK_ERR(connect_loop(fd, port), ECONNREFUSED);
	/* Reported once, and the socket is as good as new. */
	CHECK_EQ(sock_error(fd), 0);
	lfd = listener_new(&port, 1);
	CHECK_EQ(connect_loop(fd, port), 0);
	s = accept(lfd, NULL, NULL);
	CHECK(s >= 0);
	send_str(fd, "second try");
	recv_str(s, "second try");
}

static void connect_bad_addresses(void)
{
	struct sockaddr_storage ss;
	int fd = sock_new();
	socklen_t len;

	len = addr_loop(&ss, 5);
	CHECK_ERR(connect(fd, (struct sockaddr *)&ss, 1), EINVAL);
	CHECK_ERR2(connect(fd, (struct sockaddr *)&ss, 8), EINVAL, EAFNOSUPPORT);
	CHECK_ERR(connect(fd, (void *)16, len), EFAULT);
	len = addr_make(&ss, NOROUTE_V4, NOROUTE_V6, 5);
	CHECK_ERR(connect(fd, (struct sockaddr *)&ss, len), ENETUNREACH);
	ss.ss_family = AF_UNIX;
	CHECK_ERR(connect(fd, (struct sockaddr *)&ss, sizeof(ss)), EAFNOSUPPORT);
	/* Multicast is nobody's address. */
	len = addr_make(&ss, "224.0.0.1", "ff02::1", 5);
	CHECK(connect(fd, (struct sockaddr *)&ss, len) < 0);
}

static void connect_nonblocking(void)
{
	uint16_t port;
	int lfd = listener_new(&port, 1), fd = sock_new(), s, ret;

	set_nonblock(fd, true);
	CHECK_ERR(connect_loop(fd, port), EINPROGRESS);
	CHECK_EQ(poll_for(fd, POLLOUT) & (POLLOUT | POLLERR | POLLHUP), POLLOUT);
	CHECK_EQ(sock_error(fd), 0);
	ret = connect_loop(fd, port);
	if (ret)
		CHECK_EQ(errno, EISCONN);
	CHECK_ERR(connect_loop(fd, port), EISCONN);
	s = accept(lfd, NULL, NULL);
	CHECK(s >= 0);
	send_str(fd, "in the background");
	recv_str(s, "in the background");
}

static void connect_nonblocking_refused(void)
{
	uint16_t port;
	int lfd = listener_new(&port, 1), fd = sock_new();
	int events;

	close(lfd);
	set_nonblock(fd, true);
	if (connect_loop(fd, port) && errno != EINPROGRESS) {
		CHECK_EQ(errno, ECONNREFUSED);
	} else {
		events = poll_for(fd, POLLOUT);
		CHECK(events & POLLERR);
		CHECK(events & POLLHUP);
		CHECK_EQ(sock_error(fd), ECONNREFUSED);
	}
	CHECK_EQ(sock_error(fd), 0);
}

static void connect_twice(void)
{
	int c, s, fd;
	uint16_t port;
	int lfd = listener_new(&port, 4);

	pair_from(lfd, port, &c, &s);
	CHECK_ERR(connect_loop(c, port), EISCONN);
	CHECK_ERR(connect_loop(s, port), EISCONN);
	CHECK_ERR(connect_loop(lfd, port), EISCONN);
	/* Under way: */
	fd = sock_new();
	set_nonblock(fd, true);
	CHECK_ERR(connect_hole(fd), EINPROGRESS);
	CHECK_ERR(connect_hole(fd), EALREADY);
	CHECK_EQ(poll_now(fd) & (POLLOUT | POLLIN | POLLERR), 0);
	send_str(c, "still here");
	recv_str(s, "still here");
}

/* SO_SNDTIMEO bounds a blocking connect(); the handshake goes on. */
static void connect_timeout(void)
{
	int fd = sock_new();

	set_timeout(fd, SO_SNDTIMEO, 200);
	CHECK_ERR(connect_hole(fd), EINPROGRESS);
	CHECK_ERR(connect_hole(fd), EALREADY);
	CHECK_EQ(close(fd), 0);
}

static void connect_interrupted(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	int fd = sock_new();

	sigaction(SIGALRM, &sa, NULL);
	ualarm(200000, 0);
	CHECK_ERR(connect_hole(fd), EINTR);
	CHECK_EQ(signals, 1);
	CHECK_EQ(close(fd), 0);
}

/* close() and shutdown() of a socket whose REQ is not answered. */
static void connect_given_up(void)
{
	int fd = sock_new();
	char b;

	set_nonblock(fd, true);
	CHECK_ERR(connect_hole(fd), EINPROGRESS);
	CHECK(send(fd, "x", 1, MSG_NOSIGNAL) < 0);
	CHECK(recv(fd, &b, 1, 0) < 0);
	CHECK_EQ(close(fd), 0);

	fd = sock_new();
	set_nonblock(fd, true);
	CHECK_ERR(connect_hole(fd), EINPROGRESS);
	shutdown(fd, SHUT_RDWR);
	CHECK(poll_for(fd, POLLIN) & POLLHUP);
	CHECK(send(fd, "x", 1, MSG_NOSIGNAL) < 0);
	CHECK_EQ(close(fd), 0);
}

/* connect(AF_UNSPEC) breaks a connection and frees the socket. */
static void connect_unspec(void)
{
	struct sockaddr sa = { .sa_family = AF_UNSPEC };
	uint16_t port;
	int lfd = listener_new(&port, 4), c, s;
	char b;

	pair_from(lfd, port, &c, &s);
	CHECK_EQ(connect(c, &sa, sizeof(sa)), 0);
	CHECK_ERR(recv(s, &b, 1, 0), ECONNRESET);
	CHECK_ERR2(send(c, "x", 1, MSG_NOSIGNAL), ENOTCONN, EPIPE);
	CHECK_EQ(connect_loop(c, port), 0);
	close(s);
	s = accept(lfd, NULL, NULL);
	CHECK(s >= 0);
	send_str(c, "again");
	recv_str(s, "again");
	send_str(s, "and back");
	recv_str(c, "and back");
}

/* To its own port: whatever it answers, nothing hangs. */
static void connect_to_itself(void)
{
	int fd = sock_new();
	uint16_t port;

	CHECK_EQ(bind_loop(fd, 0), 0);
	port = sock_port(fd);
	set_timeout(fd, SO_SNDTIMEO, 1000);
	if (!connect_loop(fd, port))
		say("connected to itself");
	CHECK_EQ(close(fd), 0);
}

static void unconnected_socket(void)
{
	int fd = sock_new();
	char b;

	CHECK_ERR2(send(fd, "x", 1, MSG_NOSIGNAL), ENOTCONN, EPIPE);
	CHECK_ERR(recv(fd, &b, 1, 0), ENOTCONN);
	CHECK_ERR(shutdown(fd, SHUT_RDWR), ENOTCONN);
	CHECK(poll_now(fd) & POLLHUP);
	CHECK_ERR(accept(fd, NULL, NULL), EINVAL);
}

static void shutdown_write(void)
{
	struct sigaction sa = { .sa_handler = on_signal };
	int c, s, events;

	pair_new(&c, &s);
	sigaction(SIGPIPE, &sa, NULL);
	send_str(c, "last");
	CHECK_EQ(shutdown(c, SHUT_WR), 0);
	CHECK_EQ(shutdown(c, SHUT_WR), 0);
	CHECK_ERR(send(c, "x", 1, MSG_NOSIGNAL), EPIPE);
	CHECK_EQ(signals, 0);
	CHECK_ERR(send(c, "x", 1, 0), EPIPE);
	CHECK_EQ(signals, 1);

	recv_str(s, "last");
	events = poll_for(s, POLLRDHUP);
	CHECK(events & POLLRDHUP);
	CHECK_EQ(poll_now(s) & (POLLIN | POLLRDHUP | POLLHUP), POLLIN | POLLRDHUP);
	recv_eof(s);
	recv_eof(s);
	/* The other direction is open. */
	send_str(s, "answer");
	send_str(s, "more");
	recv_str(c, "answer");
	recv_str(c, "more");
	CHECK_EQ(poll_now(c) & (POLLIN | POLLHUP), 0);
	CHECK_EQ(shutdown(s, SHUT_WR), 0);
	CHECK(poll_for(c, POLLHUP | POLLIN) & POLLIN);
	recv_eof(c);
	WAIT_FOR(poll_now(c) & POLLHUP);
	WAIT_FOR(poll_now(s) & POLLHUP);
	CHECK_EQ(sock_error(c), 0);
	CHECK_EQ(sock_error(s), 0);
}

static void shutdown_read(void)
{
	int c, s, i;

	pair_new(&c, &s);
	CHECK_EQ(shutdown(c, SHUT_RD), 0);
	CHECK_EQ(poll_now(c) & (POLLIN | POLLRDHUP | POLLHUP), POLLIN | POLLRDHUP);
	recv_eof(c);
	/* We can send, and the peer does not notice. */
	send_str(c, "one way");
	recv_str(s, "one way");
	for (i = 0; i < 10; i++)
		send_str(s, "into the void");
	CHECK_EQ(poll_now(s) & (POLLERR | POLLHUP | POLLRDHUP), 0);
	send_str(c, "still");
	recv_str(s, "still");
}

static void shutdown_both(void)
{
	int c, s;

	pair_new(&c, &s);
	send_str(c, "before");
	CHECK_EQ(shutdown(c, SHUT_RDWR), 0);
	CHECK(poll_now(c) & POLLHUP);
	recv_eof(c);
	CHECK_ERR(send(c, "x", 1, MSG_NOSIGNAL), EPIPE);
	recv_str(s, "before");
	recv_eof(s);
	CHECK_ERR(shutdown(s, 3), EINVAL);
	CHECK_ERR(shutdown(s, -1), EINVAL);
	CHECK_EQ(shutdown(s, SHUT_WR), 0);
}

/* A sleeping reader wakes up, whoever ends the direction. */
static void shutdown_wakes_reader(void)
{
	int c, s, i;
	pid_t pid;

	for (i = 0; i < 2; i++) {
		pair_new(&c, &s);
		pid = fork_child();
		if (!pid) {
			recv_eof(c);
			_exit(0);
		}
		usleep(200000);
		CHECK_EQ(i ? shutdown(s, SHUT_WR) : shutdown(c, SHUT_RD), 0);
		wait_child(pid);
		close(c);
		close(s);
	}
}

static void close_delivers_all(void)
{
	enum { N = 100 };
	char text[32];
	int c, s, i;

	pair_new(&c, &s);
	for (i = 0; i < N; i++) {
		snprintf(text, sizeof(text), "message %d", i);
		send_str(c, text);
	}
	CHECK_EQ(close(c), 0);
	for (i = 0; i < N; i++) {
		snprintf(text, sizeof(text), "message %d", i);
		recv_str(s, text);
	}
	recv_eof(s);
	CHECK_EQ(sock_error(s), 0);
	/* Nobody reads any more: the first may be taken, then it is a reset. */
	if (send(s, "x", 1, MSG_NOSIGNAL) == 1)
		WAIT_FOR(send(s, "x", 1, MSG_NOSIGNAL) < 0);
	CHECK(errno == EPIPE || errno == ECONNRESET);
}

static void close_with_unread_data_resets(void)
{
	int c, s, events;
	char b;

	pair_new(&c, &s);
	send_str(c, "never read");
	poll_for(s, POLLIN);
	CHECK_EQ(close(s), 0);
	events = poll_for(c, POLLIN);
	CHECK(events & POLLERR);
	CHECK(events & POLLHUP);
	CHECK_ERR(recv(c, &b, 1, 0), ECONNRESET);
	/* Once; afterwards it is only closed. */
	CHECK_EQ(recv(c, &b, 1, 0), 0);
	CHECK_ERR(send(c, "x", 1, MSG_NOSIGNAL), EPIPE);
}

static void linger_zero_resets(void)
{
	char buf[1000] = {};
	int c, s, i;

	pair_new(&c, &s);
	for (i = 0; i < 10; i++)
		CHECK_EQ(send(c, buf, sizeof(buf), 0), sizeof(buf));
	set_linger(c, 0);
	CHECK_EQ(close(c), 0);
	for (i = 0; i < 11; i++)
		if (recv(s, buf, sizeof(buf), 0) <= 0)
			break;
	CHECK(i < 11);
	CHECK_EQ(errno, ECONNRESET);
	/* As with SO_ERROR. */
	pair_new(&c, &s);
	set_linger(c, 0);
	CHECK_EQ(close(c), 0);
	CHECK(poll_for(s, POLLIN) & POLLERR);
	CHECK_EQ(sock_error(s), ECONNRESET);
	CHECK_EQ(sock_error(s), 0);
}

static void linger_waits(void)
{
	struct linger l;
	socklen_t len = sizeof(l);
	int c, s;

	pair_new(&c, &s);
	set_linger(c, 5);
	CHECK_EQ(getsockopt(c, SOL_SOCKET, SO_LINGER, &l, &len), 0);
	CHECK(l.l_onoff && l.l_linger == 5);
	send_str(c, "with patience");
	CHECK_EQ(close(c), 0);
	recv_str(s, "with patience");
	recv_eof(s);
}

static void simultaneous_close(void)
{
	int c, s, i;
	pid_t pid;

	for (i = 0; i < 20; i++) {
		pair_new(&c, &s);
		pid = fork_child();
		if (!pid) {
			close(c);
			shutdown(s, i & 1 ? SHUT_WR : SHUT_RDWR);
			close(s);
			_exit(0);
		}
		close(s);
		shutdown(c, i & 2 ? SHUT_WR : SHUT_RDWR);
		recv_eof(c);
		CHECK_EQ(sock_error(c), 0);
		close(c);
		wait_child(pid);
	}
}

static void half_close_echo(void)
{
	static uint8_t buf[20000];
	enum { N = 60 };
	uint64_t seed = 4711;
	int c, s, flags;
	uint32_t i, size;
	ssize_t n;
	pid_t pid;

	pair_new(&c, &s);
	pid = fork_child();
	if (!pid) {
		close(c);
		while ((n = recv_flags(s, buf, sizeof(buf), 0, &flags)) > 0) {
			CHECK(flags & MSG_EOR);
			CHECK_EQ(send(s, buf, n, 0), n);
		}
		CHECK_EQ(n, 0);
		_exit(0);
	}
	close(s);
	for (i = 0; i < N; i++) {
		size = 1 + rng(&seed) % 2000;
		pattern_fill(buf, i, 0, size);
		CHECK_EQ(send(c, buf, size, 0), size);
	}
	CHECK_EQ(shutdown(c, SHUT_WR), 0);
	seed = 4711;
	for (i = 0; i < N; i++) {
		size = 1 + rng(&seed) % 2000;
		CHECK_EQ(recv_flags(c, buf, sizeof(buf), 0, &flags), size);
		CHECK_EQ(pattern_check(buf, i, 0, size), size);
	}
	recv_eof(c);
	wait_child(pid);
}

/* The connection lives until the last file descriptor goes. */
static void fork_shares_the_socket(void)
{
	int c, s;
	pid_t pid;

	pair_new(&c, &s);
	pid = fork_child();
	if (!pid) {
		send_str(c, "from the child");
		close(c);
		close(s);
		_exit(0);
	}
	wait_child(pid);
	recv_str(s, "from the child");
	CHECK_EQ(poll_now(s) & (POLLIN | POLLRDHUP | POLLHUP), 0);
	send_str(c, "from the parent");
	recv_str(s, "from the parent");
	close(c);
	recv_eof(s);
}

static void many_connections_in_turn(void)
{
	int n = mrc_fam == FAM_V4 ? 1000 : 50;
	uint16_t port;
	int lfd = listener_new(&port, 16), c, s, i;

	for (i = 0; i < n; i++) {
		pair_from(lfd, port, &c, &s);
		send_str(c, "hello");
		recv_str(s, "hello");
		/* In turn the client, the server, and both by force. */
		if (i % 3 == 2)
			set_linger(c, 0);
		if (i % 3 == 1)
			close(s);
		close(c);
		if (i % 3 != 1)
			close(s);
	}
}

static void many_connections_at_once(void)
{
	enum { N = 200 };
	static int c[N], s[N];
	uint16_t port;
	int lfd = listener_new(&port, N), i;

	for (i = 0; i < N; i++)
		pair_from(lfd, port, &c[i], &s[i]);
	for (i = 0; i < N; i++) {
		send_str(c[i], "one");
		send_str(s[N - 1 - i], "two");
	}
	for (i = 0; i < N; i++) {
		recv_str(s[i], "one");
		recv_str(c[i], "two");
	}
}

/* Clients come and go while their listener is closed. */
static void connect_storm_on_a_closing_listener(void)
{
	uint16_t port;
	int lfd, round, i, fd;
	pid_t pid;

	for (round = 0; round < 10; round++) {
		lfd = listener_new(&port, 3);
		set_nonblock(lfd, true);
		pid = fork_child();
		if (!pid) {
			close(lfd);
			for (i = 0; i < 20; i++) {
				fd = sock_new();
				set_nonblock(fd, true);
				connect_loop(fd, port);
				if (i & 1)
					close(fd);
			}
			_exit(0);
		}
		for (i = 0; i < round; i++) {
			fd = accept(lfd, NULL, NULL);
			if (fd >= 0)
				close(fd);
		}
		close(lfd);
		wait_child(pid);
	}
}

static const struct mrc_case cases[] = {
	CASE(connect_refused),
	CASE(connect_bad_addresses),
	CASE(connect_nonblocking),
	CASE(connect_nonblocking_refused),
	CASE(connect_twice),
	CASE(connect_timeout),
	CASE(connect_interrupted),
	CASE(connect_given_up),
	CASE(connect_unspec),
	CASE(connect_to_itself),
	CASE(unconnected_socket),
	CASE(shutdown_write),
	CASE(shutdown_read),
	CASE(shutdown_both),
	CASE(shutdown_wakes_reader),
	CASE(close_delivers_all),
	CASE(close_with_unread_data_resets),
	CASE(linger_zero_resets),
	CASE(linger_waits),
	CASE(simultaneous_close),
	CASE(half_close_echo),
	CASE(fork_shares_the_socket),
	CASE(many_connections_in_turn),
	CASE_IN(many_connections_at_once, IN_V4 | IN_V6),
	CASE_IN(connect_storm_on_a_closing_listener, IN_V4 | IN_V6),
};

MRC_MAIN(cases)
