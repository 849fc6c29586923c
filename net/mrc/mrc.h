/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MRC: the connection storey and the socket storey share these structures.
 *
 * Locking
 * -------
 * A connection is protected by its socket lock: lock_sock() in process
 * context; bh_lock_sock() in softirq, where a socket owned by a process gets
 * packets on its backlog and other events as bits of sk_tsq_flags, which
 * mrc_release_cb() works off.  Everything in struct mrc_sock is guarded by it
 * unless its comment names another lock.
 *
 *   socket lock (connection or listener)
 *     -> mrc_net.bind_lock	bound sockets, by service port
 *     -> mrc_net.conn_lock	list of connections, hash by peer, TIME_WAIT
 *     -> mrc_sock.accept_lock	of the listener, from its child
 *     -> mrc_net.ep_lock	endpoints (readers: RCU)
 *
 * Two socket locks nest only when a listener that closes aborts its children;
 * a child never takes its listener's lock.  mrc_net.encap_mutex is taken with
 * no socket lock held, or from socket creation, where nobody else knows the
 * socket; the UDP sockets are released by a work item since that sleeps.
 *
 * References
 * ----------
 * The hash tables hold none: sockets are SOCK_RCU_FREE and looked up with
 * refcount_inc_not_zero().  The timer holds one while it is queued or
 * running, each bit in sk_tsq_flags one, a listener's child lists one for
 * each child, a child one on its listener.  Paths live in their connection.
 */
#ifndef _MRC_H
#define _MRC_H

#include <linux/hrtimer.h>
#include <linux/in6.h>
#include <linux/rhashtable.h>
#include <linux/skbuff.h>
#include <linux/workqueue.h>
#include <net/inet_sock.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/netns/generic.h>
#include <net/sock.h>

#include "compat.h"
#include "recovery.h"
#include "rxwin.h"
#include "wire.h"

/* ------------------------------------------------------------ constants */

/* Largest payload of a packet: with its headers it fits one 32 KiB page frag. */
#define MRC_PAYLOAD_MAX		(32768 - 128)
#define MRC_PAYLOAD_MIN		256
/*
 * Room kept around each packet's payload in its page, so that headers can be
 * written next to it and a run of packets becomes one GSO buffer.
 */
#define MRC_TX_HEADROOM		MRC_DATA_HDR_MAX
#define MRC_TX_TAILROOM		8
/* Payloads up to this are copied into the packet instead of referenced. */
#define MRC_TX_COPYBREAK	192

/* Messages that a receiver lets wait unread; Transport ACK after a quarter. */
#define MRC_CREDITS		8192
/* Room in front of the BTH for UDP, IP and link headers. */
#define MRC_SKB_HEADROOM	(MAX_HEADER + sizeof(struct ipv6hdr) + \
				 sizeof(struct udphdr))

/* EVs of a connection by default, shared by its subflows; and least each, */
#define MRC_EVS_DEFAULT		128
#define MRC_EVS_MIN		8

/* Timers, ns */
#define MRC_SACK_DELAY		(2 * MRC_NSEC_PER_MSEC)
#define MRC_CM_RTO_MIN		(50 * MRC_NSEC_PER_MSEC)
#define MRC_CM_RTO_MAX		(1000 * MRC_NSEC_PER_MSEC)
#define MRC_CONNECT_TIMEOUT	(30 * MRC_NSEC_PER_SEC)
#define MRC_ACCEPT_TIMEOUT	(10 * MRC_NSEC_PER_SEC)
#define MRC_USER_TIMEOUT_DEF	(60 * MRC_NSEC_PER_SEC)
#define MRC_FIN_TIMEOUT		(60 * MRC_NSEC_PER_SEC)
#define MRC_TW_TIME		(10 * MRC_NSEC_PER_SEC)
/* Records of closed connections in a network namespace. */
#define MRC_TW_MAX		4096
/* Stateless answers per second and network namespace. */
#define MRC_REJ_RATE		1000

#define MRC_BIND_HASH		256
#define MRC_PEER_HASH		1024

/* ------------------------------------------------------------ addresses */

/**
 * struct mrc_addr - an address without port, canonical
 * @family: AF_INET or AF_INET6; a mapped IPv4 address is AF_INET.
 * @v4: network byte order.
 * @v6: network byte order.
 */
struct mrc_addr {
	u16 family;
	union {
		__be32 v4;
		struct in6_addr v6;
	};
};

