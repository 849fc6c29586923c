/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * MRC for Linux: Multipath Reliable Connection sockets.
 *
 * This file is the ABI.  A program needs nothing else:
 *
 *	int fd = socket(AF_INET, SOCK_SEQPACKET, IPPROTO_MRC);
 *
 * Addresses are ordinary sockaddr_in and sockaddr_in6; their port is an MRC
 * service port, a 16-bit space of its own in each network namespace that has
 * nothing to do with UDP ports.  One send() is one message; boundaries and
 * order are kept, each message arrives exactly once.  A short recv() leaves
 * the rest of the message queued, MSG_EOR is set on the last byte.  With
 * MSG_TRUNC the rest is discarded and the full length returned.
 */
#ifndef _UAPI_LINUX_MRC_H
#define _UAPI_LINUX_MRC_H

#include <linux/types.h>

/* 257..260 are free in every kernel; the number never appears on the wire. */
#ifndef IPPROTO_MRC
#define IPPROTO_MRC		260
#endif
#ifndef SOL_MRC
#define SOL_MRC			290
#endif

/* The RoCEv2 port: fabrics already classify and hash it. */
#define MRC_UDP_PORT		4791

/* Largest message in bytes; larger sends fail with EMSGSIZE. */
#define MRC_MSG_MAX		0x7fffffffU

#define MRC_SCHED_NAME_MAX	16
#define MRC_CONG_NAME_MAX	16

/* A connection has at most this many subflows. */
#define MRC_SUBFLOWS_MAX	16
/* A network namespace has at most this many endpoints. */
#define MRC_ENDPOINTS_MAX	16
/* Endpoints talk only within their plane; planes are 0..MRC_PLANE_MAX. */
#define MRC_PLANE_MAX		255
/* Entropy values of a connection, shared by its subflows. */
#define MRC_EVS_MAX		256

/**
 * enum mrc_sockopt - options of level SOL_MRC
 * @MRC_INFO: read only, struct mrc_info.
 * @MRC_SUBFLOW_INFO: read only, an array of struct mrc_subflow_info, one for
 *	each subflow; the returned length tells how many fitted.  The first
 *	__u32 of the buffer must hold the size of one element as the caller
 *	was compiled with, which keeps old programs working.
 * @MRC_SCHEDULER: string, the scheduler of this connection; set before
 *	connect() or listen().
 * @MRC_CONGESTION: string, the congestion control of this connection; set
 *	before connect() or listen().
 * @MRC_UNORDERED: int, messages are delivered when they are complete, in
 *	whatever order that happens.  Set before connect() or listen();
 *	inherited by accepted sockets.  A message must fit the receive buffer
 *	then: a larger one ends the connection with EMSGSIZE.
 * @MRC_USER_TIMEOUT: unsigned int, milliseconds for which no subflow may be
 *	usable before the connection fails with ETIMEDOUT; 0 is the default.
 * @MRC_MAX_MSG: unsigned int, largest message in bytes that send() takes,
 *	1..MRC_MSG_MAX.
 */
enum mrc_sockopt {
	MRC_INFO		= 1,
	MRC_SUBFLOW_INFO	= 2,
	MRC_SCHEDULER		= 3,
	MRC_CONGESTION		= 4,
	MRC_UNORDERED		= 5,
	MRC_USER_TIMEOUT	= 6,
	MRC_MAX_MSG		= 7,
};

/**
 * enum mrc_subflow_state - life of a subflow
 * @MRC_SF_CLOSED: not in use.
 * @MRC_SF_JOINING: being proved by a probe, carries no data yet.
 * @MRC_SF_ACTIVE: proved, carries data.
 * @MRC_SF_SUSPECT: silent although it owes SACKs; its data moved to others.
 * @MRC_SF_FAILED: several probes were lost; probed with back-off for ever.
 * @MRC_SF_DOWN: link, address or device is gone or it was set down.
 */
enum mrc_subflow_state {
	MRC_SF_CLOSED,
	MRC_SF_JOINING,
	MRC_SF_ACTIVE,
	MRC_SF_SUSPECT,
	MRC_SF_FAILED,
	MRC_SF_DOWN,
};

#define __MRC_SF_STATES		(MRC_SF_DOWN + 1)
#define MRC_SF_STATE_MAX	MRC_SF_DOWN

