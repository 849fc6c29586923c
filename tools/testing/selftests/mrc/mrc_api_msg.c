// SPDX-License-Identifier: GPL-2.0
/* The socket API of MRC: what send and receive calls and their flags do. */
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <linux/sockios.h>

#include "mrc_util.h"

static int inq(int fd)
{
	int n = -1;

	CHECK_EQ(ioctl(fd, SIOCINQ, &n), 0);
	return n;
}

static int outq(int fd)
{
	int n = -1;

	CHECK_EQ(ioctl(fd, SIOCOUTQ, &n), 0);
	return n;
}

static void one_send_is_one_message(void)
{
	int c, s;

	pair_new(&c, &s);
	send_str(c, "one");
	send_str(c, "two two");
	send_str(s, "three");
	CHECK_EQ(write(c, "four", 4), 4);
	recv_str(s, "one");
	recv_str(s, "two two");
	recv_str(s, "four");
	recv_str(c, "three");
}

static void iovecs(void)
{
	char a[3], b[1], rest[20];
	struct iovec out[] = {
		{ "ab", 2 }, { NULL, 0 }, { "cdef", 4 }, { "", 0 }, { "ghij", 4 },
	};
	struct iovec in[] = { { a, 3 }, { NULL, 0 }, { b, 1 }, { rest, sizeof(rest) } };
	struct msghdr msg = { .msg_iov = out, .msg_iovlen = ARRAY_SIZE(out) };
	struct sockaddr_storage name;
	int c, s;

	pair_new(&c, &s);
	CHECK_EQ(sendmsg(c, &msg, 0), 10);
	msg = (struct msghdr){
		.msg_iov = in, .msg_iovlen = ARRAY_SIZE(in),
		.msg_name = &name, .msg_namelen = sizeof(name),
	};
	CHECK_EQ(recvmsg(s, &msg, 0), 10);
	CHECK(!memcmp(a, "abc", 3) && b[0] == 'd' && !memcmp(rest, "efghij", 6));
	CHECK(msg.msg_flags & MSG_EOR);
	CHECK(msg.msg_namelen <= sizeof(name));
	CHECK_EQ(writev(c, out, ARRAY_SIZE(out)), 10);
	CHECK_EQ(readv(s, in, ARRAY_SIZE(in)), 10);
}

static void short_read_leaves_the_rest(void)
{
	char buf[16];
	int c, s, flags;

	pair_new(&c, &s);
	send_str(c, "0123456789");
	send_str(c, "next");
	CHECK_EQ(recv_flags(s, buf, 4, 0, &flags), 4);
	CHECK(!memcmp(buf, "0123", 4));
	CHECK_EQ(flags & (MSG_EOR | MSG_TRUNC), 0);
	CHECK_EQ(recv_flags(s, buf, 4, 0, &flags), 4);
	CHECK(!memcmp(buf, "4567", 4));
	CHECK_EQ(flags & (MSG_EOR | MSG_TRUNC), 0);
	CHECK_EQ(recv_flags(s, buf, 16, 0, &flags), 2);
	CHECK(!memcmp(buf, "89", 2));
	CHECK_EQ(flags & (MSG_EOR | MSG_TRUNC), MSG_EOR);
	/* Exactly to the end. */
	CHECK_EQ(recv_flags(s, buf, 4, 0, &flags), 4);
	CHECK_EQ(flags & (MSG_EOR | MSG_TRUNC), MSG_EOR);
}

static void trunc_discards_the_rest(void)
{
	char buf[16];
	int c, s, flags;

	pair_new(&c, &s);
	send_str(c, "0123456789");
	send_str(c, "second");
	send_str(c, "third");
	CHECK_EQ(recv_flags(s, buf, 4, MSG_TRUNC, &flags), 10);
	CHECK(!memcmp(buf, "0123", 4));
	CHECK(flags & MSG_TRUNC);
	/* It fits: nothing is cut. */
	CHECK_EQ(recv_flags(s, buf, sizeof(buf), MSG_TRUNC, &flags), 6);
	CHECK_EQ(flags & (MSG_EOR | MSG_TRUNC), MSG_EOR);
	CHECK_EQ(recv(s, NULL, 0, MSG_TRUNC), 5);
	send_str(c, "fourth");
	recv_str(s, "fourth");
}