/**
 * struct mrc_endpoint - a local address that MRC may use
 * @list: in mrc_net.endpoints; written under ep_lock, read under RCU.
 * @rcu: for kfree_rcu().
 * @addr: the address.
 * @ifindex: device, 0 if the route decides.
 * @plane: 0..MRC_PLANE_MAX.
 * @id: 1..255, unique in the network namespace.
 * @evs: EVs of a subflow over it; 0 for the default.
 * @flags: MRC_ENDPOINT_F_*.
 * Constant after publication except @list.
 */
struct mrc_endpoint {
	struct list_head list;
	struct rcu_head rcu;
	struct mrc_addr addr;
	int ifindex;
	u8 plane;
	u8 id;
	u16 evs;
	u32 flags;
};

/**
 * struct mrc_path - a subflow with what it takes to leave the host
 * @sf: the pure part; must be first.
 * @msk: connection it belongs to.
 * @local: local address.
 * @remote: remote address.
 * @ifindex: device it is bound to, 0 if the route decides.
 * @oif: device of the last route, 0 if there is none.
 * @dst: cached route, NULL if none; one reference.
 * @dst_cookie: for dst_check().
 * @mtu: largest IP packet, bytes.
 */
struct mrc_path {
	struct mrc_subflow sf;
	struct mrc_sock *msk;
	struct mrc_addr local;
	struct mrc_addr remote;
	int ifindex;
	int oif;
	struct dst_entry *dst;
	u32 dst_cookie;
	u32 mtu;
};

/* ------------------------------------------------------------ the socket */

/* Bits of sk_tsq_flags: work left for mrc_release_cb(). */
enum mrc_deferred {
	MRC_DEFER_TIMER,	/* the timer fired */
	MRC_DEFER_LINKS,	/* a device or address changed */
	MRC_DEFER_ENDPOINTS,	/* the list of endpoints changed */
};

/* Socket states alias TCP's, so that inet_accept() and `ss` understand them. */
#define MRC_S_CLOSED		TCP_CLOSE
#define MRC_S_LISTEN		TCP_LISTEN
#define MRC_S_REQ_SENT		TCP_SYN_SENT
#define MRC_S_REP_SENT		TCP_SYN_RECV
#define MRC_S_ESTABLISHED	TCP_ESTABLISHED
#define MRC_S_DREQ_WAIT1	TCP_FIN_WAIT1
#define MRC_S_DREQ_WAIT2	TCP_FIN_WAIT2
#define MRC_S_CLOSE_WAIT	TCP_CLOSE_WAIT
#define MRC_S_LAST_DREQ		TCP_LAST_ACK
#define MRC_S_CLOSING		TCP_CLOSING

/* Data may be received / sent in these states. */
#define MRC_SF_RECV	(TCPF_ESTABLISHED | TCPF_FIN_WAIT1 | TCPF_FIN_WAIT2)
#define MRC_SF_SEND	(TCPF_ESTABLISHED | TCPF_CLOSE_WAIT)
/* There is a peer that knows us. */
#define MRC_SF_CONNECTED (TCPF_ESTABLISHED | TCPF_FIN_WAIT1 | TCPF_FIN_WAIT2 | \
			  TCPF_CLOSE_WAIT | TCPF_LAST_ACK | TCPF_CLOSING)

