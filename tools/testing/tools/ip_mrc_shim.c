// SPDX-License-Identifier: GPL-2.0
/*
 * Plays the kernel's netlink family "mrc" for ip-mrc, as LD_PRELOAD: what is
 * sent to the socket is answered here, so that output can be tested without
 * the module.  Two endpoints, two connections, two subflows.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>

#include <linux/mrc.h>

#define FAMILY	0x42

static struct nlmsghdr answer[1024];
static struct nlmsghdr *msg = answer;	/* the message being built */
static struct nlmsghdr request;

static void start(__u16 type, __u16 flags)
{
	memset(msg, 0, NLMSG_HDRLEN);
	msg->nlmsg_len = NLMSG_HDRLEN;
	msg->nlmsg_type = type;
	msg->nlmsg_flags = flags;
	msg->nlmsg_seq = request.nlmsg_seq;
}

static void put(const void *data, size_t len)
{
	char *end = (char *)msg + NLMSG_ALIGN(msg->nlmsg_len);

	memset(end, 0, NLMSG_ALIGN(len));
	memcpy(end, data, len);
	msg->nlmsg_len = NLMSG_ALIGN(msg->nlmsg_len) + len;
}

static void put_attr(__u16 type, const void *data, size_t len)
{
	struct nlattr attr = { NLA_HDRLEN + len, type };

	put(&attr, sizeof(attr));
	put(data, len);
}

static void put_u32(__u16 type, __u32 value)
{
	put_attr(type, &value, sizeof(value));
}

static void put_address(__u16 type, const char *address)
{
	unsigned char bytes[16];
	int family = strchr(address, ':') ? AF_INET6 : AF_INET;

	inet_pton(family, address, bytes);
	put_attr(type, bytes, family == AF_INET ? 4 : 16);
}

static void finish(void)
{
	msg = (struct nlmsghdr *)((char *)msg + NLMSG_ALIGN(msg->nlmsg_len));
}

static void start_genl(__u8 cmd)
{
	struct genlmsghdr genl = { cmd, 1, 0 };

	start(FAMILY, NLM_F_MULTI);
	put(&genl, sizeof(genl));
}

