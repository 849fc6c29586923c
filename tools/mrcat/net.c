// SPDX-License-Identifier: GPL-2.0
/* mrcat: names, sockets, listen and connect */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "mrcat.h"

static void say_errno(const char *what, const char *host, __u16 port)
{
	const char *error = strerror(errno);
	const char *hint = "";

	if (errno == EPROTONOSUPPORT || errno == ESOCKTNOSUPPORT)
		hint = " (is the mrc module loaded?)";
	if (!host)
		say("%s port %u: %s%s", what, port, error, hint);
	else if (strchr(host, ':'))
		say("%s [%s]:%u: %s%s", what, host, port, error, hint);
	else
		say("%s %s:%u: %s%s", what, host, port, error, hint);
}

/* Ports are MRC's own and always numeric; only the host is looked up. */
static struct addrinfo *resolve(const char *host, __u16 port, int family, int flags)
{
	struct addrinfo hints = {
		.ai_family = family,
		.ai_socktype = SOCK_STREAM,	/* one entry for each address */
		.ai_flags = flags | AI_NUMERICSERV,
	};
	struct addrinfo *list;
	char service[8];
	int rc;

	snprintf(service, sizeof(service), "%u", port);
	rc = getaddrinfo(host, service, &hints, &list);
	if (!rc)
		return list;
	say("%s: %s", host ? host : service,
	    rc == EAI_SYSTEM ? strerror(errno) : gai_strerror(rc));
	return NULL;
}

static void close_keep_errno(int fd)
{
	int saved = errno;

	close(fd);
	errno = saved;
}

static int open_socket(const struct options *opt, int family)
{
	int one = 1;
	int fd;

	fd = socket(family, SOCK_SEQPACKET | SOCK_CLOEXEC, IPPROTO_MRC);
	if (fd < 0 || !opt->unordered)
		return fd;
	if (!setsockopt(fd, SOL_MRC, MRC_UNORDERED, &one, sizeof(one)))
		return fd;
	close_keep_errno(fd);
	return -1;
}

/*
 * While a transfer runs the socket is set so that the death of the process
 * resets the connection: the peer must not take half a file for the whole.
 */
void net_abort_on_close(int fd, bool abort)
{
	struct linger linger = { .l_onoff = abort, .l_linger = 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
}

static int listen_on(const struct options *opt, const struct addrinfo *ai)
{
	int one = 1, zero = 0;
	int fd;

	fd = open_socket(opt, ai->ai_family);
	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (ai->ai_family == AF_INET6 && !opt->host && opt->family == AF_UNSPEC)
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero, sizeof(zero));
	if (!bind(fd, ai->ai_addr, ai->ai_addrlen) && !listen(fd, 16))
		return fd;
	close_keep_errno(fd);
	return -1;
}

/*
 * Without an address one IPv6 socket takes both families; where there is no
 * IPv6 an IPv4 socket does.
 */
int net_listen(const struct options *opt)
{
	struct sockaddr_in6 any6 = {
		.sin6_family = AF_INET6,
		.sin6_port = htons(opt->port),
	};
	struct addrinfo any = {
		.ai_family = AF_INET6,
		.ai_addr = (struct sockaddr *)&any6,
		.ai_addrlen = sizeof(any6),
	};
	struct addrinfo *list, *ai;
	int fd = -1;

	if (!opt->host && opt->family == AF_UNSPEC) {
		fd = listen_on(opt, &any);
		if (fd >= 0)
			return fd;
		if (errno == EADDRINUSE || errno == EACCES) {
			say_errno("listen on", NULL, opt->port);
			return -1;
		}
	}
	list = resolve(opt->host, opt->port,
		       opt->host || opt->family ? opt->family : AF_INET, AI_PASSIVE);
	if (!list)
		return -1;
	for (ai = list; ai && fd < 0; ai = ai->ai_next)
		fd = listen_on(opt, ai);
	if (fd < 0)
		say_errno("listen on", opt->host, opt->port);
	freeaddrinfo(list);
	return fd;
}

int net_accept(int lfd)
{
	int fd;

	/* A connection that died in the queue is no reason to stop listening. */
	do {
		fd = accept4(lfd, NULL, NULL, SOCK_CLOEXEC);
	} while (fd < 0 && (errno == EINTR || errno == ECONNABORTED || errno == EPROTO));
	if (fd < 0)
		say("accept: %s", strerror(errno));
	return fd;
}

/* Wait for a connect() under way; 0 or -1 with errno. */
static int wait_connected(int fd, int timeout)
{
	struct pollfd pfd = { .fd = fd, .events = POLLOUT };
	__u64 end = now_ns() + (__u64)timeout * 1000000;
	socklen_t len = sizeof(int);
	__u64 now;
	int error = 0;
	int rc;

	do {
		now = now_ns();
		rc = poll(&pfd, 1, now < end ? (int)((end - now + 999999) / 1000000) : 0);
	} while (rc < 0 && errno == EINTR);
	if (rc < 0)
		return -1;
	if (!rc) {
		errno = ETIMEDOUT;
		return -1;
	}
	if (getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &len) < 0)
		return -1;
	errno = error;
	return error ? -1 : 0;
}

/* connect() that is not given up by a signal and keeps to -w. */
static int connect_within(int fd, const struct addrinfo *ai, int timeout)
{
	int flags = fcntl(fd, F_GETFL);

	if (timeout < 0) {
		if (!connect(fd, ai->ai_addr, ai->ai_addrlen))
			return 0;
		return errno == EINTR ? wait_connected(fd, INT_MAX) : -1;
	}
	if (flags < 0 || fcntl(fd, F_SETFL, flags | O_NONBLOCK) < 0)
		return -1;
	if (connect(fd, ai->ai_addr, ai->ai_addrlen) < 0) {
		if (errno != EINPROGRESS && errno != EINTR)
			return -1;
		if (wait_connected(fd, timeout) < 0)
			return -1;
	}
	return fcntl(fd, F_SETFL, flags) < 0 ? -1 : 0;
}

static int bind_source(int fd, const struct options *opt, int family)
{
	struct addrinfo *list;
	int rc;

	list = resolve(opt->source, opt->source_port, family, AI_NUMERICHOST | AI_PASSIVE);
	if (!list)
		return -1;
	rc = bind(fd, list->ai_addr, list->ai_addrlen);
	if (rc < 0)
		say_errno("bind to", opt->source, opt->source_port);
	freeaddrinfo(list);
	return rc;
}

int net_connect(const struct options *opt)
{
	int family = opt->family;
	struct addrinfo *list, *ai;
	int fd = -1;

	if (opt->source && family == AF_UNSPEC)
		family = strchr(opt->source, ':') ? AF_INET6 : AF_INET;
	list = resolve(opt->host, opt->port, family, 0);
	if (!list)
		return -1;
	for (ai = list; ai; ai = ai->ai_next) {
		fd = open_socket(opt, ai->ai_family);
		if (fd < 0)
			continue;
		if (opt->source && bind_source(fd, opt, ai->ai_family) < 0) {
			close(fd);
			fd = -1;
			goto out;
		}
		if (!connect_within(fd, ai, opt->timeout))
			goto out;
		close_keep_errno(fd);
		fd = -1;
	}
	say_errno("connect to", opt->host, opt->port);
out:
	freeaddrinfo(list);
	return fd;
}