/* A large one, discarded while it still arrives. */
static void trunc_of_a_large_message(void)
{
	enum { SIZE = 3 << 20 };
	uint8_t *buf = malloc(SIZE);
	int c, s, flags;
	pid_t pid;

	pair_new(&c, &s);
	pid = fork_child();
	if (!pid) {
		memset(buf, 7, SIZE);
		CHECK_EQ(send(c, buf, SIZE, 0), SIZE);
		send_str(c, "behind it");
		_exit(0);
	}
	CHECK_EQ(recv_flags(s, buf, 100, MSG_TRUNC, &flags), SIZE);
	CHECK(flags & MSG_TRUNC);
	recv_str(s, "behind it");
	wait_child(pid);
}

static void peek_takes_nothing(void)
{
	char buf[16];
	int c, s, flags, i;

	pair_new(&c, &s);
	send_str(c, "0123456789");
	send_str(c, "next");
	for (i = 0; i < 3; i++) {
		CHECK_EQ(recv_flags(s, buf, sizeof(buf), MSG_PEEK, &flags), 10);
		CHECK(!memcmp(buf, "0123456789", 10));
		CHECK_EQ(flags & (MSG_EOR | MSG_TRUNC), MSG_EOR);
		CHECK_EQ(recv_flags(s, buf, 3, MSG_PEEK, &flags), 3);
		CHECK_EQ(flags & (MSG_EOR | MSG_TRUNC), 0);
		CHECK_EQ(recv_flags(s, buf, 3, MSG_PEEK | MSG_TRUNC, &flags), 10);
		CHECK(flags & MSG_TRUNC);
	}
	CHECK_EQ(recv(s, buf, 4, 0), 4);
	CHECK_EQ(recv_flags(s, buf, sizeof(buf), MSG_PEEK, &flags), 6);
	CHECK(!memcmp(buf, "456789", 6));
	CHECK(flags & MSG_EOR);
	CHECK_EQ(recv(s, NULL, 0, MSG_PEEK | MSG_TRUNC), 6);
	recv_str(s, "456789");
	recv_str(s, "next");
	CHECK_ERR(recv(s, buf, 1, MSG_PEEK | MSG_DONTWAIT), EAGAIN);
}

static void dontwait(void)
{
	char b;
	int c, s;

	pair_new(&c, &s);
	CHECK_ERR(recv(s, &b, 1, MSG_DONTWAIT), EAGAIN);
	set_nonblock(s, true);
	CHECK_ERR(recv(s, &b, 1, 0), EAGAIN);
	CHECK_EQ(poll_now(s), POLLOUT);
	CHECK_EQ(send(c, "x", 1, MSG_DONTWAIT), 1);
	CHECK(poll_for(s, POLLIN) & POLLIN);
	recv_str(s, "x");
	CHECK_EQ(poll_now(s), POLLOUT);
	CHECK_EQ(sock_error(s), 0);
}

/* MSG_WAITALL waits for the end of the message, not for more. */
static void waitall_ends_with_the_message(void)
{
	char buf[100];
	int c, s;

	pair_new(&c, &s);
	send_str(c, "short");
	CHECK_EQ(recv(s, buf, sizeof(buf), MSG_WAITALL), 5);
	send_str(c, "12345");
	CHECK_EQ(recv(s, buf, 3, MSG_WAITALL), 3);
	CHECK_EQ(recv(s, buf, sizeof(buf), MSG_WAITALL), 2);
}

static void empty_message_is_not_the_end(void)
{
	char buf[4] = { 42 };
	struct iovec iov = { buf, 0 };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	int c, s, flags;

	pair_new(&c, &s);
	CHECK_EQ(send(c, "", 0, 0), 0);
	CHECK(poll_for(s, POLLIN) & POLLIN);
	CHECK_EQ(poll_now(s) & (POLLRDHUP | POLLHUP), 0);
	CHECK_EQ(recv_flags(s, buf, 4, MSG_PEEK, &flags), 0);
	CHECK(flags & MSG_EOR);
	CHECK_EQ(recv_flags(s, buf, 4, 0, &flags), 0);
	CHECK(flags & MSG_EOR);
	CHECK_EQ(sendmsg(c, &msg, 0), 0);
	send_str(c, "between");
	CHECK_EQ(send(c, NULL, 0, 0), 0);
	CHECK_EQ(send(c, NULL, 0, 0), 0);
	CHECK_EQ(shutdown(c, SHUT_WR), 0);
	recv_str(s, "");
	recv_str(s, "between");
	recv_str(s, "");
	recv_str(s, "");
	recv_eof(s);
	CHECK_EQ(buf[0], 42);
}

