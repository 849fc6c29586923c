// SPDX-License-Identifier: GPL-2.0
/*
 * LD_PRELOAD library that lets test-mrcat.sh run mrcat without the mrc module:
 * MRC sockets become UNIX stream sockets that carry frames.  Not a transport:
 * it only keeps message boundaries, tells a clean end from a reset, and swaps
 * neighbouring messages when MRC_UNORDERED is set.
 *
 *	frame: u32 length, data; length 0xffffffff: clean end
 */

#include <dlfcn.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <linux/mrc.h>

#define FDS	64
#define FIN	0xffffffffU

static struct shim {
	bool used;
	bool unordered;
	bool ended;		/* clean end received */
	bool in_message;
	unsigned int left;	/* bytes left in the message being received */
	void *held;		/* message held back to swap it with the next */
	size_t held_len;
	unsigned long long tx, rx;
} shims[FDS];

#define REAL(name) ((typeof(name) *)dlsym(RTLD_NEXT, #name))

static struct shim *shim(int fd)
{
	return fd >= 0 && fd < FDS && shims[fd].used ? &shims[fd] : NULL;
}

static socklen_t unix_address(struct sockaddr_un *un, const struct sockaddr *sa)
{
	unsigned int port = ntohs(((const struct sockaddr_in *)sa)->sin_port);
	const char *id = getenv("MRCAT_SHIM_ID");

	memset(un, 0, sizeof(*un));
	un->sun_family = AF_UNIX;
	return sizeof(sa_family_t) + 1 +
	       snprintf(un->sun_path + 1, sizeof(un->sun_path) - 1, "mrcat-%s-%u",
			id ? id : "", port);
}

int socket(int domain, int type, int protocol)
{
	int fd;

	if (protocol != IPPROTO_MRC)
		return REAL(socket)(domain, type, protocol);
	if (getenv("MRCAT_SHIM_NO_MODULE")) {
		errno = EPROTONOSUPPORT;
		return -1;
	}
	fd = REAL(socket)(AF_UNIX, SOCK_STREAM | (type & ~0xf), 0);
	if (fd >= 0 && fd < FDS) {
		memset(&shims[fd], 0, sizeof(shims[fd]));
		shims[fd].used = true;
	}
	return fd;
}

int bind(int fd, const struct sockaddr *sa, socklen_t len)
{
	struct sockaddr_un un;

	if (!shim(fd))
		return REAL(bind)(fd, sa, len);
	len = unix_address(&un, sa);
	return REAL(bind)(fd, (struct sockaddr *)&un, len);
}

int connect(int fd, const struct sockaddr *sa, socklen_t len)
{
	struct sockaddr_un un;

	if (!shim(fd))
		return REAL(connect)(fd, sa, len);
	len = unix_address(&un, sa);
	return REAL(connect)(fd, (struct sockaddr *)&un, len);
}

int accept4(int lfd, struct sockaddr *sa, socklen_t *len, int flags)
{
	int fd = REAL(accept4)(lfd, sa, len, flags);

	if (fd >= 0 && fd < FDS && shim(lfd)) {
		memset(&shims[fd], 0, sizeof(shims[fd]));
		shims[fd].used = true;
		shims[fd].unordered = shims[lfd].unordered;
	}
	return fd;
}

static bool put(int fd, const void *data, size_t len)
{
	const char *p = data;
	ssize_t n;

	while (len) {
		n = REAL(send)(fd, p, len, MSG_NOSIGNAL);
		if (n < 0)
			return false;
		p += n;
		len -= n;
	}
	return true;
}

static bool put_frame(int fd, const void *data, size_t len)
{
	unsigned int header = len;

	return put(fd, &header, sizeof(header)) && put(fd, data, len);
}

static bool put_held(int fd, struct shim *s)
{
	bool ok = !s->held || put_frame(fd, s->held, s->held_len);

	free(s->held);
	s->held = NULL;
	return ok;
}

ssize_t send(int fd, const void *data, size_t len, int flags)
{
	struct shim *s = shim(fd);

	if (!s)
		return REAL(send)(fd, data, len, flags);
	s->tx += len;
	if (s->unordered && !s->held) {
		s->held = malloc(len);
		s->held_len = len;
		memcpy(s->held, data, len);
		return len;
	}
	return put_frame(fd, data, len) && put_held(fd, s) ? (ssize_t)len : -1;
}

int shutdown(int fd, int how)
{
	struct shim *s = shim(fd);
	unsigned int fin = FIN;

	if (s && how == SHUT_WR) {
		put_held(fd, s);
		put(fd, &fin, sizeof(fin));
	}
	return REAL(shutdown)(fd, how);
}

/* At most 7000 bytes at a time, so that messages arrive in parts. */
ssize_t recvmsg(int fd, struct msghdr *msg, int flags)
{
	struct shim *s = shim(fd);
	unsigned int header;
	size_t want;
	ssize_t n;

	if (!s)
		return REAL(recvmsg)(fd, msg, flags);
	msg->msg_flags = 0;
	if (s->ended)
		return 0;
	if (!s->in_message) {
		n = REAL(recv)(fd, &header, sizeof(header), MSG_WAITALL);
		if (n < 0)
			return -1;
		if (n != sizeof(header)) {
			errno = ECONNRESET;
			return -1;
		}
		if (header == FIN) {
			s->ended = true;
			return 0;
		}
		s->left = header;
		s->in_message = true;
	}
	want = s->left < msg->msg_iov->iov_len ? s->left : msg->msg_iov->iov_len;
	if (want > 7000)
		want = 7000;
	n = want ? REAL(recv)(fd, msg->msg_iov->iov_base, want, 0) : 0;
	if (n < 0 || (!n && want)) {
		errno = ECONNRESET;
		return -1;
	}
	s->rx += n;
	s->left -= n;
	if (!s->left) {
		s->in_message = false;
		msg->msg_flags = MSG_EOR;
	}
	return n;
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
	if (!shim(fd) || level == SOL_SOCKET)
		return REAL(setsockopt)(fd, level, name, value, len);
	if (level == SOL_MRC && name == MRC_UNORDERED)
		shim(fd)->unordered = *(const int *)value;
	return 0;
}

static int get_subflows(struct shim *s, struct mrc_subflow_info *sf, socklen_t *len)
{
	unsigned int i;

	memset(sf, 0, *len);
	for (i = 0; i < 2; i++) {
		sf[i].size = sizeof(*sf);
		sf[i].id = i;
		sf[i].plane = i + 1;
		sf[i].state = MRC_SF_ACTIVE;
		sf[i].family = AF_INET;
		sf[i].bytes_sent = s->tx / 2;
		sf[i].bytes_received = s->rx / 2;
		sf[i].srtt_us = 100 + i;
	}
	*len = 2 * sizeof(*sf);
	return 0;
}

int getsockopt(int fd, int level, int name, void *value, socklen_t *len)
{
	if (!shim(fd) || level != SOL_MRC)
		return REAL(getsockopt)(fd, level, name, value, len);
	if (name == MRC_SUBFLOW_INFO)
		return get_subflows(shim(fd), value, len);
	memset(value, 0, *len);
	return 0;
}
