// SPDX-License-Identifier: GPL-2.0
/* The socket API of MRC: socket(), bind(), listen(), accept(), names. */
#include <linux/capability.h>
#include <netinet/ip.h>
#include <sys/syscall.h>

#include "mrc_util.h"

static void socket_types(void)
{
	static const int wrong[] = { SOCK_DGRAM, SOCK_STREAM, SOCK_RDM, 0, 77 };
	unsigned int i;
	int fd, pair[2];

	fd = socket(fam_af(), SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_MRC);
	CHECK(fd >= 0);
	CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
	CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	CHECK_EQ(get_int(fd, SOL_SOCKET, SO_TYPE), SOCK_SEQPACKET);
	CHECK_EQ(get_int(fd, SOL_SOCKET, SO_PROTOCOL), IPPROTO_MRC);
	CHECK_EQ(get_int(fd, SOL_SOCKET, SO_DOMAIN), fam_af());
	close(fd);

	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		errno = 0;
		fd = socket(fam_af(), wrong[i], IPPROTO_MRC);
		if (fd >= 0 || (errno != EPROTONOSUPPORT && errno != ESOCKTNOSUPPORT &&
				errno != EINVAL))
			FAIL("type %d: %d, %s", wrong[i], fd, strerror(errno));
	}
	CHECK(socketpair(fam_af(), SOCK_SEQPACKET, IPPROTO_MRC, pair) < 0);
}

static void bind_port0(void)
{
	struct sockaddr_storage want, got;
	socklen_t len = sizeof(got);
	int a = sock_new(), b = sock_new();

	addr_loop(&want, 0);
	CHECK_EQ(bind_loop(a, 0), 0);
	CHECK_EQ(getsockname(a, (struct sockaddr *)&got, &len), 0);
	CHECK_EQ(len, fam_af() == AF_INET ? sizeof(struct sockaddr_in) :
		 sizeof(struct sockaddr_in6));
	CHECK(addr_port(&got));
	((struct sockaddr_in *)&got)->sin_port = 0;
	CHECK(addr_same(&got, &want));
	CHECK_EQ(bind_loop(b, 0), 0);
	CHECK(sock_port(a) != sock_port(b));
	/* A bound socket cannot be bound again. */
	CHECK_ERR(bind_loop(a, 0), EINVAL);
}

static void bind_taken(void)
{
	int a = sock_new(), b = sock_new(), c = sock_new();
	struct sockaddr_storage ss;
	uint16_t port;
	socklen_t len;

	CHECK_EQ(bind_loop(a, 0), 0);
	port = sock_port(a);
	CHECK_ERR(bind_loop(b, port), EADDRINUSE);
	len = addr_make(&ss, "0.0.0.0", "::", port);
	CHECK_ERR(bind(b, (struct sockaddr *)&ss, len), EADDRINUSE);
	/* Another address, the same port: no conflict. */
	len = addr_make(&ss, "127.0.0.2", "2001:db8:1::1", port);
	CHECK_EQ(bind(c, (struct sockaddr *)&ss, len), 0);
	/* Free again at once. */
	close(a);
	CHECK_EQ(bind_loop(b, port), 0);
}

static void bind_reuseaddr(void)
{
	int a = sock_new(), b = sock_new(), c = sock_new(), l, x, y;
	uint16_t port;

	set_int(a, SOL_SOCKET, SO_REUSEADDR, 1);
	set_int(b, SOL_SOCKET, SO_REUSEADDR, 1);
	CHECK_EQ(get_int(a, SOL_SOCKET, SO_REUSEADDR), 1);
	CHECK_EQ(bind_loop(a, 0), 0);
	port = sock_port(a);
	/* Both ask for it and none listens: shared.  One does not: refused. */
	CHECK_ERR(bind_loop(c, port), EADDRINUSE);
	CHECK_EQ(bind_loop(b, port), 0);
	CHECK_EQ(listen(a, 1), 0);
	CHECK_ERR(listen(b, 1), EADDRINUSE);
	close(b);
	b = sock_new();
	set_int(b, SOL_SOCKET, SO_REUSEADDR, 1);
	CHECK_ERR(bind_loop(b, port), EADDRINUSE);

	/* A server that restarts while a connection of it lives. */
	pair_from(a, port, &x, &y);
	close(a);
	l = sock_new();
	set_int(l, SOL_SOCKET, SO_REUSEADDR, 1);
	CHECK_EQ(bind_loop(l, port), 0);
	CHECK_EQ(listen(l, 1), 0);
	send_str(x, "old");
	recv_str(y, "old");
}