static void more_joins_pieces(void)
{
	char big[30000], buf[40000];
	int c, s, flags;

	pair_new(&c, &s);
	CHECK_EQ(send(c, "abc", 3, MSG_MORE), 3);
	CHECK_EQ(send(c, "def", 3, MSG_MORE), 3);
	CHECK_EQ(send(c, "ghi", 3, 0), 3);
	recv_str(s, "abcdefghi");
	/* Ended by nothing. */
	CHECK_EQ(send(c, "jkl", 3, MSG_MORE), 3);
	CHECK_EQ(send(c, "", 0, 0), 0);
	recv_str(s, "jkl");
	/* MSG_EOR ends it too. */
	CHECK_EQ(send(c, "mno", 3, MSG_MORE), 3);
	CHECK_EQ(send(c, "pqr", 3, MSG_MORE | MSG_EOR), 3);
	CHECK_EQ(send(c, "stu", 3, MSG_EOR), 3);
	recv_str(s, "mnopqr");
	recv_str(s, "stu");
	/* Many packets. */
	pattern_fill((uint8_t *)big, 1, 0, sizeof(big));
	CHECK_EQ(send(c, big, 10, MSG_MORE), 10);
	CHECK_EQ(send(c, big + 10, 20000, MSG_MORE), 20000);
	CHECK_EQ(send(c, big + 20010, 9990, 0), 9990);
	send_str(c, "next");
	CHECK_EQ(recv_flags(s, buf, sizeof(buf), 0, &flags), sizeof(big));
	CHECK(flags & MSG_EOR);
	CHECK_EQ(pattern_check((uint8_t *)buf, 1, 0, sizeof(big)), sizeof(big));
	recv_str(s, "next");
}

/* Records of 1 to 7 pieces: as many come out as went in. */
static void more_counts_records(void)
{
	enum { RECORDS = 300 };
	uint64_t seed = 99, seed2 = 99;
	uint8_t buf[7 * 400], piece[400];
	uint32_t r, i, n, off, size;
	int c, s, flags;
	pid_t pid;

	pair_new(&c, &s);
	pid = fork_child();
	if (!pid) {
		for (r = 0; r < RECORDS; r++) {
			n = 1 + rng(&seed) % 7;
			for (off = i = 0; i < n; i++, off += size) {
				size = rng(&seed) % sizeof(piece);
				pattern_fill(piece, r, off, size);
				CHECK_EQ(send(c, piece, size, i + 1 < n ? MSG_MORE : 0), size);
			}
		}
		CHECK_EQ(shutdown(c, SHUT_WR), 0);
		_exit(0);
	}
	for (r = 0; r < RECORDS; r++) {
		n = 1 + rng(&seed2) % 7;
		for (off = i = 0; i < n; i++)
			off += rng(&seed2) % sizeof(piece);
		CHECK_EQ(recv_flags(s, buf, sizeof(buf), 0, &flags), off);
		CHECK(flags & MSG_EOR);
		CHECK_EQ(pattern_check(buf, r, 0, off), off);
	}
	recv_eof(s);
	wait_child(pid);
}

/* The record that close() cuts never looks whole. */
static void more_and_close(void)
{
	char buf[64];
	int c, s, flags;
	ssize_t n;

	pair_new(&c, &s);
	send_str(c, "whole");
	CHECK_EQ(send(c, "half", 4, MSG_MORE), 4);
	CHECK_EQ(close(c), 0);
	recv_str(s, "whole");
	do {
		n = recv_flags(s, buf, sizeof(buf), 0, &flags);
		CHECK(!(flags & MSG_EOR));
	} while (n > 0);
	CHECK(!n || errno == ECONNRESET);
}

/* Nor does the large one whose sender is killed while it sends. */
static void killed_in_the_middle(void)
{
	enum { SIZE = 16 << 20 };
	static char buf[65536];
	int c, s, flags = 0;
	ssize_t n;
	pid_t pid;

	pair_new(&c, &s);
	pid = fork_child();
	if (!pid) {
		char *big = calloc(1, SIZE);

		close(s);
		send(c, big, SIZE, 0);
		_exit(0);
	}
	close(c);
	CHECK(recv_flags(s, buf, sizeof(buf), 0, &flags) > 0);
	kill(pid, SIGKILL);
	CHECK_EQ(waitpid(pid, NULL, 0), pid);
	do {
		n = recv_flags(s, buf, sizeof(buf), 0, &flags);
		if (flags & MSG_EOR)
			FAIL("a part of a message looks whole");
	} while (n > 0);
}

static void unsupported_flags(void)
{
	char b;
	int c, s;

	pair_new(&c, &s);
	CHECK_ERR(send(c, "x", 1, MSG_OOB), EOPNOTSUPP);
	CHECK_ERR2(recv(s, &b, 1, MSG_OOB), EOPNOTSUPP, EINVAL);
	CHECK_ERR(recv(s, &b, 1, MSG_ERRQUEUE), EAGAIN);
	send_str(c, "well");
	recv_str(s, "well");
}

