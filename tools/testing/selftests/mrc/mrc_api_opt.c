// SPDX-License-Identifier: GPL-2.0
/* The socket API of MRC: options of level SOL_MRC, and what they tell. */
#include <netinet/tcp.h>

#include "mrc_util.h"

static struct mrc_info info_of(int fd)
{
	struct mrc_info info;
	socklen_t len = sizeof(info);

	memset(&info, 0xee, sizeof(info));
	CHECK_EQ(getsockopt(fd, SOL_MRC, MRC_INFO, &info, &len), 0);
	CHECK_EQ(len, sizeof(info));
	return info;
}

static void info_sizes(void)
{
	uint8_t buf[4096];
	socklen_t len;
	int c, s;

	pair_new(&c, &s);
	memset(buf, 0xaa, sizeof(buf));
	len = sizeof(buf);
	CHECK_EQ(getsockopt(c, SOL_MRC, MRC_INFO, buf, &len), 0);
	CHECK_EQ(len, sizeof(struct mrc_info));
	CHECK_EQ(buf[len], 0xaa);
	memset(buf, 0xaa, sizeof(buf));
	len = 5;
	CHECK_EQ(getsockopt(c, SOL_MRC, MRC_INFO, buf, &len), 0);
	CHECK_EQ(len, 5);
	CHECK_EQ(buf[0], MRC_CONN_ESTABLISHED);
	CHECK_EQ(buf[5], 0xaa);
	len = 0;
	if (getsockopt(c, SOL_MRC, MRC_INFO, buf, &len))
		CHECK_EQ(errno, EINVAL);
	else
		CHECK_EQ(len, 0);
	len = -1;
	CHECK_ERR(getsockopt(c, SOL_MRC, MRC_INFO, buf, &len), EINVAL);
	len = sizeof(buf);
	CHECK_ERR(getsockopt(c, SOL_MRC, MRC_INFO, (void *)16, &len), EFAULT);
	CHECK_ERR(getsockopt(c, SOL_MRC, MRC_INFO, buf, (void *)16), EFAULT);
	CHECK(setsockopt(c, SOL_MRC, MRC_INFO, buf, sizeof(struct mrc_info)) < 0);
}

static void info_follows_the_connection(void)
{
	static char buf[100000];
	uint16_t port;
	int lfd, c = sock_new(), s, flags;
	struct mrc_info info = info_of(c);
	pid_t pid;

	CHECK_EQ(info.state, MRC_CONN_CLOSED);
	CHECK_EQ(info.subflows, 0);
	CHECK_EQ(info.bytes_sent, 0);
	lfd = listener_new(&port, 1);
	CHECK_EQ(info_of(lfd).state, MRC_CONN_LISTEN);
	CHECK_EQ(connect_loop(c, port), 0);
	s = accept(lfd, NULL, NULL);
	CHECK(s >= 0);

	info = info_of(c);
	CHECK_EQ(info.state, MRC_CONN_ESTABLISHED);
	CHECK_EQ(info.subflows, 1);
	CHECK(info.id);
	CHECK(info.max_payload >= 256);
	CHECK(info_of(s).id != info.id);
	WAIT_FOR(info_of(c).subflows_active == 1);
	WAIT_FOR(info_of(s).subflows_active == 1);

	pid = fork_child();
	if (!pid) {
		CHECK_EQ(send(c, buf, sizeof(buf), 0), sizeof(buf));
		_exit(0);
	}
	CHECK_EQ(recv_flags(s, buf, sizeof(buf), MSG_WAITALL, &flags), sizeof(buf));
	wait_child(pid);
	send_str(c, "12345");
	poll_for(s, POLLIN);
	WAIT_FOR(info_of(c).bytes_acked == sizeof(buf) + 5);
	info = info_of(c);
	CHECK_EQ(info.bytes_sent, sizeof(buf) + 5);
	CHECK_EQ(info.msgs_sent, 2);
	CHECK(info.pkts_sent >= 2);
	CHECK_EQ(info.snd_packets, 0);
	CHECK_EQ(info.snd_queued, 0);
	CHECK_EQ(info.reserved, 0);
	CHECK(info.mpr);
	info = info_of(s);
	CHECK_EQ(info.bytes_received, sizeof(buf) + 5);
	CHECK_EQ(info.msgs_received, 1);
	CHECK_EQ(info.rcv_ooo, 0);

	shutdown(c, SHUT_WR);
	WAIT_FOR(info_of(s).state == MRC_CONN_CLOSE_WAIT);
	WAIT_FOR(info_of(c).state == MRC_CONN_DREQ_WAIT2);
	recv_str(s, "12345");
	shutdown(s, SHUT_WR);
	WAIT_FOR(info_of(c).state == MRC_CONN_CLOSED);
	WAIT_FOR(info_of(s).state == MRC_CONN_CLOSED);
}