/**
 * struct mrc_sock - an MRC socket: a listener or a connection
 * @inet: must be first.
 *
 * Identity; constant once the socket is in the hash tables:
 * @qpn: our queue pair number, 0 if none.
 * @peer_qpn: the peer's, 0 until REQ or REP came.
 * @tag: verification tag that packets to us carry.
 * @peer_tag: verification tag that packets to the peer carry.
 * @rkey: R_Key that data to us carries.
 * @peer_rkey: R_Key that data to the peer carries.
 * @id: number shown to users, unique in the network namespace.
 * @encap_user: counted in mrc_net.users.
 *
 * Hash tables:
 * @qpn_node: in mrc_net.qpn_hash.
 * @peer_node: in mrc_net.peer_hash; conn_lock.
 * @conn_node: in mrc_net.conns; conn_lock.
 * @bind_node: in mrc_net.bind_hash; bind_lock.
 *
 * Listener and its children:
 * @accept_lock: guards the lists and @child_node, in the listener.
 * @pending: children that wait for RTU, by @child_node.
 * @accept_q: children that wait for accept(), by @child_node.
 * @child_node: in one of the listener's lists, or empty.
 * @listener: child: its listener with a reference, NULL once accepted.
 *
 * Protocol:
 * @req: requestor (sending half).
 * @rx: responder (receiving half).
 * @rx_ready: @rx and @req are set up.
 * @paths: the structs around @req.sf, same index.
 * @n_paths: how many are not NULL.
 * @initial: index of the path that carried REQ and REP.
 * @first_psn: the first PSN we use, 24 bits.
 * @max_payload: payload of a full packet, bytes.
 * @mpr_shift: unit of the MPR we advertise, log2 packets.
 * @peer_mpr_shift: unit of the MPR the peer advertises.
 * @adv_right: right edge that the last SACK advertised.
 *
 * Sending:
 * @tx_va: offset of the next byte that send() takes.
 * @tx_msn: number of the message being written.
 * @tx_msg_len: bytes of it cut so far; only with @tx_open.
 * @tx_open: a record is being written with MSG_MORE.
 * @tx_first: the next packet is the first of its message.
 * @tx_busy: a sendmsg() dropped the lock in the middle of a message.
 * @tx_credits: messages the peer takes unread.
 * @tx_acked_msn: messages the peer's application has taken.
 *
 * Receiving (sk_receive_queue holds packets in order of delivery):
 * @rq_msgs: complete messages in the queue.
 * @rq_bytes: bytes in the queue.
 * @rx_msg_off: offset of the next packet in its message.
 * @rx_discard: the rest of the current message is to be thrown away.
 * @rx_msn_done: messages taken by the application.
 * @rx_msn_told: value of it that the last Transport ACK carried.
 * @rx_credits: messages we promised to take.
 * @sack_since: when the oldest unreported news came; MRC_NEVER if none.
 * @last_rx_path: path of the last data packet; -1 if none.
 *
 * Connection management:
 * @peer_eps: the peer's endpoints.
 * @n_peer_eps: entries in it.
 * @ep_gen: mrc_net.ep_gen of our list that the peer was told last.
 * @peer_gen: number of its list.
 * @lap_gen: number of our list.
 * @lap_acked: number the peer confirmed.
 * @cm_next_ns: when to send REQ, REP, DREQ or LAP again; MRC_NEVER if not.
 * @cm_rto: current interval, ns.
 * @cm_start_ns: when the current exchange began.
 * @cm_path: rotates over paths for retransmissions.
 * @fin_wanted: shutdown() asked for DREQ, which waits for data to be sent.
 * @fin_sent: DREQ was sent.
 * @fin_acked: DREP came.
 * @fin_rcvd: a DREQ came.
 * @peer_closed: all that the peer sent before its DREQ is here.
 * @fin_psn: PSN of the last packet we send.
 * @peer_fin_psn: PSN of the last packet the peer sends.
 *
 * Timer:
 * @timer: soft hrtimer; holds a reference while queued or running.
 * @timer_ns: when it will fire; MRC_NEVER if it is not queued.
 * @heard_ns: when a valid packet of the peer last came.
 * @fin_wait_ns: when the orphan in DREQ_WAIT2 began to wait.
 *
 * Options:
 * @sched: scheduler for new connections.
 * @cong: congestion control for new connections.
 * @unordered: MRC_UNORDERED.
 * @user_timeout: ns.
 * @max_msg: bytes.
 *
 * Counters:
 * @bytes_sent: see struct mrc_info.
 * @bytes_received: see struct mrc_info.
 * @msgs_sent: see struct mrc_info.
 * @msgs_received: see struct mrc_info.
 * @pkts_received: see struct mrc_info.
 */
struct mrc_sock {
	struct inet_sock inet;

	u32 qpn;
	u32 peer_qpn;
	u32 tag;
	u32 peer_tag;
	u32 rkey;
	u32 peer_rkey;
	u32 id;
	bool encap_user;

	struct rhash_head qpn_node;
	struct hlist_node peer_node;
	struct list_head conn_node;
	struct hlist_node bind_node;

	spinlock_t accept_lock;		/* see kernel-doc */
	struct list_head pending;
	struct list_head accept_q;
	struct list_head child_node;
	struct sock *listener;

	struct mrc_req req;
	struct mrc_rxwin rx;
	bool rx_ready;
	struct mrc_path *paths[MRC_SUBFLOWS_MAX];
	u8 n_paths;
	u8 initial;
	u32 first_psn;
	u32 max_payload;
	u8 mpr_shift;
	u8 peer_mpr_shift;
	u64 adv_right;