static void bad_pointers_lose_nothing(void)
{
	struct msghdr msg = { .msg_iov = (void *)16, .msg_iovlen = 1 };
	char buf[16];
	int c, s;

	pair_new(&c, &s);
	CHECK_ERR(send(c, (void *)16, 10, 0), EFAULT);
	CHECK_ERR(sendmsg(c, &msg, 0), EFAULT);
	CHECK_ERR(sendmsg(c, (void *)16, 0), EFAULT);
	send_str(c, "first");
	send_str(c, "second");
	CHECK_ERR(recv(s, (void *)16, 10, 0), EFAULT);
	CHECK_ERR(recv(s, (void *)16, 10, MSG_PEEK), EFAULT);
	CHECK_ERR(recvmsg(s, (void *)16, 0), EFAULT);
	CHECK_EQ(recv(s, buf, 2, 0), 2);
	CHECK_ERR(recv(s, (void *)16, 10, 0), EFAULT);
	recv_str(s, "rst");
	recv_str(s, "second");
	CHECK_ERR(recv(s, buf, 1, MSG_DONTWAIT), EAGAIN);
}

/* A buffer whose second half is not there. */
static uint8_t *half_mapped(size_t good, size_t bad)
{
	uint8_t *p = mmap(NULL, good + bad, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	CHECK(p != MAP_FAILED);
	CHECK_EQ(munmap(p + good, bad), 0);
	return p;
}

static void copy_fault_sends_nothing(void)
{
	static const size_t sizes[] = { 4096, 65536, 2 << 20 };
	uint8_t *p;
	unsigned int i;
	int c, s;

	pair_new(&c, &s);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		p = half_mapped(sizes[i], sizes[i]);
		CHECK_ERR(send(c, p, 2 * sizes[i], 0), EFAULT);
		CHECK_ERR(send(c, p + sizes[i] - 10, 20, 0), EFAULT);
		CHECK_ERR(send(c, p + sizes[i] - 10, 20, MSG_MORE), EFAULT);
		send_str(c, "whole");
		recv_str(s, "whole");
	}
	/* In the middle of a record only the piece is lost. */
	p = half_mapped(4096, 4096);
	CHECK_EQ(send(c, "a", 1, MSG_MORE), 1);
	CHECK_ERR(send(c, p, 8192, MSG_MORE), EFAULT);
	CHECK_EQ(send(c, "b", 1, 0), 1);
	recv_str(s, "ab");
	WAIT_FOR(!outq(c));
}

static void copy_fault_receives_all_later(void)
{
	uint8_t *p = half_mapped(4096, 4096), buf[8192];
	int c, s, flags;
	ssize_t n;

	pair_new(&c, &s);
	pattern_fill(buf, 5, 0, sizeof(buf));
	CHECK_EQ(send(c, buf, sizeof(buf), 0), sizeof(buf));
	n = recv(s, p, sizeof(buf), 0);
	if (n < 0) {
		CHECK_EQ(errno, EFAULT);
		n = 0;
	}
	CHECK(n <= 4096);
	CHECK_EQ(pattern_check(p, 5, 0, n), n);
	CHECK_EQ(recv_flags(s, buf, sizeof(buf), 0, &flags), sizeof(buf) - n);
	CHECK(flags & MSG_EOR);
	CHECK_EQ(pattern_check(buf, 5, n, sizeof(buf) - n), sizeof(buf) - n);
}

static void inq_and_outq(void)
{
	char buf[8];
	uint16_t port;
	int lfd = listener_new(&port, 1), c, s, n;

	pair_from(lfd, port, &c, &s);
	CHECK_EQ(inq(s), 0);
	CHECK_EQ(outq(c), 0);
	send_str(c, "0123456789");
	poll_for(s, POLLIN);
	CHECK_EQ(inq(s), 10);
	CHECK_EQ(ioctl(s, FIONREAD, &n), 0);
	CHECK_EQ(n, 10);
	send_str(c, "more");
	CHECK_EQ(recv(s, buf, 4, 0), 4);
	/* What is left of this message, the next does not count. */
	CHECK_EQ(inq(s), 6);
	CHECK_EQ(recv(s, buf, 8, 0), 6);
	recv_str(s, "more");
	CHECK_EQ(inq(s), 0);
	WAIT_FOR(!outq(c));
	CHECK_ERR(ioctl(lfd, SIOCINQ, &n), EINVAL);
	CHECK_ERR(ioctl(s, SIOCINQ, (void *)16), EFAULT);
	CHECK(ioctl(s, 0x5499, &n) < 0);
}