static void subflow_info(void)
{
	struct mrc_subflow_info si[4];
	socklen_t len = sizeof(si);
	int c, s, u = sock_new();

	pair_new(&c, &s);
	send_str(c, "hello");
	recv_str(s, "hello");
	WAIT_FOR(info_of(c).bytes_acked == 5);
	memset(si, 0xee, sizeof(si));
	si[0].size = sizeof(si[0]);
	CHECK_EQ(getsockopt(c, SOL_MRC, MRC_SUBFLOW_INFO, si, &len), 0);
	CHECK_EQ(len, sizeof(si[0]));
	CHECK_EQ(si[0].size, sizeof(si[0]));
	CHECK_EQ(si[0].state, MRC_SF_ACTIVE);
	CHECK_EQ(si[0].plane, 0);
	CHECK_EQ(si[0].family, mrc_fam == FAM_V6 ? AF_INET6 : AF_INET);
	CHECK_EQ(si[0].flags, 0);
	if (mrc_fam == FAM_V6) {
		CHECK(!memcmp(si[0].local, &in6addr_loopback, 16));
		CHECK(!memcmp(si[0].remote, &in6addr_loopback, 16));
	} else {
		CHECK(!memcmp(si[0].local, "\x7f\x00\x00\x01\0\0\0\0\0\0\0\0\0\0\0", 16));
		CHECK(!memcmp(si[0].remote, "\x7f\x00\x00\x01\0\0\0\0\0\0\0\0\0\0\0", 16));
	}
	CHECK_EQ(si[0].bytes_sent, 5);
	CHECK_EQ(si[0].pkts_sent, 1);
	CHECK(si[0].cwnd);
	CHECK(si[0].evs >= 1 && si[0].evs <= MRC_EVS_MAX);
	CHECK(si[0].min_rtt_us);
	CHECK_EQ(((uint8_t *)&si[1])[0], 0xee);

	len = sizeof(si);
	si[0].size = sizeof(si[0]);
	CHECK_EQ(getsockopt(u, SOL_MRC, MRC_SUBFLOW_INFO, si, &len), 0);
	CHECK_EQ(len, 0);
}