	u64 tx_va;
	u64 tx_msn;
	u32 tx_msg_len;
	bool tx_open;
	bool tx_first;
	bool tx_busy;
	u32 tx_credits;
	u64 tx_acked_msn;

	u32 rq_msgs;
	u32 rq_bytes;
	u32 rx_msg_off;
	bool rx_discard;
	u64 rx_msn_done;
	u64 rx_msn_told;
	u32 rx_credits;
	u64 sack_since;
	s8 last_rx_path;

	struct mrc_wire_ep peer_eps[MRC_ENDPOINTS_MAX];
	u8 n_peer_eps;
	u32 ep_gen;
	u32 peer_gen;
	u32 lap_gen;
	u32 lap_acked;
	u64 cm_next_ns;
	u64 cm_rto;
	u64 cm_start_ns;
	u8 cm_path;
	bool fin_wanted;
	bool fin_sent;
	bool fin_acked;
	bool fin_rcvd;
	bool peer_closed;
	u64 fin_psn;
	u64 peer_fin_psn;

	struct hrtimer timer;
	u64 timer_ns;
	u64 heard_ns;
	u64 fin_wait_ns;

	const struct mrc_sched_ops *sched;
	const struct mrc_cong_ops *cong;
	bool unordered;
	u64 user_timeout;
	u32 max_msg;

	u64 bytes_sent;
	u64 bytes_received;
	u64 msgs_sent;
	u64 msgs_received;
	u64 pkts_received;
};

/* An AF_INET6 socket; 6.1 finds the pinfo at the end of the object. */
struct mrc6_sock {
	struct mrc_sock mrc;
	struct ipv6_pinfo inet6;
};

static inline struct mrc_sock *mrc_sk(const struct sock *sk)
{
	return (struct mrc_sock *)sk;
}

static inline struct sock *mrc_to_sk(struct mrc_sock *msk)
{
	return &msk->inet.sk;
}

static inline struct mrc_path *mrc_path_of(struct mrc_subflow *sf)
{
	return container_of(sf, struct mrc_path, sf);
}

static inline u64 mrc_now(void)
{
	return ktime_get_ns();
}

/* Lock-free view of the state, for hash look-ups and poll(). */
static inline int mrc_state(const struct sock *sk)
{
	return READ_ONCE(sk->sk_state);
}

/**
 * struct mrc_skb_cb - a packet on its way through the connection storey
 * @ev: source port it came from.
 * @ce: it carried a CE mark.
 * @first: receive queue: begins a message.
 * @last: receive queue: ends a message.
 * @off: receive queue: bytes already read.
 * @msg_len: receive queue: length of the message, MRC_LEN_OPEN if not known.
 * @msg_off: receive queue: offset of this packet in its message.
 */
struct mrc_skb_cb {
	u16 ev;
	u8 ce:1,
	   first:1,
	   last:1;
	u32 off;
	u32 msg_len;
	u32 msg_off;
};

#define MRC_SKB_CB(skb) ((struct mrc_skb_cb *)&((skb)->cb[0]))

/* ------------------------------------------------------ network namespace */

