// SPDX-License-Identifier: GPL-2.0
/*
 * Generic netlink over libmnl.
 *
 * Answers are gathered before any of them is printed, so that an error half
 * way leaves no half JSON behind and an inconsistent dump can be asked again.
 */
#include <errno.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "ip-mrc.h"

/* The kernel fills at most this much of a buffer in a dump. */
#define RECV_SIZE	65536
/* How often a dump that changed under our hands is asked for. */
#define DUMP_TRIES	5

static struct mnl_socket *nl;
static uint16_t family;
static uint32_t seq;

static void replies_add(struct replies *rep, const struct nlmsghdr *nlh)
{
	size_t len = MNL_ALIGN(nlh->nlmsg_len);

	if (rep->size - rep->len < len) {
		size_t size = rep->size ? 2 * rep->size : RECV_SIZE;
		char *buf;

		while (size - rep->len < len)
			size *= 2;
		buf = realloc(rep->buf, size);
		if (!buf)
			die("Error: out of memory.");
		rep->buf = buf;
		rep->size = size;
	}
	memset(rep->buf + rep->len, 0, len);
	memcpy(rep->buf + rep->len, nlh, nlh->nlmsg_len);
	rep->len += len;
}

/* The message after @nlh, the first one after NULL; NULL at the end. */
struct nlmsghdr *replies_next(const struct replies *rep, struct nlmsghdr *nlh)
{
	char *next = nlh ? (char *)nlh + MNL_ALIGN(nlh->nlmsg_len) : rep->buf;

	return next && next < rep->buf + rep->len ? (struct nlmsghdr *)next : NULL;
}

void replies_free(struct replies *rep)
{
	free(rep->buf);
	memset(rep, 0, sizeof(*rep));
}

/* The name of the attribute at @offset of the request, or of type @missing. */
static const char *blamed_name(const struct request *req, uint32_t offset, int missing)
{
	const struct nlattr *attr = (const void *)(req->buf + offset);
	int type = missing;

	if (!req->set)
		return NULL;
	if (offset) {
		if (offset + sizeof(*attr) > req->nlh->nlmsg_len)
			return NULL;
		type = mnl_attr_get_type(attr);
	}
	if (type <= 0 || type > (int)req->set->max)
		return NULL;
	return req->set->desc[type].name;
}

/*
 * What the kernel has to say beside the error number: @attr is the first of
 * @len bytes of attributes.  Returns true if it was said.
 */
static bool print_extack(const struct request *req, const struct nlattr *attr, int len, int error)
{
	const char *msg = NULL, *name;
	uint32_t offset = 0;
	int missing = 0;

	for (; mnl_attr_ok(attr, len);
	     len -= MNL_ALIGN(attr->nla_len), attr = mnl_attr_next(attr)) {
		switch (mnl_attr_get_type(attr)) {
		case NLMSGERR_ATTR_MSG:
			if (mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) == 0)
				msg = mnl_attr_get_str(attr);
			break;
		case NLMSGERR_ATTR_OFFS:
			if (mnl_attr_validate(attr, MNL_TYPE_U32) == 0)
				offset = mnl_attr_get_u32(attr);
			break;
		case NLMSGERR_ATTR_MISS_TYPE:
			if (mnl_attr_validate(attr, MNL_TYPE_U32) == 0)
				missing = mnl_attr_get_u32(attr);
			break;
		}
	}
	name = blamed_name(req, offset, missing);
	if (!msg && !name)
		return false;
	if (!msg)
		msg = missing ? "Attribute is missing" : strerror(-error);
	len = strlen(msg);
	if (len && msg[len - 1] == '.')
		len--;
	fprintf(stderr, "%s: %.*s%s%s%s.\n", error ? "Error" : "Warning", len, msg,
		name ? " (" : "", name ?: "", name ? ")" : "");
	return true;
}

/*
 * An NLMSG_ERROR or the NLMSG_DONE that ends a dump: both hold an error number
 * and perhaps attributes.  Returns the error number, negative.
 */
static int end_message(const struct request *req, const struct nlmsghdr *nlh, bool quiet)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
	size_t skip = sizeof(int), len = mnl_nlmsg_get_payload_len(nlh);
	int error;
	bool said = false;

	if (len < sizeof(int))
		return 0;
	memcpy(&error, err, sizeof(error));
	if (nlh->nlmsg_type == NLMSG_ERROR) {
		skip = sizeof(*err);
		/* Without this flag the whole request comes back first. */
		if (len >= skip && !(nlh->nlmsg_flags & NLM_F_CAPPED))
			skip += MNL_ALIGN(err->msg.nlmsg_len) - MNL_NLMSG_HDRLEN;
	} else if (error > 0) {
		error = 0;
	}
	if (quiet)
		return error;
	if (nlh->nlmsg_flags & NLM_F_ACK_TLVS && len >= skip)
		said = print_extack(req, (const void *)((const char *)err + skip),
				    len - skip, error);
	if (error && !said)
		fprintf(stderr, "Error: %s.\n", strerror(-error));
	return error;
}