static void bind_bad_addresses(void)
{
	struct sockaddr_storage ss;
	int fd = sock_new();
	socklen_t len;

	len = addr_make(&ss, "192.0.2.77", "2001:db8:77::1", 0);
	CHECK_ERR(bind(fd, (struct sockaddr *)&ss, len), EADDRNOTAVAIL);
	len = addr_loop(&ss, 0);
	CHECK_ERR(bind(fd, (struct sockaddr *)&ss, 4), EINVAL);
	CHECK_ERR(bind(fd, (struct sockaddr *)&ss, 0), EINVAL);
	CHECK_ERR(bind(fd, (void *)16, len), EFAULT);
	ss.ss_family = AF_UNIX;
	CHECK_ERR(bind(fd, (struct sockaddr *)&ss, sizeof(ss)), EAFNOSUPPORT);
	/* None of it has bound the socket. */
	CHECK_EQ(bind_loop(fd, 0), 0);
}

static void drop_capabilities(void)
{
	struct __user_cap_header_struct hdr = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct data[2] = {};

	if (syscall(SYS_capset, &hdr, data))
		FAIL("capset: %s", strerror(errno));
}

static void bind_privileged_port(void)
{
	int fd = sock_new();

	CHECK_EQ(bind_loop(fd, 1023), 0);
	close(fd);
	drop_capabilities();
	fd = sock_new();
	CHECK_ERR(bind_loop(fd, 1023), EACCES);
	CHECK_EQ(bind_loop(fd, 1024), 0);
}

static void listen_without_bind(void)
{
	int fd = sock_new(), c = sock_new(), s;

	CHECK_EQ(listen(fd, 1), 0);
	CHECK(sock_port(fd));
	CHECK_EQ(get_int(fd, SOL_SOCKET, SO_ACCEPTCONN), 1);
	CHECK_EQ(get_int(c, SOL_SOCKET, SO_ACCEPTCONN), 0);
	CHECK_EQ(connect_loop(c, sock_port(fd)), 0);
	s = accept(fd, NULL, NULL);
	CHECK(s >= 0);
	CHECK_EQ(get_int(s, SOL_SOCKET, SO_ACCEPTCONN), 0);
	/* Again, with another backlog. */
	CHECK_EQ(listen(fd, 5), 0);
	CHECK_ERR(listen(s, 1), EINVAL);
}

static void accept_waits_and_polls(void)
{
	struct sockaddr_storage peer, name;
	socklen_t len = sizeof(peer);
	uint16_t port;
	int lfd = listener_new(&port, 4), c = sock_new(), s;

	set_nonblock(lfd, true);
	CHECK_ERR(accept(lfd, NULL, NULL), EAGAIN);
	CHECK_EQ(poll_now(lfd), 0);
	CHECK_EQ(connect_loop(c, port), 0);
	CHECK(poll_for(lfd, POLLIN) & POLLIN);
	s = accept4(lfd, (struct sockaddr *)&peer, &len, SOCK_NONBLOCK | SOCK_CLOEXEC);
	CHECK(s >= 0);
	CHECK(fcntl(s, F_GETFL) & O_NONBLOCK);
	CHECK(fcntl(s, F_GETFD) & FD_CLOEXEC);
	len = sizeof(name);
	CHECK_EQ(getsockname(c, (struct sockaddr *)&name, &len), 0);
	CHECK(addr_same(&peer, &name));
	CHECK_EQ(poll_now(lfd), 0);
	CHECK_ERR(accept(lfd, NULL, NULL), EAGAIN);
	set_nonblock(lfd, false);
	set_timeout(lfd, SO_RCVTIMEO, 50);
	CHECK_ERR(accept(lfd, NULL, NULL), EAGAIN);
	/* Not a listener. */
	CHECK_ERR(accept(c, NULL, NULL), EINVAL);
	CHECK_ERR(accept(sock_new(), NULL, NULL), EINVAL);
}