enum mrc_mib {
	MRC_MIB_RX_PKTS,	/* packets from the UDP socket */
	MRC_MIB_RX_SHORT,	/* dropped: malformed or truncated */
	MRC_MIB_RX_BAD_OPCODE,	/* dropped: unknown opcode */
	MRC_MIB_RX_BAD_ICRC,	/* dropped: ICRC wrong */
	MRC_MIB_RX_NO_QPN,	/* dropped: no such connection */
	MRC_MIB_RX_BAD_RKEY,	/* dropped: R_Key wrong */
	MRC_MIB_RX_BAD_TAG,	/* dropped: verification tag wrong */
	MRC_MIB_RX_BAD_ADDRESS,	/* dropped: address pair not of the connection */
	MRC_MIB_RX_BAD_STATE,	/* dropped: does not fit the connection's state */
	MRC_MIB_RX_BAD_SACK,	/* dropped: acknowledges what was never sent */
	MRC_MIB_RX_DUP,		/* data packets received twice */
	MRC_MIB_RX_WINDOW,	/* dropped: beyond the advertised window */
	MRC_MIB_RX_INVALID,	/* connection aborted: peer contradicted itself */
	MRC_MIB_RX_NO_MEMORY,	/* dropped: no memory */
	MRC_MIB_RX_BACKLOG,	/* dropped: socket backlog full */
	MRC_MIB_RX_DATA,	/* data packets accepted */
	MRC_MIB_RX_SACKS,	/* SACKs accepted */
	MRC_MIB_RX_PROBES,	/* probes accepted */
	MRC_MIB_RX_CE,		/* data packets with a CE mark */
	MRC_MIB_TX_DATA,	/* data packets sent */
	MRC_MIB_TX_RETRANS,	/* of them sent again */
	MRC_MIB_TX_SACKS,	/* SACKs sent */
	MRC_MIB_TX_PROBES,	/* probes sent */
	MRC_MIB_TX_NO_ROUTE,	/* not sent: no route */
	MRC_MIB_TX_NO_MEMORY,	/* not sent: no memory */
	MRC_MIB_CM_ACTIVE,	/* connections opened by connect() */
	MRC_MIB_CM_PASSIVE,	/* connections opened by accept() */
	MRC_MIB_CM_REJECTED,	/* REQs rejected */
	MRC_MIB_CM_OVERFLOW,	/* REQs dropped: accept queue full */
	MRC_MIB_CM_RESETS,	/* connections reset by the peer */
	MRC_MIB_CM_TIMEOUTS,	/* connections that timed out */
	MRC_MIB_SF_SUSPECT,	/* subflows that became SUSPECT */
	MRC_MIB_SF_DOWN,	/* subflows that went DOWN */
	MRC_MIB_SF_REVIVED,	/* subflows back from SUSPECT, FAILED or DOWN */
	__MRC_MIB_MAX
};

/* Per-CPU part of the counters. */
struct mrc_mib_cpu {
	u64 v[__MRC_MIB_MAX];
};

/**
 * struct mrc_tw - what is left of a closed connection
 * @node: in mrc_net.tw_table.
 * @lru: in mrc_net.tw_lru, oldest first.
 * @qpn: our QPN.
 * @peer_qpn: the peer's QPN.
 * @tag: our verification tag.
 * @peer_tag: the peer's.
 * @expires: ns.
 * Its only purpose is to answer a DREQ whose DREP was lost.
 */
struct mrc_tw {
	struct hlist_node node;
	struct list_head lru;
	u32 qpn;
	u32 peer_qpn;
	u32 tag;
	u32 peer_tag;
	u64 expires;
};

/**
 * struct mrc_net - MRC in one network namespace
 * @net: the namespace.
 *
 * @encap_mutex: guards the four below.
 * @udp4: UDP socket for IPv4, NULL while nobody uses MRC.
 * @udp6: UDP socket for IPv6, NULL also if there is no IPv6.
 * @encap_work: releases them after the last user.
 * @users: MRC sockets that need them.
 *
 * @qpn_hash: connections by QPN; own locks.
 * @conn_lock: guards @peer_hash, @conns, @tw_table, @tw_lru and @tw_count.
 * @peer_hash: connections by the peer's tag, to find duplicates of a REQ.
 * @conns: all connections.
 * @tw_table: records of closed connections, by QPN.
 * @tw_lru: the same by age.
 * @tw_count: how many.
 * @next_id: last mrc_sock.id given out.
 *
 * @bind_lock: guards @bind_hash; readers use RCU.
 * @bind_hash: bound sockets by service port.
 * @port_rover: where the search for a free port starts.
 *
 * @ep_lock: guards writing of @endpoints and @n_endpoints; readers use RCU.
 * @endpoints: endpoints in order of id.
 * @n_endpoints: how many.
 * @ep_gen: changes with each change of the list.
 * @links_work: looks again at paths that are DOWN: no event tells that a route
 *	came back.
 *
 * @rej_ns: start of the second in which @rej_count answers were sent.
 * @rej_count: stateless answers in it.
 *
 * @mib: counters.
 * @proc: /proc/net/mrc_snmp.
 * @sysctl_hdr: net.mrc.
 * @udp_port: net.mrc.udp_port; read when the UDP sockets are made.
 * @cur_port: port they are bound to; encap_mutex, constant while users > 0.
 * @rmem_def: net.mrc.rmem_default, bytes.
 * @wmem_def: net.mrc.wmem_default, bytes.
 * @user_timeout_ms: net.mrc.user_timeout, default of MRC_USER_TIMEOUT.
 */
