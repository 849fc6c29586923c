// SPDX-License-Identifier: GPL-2.0
/*
 * What the shell tests of MRC cannot do themselves:
 *
 *	mrc_tool socket 4|6		can a socket be made? prints ok or the errno
 *	mrc_tool hold 4|6		make one and keep it
 *	mrc_tool pairs N 4|6		N connections over loopback with unread data
 *	mrc_tool udp PORT		keep a UDP port
 *	mrc_tool taken PORT		is the MRC service port taken? status 0: yes
 *	mrc_tool nobody COMMAND...	run it without any privilege
 *
 * Those that keep something print "ready" and sleep until they are killed.
 */
#include <grp.h>

#include "mrc_util.h"

static void keep(void)
{
	printf("ready\n");
	fflush(stdout);
	for (;;)
		pause();
}

static int try_socket(void)
{
	int fd = socket(fam_af(), SOCK_SEQPACKET, IPPROTO_MRC);

	printf("%s\n", fd < 0 ? strerrorname_np(errno) : "ok");
	return fd < 0;
}

static void keep_pairs(int n)
{
	int c, s, i;

	for (i = 0; i < n; i++) {
		pair_new(&c, &s);
		send_str(c, "unread");
		send_str(s, "unread");
	}
	keep();
}

static void keep_udp(uint16_t port)
{
	struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(port) };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	CHECK_EQ(bind(fd, (struct sockaddr *)&in, sizeof(in)), 0);
	keep();
}

static int port_taken(uint16_t port)
{
	struct sockaddr_storage ss;
	socklen_t len;
	int fd;

	mrc_fam = FAM_V6;
	fd = sock_new();
	len = addr_make(&ss, "", "::", port);
	return !(bind(fd, (struct sockaddr *)&ss, len) && errno == EADDRINUSE);
}

static int as_nobody(char **argv)
{
	CHECK_EQ(setgroups(0, NULL), 0);
	CHECK_EQ(setresgid(65534, 65534, 65534), 0);
	CHECK_EQ(setresuid(65534, 65534, 65534), 0);
	execvp(argv[0], argv);
	FAIL("%s: %s", argv[0], strerror(errno));
}

int main(int argc, char **argv)
{
	const char *cmd = argc > 2 ? argv[1] : "";

	mrc_fam = !strcmp(argv[argc - 1], "6") ? FAM_V6 : FAM_V4;
	if (!strcmp(cmd, "socket"))
		return try_socket();
	if (!strcmp(cmd, "taken"))
		return port_taken(atoi(argv[2]));
	if (!strcmp(cmd, "nobody"))
		return as_nobody(argv + 2);
	if (!strcmp(cmd, "hold")) {
		sock_new();
		keep();
	}
	if (!strcmp(cmd, "pairs"))
		keep_pairs(atoi(argv[2]));
	if (!strcmp(cmd, "udp"))
		keep_udp(atoi(argv[2]));
	fprintf(stderr, "usage: see the head of the source\n");
	return 2;
}
