// SPDX-License-Identifier: GPL-2.0
/*
 * mrcat: the two threads of a connection
 *
 *	standard input -> copy_send() -> socket -> copy_receive() -> standard output
 *
 * Both use blocking calls.  Whoever fails first says why; the main thread then
 * interrupts the other with a signal until it has seen that, see watch().
 */

#include <endian.h>
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "mrcat.h"

#define RECEIVE_MIN	(256U << 10)
#define RECEIVE_MAX	(4U << 20)

/* Only the first failure of a connection is reported, the rest follows from it. */
void conn_fail(struct conn *c, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (!atomic_exchange(&c->failed, true)) {
		va_start(ap, fmt);
		vsnprintf(text, sizeof(text), fmt, ap);
		va_end(ap);
		say("%s", text);
	}
	pthread_mutex_lock(&c->lock);
	pthread_cond_signal(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

/* A call was interrupted: is it to be repeated? */
static bool interrupted(struct conn *c)
{
	return errno == EINTR && !atomic_load(&c->failed);
}

static void thread_ends(struct conn *c)
{
	pthread_mutex_lock(&c->lock);
	c->running--;
	pthread_cond_signal(&c->changed);
	pthread_mutex_unlock(&c->lock);
}

/* A listener does not read a terminal or /dev/null. */
bool copy_input_usable(void)
{
	struct stat st;

	if (fstat(STDIN_FILENO, &st) < 0 || isatty(STDIN_FILENO))
		return false;
	return !(S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3));
}

/*
 * Read a message's worth of input: wait for the first byte, then take what is
 * there without waiting, so that somebody who types is heard at every line
 * and a file makes full messages.  Returns 0 at the end, -1 on failure.
 */
static ssize_t fill(struct conn *c, char *buf, size_t size)
{
	struct pollfd pfd = { .fd = STDIN_FILENO, .events = POLLIN };
	bool poll_it = c->in_base < 0;
	size_t len = 0;
	ssize_t n;

	while (len < size) {
		if (atomic_load(&c->failed))
			return -1;
		if (poll_it) {
			n = poll(&pfd, 1, len ? 0 : -1);
			if (n < 0 && interrupted(c))
				continue;
			if (n < 0) {
				conn_fail(c, "poll: %s", strerror(errno));
				return -1;
			}
			if (!n)
				break;
		}
		n = read(STDIN_FILENO, buf + len, size - len);
		if (n < 0 && (interrupted(c) || errno == EAGAIN))
			continue;
		if (n < 0) {
			conn_fail(c, "read standard input: %s", strerror(errno));
			return -1;
		}
		if (!n)
			break;
		len += n;
	}
	return len;
}

static bool send_message(struct conn *c, const char *buf, size_t len)
{
	ssize_t n;

	while (len) {
		n = send(c->fd, buf, len, MSG_NOSIGNAL);
		if (n < 0 && interrupted(c))
			continue;
		if (n < 0) {
			conn_fail(c, "send: %s", strerror(errno));
			return false;
		}
		if ((size_t)n < len && c->opt->unordered) {
			conn_fail(c, "send: only %zd of %zu bytes of a message taken", n, len);
			return false;
		}
		buf += n;
		len -= n;
	}
	return true;
}

static void send_input(struct conn *c, char *buf)
{
	size_t header = c->opt->unordered ? UNORDERED_HEADER : 0;
	unsigned long pass = 0;
	__u64 offset = 0;
	__u64 tagged;
	ssize_t n;

	for (;;) {
		n = fill(c, buf + header, c->opt->message);
		if (n < 0)
			return;
		if (!n) {
			if (++pass >= c->opt->count)
				return;
			if (lseek(STDIN_FILENO, c->in_base, SEEK_SET) < 0) {
				conn_fail(c, "rewind standard input: %s", strerror(errno));
				return;
			}
			continue;
		}
		if (header) {
			tagged = htobe64(UNORDERED_TAG << UNORDERED_TAG_SHIFT | offset);
			memcpy(buf, &tagged, sizeof(tagged));
		}
		if (!send_message(c, buf, header + n))
			return;
		offset += n;
		atomic_fetch_add(&c->sent, n);
	}
}

void *copy_send(void *arg)
{
	struct conn *c = arg;
	char *buf;

	if (c->sends) {
		buf = malloc(c->opt->message + UNORDERED_HEADER);
		if (buf)
			send_input(c, buf);
		else
			conn_fail(c, "no memory for messages of %zu bytes", c->opt->message);
		free(buf);
	}
	/*
	 * A connector with nothing to send says so at once.  A listener with
	 * nothing to send says so when it has written everything, which tells
	 * the peer that all has arrived; see copy_receive().
	 */
	if (!atomic_load(&c->failed) && (c->sends || !c->opt->listen)) {
		net_abort_on_close(c->fd, false);
		if (shutdown(c->fd, SHUT_WR) < 0 && errno != ENOTCONN)
			conn_fail(c, "shutdown: %s", strerror(errno));
	}
	thread_ends(c);
	return NULL;
}

static bool write_all(struct conn *c, const char *buf, size_t len, off_t at)
{
	ssize_t n;

	while (len) {
		if (at < 0)
			n = write(STDOUT_FILENO, buf, len);
		else
			n = pwrite(STDOUT_FILENO, buf, len, at);
		if (n < 0 && errno == EAGAIN) {
			struct pollfd pfd = { .fd = STDOUT_FILENO, .events = POLLOUT };

			poll(&pfd, 1, -1);
			continue;
		}
		if (n < 0 && interrupted(c))
			continue;
		if (n < 0) {
			conn_fail(c, "write standard output: %s", strerror(errno));
			return false;
		}
		buf += n;
		len -= n;
		if (at >= 0)
			at += n;
	}
	return true;
}

/* Where in the message that is being received in parts we are. */
struct part {
	char header[UNORDERED_HEADER];
	size_t header_len;
	__u64 offset;
};

static bool write_unordered(struct conn *c, struct part *part, const char *buf, size_t len,
			    bool last)
{
	size_t n = UNORDERED_HEADER - part->header_len;
	__u64 tagged;

	if (n) {
		if (n > len)
			n = len;
		memcpy(part->header + part->header_len, buf, n);
		part->header_len += n;
		buf += n;
		len -= n;
		memcpy(&tagged, part->header, sizeof(tagged));
		tagged = be64toh(tagged);
		if (part->header_len == UNORDERED_HEADER)
			part->offset = tagged & ((1ULL << UNORDERED_TAG_SHIFT) - 1);
		if ((last && part->header_len < UNORDERED_HEADER) ||
		    (part->header_len == UNORDERED_HEADER &&
		     tagged >> UNORDERED_TAG_SHIFT != UNORDERED_TAG)) {
			conn_fail(c, "a message has no offset: both sides need -u");
			return false;
		}
	}
	if (len) {
		if (c->out_base < 0) {
			conn_fail(c, "with -u the standard output must be a file");
			return false;
		}
		if (!write_all(c, buf, len, c->out_base + (off_t)part->offset))
			return false;
		part->offset += len;
		if (c->out_base + (off_t)part->offset > c->out_end)
			c->out_end = c->out_base + (off_t)part->offset;
		atomic_fetch_add(&c->received, len);
	}
	if (last)
		part->header_len = 0;
	return true;
}

static void note_delivery(struct conn *c, __u64 now)
{
	if (c->last && now - c->last > c->gap) {
		c->gap = now - c->last;
		c->gap_at = c->last - c->start;
	}
	c->last = now;
}

/* True at the end of the peer's data, false on failure. */
static bool receive_all(struct conn *c, char *buf, size_t size)
{
	struct part part = { .header_len = 0 };
	struct iovec iov = { .iov_base = buf, .iov_len = size };
	struct msghdr msg;
	ssize_t n;

	for (;;) {
		memset(&msg, 0, sizeof(msg));
		msg.msg_iov = &iov;
		msg.msg_iovlen = 1;
		n = recvmsg(c->fd, &msg, 0);
		if (n < 0 && interrupted(c))
			continue;
		if (atomic_load(&c->failed))
			return false;
		if (n < 0) {
			conn_fail(c, "receive: %s", strerror(errno));
			return false;
		}
		/* An empty message has MSG_EOR, the end of the data has not. */
		if (!n && !(msg.msg_flags & MSG_EOR))
			return true;
		if (c->opt->gap)
			note_delivery(c, now_ns());
		if (c->opt->unordered) {
			if (!write_unordered(c, &part, buf, n, msg.msg_flags & MSG_EOR))
				return false;
		} else {
			if (!write_all(c, buf, n, -1))
				return false;
			atomic_fetch_add(&c->received, n);
		}
	}
}

void *copy_receive(void *arg)
{
	struct conn *c = arg;
	struct snapshot s;
	size_t size;
	char *buf;

	size = c->opt->message + UNORDERED_HEADER;
	if (size < RECEIVE_MIN)
		size = RECEIVE_MIN;
	if (size > RECEIVE_MAX)
		size = RECEIVE_MAX;
	buf = malloc(size);
	if (!buf) {
		conn_fail(c, "no memory");
	} else if (receive_all(c, buf, size)) {
		if (c->out_base >= 0 &&
		    (__u64)(c->out_end - c->out_base) != atomic_load(&c->received))
			conn_fail(c, "bytes are missing in what was received");
	}
	free(buf);

	/* The subflows' last numbers, before the connection goes. */
	progress_take(c, &s);
	pthread_mutex_lock(&c->lock);
	c->final = s;
	pthread_mutex_unlock(&c->lock);

	if (!atomic_load(&c->failed) && !c->sends && c->opt->listen) {
		net_abort_on_close(c->fd, false);
		if (shutdown(c->fd, SHUT_WR) < 0 && errno != ENOTCONN)
			conn_fail(c, "shutdown: %s", strerror(errno));
	}
	thread_ends(c);
	return NULL;
}