struct mrc_net {
	struct net *net;

	struct mutex encap_mutex;	/* see kernel-doc */
	struct socket *udp4;
	struct socket *udp6;
	struct work_struct encap_work;
	atomic_t users;

	struct rhashtable qpn_hash;
	spinlock_t conn_lock;		/* see kernel-doc */
	struct hlist_head peer_hash[MRC_PEER_HASH];
	struct list_head conns;
	struct hlist_head tw_table[MRC_BIND_HASH];
	struct list_head tw_lru;
	u32 tw_count;
	atomic_t next_id;

	spinlock_t bind_lock;		/* see kernel-doc */
	struct hlist_head bind_hash[MRC_BIND_HASH];
	u32 port_rover;

	spinlock_t ep_lock;		/* see kernel-doc */
	struct list_head endpoints;
	u32 n_endpoints;
	u32 ep_gen;
	struct delayed_work links_work;

	u64 rej_ns;
	atomic_t rej_count;

	struct mrc_mib_cpu __percpu *mib;
	struct proc_dir_entry *proc;
	struct ctl_table_header *sysctl_hdr;
	unsigned int udp_port;
	u16 cur_port;
	unsigned int rmem_def;
	unsigned int wmem_def;
	unsigned int user_timeout_ms;
};

/* Connections that a walk over all of them looks at in one go. */
#define MRC_CONNS_BATCH		32

/**
 * struct mrc_conns - a batch of connections, see mrc_conns_next()
 * @sk: sockets, each with a reference.
 * @id: their mrc_sock.id when they were found.
 * @n: how many; 0 to begin.
 */
struct mrc_conns {
	struct sock *sk[MRC_CONNS_BATCH];
	u32 id[MRC_CONNS_BATCH];
	unsigned int n;
};

extern unsigned int mrc_net_id;

static inline struct mrc_net *mrc_pernet(const struct net *net)
{
	return net_generic(net, mrc_net_id);
}

static inline struct mrc_net *mrc_sknet(const struct sock *sk)
{
	return mrc_pernet(sock_net(sk));
}

#define MRC_INC(mn, field)	this_cpu_inc((mn)->mib->v[MRC_MIB_##field])
#define MRC_INC_SK(sk, field)	MRC_INC(mrc_sknet(sk), field)

/* ------------------------------------------------------------ main.c */
extern struct proto mrc_prot;
extern struct proto mrcv6_prot;
extern const struct proto_ops mrc_proto_ops;
extern const struct proto_ops mrcv6_proto_ops;

/* ------------------------------------------------------------ socket.c */
int mrc_init_sock(struct sock *sk);
void mrc_setup_sock(struct sock *sk);
void mrc_destroy_sock(struct sock *sk);
int mrc_hash_qpn(struct sock *sk, gfp_t gfp);
void mrc_unhash(struct sock *sk);
struct sock *mrc_lookup_qpn(struct mrc_net *mn, u32 qpn);
struct sock *mrc_lookup_listener(struct mrc_net *mn, const struct mrc_addr *addr,
				 u16 port, int dif);
int mrc_get_port(struct sock *sk, unsigned short snum);
void mrc_put_port(struct sock *sk);
const struct rhashtable_params *mrc_qpn_params(void);

/* ------------------------------------------------------------ rdwr.c */
int mrc_sendmsg(struct sock *sk, struct msghdr *msg, size_t len);
#ifdef MRC_HAVE_RECVMSG_ADDR_LEN_GONE
int mrc_recvmsg(struct sock *sk, struct msghdr *msg, size_t len, int flags);
#else
int mrc_recvmsg(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		int *addr_len);
#endif
#ifdef MRC_HAVE_IOCTL_KARG
int mrc_ioctl(struct sock *sk, int cmd, int *karg);
#else
int mrc_ioctl(struct sock *sk, int cmd, unsigned long arg);
#endif
bool mrc_rx_readable(const struct sock *sk);

/* ------------------------------------------------------------ sockopt.c */
int mrc_setsockopt(struct sock *sk, int level, int optname, sockptr_t optval,
		   unsigned int optlen);
int mrc_getsockopt(struct sock *sk, int level, int optname,
		   char __user *optval, int __user *optlen);
void mrc_get_info(struct sock *sk, struct mrc_info *info);
void mrc_get_subflow_info(struct sock *sk, int id, struct mrc_subflow_info *si);
u8 mrc_conn_state(int state);
const char *mrc_conn_state_name(u8 state);