/* More connections than the backlog: they wait, none is lost or invented. */
static void accept_backlog(void)
{
	enum { N = 6 };
	int c[N], s[N], i;
	char text[16];
	uint16_t port;
	int lfd = listener_new(&port, 1);

	for (i = 0; i < N; i++) {
		c[i] = sock_new();
		set_nonblock(c[i], true);
		if (connect_loop(c[i], port))
			CHECK_EQ(errno, EINPROGRESS);
	}
	for (i = 0; i < N; i++) {
		CHECK(poll_for(lfd, POLLIN) & POLLIN);
		s[i] = accept(lfd, NULL, NULL);
		CHECK(s[i] >= 0);
	}
	for (i = 0; i < N; i++) {
		CHECK(poll_for(c[i], POLLOUT) & POLLOUT);
		CHECK_EQ(sock_error(c[i]), 0);
		send_str(c[i], "x");
	}
	for (i = 0; i < N; i++) {
		CHECK(poll_for(s[i], POLLIN) & POLLIN);
		CHECK_EQ(recv(s[i], text, sizeof(text), 0), 1);
	}
	CHECK_EQ(poll_now(lfd), 0);
}

/* Connections that nobody accepted are reset when their listener goes. */
static void close_listener_resets_waiting(void)
{
	uint16_t port;
	int lfd = listener_new(&port, 4), c = sock_new(), d = sock_new();
	char b;

	CHECK_EQ(connect_loop(c, port), 0);
	CHECK_EQ(connect_loop(d, port), 0);
	CHECK(poll_for(lfd, POLLIN) & POLLIN);
	close(lfd);
	CHECK_ERR(recv(c, &b, 1, 0), ECONNRESET);
	CHECK_ERR(recv(d, &b, 1, 0), ECONNRESET);
	CHECK_ERR(connect_loop(sock_new(), port), ECONNREFUSED);
}

static void shutdown_listener_wakes_accept(void)
{
	uint16_t port;
	int lfd = listener_new(&port, 4);
	pid_t pid = fork_child();

	if (!pid) {
		CHECK_ERR(accept(lfd, NULL, NULL), EINVAL);
		_exit(0);
	}
	usleep(200000);
	CHECK_EQ(shutdown(lfd, SHUT_RDWR), 0);
	wait_child(pid);
	CHECK_ERR(connect_loop(sock_new(), port), ECONNREFUSED);
}

static void names_of_both_ends(void)
{
	struct sockaddr_storage cn, cp, sn, sp;
	socklen_t len = sizeof(cn);
	int c, s, u = sock_new();
	uint16_t port;
	int lfd = listener_new(&port, 1);

	CHECK_ERR(getpeername(u, (struct sockaddr *)&cn, &len), ENOTCONN);
	pair_from(lfd, port, &c, &s);
	len = sizeof(cn);
	CHECK_EQ(getsockname(c, (struct sockaddr *)&cn, &len), 0);
	len = sizeof(cn);
	CHECK_EQ(getpeername(c, (struct sockaddr *)&cp, &len), 0);
	len = sizeof(cn);
	CHECK_EQ(getsockname(s, (struct sockaddr *)&sn, &len), 0);
	len = sizeof(cn);
	CHECK_EQ(getpeername(s, (struct sockaddr *)&sp, &len), 0);
	CHECK(addr_same(&cn, &sp));
	CHECK(addr_same(&cp, &sn));
	CHECK_EQ(addr_port(&cp), port);
	CHECK(addr_port(&cn) && addr_port(&cn) != port);
	/* Truncated: the length tells the whole size. */
	len = 2;
	CHECK_EQ(getsockname(c, (struct sockaddr *)&cn, &len), 0);
	CHECK(len > 2);
	CHECK_ERR(getsockname(c, (struct sockaddr *)8, &(socklen_t){ 100 }), EFAULT);
}

static void bound_source_is_used(void)
{
	struct sockaddr_storage ss, name;
	socklen_t len = sizeof(name);
	uint16_t port;
	int lfd, c = sock_new(), s;

	lfd = sock_new();
	addr_make(&ss, "0.0.0.0", "::", 0);
	CHECK_EQ(bind(lfd, (struct sockaddr *)&ss, addr_make(&ss, "0.0.0.0", "::", 0)), 0);
	CHECK_EQ(listen(lfd, 1), 0);
	port = sock_port(lfd);
	CHECK_EQ(bind(c, (struct sockaddr *)&ss,
		      addr_make(&ss, "127.0.0.3", "2001:db8:1::1", 0)), 0);
	CHECK_EQ(connect_loop(c, port), 0);
	s = accept(lfd, (struct sockaddr *)&name, &len);
	CHECK(s >= 0);
	addr_make(&ss, "127.0.0.3", "2001:db8:1::1", sock_port(c));
	CHECK(addr_same(&ss, &name));
	send_str(s, "to the bound address");
	recv_str(c, "to the bound address");
}