/*
 * Receives up to the end of the answer.  Returns 0, or the kernel's error
 * (negative), which has been printed unless @quiet.
 */
static int receive(const struct request *req, struct replies *rep, bool quiet, bool *changed)
{
	static struct nlmsghdr buf[RECV_SIZE / sizeof(struct nlmsghdr)];
	bool dump = (req->nlh->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;

	for (;;) {
		const struct nlmsghdr *nlh = buf;
		int len = mnl_socket_recvfrom(nl, buf, sizeof(buf));

		if (len < 0 && errno == EINTR)
			continue;
		if (len < 0)
			die("Error: no answer from the kernel: %s.", strerror(errno));
		for (; mnl_nlmsg_ok(nlh, len); nlh = mnl_nlmsg_next(nlh, &len)) {
			if (nlh->nlmsg_seq != seq)
				continue;
			if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
				*changed = true;
			if (nlh->nlmsg_type == NLMSG_ERROR)
				return end_message(req, nlh, quiet);
			if (nlh->nlmsg_type == NLMSG_DONE) {
				if (dump)
					return end_message(req, nlh, quiet);
				continue;
			}
			if (nlh->nlmsg_type >= NLMSG_MIN_TYPE &&
			    mnl_nlmsg_get_payload_len(nlh) >= sizeof(struct genlmsghdr))
				replies_add(rep, nlh);
		}
	}
}

static int talk(struct request *req, struct replies *rep, bool quiet)
{
	bool dump = (req->nlh->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
	bool changed = true;
	int error = 0;

	if (!dump)
		req->nlh->nlmsg_flags |= NLM_F_ACK;
	for (int i = 0; changed && i < DUMP_TRIES; i++) {
		changed = false;
		rep->len = 0;
		req->nlh->nlmsg_seq = ++seq;
		if (mnl_socket_sendto(nl, req->nlh, req->nlh->nlmsg_len) < 0)
			die("Error: cannot send to the kernel: %s.", strerror(errno));
		error = receive(req, rep, quiet, &changed);
		if (error)
			break;
	}
	if (changed && !error)
		fprintf(stderr, "Dump was interrupted and may be inconsistent.\n");
	return error;
}

static void request_init(struct request *req, const struct attr_set *set, uint16_t type,
			 uint8_t cmd, uint8_t version, uint16_t flags)
{
	struct genlmsghdr *genl;

	memset(req, 0, sizeof(*req));
	req->set = set;
	req->nlh = mnl_nlmsg_put_header(req->buf);
	req->nlh->nlmsg_type = type;
	req->nlh->nlmsg_flags = NLM_F_REQUEST | flags;
	genl = mnl_nlmsg_put_extra_header(req->nlh, sizeof(*genl));
	genl->cmd = cmd;
	genl->version = version;
}

/*
 * Opens the socket and asks for the number of the family.  The question makes
 * the kernel load the module by its alias if it is installed.
 */
void genl_open(void)
{
	static const int sockopts[] = { NETLINK_EXT_ACK, NETLINK_CAP_ACK, NETLINK_GET_STRICT_CHK };
	struct replies rep = {};
	struct request req;
	struct nlmsghdr *nlh;
	int error, on = 1;

	if (nl)
		return;
	seq = time(NULL);
	nl = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0)
		die("Error: cannot open a netlink socket: %s.", strerror(errno));
	/* Old kernels lack some of these: errors are less clear then, no more. */
	for (size_t i = 0; i < ARRAY_SIZE(sockopts); i++)
		mnl_socket_setsockopt(nl, sockopts[i], (void *)&on, sizeof(on));

	request_init(&req, NULL, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1, 0);
	mnl_attr_put_strz(req.nlh, CTRL_ATTR_FAMILY_NAME, MRC_GENL_NAME);
	error = talk(&req, &rep, true);
	if (error == -ENOENT)
		die("Error: the mrc module is not loaded: modprobe mrc");
	if (error)
		die("Error: cannot find the netlink family of mrc: %s.", strerror(-error));
	for (nlh = NULL; (nlh = replies_next(&rep, nlh));) {
		const struct nlattr *attr;

		mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
			if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID &&
			    mnl_attr_validate(attr, MNL_TYPE_U16) == 0)
				family = mnl_attr_get_u16(attr);
	}
	replies_free(&rep);
	if (!family)
		die("Error: cannot find the netlink family of mrc.");
}

void genl_request(struct request *req, const struct attr_set *set, uint8_t cmd, uint16_t flags)
{
	genl_open();
	request_init(req, set, family, cmd, MRC_GENL_VERSION, flags);
}

/*
 * Sends a request and gathers the answers.  Returns 0 or the kernel's error,
 * negative and already printed.
 */
int genl_talk(struct request *req, struct replies *rep)
{
	return talk(req, rep, false);
}