/* Programs that know a smaller or a larger element. */
static void subflow_info_sizes(void)
{
	uint8_t buf[1024];
	uint32_t size;
	socklen_t len;
	int c, s;

	pair_new(&c, &s);
	WAIT_FOR(info_of(c).subflows_active == 1);
	memset(buf, 0xaa, sizeof(buf));
	size = 16;
	memcpy(buf, &size, 4);
	len = sizeof(buf);
	CHECK_EQ(getsockopt(c, SOL_MRC, MRC_SUBFLOW_INFO, buf, &len), 0);
	CHECK_EQ(len, 16);
	CHECK_EQ(buf[5], MRC_SF_ACTIVE);
	CHECK_EQ(buf[16], 0xaa);

	memset(buf, 0xaa, sizeof(buf));
	size = 512;
	memcpy(buf, &size, 4);
	len = sizeof(buf);
	CHECK_EQ(getsockopt(c, SOL_MRC, MRC_SUBFLOW_INFO, buf, &len), 0);
	memcpy(&size, buf, 4);
	CHECK_EQ(size, sizeof(struct mrc_subflow_info));
	CHECK(len == 512 || len == sizeof(struct mrc_subflow_info));
	CHECK_EQ(buf[512], 0xaa);

	/* No room for one; no size; size that is none. */
	size = sizeof(struct mrc_subflow_info);
	memcpy(buf, &size, 4);
	len = size - 1;
	if (getsockopt(c, SOL_MRC, MRC_SUBFLOW_INFO, buf, &len))
		CHECK_EQ(errno, EINVAL);
	else
		CHECK_EQ(len, 0);
	len = 3;
	CHECK_ERR(getsockopt(c, SOL_MRC, MRC_SUBFLOW_INFO, buf, &len), EINVAL);
	len = 0;
	CHECK_ERR(getsockopt(c, SOL_MRC, MRC_SUBFLOW_INFO, buf, &len), EINVAL);
	size = 0;
	memcpy(buf, &size, 4);
	len = sizeof(buf);
	CHECK_ERR(getsockopt(c, SOL_MRC, MRC_SUBFLOW_INFO, buf, &len), EINVAL);
	size = 0xffffffff;
	memcpy(buf, &size, 4);
	if (getsockopt(c, SOL_MRC, MRC_SUBFLOW_INFO, buf, &len))
		CHECK_EQ(errno, EINVAL);
	len = sizeof(buf);
	CHECK_ERR(getsockopt(c, SOL_MRC, MRC_SUBFLOW_INFO, (void *)16, &len), EFAULT);
}

static void unordered(void)
{
	uint16_t port;
	int lfd = listener_new(&port, 1), c, s;

	CHECK_EQ(get_int(lfd, SOL_MRC, MRC_UNORDERED), 0);
	set_int(lfd, SOL_MRC, MRC_UNORDERED, 1);
	CHECK_EQ(get_int(lfd, SOL_MRC, MRC_UNORDERED), 1);
	pair_from(lfd, port, &c, &s);
	/* The accepted socket inherits it, the peer does not care. */
	CHECK_EQ(get_int(s, SOL_MRC, MRC_UNORDERED), 1);
	CHECK_EQ(info_of(s).unordered, 1);
	CHECK_EQ(get_int(c, SOL_MRC, MRC_UNORDERED), 0);
	send_str(c, "one");
	recv_str(s, "one");
	send_str(s, "two");
	recv_str(c, "two");
}

static void max_msg(void)
{
	char buf[2000] = {};
	int c, s;

	pair_new(&c, &s);
	CHECK_EQ((unsigned int)get_int(c, SOL_MRC, MRC_MAX_MSG), MRC_MSG_MAX);
	set_int(c, SOL_MRC, MRC_MAX_MSG, 1000);
	CHECK_EQ(get_int(c, SOL_MRC, MRC_MAX_MSG), 1000);
	CHECK_EQ(send(c, buf, 1000, 0), 1000);
	CHECK_ERR(send(c, buf, 1001, 0), EMSGSIZE);
	/* Pieces count together. */
	CHECK_EQ(send(c, buf, 600, MSG_MORE), 600);
	CHECK_ERR(send(c, buf, 600, MSG_MORE), EMSGSIZE);
	CHECK_EQ(send(c, buf, 400, 0), 400);
	CHECK_EQ(recv(s, buf, sizeof(buf), 0), 1000);
	CHECK_EQ(recv(s, buf, sizeof(buf), 0), 1000);
	/* Only this side's sending is bounded. */
	CHECK_EQ(send(s, buf, 1500, 0), 1500);
	CHECK_EQ(recv(c, buf, sizeof(buf), 0), 1500);
	CHECK_ERR(setsockopt(c, SOL_MRC, MRC_MAX_MSG, &(int){ 0 }, 4), EINVAL);
	CHECK_ERR(setsockopt(c, SOL_MRC, MRC_MAX_MSG, &(int){ -1 }, 4), EINVAL);
	CHECK_EQ(get_int(c, SOL_MRC, MRC_MAX_MSG), 1000);
}