/* One IPv6 listener for both families, unless it says V6ONLY. */
static void dual_stack_listener(void)
{
	struct sockaddr_in in = { .sin_family = AF_INET };
	struct sockaddr_in6 in6 = { .sin6_family = AF_INET6 }, peer;
	socklen_t len = sizeof(peer);
	char text[64];
	int lfd = sock_new(), c, s;

	set_int(lfd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
	CHECK_EQ(bind(lfd, (struct sockaddr *)&in6, sizeof(in6)), 0);
	CHECK_EQ(listen(lfd, 1), 0);
	in.sin_port = htons(sock_port(lfd));
	in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	c = socket(AF_INET, SOCK_SEQPACKET, IPPROTO_MRC);
	CHECK_EQ(connect(c, (struct sockaddr *)&in, sizeof(in)), 0);
	s = accept(lfd, (struct sockaddr *)&peer, &len);
	CHECK(s >= 0);
	CHECK_EQ(peer.sin6_family, AF_INET6);
	inet_ntop(AF_INET6, &peer.sin6_addr, text, sizeof(text));
	if (strcmp(text, "::ffff:127.0.0.1"))
		FAIL("peer is %s", text);
	send_str(c, "four to six");
	recv_str(s, "four to six");
	/* The IPv4 port is taken as well. */
	s = socket(AF_INET, SOCK_SEQPACKET, IPPROTO_MRC);
	CHECK_ERR(bind(s, (struct sockaddr *)&in, sizeof(in)), EADDRINUSE);
	close(lfd);

	lfd = sock_new();
	set_int(lfd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
	in6.sin6_port = 0;
	CHECK_EQ(bind(lfd, (struct sockaddr *)&in6, sizeof(in6)), 0);
	CHECK_EQ(listen(lfd, 1), 0);
	in.sin_port = htons(sock_port(lfd));
	c = socket(AF_INET, SOCK_SEQPACKET, IPPROTO_MRC);
	CHECK_ERR(connect(c, (struct sockaddr *)&in, sizeof(in)), ECONNREFUSED);
	CHECK_EQ(bind(s, (struct sockaddr *)&in, sizeof(in)), 0);
}

static void ip_options(void)
{
	uint16_t port;
	int lfd = listener_new(&port, 1), c = sock_new(), s;

	if (fam_af() == AF_INET) {
		set_int(c, IPPROTO_IP, IP_TOS, 0x20);
		CHECK_EQ(get_int(c, IPPROTO_IP, IP_TOS), 0x20);
	} else {
		set_int(c, IPPROTO_IPV6, IPV6_TCLASS, 0x20);
		CHECK_EQ(get_int(c, IPPROTO_IPV6, IPV6_TCLASS), 0x20);
	}
	set_int(c, SOL_SOCKET, SO_MARK, 7);
	set_int(c, SOL_SOCKET, SO_PRIORITY, 3);
	set_int(c, SOL_SOCKET, SO_KEEPALIVE, 1);
	CHECK_EQ(get_int(c, SOL_SOCKET, SO_MARK), 7);
	CHECK_EQ(get_int(c, SOL_SOCKET, SO_PRIORITY), 3);
	CHECK_EQ(get_int(c, SOL_SOCKET, SO_KEEPALIVE), 1);
	CHECK_EQ(setsockopt(c, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3), 0);
	CHECK_EQ(connect_loop(c, port), 0);
	s = accept(lfd, NULL, NULL);
	CHECK(s >= 0);
	send_str(c, "marked");
	recv_str(s, "marked");
	/* By a device that does not lead there. */
	c = sock_new();
	CHECK_EQ(setsockopt(c, SOL_SOCKET, SO_BINDTODEVICE, "hole0", 6), 0);
	set_timeout(c, SO_SNDTIMEO, 300);
	CHECK(connect_loop(c, port) < 0);
}

static const struct mrc_case cases[] = {
	CASE(socket_types),
	CASE(bind_port0),
	CASE(bind_taken),
	CASE(bind_reuseaddr),
	CASE(bind_bad_addresses),
	CASE(bind_privileged_port),
	CASE(listen_without_bind),
	CASE(accept_waits_and_polls),
	CASE(accept_backlog),
	CASE(close_listener_resets_waiting),
	CASE(shutdown_listener_wakes_accept),
	CASE(names_of_both_ends),
	CASE(bound_source_is_used),
	CASE_IN(dual_stack_listener, IN_V6),
	CASE_IN(ip_options, IN_V4 | IN_V6),
};

MRC_MAIN(cases)