/* ------------------------------------------------------------ cm.c */
void mrc_set_state(struct sock *sk, int state);
int mrc_conn_prepare(struct sock *sk, u32 peer_mpr);
int mrc_cm_connect(struct sock *sk);
void mrc_stateless_rcv(struct mrc_net *mn, struct sk_buff *skb,
		       const struct mrc_pkt *p);
void mrc_stateless_rej(struct mrc_net *mn, struct sk_buff *skb,
		       const struct mrc_cm *cm, u32 reason);
void mrc_cm_input(struct sock *sk, struct sk_buff *skb, const struct mrc_pkt *p);
void mrc_cm_established(struct sock *sk);
void mrc_cm_shutdown(struct sock *sk);
void mrc_cm_fin_check(struct sock *sk);
void mrc_cm_peer_done(struct sock *sk);
void mrc_cm_timer(struct sock *sk, u64 now);
void mrc_cm_abort(struct sock *sk, int err, bool tell_peer);
void mrc_cm_send_lap(struct sock *sk);
void mrc_cm_send(struct sock *sk, u8 opcode, u32 flags);
u16 mrc_initial_mpr(struct sock *sk);
void mrc_cm_learn_peer(struct sock *sk, const struct mrc_cm *cm);
int mrc_rx_prepare(struct sock *sk, u32 first_psn);
void mrc_done(struct sock *sk);

/* ------------------------------------------------------------ listen.c */
void mrc_listen_rcv_req(struct sock *sk, struct sk_buff *skb,
			const struct mrc_pkt *p);
void mrc_listen_stop(struct sock *sk);
void mrc_child_ready(struct sock *sk);
bool mrc_child_detach(struct sock *sk);
struct sock *mrc_lookup_peer(struct mrc_net *mn, const struct mrc_cm *cm);

/* ------------------------------------------------------------ stateless.c */
void mrc_tw_add(struct sock *sk);
void mrc_tw_purge(struct mrc_net *mn);

/* ------------------------------------------------------------ input.c */
int mrc_backlog_rcv(struct sock *sk, struct sk_buff *skb);
void mrc_input(struct sock *sk, struct sk_buff *skb);
void mrc_rx_window_update(struct sock *sk);

/* ------------------------------------------------------------ output.c */
int mrc_output_message(struct sock *sk, struct msghdr *msg, size_t len,
		       bool more, long *timeo);
void mrc_push(struct sock *sk);
void mrc_send_sacks(struct sock *sk, int path);
void mrc_send_probe_reply(struct sock *sk, struct mrc_path *p,
			  const struct mrc_probe *pr);
void mrc_send_probe(struct sock *sk, struct mrc_path *p, u64 now);
void mrc_send_tack(struct sock *sk);
int mrc_send_ctrl(struct sock *sk, struct mrc_path *p, const struct mrc_pkt *pkt);
int mrc_best_path(const struct mrc_sock *msk, int prefer);
struct sk_buff *mrc_build_ctrl(const struct mrc_pkt *p, gfp_t gfp);

/* ------------------------------------------------------------ timer.c */
void mrc_timer_init(struct sock *sk);
void mrc_timer_update(struct sock *sk);
void mrc_timer_stop(struct sock *sk);
void mrc_timer_run(struct sock *sk);
void mrc_defer(struct sock *sk, enum mrc_deferred what);
void mrc_release_cb(struct sock *sk);

/* ------------------------------------------------------------ mem.c */
extern atomic_long_t mrc_memory_allocated;
DECLARE_PER_CPU(int, mrc_memory_per_cpu_fw_alloc);
extern struct percpu_counter mrc_sockets_allocated;
extern unsigned long mrc_memory_pressure;
extern long mrc_sysctl_mem[3];
extern int mrc_sysctl_rmem[3];
extern int mrc_sysctl_wmem[3];
int mrc_mem_init(void);
void mrc_mem_exit(void);
void mrc_enter_memory_pressure(struct sock *sk);
void mrc_write_space(struct sock *sk);
u32 mrc_txd_charge(const struct mrc_txd *d);
void mrc_tx_release(struct sock *sk, u64 from, u64 to);
void mrc_tx_purge(struct sock *sk);
u32 mrc_rx_pkt_truesize(const struct mrc_sock *msk);
u64 mrc_rx_right_edge(const struct sock *sk);
void mrc_rx_release_cookie(void *cookie);