/* 2 GiB in one call are refused, not cut. */
static void huge_message(void)
{
	static char page[1 << 16];
	struct iovec iov[1024];
	struct msghdr msg = { .msg_iov = iov, .msg_iovlen = ARRAY_SIZE(iov) };
	unsigned int i;
	ssize_t n;
	int c, s;

	pair_new(&c, &s);
	set_int(c, SOL_MRC, MRC_MAX_MSG, 1 << 20);
	for (i = 0; i < ARRAY_SIZE(iov); i++)
		iov[i] = (struct iovec){ page, sizeof(page) };
	errno = 0;
	n = sendmsg(c, &msg, 0);
	CHECK_EQ(n, -1);
	CHECK_EQ(errno, EMSGSIZE);
	send_str(c, "fits");
	recv_str(s, "fits");
}

static void user_timeout(void)
{
	int fd = sock_new();
	int def = get_int(fd, SOL_MRC, MRC_USER_TIMEOUT);

	CHECK(def > 0);
	set_int(fd, SOL_MRC, MRC_USER_TIMEOUT, 1234);
	CHECK_EQ(get_int(fd, SOL_MRC, MRC_USER_TIMEOUT), 1234);
	set_int(fd, SOL_MRC, MRC_USER_TIMEOUT, 0);
	CHECK_EQ(get_int(fd, SOL_MRC, MRC_USER_TIMEOUT), def);
}

static void names_of_algorithms(void)
{
	static const int opts[] = { MRC_SCHEDULER, MRC_CONGESTION };
	char name[32], again[32];
	unsigned int i;
	socklen_t len;
	int fd = sock_new(), c, s;

	pair_new(&c, &s);
	for (i = 0; i < ARRAY_SIZE(opts); i++) {
		memset(name, 0, sizeof(name));
		len = sizeof(name);
		CHECK_EQ(getsockopt(fd, SOL_MRC, opts[i], name, &len), 0);
		CHECK(len > 0 && len <= 16);
		CHECK(strnlen(name, len) > 0);
		if (opts[i] == MRC_SCHEDULER && strcmp(name, "spray"))
			FAIL("default scheduler is %s", name);
		CHECK_EQ(setsockopt(fd, SOL_MRC, opts[i], name, strlen(name)), 0);
		CHECK_ERR2(setsockopt(fd, SOL_MRC, opts[i], "nosuch", 6), ENOENT, EINVAL);
		CHECK(setsockopt(fd, SOL_MRC, opts[i], "", 0) < 0);
		CHECK(setsockopt(fd, SOL_MRC, opts[i],
				 "a name that is much longer than any", 35) < 0);
		CHECK_ERR(setsockopt(fd, SOL_MRC, opts[i], (void *)16, 5), EFAULT);
		memset(again, 0, sizeof(again));
		len = sizeof(again);
		CHECK_EQ(getsockopt(fd, SOL_MRC, opts[i], again, &len), 0);
		CHECK(!strcmp(name, again));
		/* Too late on a connection. */
		CHECK(setsockopt(c, SOL_MRC, opts[i], name, strlen(name)) < 0);
	}
}

