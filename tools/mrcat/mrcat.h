/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mrcat: netcat for MRC
 *
 * mrcat.c	command line and the run of a connection
 * net.c	names, sockets, listen and connect
 * copy.c	the two threads: input to socket, socket to output
 * progress.c	what -p, -P and -g print
 */
#ifndef MRCAT_H
#define MRCAT_H

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdnoreturn.h>
#include <sys/socket.h>

#include <linux/mrc.h>

#ifndef __printf
#define __printf_like(a, b)	format(printf, a, b)
#define __printf(a, b)		__attribute__((__printf_like(a, b)))
#endif

/*
 * With -u each message starts with eight bytes, big endian: a tag in the
 * upper 16 bits and the offset of the payload in the input below it.
 */
#define UNORDERED_HEADER	8
#define UNORDERED_TAG_SHIFT	48
#define UNORDERED_TAG		0x4d52ULL	/* "MR" */

struct options {
	bool listen;		/* -l */
	bool keep;		/* -k */
	bool no_input;		/* -d */
	bool unordered;		/* -u */
	bool progress;		/* -p */
	bool gap;		/* -g */
	bool quiet;		/* -q */
	int family;		/* -4, -6 */
	const char *host;
	__u16 port;
	const char *source;	/* -s, address part */
	__u16 source_port;
	size_t message;		/* -m */
	unsigned long count;	/* -n, 0 if not given */
	unsigned int interval;	/* -i, milliseconds, 0 if not given */
	int timeout;		/* -w, milliseconds, -1 without */
	FILE *report;		/* -P */
};

struct snapshot {
	__u64 time;		/* CLOCK_MONOTONIC, nanoseconds */
	__u64 sent;
	__u64 received;
	struct mrc_info info;
	struct mrc_subflow_info sf[MRC_SUBFLOWS_MAX];
	unsigned int subflows;
};

struct conn {
	const struct options *opt;
	int fd;
	bool sends;		/* standard input is sent */
	off_t in_base;		/* where the input started, -1: not seekable */
	off_t out_base;		/* where this connection's output starts */
	off_t out_end;		/* end of the last byte written there */
	__u64 total;		/* bytes to send, 0 if not known */
	__u64 start;		/* CLOCK_MONOTONIC, nanoseconds */

	atomic_ullong sent;
	atomic_ullong received;
	atomic_bool failed;

	/* Written by the receiver, read after it has ended. */
	__u64 last;
	__u64 gap;
	__u64 gap_at;

	/* Written by the receiver, read by the main thread. */
	pthread_mutex_t lock;
	pthread_cond_t changed;	/* a thread ended or something failed */
	unsigned int running;	/* threads */
	struct snapshot final;	/* last numbers before the close */

	/* Main thread only. */
	pthread_t sender;
	pthread_t receiver;
	struct snapshot prev;
};

/* mrcat.c */
__printf(1, 2) void say(const char *fmt, ...);

/* net.c */
int net_listen(const struct options *opt);
int net_accept(int lfd);
int net_connect(const struct options *opt);
void net_abort_on_close(int fd, bool abort);

/* copy.c */
bool copy_input_usable(void);
void *copy_send(void *arg);
void *copy_receive(void *arg);
__printf(2, 3) void conn_fail(struct conn *c, const char *fmt, ...);

/* progress.c */
__u64 now_ns(void);
void progress_take(struct conn *c, struct snapshot *s);
void progress_show(struct conn *c, const struct snapshot *s);
void progress_end(struct conn *c);

#endif /* MRCAT_H */
