// SPDX-License-Identifier: GPL-2.0
/* Tables of the attributes, and safe access to them. */
#include <assert.h>
#include <linux/genetlink.h>
#include <string.h>

#include "ip-mrc.h"

static const char *const endpoint_flags[] = { "backup", "fullmesh" };
static const char *const subflow_flags[] = { "backup", "initial" };

static const char *const connection_states[] = {
	[MRC_CONN_CLOSED]	= "CLOSED",
	[MRC_CONN_LISTEN]	= "LISTEN",
	[MRC_CONN_REQ_SENT]	= "REQ_SENT",
	[MRC_CONN_REP_SENT]	= "REP_SENT",
	[MRC_CONN_ESTABLISHED]	= "ESTABLISHED",
	[MRC_CONN_DREQ_WAIT1]	= "DREQ_WAIT1",
	[MRC_CONN_DREQ_WAIT2]	= "DREQ_WAIT2",
	[MRC_CONN_CLOSE_WAIT]	= "CLOSE_WAIT",
	[MRC_CONN_LAST_DREQ]	= "LAST_DREQ",
	[MRC_CONN_CLOSING]	= "CLOSING",
};

static const char *const subflow_states[] = {
	[MRC_SF_CLOSED]		= "CLOSED",
	[MRC_SF_JOINING]	= "JOINING",
	[MRC_SF_ACTIVE]		= "ACTIVE",
	[MRC_SF_SUSPECT]	= "SUSPECT",
	[MRC_SF_FAILED]		= "FAILED",
	[MRC_SF_DOWN]		= "DOWN",
};

static const struct attr_desc endpoint_desc[] = {
	[MRC_A_ENDPOINT_ID]		= { .name = "id", .kind = ATTR_U32 },
	[MRC_A_ENDPOINT_ADDRESS]	= { .name = "address", .kind = ATTR_ADDRESS },
	[MRC_A_ENDPOINT_IFINDEX]	= { .name = "ifindex", .kind = ATTR_DEVICE },
	[MRC_A_ENDPOINT_PLANE]		= { .name = "plane", .kind = ATTR_U32 },
	[MRC_A_ENDPOINT_EVS]		= { .name = "evs", .kind = ATTR_U32 },
	[MRC_A_ENDPOINT_FLAGS] = {
		.name = "flags", .kind = ATTR_FLAGS,
		.words = endpoint_flags, .n_words = ARRAY_SIZE(endpoint_flags)
	},
};