static void finish_all(int error, const char *text, __u32 offset)
{
	struct nlmsgerr err = { error, request };

	if ((request.nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP) {
		start(NLMSG_DONE, NLM_F_MULTI);
		put(&error, sizeof(error));
	} else {
		start(NLMSG_ERROR, NLM_F_CAPPED | (text ? NLM_F_ACK_TLVS : 0));
		put(&err, sizeof(err));
		if (text) {
			put_attr(NLMSGERR_ATTR_MSG, text, strlen(text) + 1);
			put_u32(NLMSGERR_ATTR_OFFS, offset);
		}
	}
	finish();
}

static void endpoints(int all)
{
	start_genl(MRC_CMD_ENDPOINT_GET);
	put_u32(MRC_A_ENDPOINT_ID, 2);
	put_address(MRC_A_ENDPOINT_ADDRESS, "10.0.1.1");
	put_u32(MRC_A_ENDPOINT_IFINDEX, 1);
	put_u32(MRC_A_ENDPOINT_PLANE, 1);
	put_u32(MRC_A_ENDPOINT_EVS, 32);
	put_u32(MRC_A_ENDPOINT_FLAGS, MRC_ENDPOINT_F_BACKUP);
	finish();
	if (!all)
		return;
	start_genl(MRC_CMD_ENDPOINT_GET);
	put_u32(MRC_A_ENDPOINT_ID, 3);
	put_address(MRC_A_ENDPOINT_ADDRESS, "fd00::1");
	put_u32(MRC_A_ENDPOINT_PLANE, 0);
	put_u32(MRC_A_ENDPOINT_FLAGS, MRC_ENDPOINT_F_FULLMESH | 0x80);
	put_u32(4711, 0);	/* of a newer kernel */
	finish();
}

static void connections(void)
{
	__u64 many = ~0ULL;

	start_genl(MRC_CMD_CONNECTION_GET);
	put_u32(MRC_A_CONNECTION_ID, 7);
	put_u32(MRC_A_CONNECTION_STATE, MRC_CONN_ESTABLISHED);
	put_address(MRC_A_CONNECTION_LOCAL_ADDRESS, "10.0.1.1");
	put_u32(MRC_A_CONNECTION_LOCAL_PORT, 40001);
	put_address(MRC_A_CONNECTION_REMOTE_ADDRESS, "10.0.1.2");
	put_u32(MRC_A_CONNECTION_REMOTE_PORT, 5000);
	put_attr(MRC_A_CONNECTION_SCHEDULER, "spray", 6);
	put_u32(MRC_A_CONNECTION_SUBFLOWS, 4);
	put_u32(MRC_A_CONNECTION_SUBFLOWS_ACTIVE, 3);
	put_u32(MRC_A_CONNECTION_SND_PACKETS, 5);
	put_attr(MRC_A_CONNECTION_PAD, "", 0);
	put_attr(MRC_A_CONNECTION_BYTES_SENT, &many, sizeof(many));
	finish();
	start_genl(MRC_CMD_CONNECTION_GET);
	put_u32(MRC_A_CONNECTION_ID, 8);
	put_u32(MRC_A_CONNECTION_STATE, MRC_CONN_LISTEN);
	put_address(MRC_A_CONNECTION_LOCAL_ADDRESS, "::");
	put_u32(MRC_A_CONNECTION_LOCAL_PORT, 5000);
	finish();
}

static void subflows(void)
{
	__u64 lost = 9;

	start_genl(MRC_CMD_SUBFLOW_GET);
	put_u32(MRC_A_SUBFLOW_CONNECTION, 7);
	put_u32(MRC_A_SUBFLOW_ID, 1);
	put_u32(MRC_A_SUBFLOW_STATE, MRC_SF_ACTIVE);
	put_u32(MRC_A_SUBFLOW_PLANE, 1);
	put_u32(MRC_A_SUBFLOW_FLAGS, MRC_SF_F_INITIAL);
	put_u32(MRC_A_SUBFLOW_IFINDEX, 1);
	put_address(MRC_A_SUBFLOW_LOCAL_ADDRESS, "10.0.1.1");
	put_address(MRC_A_SUBFLOW_REMOTE_ADDRESS, "10.0.1.2");
	put_u32(MRC_A_SUBFLOW_EVS, 32);
	put_u32(MRC_A_SUBFLOW_SRTT, 412);
	put_u32(MRC_A_SUBFLOW_RTTVAR, 50);
	put_u32(MRC_A_SUBFLOW_CWND, 12000);
	put_u32(MRC_A_SUBFLOW_INFLIGHT, 3000);
	put_attr(MRC_A_SUBFLOW_PKTS_LOST, &lost, sizeof(lost));
	finish();
	start_genl(MRC_CMD_SUBFLOW_GET);
	put_u32(MRC_A_SUBFLOW_CONNECTION, 7);
	put_u32(MRC_A_SUBFLOW_ID, 2);
	put_u32(MRC_A_SUBFLOW_STATE, 99);	/* of a newer kernel */
	finish();
}

static void serve(const struct genlmsghdr *genl)
{
	/* The first attribute stands behind both headers. */
	const struct nlattr *attr = (const void *)(genl + 1);
	const unsigned char *value = (const void *)(attr + 1);
	int has_attr = request.nlmsg_len > NLMSG_HDRLEN + GENL_HDRLEN;
	__u16 family = FAMILY;

	if (request.nlmsg_type == GENL_ID_CTRL) {
		start_genl(CTRL_CMD_NEWFAMILY);
		msg->nlmsg_type = GENL_ID_CTRL;
		put_attr(CTRL_ATTR_FAMILY_ID, &family, sizeof(family));
		finish();
		finish_all(0, NULL, 0);
	} else if (genl->cmd == MRC_CMD_ENDPOINT_ADD && has_attr && value[3] == 1) {
		finish_all(-EEXIST, "Endpoint exists already", NLMSG_HDRLEN + GENL_HDRLEN);
	} else if (genl->cmd == MRC_CMD_ENDPOINT_DEL && has_attr && value[0] == 77) {
		finish_all(-ENOENT, NULL, 0);
	} else {
		if (genl->cmd == MRC_CMD_ENDPOINT_GET)
			endpoints(!has_attr);
		else if (genl->cmd == MRC_CMD_CONNECTION_GET)
			connections();
		else if (genl->cmd == MRC_CMD_SUBFLOW_GET)
			subflows();
		finish_all(0, NULL, 0);
	}
}

ssize_t sendto(int fd, const void *buf, size_t len, int flags,
	       const struct sockaddr *addr, socklen_t addr_len)
{
	(void)fd;
	(void)flags;
	(void)addr;
	(void)addr_len;
	memcpy(&request, buf, sizeof(request));
	msg = answer;
	serve((const void *)((const char *)buf + NLMSG_HDRLEN));
	return len;
}

ssize_t recvmsg(int fd, struct msghdr *mh, int flags)
{
	size_t len = (char *)msg - (char *)answer;
	struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };

	(void)fd;
	(void)flags;
	memcpy(mh->msg_iov[0].iov_base, answer, len);
	memcpy(mh->msg_name, &kernel, sizeof(kernel));
	mh->msg_namelen = sizeof(kernel);
	mh->msg_flags = 0;
	return len;
}