/**
 * enum mrc_connection_state - life of a connection
 * @MRC_CONN_CLOSED: not connected.
 * @MRC_CONN_LISTEN: accepts connections.
 * @MRC_CONN_REQ_SENT: connect() sent REQ and waits for REP.
 * @MRC_CONN_REP_SENT: a listener's child sent REP and waits for RTU.
 * @MRC_CONN_ESTABLISHED: both directions open.
 * @MRC_CONN_DREQ_WAIT1: we closed our direction, the peer has not confirmed.
 * @MRC_CONN_DREQ_WAIT2: the peer has confirmed, its direction is still open.
 * @MRC_CONN_CLOSE_WAIT: the peer closed its direction, ours is open.
 * @MRC_CONN_LAST_DREQ: the peer closed first, then we; not confirmed yet.
 * @MRC_CONN_CLOSING: both closed at once, ours is not confirmed yet.
 */
enum mrc_connection_state {
	MRC_CONN_CLOSED,
	MRC_CONN_LISTEN,
	MRC_CONN_REQ_SENT,
	MRC_CONN_REP_SENT,
	MRC_CONN_ESTABLISHED,
	MRC_CONN_DREQ_WAIT1,
	MRC_CONN_DREQ_WAIT2,
	MRC_CONN_CLOSE_WAIT,
	MRC_CONN_LAST_DREQ,
	MRC_CONN_CLOSING,
};

#define __MRC_CONN_STATES	(MRC_CONN_CLOSING + 1)
#define MRC_CONN_STATE_MAX	MRC_CONN_CLOSING

/* Flags of an endpoint (attribute MRC_A_ENDPOINT_FLAGS). */
#define MRC_ENDPOINT_F_BACKUP	(1U << 0) /* carries data only when no other can */
#define MRC_ENDPOINT_F_FULLMESH	(1U << 1) /* pairs with all planes */
#define MRC_ENDPOINT_F_MASK	(MRC_ENDPOINT_F_BACKUP | MRC_ENDPOINT_F_FULLMESH)

/* Flags of a subflow (mrc_subflow_info.flags, MRC_A_SUBFLOW_FLAGS). */
#define MRC_SF_F_BACKUP		(1U << 0) /* either end asked for backup */
/* It carried the REQ but joins no two endpoints: stands back for others. */
#define MRC_SF_F_INITIAL	(1U << 1)

/**
 * struct mrc_info - MRC_INFO
 * @state: enum mrc_connection_state.
 * @subflows: number of subflows, in whatever state.
 * @subflows_active: number of subflows in state ACTIVE.
 * @unordered: 1 with MRC_UNORDERED.
 * @id: the connection's number in its network namespace, as in `ip mrc`.
 * @max_payload: bytes of payload in a full packet.
 * @snd_packets: packets in flight or lost and not yet acknowledged.
 * @snd_queued: packets written by send() and never transmitted.
 * @rcv_ooo: packets received out of order that wait for earlier ones.
 * @mpr: packets that the peer lets us have in flight.
 * @reserved: 0.
 * @bytes_sent: payload bytes given to send() and cut into packets.
 * @bytes_acked: payload bytes acknowledged cumulatively.
 * @bytes_received: payload bytes received in order.
 * @bytes_retrans: payload bytes sent again.
 * @msgs_sent: messages completed by send().
 * @msgs_received: messages that recv() has taken whole.
 * @pkts_sent: data packets sent, retransmissions included.
 * @pkts_received: data packets received, duplicates included.
 * @pkts_retrans: data packets sent again.
 * @pkts_dup: data packets received more than once.
 * @last_progress_ns: nanoseconds since data was last acknowledged.
 */
struct mrc_info {
	__u8	state;
	__u8	subflows;
	__u8	subflows_active;
	__u8	unordered;
	__u32	id;
	__u32	max_payload;
	__u32	snd_packets;
	__u32	snd_queued;
	__u32	rcv_ooo;
	__u32	mpr;
	__u32	reserved;
	__u64	bytes_sent;
	__u64	bytes_acked;
	__u64	bytes_received;
	__u64	bytes_retrans;
	__u64	msgs_sent;
	__u64	msgs_received;
	__u64	pkts_sent;
	__u64	pkts_received;
	__u64	pkts_retrans;
	__u64	pkts_dup;
	__u64	last_progress_ns;
};

