/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the C tests of MRC share: addresses of the family under test, pairs of
 * connected sockets, patterns.  Everything checks itself.
 */
#ifndef _MRC_UTIL_H
#define _MRC_UTIL_H

#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/mrc.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "mrc_ktap.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#ifndef POLLRDHUP
#define POLLRDHUP	0x2000
#endif

/* Nobody is behind these; mrc_api.sh gives them a route. */
#define HOLE_V4		"198.51.100.2"
#define HOLE_V6		"2001:db8:1::2"
/* And to these there is none. */
#define NOROUTE_V4	"203.0.113.1"
#define NOROUTE_V6	"2001:db8:2::1"

static inline int fam_af(void)
{
	return mrc_fam == FAM_V4 ? AF_INET : AF_INET6;
}

/* An address of the family under test from its text in both families. */
static inline socklen_t addr_make(struct sockaddr_storage *ss, const char *v4, const char *v6,
				  uint16_t port)
{
	struct sockaddr_in6 *in6 = (struct sockaddr_in6 *)ss;
	struct sockaddr_in *in = (struct sockaddr_in *)ss;
	char mapped[64];

	memset(ss, 0, sizeof(*ss));
	if (mrc_fam == FAM_V4) {
		in->sin_family = AF_INET;
		in->sin_port = htons(port);
		CHECK_EQ(inet_pton(AF_INET, v4, &in->sin_addr), 1);
		return sizeof(*in);
	}
	in6->sin6_family = AF_INET6;
	in6->sin6_port = htons(port);
	if (mrc_fam == FAM_MAPPED) {
		snprintf(mapped, sizeof(mapped), "::ffff:%s", v4);
		v6 = mapped;
	}
	CHECK_EQ(inet_pton(AF_INET6, v6, &in6->sin6_addr), 1);
	return sizeof(*in6);
}

static inline socklen_t addr_loop(struct sockaddr_storage *ss, uint16_t port)
{
	return addr_make(ss, "127.0.0.1", "::1", port);
}

static inline uint16_t addr_port(const struct sockaddr_storage *ss)
{
	if (ss->ss_family == AF_INET)
		return ntohs(((const struct sockaddr_in *)ss)->sin_port);
	return ntohs(((const struct sockaddr_in6 *)ss)->sin6_port);
}

static inline bool addr_same(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
	const struct sockaddr_in6 *a6 = (const void *)a, *b6 = (const void *)b;
	const struct sockaddr_in *a4 = (const void *)a, *b4 = (const void *)b;

	if (a->ss_family != b->ss_family)
		return false;
	if (a->ss_family == AF_INET)
		return a4->sin_addr.s_addr == b4->sin_addr.s_addr && a4->sin_port == b4->sin_port;
	return !memcmp(&a6->sin6_addr, &b6->sin6_addr, 16) && a6->sin6_port == b6->sin6_port;
}

static inline int sock_new(void)
{
	int fd = socket(fam_af(), SOCK_SEQPACKET, IPPROTO_MRC);

	if (fd < 0)
		FAIL("socket: %s", strerror(errno));
	return fd;
}

static inline uint16_t sock_port(int fd)
{
	struct sockaddr_storage ss;
	socklen_t len = sizeof(ss);

	CHECK_EQ(getsockname(fd, (struct sockaddr *)&ss, &len), 0);
	return addr_port(&ss);
}

static inline int bind_loop(int fd, uint16_t port)
{
	struct sockaddr_storage ss;
	socklen_t len = addr_loop(&ss, port);

	return bind(fd, (struct sockaddr *)&ss, len);
}

static inline int connect_loop(int fd, uint16_t port)
{
	struct sockaddr_storage ss;
	socklen_t len = addr_loop(&ss, port);

	return connect(fd, (struct sockaddr *)&ss, len);
}

static inline int connect_hole(int fd)
{
	struct sockaddr_storage ss;
	socklen_t len = addr_make(&ss, HOLE_V4, HOLE_V6, 7);

	return connect(fd, (struct sockaddr *)&ss, len);
}

/* A listener on a free port of the loopback address. */
static inline int listener_new(uint16_t *port, int backlog)
{
	int fd = sock_new();

	CHECK_EQ(bind_loop(fd, 0), 0);
	CHECK_EQ(listen(fd, backlog), 0);
	*port = sock_port(fd);
	CHECK(*port);
	return fd;
}

/* The two ends of a connection. */
static inline void pair_from(int lfd, uint16_t port, int *client, int *server)
{
	*client = sock_new();
	CHECK_EQ(connect_loop(*client, port), 0);
	*server = accept(lfd, NULL, NULL);
	CHECK(*server >= 0);
}

static inline void pair_new(int *client, int *server)
{
	uint16_t port;
	int lfd = listener_new(&port, 8);

	pair_from(lfd, port, client, server);
	CHECK_EQ(close(lfd), 0);
}

static inline void set_nonblock(int fd, bool on)
{
	int flags = fcntl(fd, F_GETFL);

	CHECK_EQ(fcntl(fd, F_SETFL, on ? flags | O_NONBLOCK : flags & ~O_NONBLOCK), 0);
}