static const struct attr_desc connection_desc[] = {
	[MRC_A_CONNECTION_PAD]		= { .name = "pad", .kind = ATTR_NONE },
	[MRC_A_CONNECTION_ID]		= { .name = "id", .kind = ATTR_U32 },
	[MRC_A_CONNECTION_STATE] = {
		.name = "state", .kind = ATTR_STATE,
		.words = connection_states, .n_words = ARRAY_SIZE(connection_states)
	},
	[MRC_A_CONNECTION_LOCAL_ADDRESS] = { .name = "local_address", .kind = ATTR_ADDRESS },
	[MRC_A_CONNECTION_LOCAL_PORT]	= { .name = "local_port", .kind = ATTR_U32 },
	[MRC_A_CONNECTION_REMOTE_ADDRESS] = { .name = "remote_address", .kind = ATTR_ADDRESS },
	[MRC_A_CONNECTION_REMOTE_PORT]	= { .name = "remote_port", .kind = ATTR_U32 },
	[MRC_A_CONNECTION_UID]		= { .name = "uid", .kind = ATTR_U32 },
	[MRC_A_CONNECTION_INODE]	= { .name = "inode", .kind = ATTR_U32 },
	[MRC_A_CONNECTION_SCHEDULER]	= { .name = "scheduler", .kind = ATTR_STRING },
	[MRC_A_CONNECTION_CONGESTION]	= { .name = "congestion", .kind = ATTR_STRING },
	[MRC_A_CONNECTION_SUBFLOWS]	= { .name = "subflows", .kind = ATTR_U32 },
	[MRC_A_CONNECTION_SUBFLOWS_ACTIVE] = { .name = "subflows_active", .kind = ATTR_U32 },
	[MRC_A_CONNECTION_MPR]		= { .name = "mpr", .kind = ATTR_U32 },
	[MRC_A_CONNECTION_SND_PACKETS]	= { .name = "snd_packets", .kind = ATTR_U32 },
	[MRC_A_CONNECTION_SND_QUEUED]	= { .name = "snd_queued", .kind = ATTR_U32 },
	[MRC_A_CONNECTION_RCV_OOO]	= { .name = "rcv_ooo", .kind = ATTR_U32 },
	[MRC_A_CONNECTION_BYTES_SENT]	= { .name = "bytes_sent", .kind = ATTR_U64 },
	[MRC_A_CONNECTION_BYTES_ACKED]	= { .name = "bytes_acked", .kind = ATTR_U64 },
	[MRC_A_CONNECTION_BYTES_RECEIVED] = { .name = "bytes_received", .kind = ATTR_U64 },
	[MRC_A_CONNECTION_BYTES_RETRANS] = { .name = "bytes_retrans", .kind = ATTR_U64 },
	[MRC_A_CONNECTION_MSGS_SENT]	= { .name = "msgs_sent", .kind = ATTR_U64 },
	[MRC_A_CONNECTION_MSGS_RECEIVED] = { .name = "msgs_received", .kind = ATTR_U64 },
	[MRC_A_CONNECTION_PKTS_SENT]	= { .name = "pkts_sent", .kind = ATTR_U64 },
	[MRC_A_CONNECTION_PKTS_RECEIVED] = { .name = "pkts_received", .kind = ATTR_U64 },
	[MRC_A_CONNECTION_PKTS_RETRANS]	= { .name = "pkts_retrans", .kind = ATTR_U64 },
	[MRC_A_CONNECTION_PKTS_DUP]	= { .name = "pkts_dup", .kind = ATTR_U64 },
};

static const struct attr_desc subflow_desc[] = {
	[MRC_A_SUBFLOW_PAD]		= { .name = "pad", .kind = ATTR_NONE },
	[MRC_A_SUBFLOW_CONNECTION]	= { .name = "connection", .kind = ATTR_U32 },
	[MRC_A_SUBFLOW_ID]		= { .name = "id", .kind = ATTR_U32 },
	[MRC_A_SUBFLOW_STATE] = {
		.name = "state", .kind = ATTR_STATE,
		.words = subflow_states, .n_words = ARRAY_SIZE(subflow_states)
	},
	[MRC_A_SUBFLOW_PLANE]		= { .name = "plane", .kind = ATTR_U32 },
	[MRC_A_SUBFLOW_FLAGS] = {
		.name = "flags", .kind = ATTR_FLAGS,
		.words = subflow_flags, .n_words = ARRAY_SIZE(subflow_flags)
	},
	[MRC_A_SUBFLOW_IFINDEX]		= { .name = "ifindex", .kind = ATTR_DEVICE },
	[MRC_A_SUBFLOW_LOCAL_ADDRESS]	= { .name = "local_address", .kind = ATTR_ADDRESS },
	[MRC_A_SUBFLOW_REMOTE_ADDRESS]	= { .name = "remote_address", .kind = ATTR_ADDRESS },
	[MRC_A_SUBFLOW_EVS]		= { .name = "evs", .kind = ATTR_U32 },
	[MRC_A_SUBFLOW_SRTT]		= { .name = "srtt", .kind = ATTR_U32 },
	[MRC_A_SUBFLOW_RTTVAR]		= { .name = "rttvar", .kind = ATTR_U32 },
	[MRC_A_SUBFLOW_MIN_RTT]		= { .name = "min_rtt", .kind = ATTR_U32 },
	[MRC_A_SUBFLOW_CWND]		= { .name = "cwnd", .kind = ATTR_U32 },
	[MRC_A_SUBFLOW_INFLIGHT]	= { .name = "inflight", .kind = ATTR_U32 },
	[MRC_A_SUBFLOW_BYTES_SENT]	= { .name = "bytes_sent", .kind = ATTR_U64 },
	[MRC_A_SUBFLOW_BYTES_RECEIVED]	= { .name = "bytes_received", .kind = ATTR_U64 },
	[MRC_A_SUBFLOW_PKTS_SENT]	= { .name = "pkts_sent", .kind = ATTR_U64 },
	[MRC_A_SUBFLOW_PKTS_RECEIVED]	= { .name = "pkts_received", .kind = ATTR_U64 },
	[MRC_A_SUBFLOW_PKTS_RETRANS]	= { .name = "pkts_retrans", .kind = ATTR_U64 },
	[MRC_A_SUBFLOW_PKTS_LOST]	= { .name = "pkts_lost", .kind = ATTR_U64 },
	[MRC_A_SUBFLOW_ECN_MARKS]	= { .name = "ecn_marks", .kind = ATTR_U64 },
	[MRC_A_SUBFLOW_CHANGES]		= { .name = "changes", .kind = ATTR_U64 },
};