/**
 * struct mrc_subflow_info - one element of MRC_SUBFLOW_INFO
 * @size: in: size of an element in the caller's buffer (first element only);
 *	out: size of this element.
 * @id: number of the subflow in the connection.
 * @state: enum mrc_subflow_state.
 * @plane: plane of the local endpoint.
 * @family: AF_INET or AF_INET6.
 * @flags: MRC_SF_F_*.
 * @ifindex: device of the local endpoint, 0 if the route decides.
 * @local: local address, an IPv4 address in the first four bytes.
 * @remote: remote address.
 * @srtt_us: smoothed round trip time, microseconds; 0 before the first sample.
 * @rttvar_us: its variation, microseconds.
 * @min_rtt_us: smallest round trip time seen, microseconds.
 * @cwnd: window, bytes.
 * @inflight: bytes in flight.
 * @evs: entropy values in use.
 * @bytes_sent: payload bytes sent over it, retransmissions included.
 * @bytes_received: payload bytes received over it, duplicates included.
 * @pkts_sent: data packets sent over it.
 * @pkts_received: data packets received over it.
 * @pkts_retrans: packets sent over it that had been sent before.
 * @pkts_lost: packets sent over it that were then declared lost.
 * @ecn_marks: CE marks that the peer reported for it.
 * @changes: state changes.
 */
struct mrc_subflow_info {
	__u32	size;
	__u8	id;
	__u8	state;
	__u8	plane;
	__u8	family;
	__u32	flags;
	__u32	ifindex;
	__u8	local[16];
	__u8	remote[16];
	__u32	srtt_us;
	__u32	rttvar_us;
	__u32	min_rtt_us;
	__u32	cwnd;
	__u32	inflight;
	__u32	evs;
	__u64	bytes_sent;
	__u64	bytes_received;
	__u64	pkts_sent;
	__u64	pkts_received;
	__u64	pkts_retrans;
	__u64	pkts_lost;
	__u64	ecn_marks;
	__u64	changes;
};

/*
 * Generic netlink family "mrc" (Documentation/netlink/specs/mrc.yaml).
 * Changes need CAP_NET_ADMIN in the user namespace that owns the network
 * namespace; reading needs nothing.  All numbers are in host byte order, an
 * address is 4 (IPv4) or 16 (IPv6) bytes in network byte order.
 */
#define MRC_GENL_NAME		"mrc"
#define MRC_GENL_VERSION	1

enum mrc_cmd {
	MRC_CMD_UNSPEC,
	MRC_CMD_ENDPOINT_ADD,	/* do, admin: ADDRESS [IFINDEX PLANE ID EVS FLAGS] */
	MRC_CMD_ENDPOINT_DEL,	/* do, admin: ID or ADDRESS */
	MRC_CMD_ENDPOINT_GET,	/* do: ID or ADDRESS; dump: all */
	MRC_CMD_CONNECTION_GET,	/* do: ID; dump: all */
	MRC_CMD_SUBFLOW_GET,	/* dump: all, or those of CONNECTION */
	__MRC_CMD_MAX
};

#define MRC_CMD_MAX (__MRC_CMD_MAX - 1)

enum mrc_a_endpoint {
	MRC_A_ENDPOINT_UNSPEC,
	MRC_A_ENDPOINT_ID,	/* u32, 1..255 */
	MRC_A_ENDPOINT_ADDRESS,	/* binary, 4 or 16 bytes */
	MRC_A_ENDPOINT_IFINDEX,	/* u32 */
	MRC_A_ENDPOINT_PLANE,	/* u32, 0..MRC_PLANE_MAX */
	MRC_A_ENDPOINT_EVS,	/* u32, 1..MRC_EVS_MAX */
	MRC_A_ENDPOINT_FLAGS,	/* u32, MRC_ENDPOINT_F_* */
	__MRC_A_ENDPOINT_MAX
};

#define MRC_A_ENDPOINT_MAX (__MRC_A_ENDPOINT_MAX - 1)