static inline void set_timeout(int fd, int opt, int ms)
{
	struct timeval tv = { .tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000 };

	CHECK_EQ(setsockopt(fd, SOL_SOCKET, opt, &tv, sizeof(tv)), 0);
}

static inline void set_int(int fd, int level, int opt, int value)
{
	if (setsockopt(fd, level, opt, &value, sizeof(value)))
		FAIL("setsockopt level %d option %d: %s", level, opt, strerror(errno));
}

static inline int get_int(int fd, int level, int opt)
{
	int value = -1;
	socklen_t len = sizeof(value);

	if (getsockopt(fd, level, opt, &value, &len))
		FAIL("getsockopt level %d option %d: %s", level, opt, strerror(errno));
	CHECK_EQ(len, sizeof(value));
	return value;
}

static inline int sock_error(int fd)
{
	return get_int(fd, SOL_SOCKET, SO_ERROR);
}

static inline void set_linger(int fd, int seconds)
{
	struct linger l = { .l_onoff = 1, .l_linger = seconds };

	CHECK_EQ(setsockopt(fd, SOL_SOCKET, SO_LINGER, &l, sizeof(l)), 0);
}

/* What poll() says at once. */
static inline int poll_now(int fd)
{
	struct pollfd pfd = { .fd = fd, .events = POLLIN | POLLOUT | POLLPRI | POLLRDHUP };

	CHECK(poll(&pfd, 1, 0) >= 0);
	return pfd.revents;
}

/* Waits up to 20 s for one of the events, returns what there is. */
static inline int poll_for(int fd, int events)
{
	struct pollfd pfd = { .fd = fd, .events = events };

	if (poll(&pfd, 1, 20000) != 1)
		FAIL("poll: event %#x did not come, there is %#x", events, poll_now(fd));
	return pfd.revents;
}

static inline void send_str(int fd, const char *s)
{
	CHECK_EQ(send(fd, s, strlen(s), MSG_NOSIGNAL), strlen(s));
}

/* The next message is exactly this one. */
static inline void recv_str_at(int fd, const char *want, const char *file, int line)
{
	char buf[256];
	struct iovec iov = { .iov_base = buf, .iov_len = sizeof(buf) - 1 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n = recvmsg(fd, &msg, 0);

	if (n < 0)
		FAIL("%s:%d: recvmsg: %s, expected \"%s\"", file, line, strerror(errno), want);
	buf[n] = 0;
	if (strcmp(buf, want) || (size_t)n != strlen(want))
		FAIL("%s:%d: received %zd bytes \"%s\", expected \"%s\"", file, line, n, buf, want);
	if (!(msg.msg_flags & MSG_EOR))
		FAIL("%s:%d: no MSG_EOR at the end of \"%s\"", file, line, want);
	if (msg.msg_flags & MSG_TRUNC)
		FAIL("%s:%d: MSG_TRUNC with \"%s\"", file, line, want);
}

#define recv_str(fd, want)	recv_str_at(fd, want, __FILE__, __LINE__)

/* The peer has closed its direction in good order, and nothing is left. */
static inline void recv_eof_at(int fd, const char *file, int line)
{
	char buf[16];
	struct iovec iov = { .iov_base = buf, .iov_len = sizeof(buf) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n = recvmsg(fd, &msg, 0);

	if (n)
		FAIL("%s:%d: expected the end, recvmsg: %zd, %s", file, line, n,
		     n < 0 ? strerror(errno) : "data");
	if (msg.msg_flags & MSG_EOR)
		FAIL("%s:%d: expected the end, got an empty message", file, line);
}

#define recv_eof(fd)	recv_eof_at(fd, __FILE__, __LINE__)

static inline ssize_t recv_flags(int fd, void *buf, size_t size, int flags, int *got)
{
	struct iovec iov = { .iov_base = buf, .iov_len = size };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	ssize_t n = recvmsg(fd, &msg, flags);

	*got = msg.msg_flags;
	return n;
}

/* Bytes of message @msn: every byte depends on both numbers. */
static inline uint8_t pattern(uint32_t msn, uint32_t off)
{
	return msn * 167 + off + (off >> 8) * 31 + (off >> 16) * 7;
}

static inline void pattern_fill(uint8_t *buf, uint32_t msn, uint32_t off, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		buf[i] = pattern(msn, off + i);
}

/* Offset of the first wrong byte, or @len. */
static inline size_t pattern_check(const uint8_t *buf, uint32_t msn, uint32_t off, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (buf[i] != pattern(msn, off + i))
			break;
	return i;
}

/* Numbers that a seed repeats. */
static inline uint32_t rng(uint64_t *state)
{
	*state = *state * 6364136223846793005ULL + 1442695040888963407ULL;
	return *state >> 33;
}

static inline pid_t fork_child(void)
{
	pid_t pid;

	fflush(stdout);
	pid = fork();
	CHECK(pid >= 0);
	return pid;
}

/* The child ended with status 0. */
static inline void wait_child(pid_t pid)
{
	int status;

	CHECK_EQ(waitpid(pid, &status, 0), pid);
	if (status)
		FAIL("child: status %#x", status);
}

#endif /* _MRC_UTIL_H */