/* A new state or attribute must not be forgotten here. */
static_assert(ARRAY_SIZE(connection_states) == MRC_CONN_STATE_MAX + 1, "states");
static_assert(ARRAY_SIZE(subflow_states) == MRC_SF_STATE_MAX + 1, "states");
static_assert(ARRAY_SIZE(endpoint_desc) == MRC_A_ENDPOINT_MAX + 1, "endpoint");
static_assert(ARRAY_SIZE(connection_desc) == MRC_A_CONNECTION_MAX + 1, "connection");
static_assert(ARRAY_SIZE(subflow_desc) == MRC_A_SUBFLOW_MAX + 1, "subflow");
static_assert(MRC_A_CONNECTION_MAX < ATTRS_MAX, "ATTRS_MAX");
static_assert(MRC_A_SUBFLOW_MAX < ATTRS_MAX, "ATTRS_MAX");

const struct attr_set endpoint_set = { endpoint_desc, MRC_A_ENDPOINT_MAX };
const struct attr_set connection_set = { connection_desc, MRC_A_CONNECTION_MAX };
const struct attr_set subflow_set = { subflow_desc, MRC_A_SUBFLOW_MAX };

/* Attributes that this program does not know belong to a newer kernel. */
void attrs_parse(struct attrs *at, const struct attr_set *set, const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;

	memset(at, 0, sizeof(*at));
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) <= set->max)
			at->tb[mnl_attr_get_type(attr)] = attr;
}

bool attr_u32(const struct attrs *at, unsigned int type, uint32_t *value)
{
	const struct nlattr *attr = at->tb[type];

	if (!attr || mnl_attr_get_payload_len(attr) != sizeof(*value))
		return false;
	*value = mnl_attr_get_u32(attr);
	return true;
}

bool attr_u64(const struct attrs *at, unsigned int type, uint64_t *value)
{
	const struct nlattr *attr = at->tb[type];

	if (!attr || mnl_attr_get_payload_len(attr) != sizeof(*value))
		return false;
	*value = mnl_attr_get_u64(attr);
	return true;
}

bool attr_string(const struct attrs *at, unsigned int type, char *buf, size_t size)
{
	const struct nlattr *attr = at->tb[type];
	size_t len;

	if (!attr)
		return false;
	len = strnlen(mnl_attr_get_str(attr), mnl_attr_get_payload_len(attr));
	if (len >= size)
		len = size - 1;
	memcpy(buf, mnl_attr_get_str(attr), len);
	buf[len] = '\0';
	return true;
}

bool attr_address(const struct attrs *at, unsigned int type, struct address *addr)
{
	const struct nlattr *attr = at->tb[type];

	if (!attr)
		return false;
	addr->len = mnl_attr_get_payload_len(attr);
	if (addr->len != 4 && addr->len != 16)
		return false;
	memcpy(addr->bytes, mnl_attr_get_payload(attr), addr->len);
	return true;
}