enum mrc_a_connection {
	MRC_A_CONNECTION_UNSPEC,
	MRC_A_CONNECTION_PAD,
	MRC_A_CONNECTION_ID,		/* u32 */
	MRC_A_CONNECTION_STATE,		/* u32, enum mrc_connection_state */
	MRC_A_CONNECTION_LOCAL_ADDRESS,	/* binary, 4 or 16 bytes */
	MRC_A_CONNECTION_LOCAL_PORT,	/* u32 */
	MRC_A_CONNECTION_REMOTE_ADDRESS,/* binary, 4 or 16 bytes */
	MRC_A_CONNECTION_REMOTE_PORT,	/* u32 */
	MRC_A_CONNECTION_UID,		/* u32 */
	MRC_A_CONNECTION_INODE,		/* u32 */
	MRC_A_CONNECTION_SCHEDULER,	/* string */
	MRC_A_CONNECTION_CONGESTION,	/* string */
	MRC_A_CONNECTION_SUBFLOWS,	/* u32 */
	MRC_A_CONNECTION_SUBFLOWS_ACTIVE, /* u32 */
	MRC_A_CONNECTION_MPR,		/* u32 */
	MRC_A_CONNECTION_SND_PACKETS,	/* u32 */
	MRC_A_CONNECTION_SND_QUEUED,	/* u32 */
	MRC_A_CONNECTION_RCV_OOO,	/* u32 */
	MRC_A_CONNECTION_BYTES_SENT,	/* u64 */
	MRC_A_CONNECTION_BYTES_ACKED,	/* u64 */
	MRC_A_CONNECTION_BYTES_RECEIVED,/* u64 */
	MRC_A_CONNECTION_BYTES_RETRANS,	/* u64 */
	MRC_A_CONNECTION_MSGS_SENT,	/* u64 */
	MRC_A_CONNECTION_MSGS_RECEIVED,	/* u64 */
	MRC_A_CONNECTION_PKTS_SENT,	/* u64 */
	MRC_A_CONNECTION_PKTS_RECEIVED,	/* u64 */
	MRC_A_CONNECTION_PKTS_RETRANS,	/* u64 */
	MRC_A_CONNECTION_PKTS_DUP,	/* u64 */
	__MRC_A_CONNECTION_MAX
};

#define MRC_A_CONNECTION_MAX (__MRC_A_CONNECTION_MAX - 1)

enum mrc_a_subflow {
	MRC_A_SUBFLOW_UNSPEC,
	MRC_A_SUBFLOW_PAD,
	MRC_A_SUBFLOW_CONNECTION,	/* u32, MRC_A_CONNECTION_ID */
	MRC_A_SUBFLOW_ID,		/* u32 */
	MRC_A_SUBFLOW_STATE,		/* u32, enum mrc_subflow_state */
	MRC_A_SUBFLOW_PLANE,		/* u32 */
	MRC_A_SUBFLOW_FLAGS,		/* u32, MRC_SF_F_* */
	MRC_A_SUBFLOW_IFINDEX,		/* u32 */
	MRC_A_SUBFLOW_LOCAL_ADDRESS,	/* binary, 4 or 16 bytes */
	MRC_A_SUBFLOW_REMOTE_ADDRESS,	/* binary, 4 or 16 bytes */
	MRC_A_SUBFLOW_EVS,		/* u32 */
	MRC_A_SUBFLOW_SRTT,		/* u32, microseconds */
	MRC_A_SUBFLOW_RTTVAR,		/* u32, microseconds */
	MRC_A_SUBFLOW_MIN_RTT,		/* u32, microseconds */
	MRC_A_SUBFLOW_CWND,		/* u32, bytes */
	MRC_A_SUBFLOW_INFLIGHT,		/* u32, bytes */
	MRC_A_SUBFLOW_BYTES_SENT,	/* u64 */
	MRC_A_SUBFLOW_BYTES_RECEIVED,	/* u64 */
	MRC_A_SUBFLOW_PKTS_SENT,	/* u64 */
	MRC_A_SUBFLOW_PKTS_RECEIVED,	/* u64 */
	MRC_A_SUBFLOW_PKTS_RETRANS,	/* u64 */
	MRC_A_SUBFLOW_PKTS_LOST,	/* u64 */
	MRC_A_SUBFLOW_ECN_MARKS,	/* u64 */
	MRC_A_SUBFLOW_CHANGES,		/* u64 */
	__MRC_A_SUBFLOW_MAX
};

#define MRC_A_SUBFLOW_MAX (__MRC_A_SUBFLOW_MAX - 1)

#endif /* _UAPI_LINUX_MRC_H */