/* ------------------------------------------------------------ encap.c */
int mrc_encap_get(struct net *net);
void mrc_encap_hold(struct mrc_net *mn);
void mrc_encap_put(struct mrc_net *mn);
int mrc_encap_net_init(struct mrc_net *mn);
void mrc_encap_net_exit(struct mrc_net *mn);
bool mrc_icrc_check(struct sk_buff *skb, u32 off, u32 len);
void mrc_deliver(struct sock *sk, struct sk_buff *skb);

/* ------------------------------------------------------------ family.c */
void mrc_addr_from_skb(const struct sk_buff *skb, struct mrc_addr *src,
		       struct mrc_addr *dst);
bool mrc_addr_equal(const struct mrc_addr *a, const struct mrc_addr *b);
bool mrc_addr_any(const struct mrc_addr *a);
int mrc_addr_from_sockaddr(const struct sockaddr *sa, int len,
			   struct mrc_addr *a, u16 *port, int *ifindex);
void mrc_addr_from_wire(const struct mrc_wire_ep *ep, struct mrc_addr *a);
void mrc_addr_to_wire(const struct mrc_addr *a, struct mrc_wire_ep *ep);
int mrc_addr_put(const struct mrc_addr *a, u8 *buf);
void mrc_sock_local(const struct sock *sk, struct mrc_addr *a);
void mrc_sock_set_local(struct sock *sk, const struct mrc_addr *a);
void mrc_sock_set_remote(struct sock *sk, const struct mrc_addr *a, u16 port);
bool mrc_sock_family_ok(const struct sock *sk, const struct mrc_addr *a);
bool mrc_sock_addr_conflict(const struct sock *a, const struct sock *b);
bool mrc_skb_ce(const struct sk_buff *skb);
int mrc_route_source(struct sock *sk, const struct mrc_addr *remote,
		     int ifindex, struct mrc_addr *local, u32 *mtu);
int mrc_path_route(struct sock *sk, struct mrc_path *p);
int mrc_path_xmit(struct sock *sk, struct mrc_path *p, struct sk_buff *skb,
		  u16 ev, bool ect);
int mrc_reply_xmit(struct mrc_net *mn, struct sk_buff *in, struct sk_buff *skb);
u32 mrc_payload_for_mtu(const struct mrc_addr *a, u32 mtu);

/* ------------------------------------------------------------ pm.c */
int mrc_pm_net_init(struct mrc_net *mn);
void mrc_pm_net_exit(struct mrc_net *mn);
int mrc_pm_init(void);
void mrc_pm_exit(void);
struct mrc_path *mrc_path_add(struct sock *sk, const struct mrc_addr *local,
			      const struct mrc_addr *remote, int ifindex,
			      u8 plane, u16 evs, u32 flags);
void mrc_path_del(struct sock *sk, int id);
struct mrc_path *mrc_path_find(const struct mrc_sock *msk,
			       const struct mrc_addr *local,
			       const struct mrc_addr *remote);
void mrc_paths_sync(struct sock *sk);
void mrc_paths_check_links(struct sock *sk);
int mrc_pm_fill_wire(const struct sock *sk, struct mrc_wire_ep *eps);
void mrc_pm_notify_all(struct mrc_net *mn, enum mrc_deferred what);
bool mrc_addr_unicast(struct net *net, const struct mrc_addr *a);
int mrc_pm_endpoint_add(struct mrc_net *mn, const struct mrc_endpoint *tmpl,
			struct netlink_ext_ack *extack);
int mrc_pm_endpoint_del(struct mrc_net *mn, u8 id, const struct mrc_addr *addr,
			struct netlink_ext_ack *extack);
const struct mrc_endpoint *
mrc_pm_endpoint_find(const struct mrc_net *mn, u8 id,
		     const struct mrc_addr *addr);
unsigned int mrc_conns_next(struct mrc_net *mn, struct mrc_conns *c, u32 after);
void mrc_conns_put(struct mrc_conns *c);

/* ------------------------------------------------------------ the rest */
int mrc_netlink_init(void);
void mrc_netlink_exit(void);
int mrc_sysctl_net_init(struct mrc_net *mn);
void mrc_sysctl_net_exit(struct mrc_net *mn);
int mrc_proc_net_init(struct mrc_net *mn);
void mrc_proc_net_exit(struct mrc_net *mn);

#endif /* _MRC_H */