/* write(), sendfile() and read() of plain programs. */
static void file_calls(void)
{
	enum { SIZE = 200000 };
	static uint8_t data[SIZE], back[SIZE];
	char name[] = "/tmp/mrc_api_XXXXXX";
	int c, s, fd = mkstemp(name);
	size_t got = 0;
	off_t off = 0;
	pid_t pid;
	ssize_t n;

	CHECK(fd >= 0);
	unlink(name);
	pattern_fill(data, 1, 0, SIZE);
	CHECK_EQ(write(fd, data, SIZE), SIZE);
	pair_new(&c, &s);
	pid = fork_child();
	if (!pid) {
		while (off < SIZE)
			CHECK(sendfile(c, fd, &off, SIZE - off) > 0);
		CHECK_EQ(shutdown(c, SHUT_WR), 0);
		_exit(0);
	}
	while ((n = read(s, back + got, SIZE - got)) > 0)
		got += n;
	CHECK_EQ(got, SIZE);
	CHECK(!memcmp(data, back, SIZE));
	wait_child(pid);
}

static void sendmmsg_and_recvmmsg(void)
{
	char in[3][8];
	struct iovec o[3] = { { "one", 3 }, { "two", 3 }, { "three", 5 } };
	struct iovec v[3] = { { in[0], 8 }, { in[1], 8 }, { in[2], 8 } };
	struct mmsghdr out[3] = {}, got[3] = {};
	int c, s, i;

	pair_new(&c, &s);
	for (i = 0; i < 3; i++) {
		out[i].msg_hdr = (struct msghdr){ .msg_iov = &o[i], .msg_iovlen = 1 };
		got[i].msg_hdr = (struct msghdr){ .msg_iov = &v[i], .msg_iovlen = 1 };
	}
	CHECK_EQ(sendmmsg(c, out, 3, 0), 3);
	CHECK_EQ(recvmmsg(s, got, 3, 0, NULL), 3);
	CHECK_EQ(got[2].msg_len, 5);
	CHECK(!memcmp(in[1], "two", 3));
}

/* Threads that share a socket do not mix their messages. */
static void writers_do_not_mix(void)
{
	enum { SIZE = 300000, WRITERS = 3, EACH = 3 };
	static uint8_t buf[SIZE];
	int c, s, flags, i, n, seen[WRITERS] = {};
	pid_t pid[WRITERS];

	pair_new(&c, &s);
	set_int(c, SOL_SOCKET, SO_SNDBUF, 32768);
	for (i = 0; i < WRITERS; i++) {
		pid[i] = fork_child();
		if (!pid[i]) {
			memset(buf, i, SIZE);
			for (n = 0; n < EACH; n++)
				CHECK_EQ(send(c, buf, SIZE, 0), SIZE);
			_exit(0);
		}
	}
	for (n = 0; n < WRITERS * EACH; n++) {
		size_t got = 0, j;

		do {
			ssize_t r = recv_flags(s, buf + got, SIZE - got, 0, &flags);

			CHECK(r > 0);
			got += r;
		} while (!(flags & MSG_EOR));
		CHECK_EQ(got, SIZE);
		CHECK(buf[0] < WRITERS);
		for (j = 1; j < SIZE && buf[j] == buf[0]; j++)
			;
		CHECK_EQ(j, SIZE);
		seen[buf[0]]++;
	}
	for (i = 0; i < WRITERS; i++) {
		CHECK_EQ(seen[i], EACH);
		wait_child(pid[i]);
	}
}

static const struct mrc_case cases[] = {
	CASE(one_send_is_one_message),
	CASE(iovecs),
	CASE(short_read_leaves_the_rest),
	CASE(trunc_discards_the_rest),
	CASE_IN(trunc_of_a_large_message, IN_V4),
	CASE(peek_takes_nothing),
	CASE(dontwait),
	CASE(waitall_ends_with_the_message),
	CASE(empty_message_is_not_the_end),
	CASE(more_joins_pieces),
	CASE_IN(more_counts_records, IN_V4 | IN_V6),
	CASE(more_and_close),
	CASE_IN(killed_in_the_middle, IN_V4),
	CASE(unsupported_flags),
	CASE(bad_pointers_lose_nothing),
	CASE(copy_fault_sends_nothing),
	CASE(copy_fault_receives_all_later),
	CASE(inq_and_outq),
	CASE_IN(file_calls, IN_V4 | IN_V6),
	CASE(sendmmsg_and_recvmmsg),
	CASE_IN(writers_do_not_mix, IN_V4),
};

MRC_MAIN(cases)