static void bad_options(void)
{
	static const int ints[] = { MRC_UNORDERED, MRC_USER_TIMEOUT, MRC_MAX_MSG };
	static const int none[] = { 0, 8, 99, -1 };
	char buf[64] = { 1 };
	socklen_t len;
	int fd = sock_new(), c, s, fds[3], f;
	unsigned int i;

	pair_new(&c, &s);
	fds[0] = fd;
	fds[1] = c;
	fds[2] = s;
	for (f = 0; f < 3; f++) {
		for (i = 0; i < ARRAY_SIZE(none); i++) {
			len = sizeof(buf);
			CHECK_ERR(getsockopt(fds[f], SOL_MRC, none[i], buf, &len), ENOPROTOOPT);
			CHECK_ERR(setsockopt(fds[f], SOL_MRC, none[i], buf, 4), ENOPROTOOPT);
		}
		len = sizeof(buf);
		CHECK_ERR2(getsockopt(fds[f], IPPROTO_TCP, TCP_NODELAY, buf, &len),
			   ENOPROTOOPT, EOPNOTSUPP);
		CHECK_ERR2(setsockopt(fds[f], IPPROTO_TCP, TCP_NODELAY, buf, 4),
			   ENOPROTOOPT, EOPNOTSUPP);
	}
	for (i = 0; i < ARRAY_SIZE(ints); i++) {
		memset(buf, 0, sizeof(buf));
		buf[0] = 1;
		CHECK_ERR(setsockopt(fd, SOL_MRC, ints[i], buf, 3), EINVAL);
		CHECK_ERR(setsockopt(fd, SOL_MRC, ints[i], buf, 0), EINVAL);
		CHECK_ERR(setsockopt(fd, SOL_MRC, ints[i], (void *)16, 4), EFAULT);
		/* A longer value of a later version: good if the rest is zero. */
		CHECK_EQ(setsockopt(fd, SOL_MRC, ints[i], buf, 8), 0);
		buf[7] = 1;
		CHECK_ERR2(setsockopt(fd, SOL_MRC, ints[i], buf, 8), E2BIG, EINVAL);
		len = 2;
		if (getsockopt(fd, SOL_MRC, ints[i], buf, &len))
			CHECK_EQ(errno, EINVAL);
		else
			CHECK_EQ(len, 2);
		len = 4;
		CHECK_ERR(getsockopt(fd, SOL_MRC, ints[i], (void *)16, &len), EFAULT);
	}
}

static void buffers(void)
{
	int fd = sock_new(), got;

	CHECK(get_int(fd, SOL_SOCKET, SO_RCVBUF) > 0);
	CHECK(get_int(fd, SOL_SOCKET, SO_SNDBUF) > 0);
	set_int(fd, SOL_SOCKET, SO_RCVBUF, 50000);
	CHECK_EQ(get_int(fd, SOL_SOCKET, SO_RCVBUF), 100000);
	set_int(fd, SOL_SOCKET, SO_SNDBUF, 50000);
	CHECK_EQ(get_int(fd, SOL_SOCKET, SO_SNDBUF), 100000);
	set_int(fd, SOL_SOCKET, SO_SNDBUF, 1);
	got = get_int(fd, SOL_SOCKET, SO_SNDBUF);
	CHECK(got > 1000);
}

static void error_is_told_once(void)
{
	int c, s;
	char b;

	pair_new(&c, &s);
	set_linger(s, 0);
	close(s);
	CHECK(poll_for(c, POLLIN) & POLLERR);
	CHECK_EQ(sock_error(c), ECONNRESET);
	CHECK_EQ(sock_error(c), 0);
	CHECK_EQ(recv(c, &b, 1, 0), 0);
	CHECK_ERR(send(c, "x", 1, MSG_NOSIGNAL), EPIPE);
	CHECK_EQ(info_of(c).state, MRC_CONN_CLOSED);
}

static const struct mrc_case cases[] = {
	CASE(info_sizes),
	CASE(info_follows_the_connection),
	CASE(subflow_info),
	CASE(subflow_info_sizes),
	CASE(unordered),
	CASE(max_msg),
	CASE(huge_message),
	CASE(user_timeout),
	CASE(names_of_algorithms),
	CASE(bad_options),
	CASE(buffers),
	CASE(error_is_told_once),
};

MRC_MAIN(cases)
