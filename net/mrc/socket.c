// SPDX-License-Identifier: GPL-2.0
/*
 * MRC sockets: creation, hash tables, ports, connect, listen, accept, close.
 *
 * Reading and writing are in rdwr.c, options in sockopt.c, what packets do
 * to a connection in cm.c and input.c.
 */
#include <linux/jhash.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <net/addrconf.h>
#include <net/inet_common.h>
#include <net/transp_v6.h>
#include <net/xfrm.h>

#include "mrc.h"

/* ----------------------------------------------------------- hash tables */

static const struct rhashtable_params mrc_qpn_rht = {
	.key_offset = offsetof(struct mrc_sock, qpn),
	.key_len = sizeof_field(struct mrc_sock, qpn),
	.head_offset = offsetof(struct mrc_sock, qpn_node),
	.automatic_shrinking = true,
};

const struct rhashtable_params *mrc_qpn_params(void)
{
	return &mrc_qpn_rht;
}

/**
 * mrc_lookup_qpn() - connection of a queue pair number
 * @mn: network namespace
 * @qpn: queue pair number
 *
 * Return: socket with a reference, or NULL.
 */
struct sock *mrc_lookup_qpn(struct mrc_net *mn, u32 qpn)
{
	struct sock *sk = NULL;
	struct mrc_sock *msk;

	rcu_read_lock();
	msk = rhashtable_lookup(&mn->qpn_hash, &qpn, mrc_qpn_rht);
	if (msk && refcount_inc_not_zero(&mrc_to_sk(msk)->sk_refcnt))
		sk = mrc_to_sk(msk);
	rcu_read_unlock();
	return sk;
}

/**
 * mrc_hash_qpn() - give a connection its numbers and make it findable
 * @sk: connection, not hashed; its peer's tag is set if known
 * @gfp: unused by the table today, kept for its slow path
 *
 * QPN, tag and R_Key are random: an attacker off the path has to guess all
 * of them.
 *
 * Context: socket lock.
 * Return: 0 or -ENOMEM, -EBUSY from the table.
 */
int mrc_hash_qpn(struct sock *sk, gfp_t gfp)
{
	struct mrc_net *mn = mrc_sknet(sk);
	struct mrc_sock *msk = mrc_sk(sk);
	int err, tries = 64;

	msk->tag = get_random_u32();
	msk->rkey = get_random_u32();
	do {
		msk->qpn = get_random_u32() & MRC_PSN_MASK;
		err = -EEXIST;
		if (msk->qpn >= MRC_QPN_MIN)
			err = rhashtable_lookup_insert_fast(&mn->qpn_hash,
							    &msk->qpn_node,
							    mrc_qpn_rht);
	} while (err == -EEXIST && --tries);
	if (err) {
		msk->qpn = 0;
		return err;
	}
	spin_lock_bh(&mn->conn_lock);
	msk->id = atomic_inc_return(&mn->next_id);
	list_add_tail(&msk->conn_node, &mn->conns);
	if (msk->peer_qpn)
		hlist_add_head(&msk->peer_node,
			       &mn->peer_hash[msk->peer_tag % MRC_PEER_HASH]);
	spin_unlock_bh(&mn->conn_lock);
	return 0;
}

/**
 * mrc_unhash() - take a socket out of every table
 * @sk: socket; may be half initialised or unhashed already
 */
void mrc_unhash(struct sock *sk)
{
	struct mrc_net *mn = mrc_sknet(sk);
	struct mrc_sock *msk = mrc_sk(sk);

	if (msk->qpn) {
		rhashtable_remove_fast(&mn->qpn_hash, &msk->qpn_node,
				       mrc_qpn_rht);
		spin_lock_bh(&mn->conn_lock);
		list_del_init(&msk->conn_node);
		hlist_del_init(&msk->peer_node);
		spin_unlock_bh(&mn->conn_lock);
		msk->qpn = 0;
	}
	if (!(sk->sk_userlocks & SOCK_BINDPORT_LOCK) || sock_flag(sk, SOCK_DEAD))
		mrc_put_port(sk);
}

static int mrc_hash(struct sock *sk)
{
	return 0;
}

/* ---------------------------------------------------------------- ports */

static struct hlist_head *mrc_bind_head(struct mrc_net *mn, u16 port)
{
	return &mn->bind_hash[port % MRC_BIND_HASH];
}

/* Is @port free for @sk?  Caller holds bind_lock. */
static bool mrc_port_free(struct mrc_net *mn, struct sock *sk, u16 port)
{
	struct mrc_sock *o;

	hlist_for_each_entry(o, mrc_bind_head(mn, port), bind_node) {
		struct sock *osk = mrc_to_sk(o);

		if (osk == sk || o->inet.inet_num != port)
			continue;
		/* As with TCP: shared if both ask for it and none listens. */
		if (sk->sk_reuse && osk->sk_reuse &&
		    mrc_state(osk) != MRC_S_LISTEN)
			continue;
		if (mrc_sock_addr_conflict(sk, osk))
			return false;
	}
	return true;
}

/**
 * mrc_get_port() - bind to a service port
 * @sk: socket whose local address is set
 * @snum: port, 0 for any free one
 *
 * Return: 0 or -EADDRINUSE.
 */
int mrc_get_port(struct sock *sk, unsigned short snum)
{
	struct mrc_net *mn = mrc_sknet(sk);
	struct mrc_sock *msk = mrc_sk(sk);
	int low, high, n, ret = -EADDRINUSE;
	u32 port = snum;

	inet_get_local_port_range(sock_net(sk), &low, &high);
	spin_lock_bh(&mn->bind_lock);
	if (!snum) {
		n = high - low + 1;
		/* Start anywhere: ports should not be guessable. */
		port = low + get_random_u32() % n;
		while (n-- && (inet_is_local_reserved_port(sock_net(sk), port) ||
			       !mrc_port_free(mn, sk, port)))
			if (++port > high)
				port = low;
		if (n < 0)
			goto out;
	} else if (!mrc_port_free(mn, sk, port)) {
		goto out;
	}
	if (hlist_unhashed(&msk->bind_node))
		hlist_add_head_rcu(&msk->bind_node, mrc_bind_head(mn, port));
	inet_sk(sk)->inet_num = port;
	inet_sk(sk)->inet_sport = htons(port);
	ret = 0;
out:
	spin_unlock_bh(&mn->bind_lock);
	return ret;
}

/* Accepted sockets share their listener's port and are not in the table. */
void mrc_put_port(struct sock *sk)
{
	struct mrc_net *mn = mrc_sknet(sk);
	struct mrc_sock *msk = mrc_sk(sk);

	spin_lock_bh(&mn->bind_lock);
	if (!hlist_unhashed(&msk->bind_node))
		hlist_del_init_rcu(&msk->bind_node);
	inet_sk(sk)->inet_num = 0;
	spin_unlock_bh(&mn->bind_lock);
}

/**
 * mrc_lookup_listener() - who listens there?
 * @mn: network namespace
 * @addr: destination address of a REQ
 * @port: service port
 * @dif: device it came in by
 *
 * The most specific wins: device, then address, then wildcard.
 *
 * Return: socket with a reference, or NULL.
 */
struct sock *mrc_lookup_listener(struct mrc_net *mn, const struct mrc_addr *addr,
				 u16 port, int dif)
{
	struct sock *best = NULL;
	struct mrc_sock *msk;
	struct mrc_addr la;
	int score, top = 0;

	rcu_read_lock();
	hlist_for_each_entry_rcu(msk, mrc_bind_head(mn, port), bind_node) {
		struct sock *sk = mrc_to_sk(msk);

		if (mrc_state(sk) != MRC_S_LISTEN ||
		    READ_ONCE(msk->inet.inet_num) != port ||
		    !mrc_sock_family_ok(sk, addr))
			continue;
		mrc_sock_local(sk, &la);
		score = 1 + (sk->sk_family == addr->family);
		if (!mrc_addr_any(&la)) {
			if (!mrc_addr_equal(&la, addr))
				continue;
			score += 4;
		}
		if (sk->sk_bound_dev_if) {
			if (sk->sk_bound_dev_if != dif)
				continue;
			score += 8;
		}
		if (score > top && refcount_inc_not_zero(&sk->sk_refcnt)) {
			if (best)
				sock_put(best);
			best = sk;
			top = score;
		}
	}
	rcu_read_unlock();
	return best;
}

/* --------------------------------------------------- creation and end */

static struct lock_class_key mrc_slock_keys[2], mrc_lock_keys[2];

/**
 * mrc_setup_sock() - everything that must be valid before anything can fail
 * @sk: socket fresh from sk_alloc() and sock_init_data()
 *
 * Context: any.
 */
void mrc_setup_sock(struct sock *sk)
{
	struct mrc_net *mn = mrc_sknet(sk);
	struct mrc_sock *msk = mrc_sk(sk);
	size_t off = offsetofend(struct mrc_sock, inet);

	memset((u8 *)msk + off, 0, sizeof(*msk) - off);
	/* By default every socket of a family shares one lock class. */
	if (sk->sk_family == AF_INET)
		sock_lock_init_class_and_name(sk, "slock-AF_INET-MRC",
					      &mrc_slock_keys[0],
					      "sk_lock-AF_INET-MRC",
					      &mrc_lock_keys[0]);
	else
		sock_lock_init_class_and_name(sk, "slock-AF_INET6-MRC",
					      &mrc_slock_keys[1],
					      "sk_lock-AF_INET6-MRC",
					      &mrc_lock_keys[1]);
	spin_lock_init(&msk->accept_lock);
	INIT_LIST_HEAD(&msk->pending);
	INIT_LIST_HEAD(&msk->accept_q);
	INIT_LIST_HEAD(&msk->child_node);
	INIT_LIST_HEAD(&msk->conn_node);
	INIT_HLIST_NODE(&msk->peer_node);
	INIT_HLIST_NODE(&msk->bind_node);
	mrc_timer_init(sk);
	msk->last_rx_path = -1;
	msk->cm_next_ns = MRC_NEVER;
	msk->sack_since = MRC_NEVER;
	msk->sched = &mrc_sched_spray;
	msk->cong = &mrc_cong_aimd;
	msk->user_timeout = mn->user_timeout_ms * MRC_NSEC_PER_MSEC;
	msk->max_msg = MRC_MSG_MAX;

	sock_set_flag(sk, SOCK_RCU_FREE);
	sock_set_flag(sk, SOCK_USE_WRITE_QUEUE);
	sk->sk_write_space = mrc_write_space;
	WRITE_ONCE(sk->sk_rcvbuf, READ_ONCE(mn->rmem_def));
	WRITE_ONCE(sk->sk_sndbuf, READ_ONCE(mn->wmem_def));
	sk->sk_state = MRC_S_CLOSED;
	sk_sockets_allocated_inc(sk);
}

/* socket(): proto.init */
int mrc_init_sock(struct sock *sk)
{
	int err;

	mrc_setup_sock(sk);
	err = mrc_encap_get(sock_net(sk));
	if (err)
		return err;
	/* Tells mrc_destroy() that there is a user to give back. */
	mrc_sk(sk)->encap_user = true;
	return 0;
}

/* Give back all that a connection holds; the socket may be used again. */
static void mrc_reset_conn(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	int i;

	mrc_timer_stop(sk);
	mrc_tx_purge(sk);
	__skb_queue_purge(&sk->sk_receive_queue);
	for (i = 0; i < MRC_SUBFLOWS_MAX; i++)
		if (msk->paths[i])
			mrc_path_del(sk, i);
	if (msk->rx_ready) {
		mrc_rxwin_destroy(&msk->rx, mrc_rx_release_cookie);
		msk->rx_ready = false;
	}
	msk->rq_msgs = 0;
	msk->rq_bytes = 0;
	msk->rx_discard = false;
}

/* proto.destroy: also after a failed mrc_init_sock(). */
static void mrc_destroy(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);

	mrc_reset_conn(sk);
	if (msk->encap_user) {
		msk->encap_user = false;
		mrc_encap_put(mrc_sknet(sk));
	}
	sk_sockets_allocated_dec(sk);
}

/**
 * mrc_destroy_sock() - end of a socket that no file refers to
 * @sk: CLOSED and SOCK_DEAD; the caller holds a reference of its own
 *
 * Context: socket lock.
 */
void mrc_destroy_sock(struct sock *sk)
{
	WARN_ON_ONCE(sk->sk_state != MRC_S_CLOSED);
	WARN_ON_ONCE(!sock_flag(sk, SOCK_DEAD));
	mrc_unhash(sk);
	sk->sk_prot->destroy(sk);
	xfrm_sk_free_policy(sk);
	sock_put(sk);
}

/* ----------------------------------------------------- connect and listen */

static int mrc_connect_address(struct sock *sk, struct mrc_addr *remote)
{
	if (!mrc_sock_family_ok(sk, remote))
		return -ENETUNREACH;
	if (remote->family == AF_INET) {
		/* As with TCP, the wildcard means this host. */
		if (!remote->v4)
			remote->v4 = htonl(INADDR_LOOPBACK);
		if (ipv4_is_multicast(remote->v4) ||
		    ipv4_is_lbcast(remote->v4))
			return -ENETUNREACH;
		return 0;
	}
	if (ipv6_addr_any(&remote->v6))
		remote->v6 = in6addr_loopback;
	return ipv6_addr_is_multicast(&remote->v6) ? -ENETUNREACH : 0;
}

/* connect(): proto.connect, under the socket lock */
static int mrc_connect(struct sock *sk, struct sockaddr *uaddr, int len)
{
	struct mrc_addr local = {}, remote = {};
	struct mrc_sock *msk = mrc_sk(sk);
	int ifindex, err;
	u32 mtu;
	u16 port;

	err = mrc_addr_from_sockaddr(uaddr, len, &remote, &port, &ifindex);
	if (err)
		return err;
	if (!port)
		return -EINVAL;
	err = mrc_connect_address(sk, &remote);
	if (err)
		return err;
	mrc_sock_local(sk, &local);
	if (mrc_addr_any(&local)) {
		memset(&local, 0, sizeof(local));
		local.family = remote.family;
	} else if (local.family != remote.family) {
		return -EINVAL;
	}
	err = mrc_route_source(sk, &remote, ifindex, &local, &mtu);
	if (err)
		return err;
	if (!inet_sk(sk)->inet_num && mrc_get_port(sk, 0))
		return -EADDRNOTAVAIL;

	mrc_sock_set_local(sk, &local);
	mrc_sock_set_remote(sk, &remote, port);
	msk->max_payload = mrc_payload_for_mtu(&remote, mtu);
	err = mrc_conn_prepare(sk, 0);
	if (err)
		return err;
	err = mrc_hash_qpn(sk, GFP_KERNEL);
	if (err)
		goto fail;
	err = -ENOMEM;
	if (!mrc_path_add(sk, &local, &remote, ifindex, 0, MRC_EVS_DEFAULT, 0))
		goto fail;
	err = mrc_cm_connect(sk);
	if (err)
		goto fail;
	return 0;

fail:
	mrc_unhash(sk);
	mrc_reset_conn(sk);
	inet_sk(sk)->inet_dport = 0;
	return err;
}

/* connect(AF_UNSPEC), failed connect, shutdown() of a listener */
static int mrc_disconnect(struct sock *sk, int flags)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct inet_sock *inet = inet_sk(sk);

	if (sk->sk_state == MRC_S_LISTEN) {
		mrc_set_state(sk, MRC_S_CLOSED);
		mrc_listen_stop(sk);
	} else if (sk->sk_state != MRC_S_CLOSED) {
		mrc_cm_abort(sk, ECONNABORTED, true);
	}
	mrc_unhash(sk);
	mrc_reset_conn(sk);
	inet->inet_dport = 0;
	if (!(sk->sk_userlocks & SOCK_BINDADDR_LOCK)) {
		inet_reset_saddr(sk);
#if IS_ENABLED(CONFIG_IPV6)
		if (sk->sk_family == AF_INET6)
			inet6_sk(sk)->saddr = in6addr_any;
#endif
	}
	msk->peer_qpn = 0;
	msk->fin_wanted = false;
	msk->fin_sent = false;
	msk->fin_acked = false;
	msk->fin_rcvd = false;
	msk->peer_closed = false;
	msk->n_peer_eps = 0;
	msk->peer_gen = 0;
	msk->lap_gen = 0;
	msk->lap_acked = 0;
	sk->sk_shutdown = 0;
	WRITE_ONCE(sk->sk_err, 0);
	sk_error_report(sk);
	return 0;
}

static int mrc_listen(struct socket *sock, int backlog)
{
	struct sock *sk = sock->sk;
	int err = -EINVAL;

	lock_sock(sk);
	if (sock->state != SS_UNCONNECTED ||
	    (sk->sk_state != MRC_S_CLOSED && sk->sk_state != MRC_S_LISTEN))
		goto out;
	err = 0;
	WRITE_ONCE(sk->sk_max_ack_backlog, backlog);
	if (sk->sk_state == MRC_S_LISTEN)
		goto out;
	err = -EADDRINUSE;
	/* Also checks again: what bind() shared, listen() may not. */
	if (mrc_get_port(sk, inet_sk(sk)->inet_num))
		goto out;
	sk->sk_ack_backlog = 0;
	mrc_set_state(sk, MRC_S_LISTEN);
	err = 0;
out:
	release_sock(sk);
	return err;
}

/* Wait until a child is there; returns 0 or an errno. */
static int mrc_wait_accept(struct sock *sk, long timeo)
{
	struct mrc_sock *msk = mrc_sk(sk);
	DEFINE_WAIT(wait);
	int err;

	for (;;) {
		prepare_to_wait_exclusive(sk_sleep(sk), &wait,
					  TASK_INTERRUPTIBLE);
		release_sock(sk);
		if (list_empty_careful(&msk->accept_q))
			timeo = schedule_timeout(timeo);
		lock_sock(sk);
		err = 0;
		if (!list_empty(&msk->accept_q))
			break;
		err = -EINVAL;
		if (sk->sk_state != MRC_S_LISTEN)
			break;
		err = sock_intr_errno(timeo);
		if (signal_pending(current))
			break;
		err = -EAGAIN;
		if (!timeo)
			break;
	}
	finish_wait(sk_sleep(sk), &wait);
	return err;
}

static struct sock *mrc_dequeue_child(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk), *child;

	spin_lock_bh(&msk->accept_lock);
	child = list_first_entry_or_null(&msk->accept_q, struct mrc_sock,
					 child_node);
	if (child) {
		list_del_init(&child->child_node);
		sk_acceptq_removed(sk);
	}
	spin_unlock_bh(&msk->accept_lock);
	return child ? mrc_to_sk(child) : NULL;
}

/* accept(): proto.accept; the child's first reference goes to its file */
static struct sock *mrc_accept(struct sock *sk, int flags, int *err, bool kern)
{
	struct sock *child = NULL;
	long timeo;

	lock_sock(sk);
	*err = -EINVAL;
	if (sk->sk_state != MRC_S_LISTEN)
		goto out;
	child = mrc_dequeue_child(sk);
	if (child)
		goto out;
	timeo = sock_rcvtimeo(sk, flags & O_NONBLOCK);
	*err = -EAGAIN;
	if (!timeo)
		goto out;
	*err = mrc_wait_accept(sk, timeo);
	if (!*err) {
		child = mrc_dequeue_child(sk);
		*err = -EAGAIN;
	}
out:
	release_sock(sk);
	if (child)
		*err = 0;
	return child;
}

/* ------------------------------------------------------------ shutdown */

/* shutdown(): inet_shutdown() has set sk_shutdown already. */
static void mrc_shutdown(struct sock *sk, int how)
{
	if ((how & SEND_SHUTDOWN) &&
	    ((1 << sk->sk_state) & (MRC_SF_SEND | TCPF_SYN_RECV)))
		mrc_cm_shutdown(sk);
}

/* The data that close() finds decides between a clean end and a reset. */
static void mrc_close_conn(struct sock *sk, long timeout)
{
	struct mrc_sock *msk = mrc_sk(sk);
	bool unread = !skb_queue_empty(&sk->sk_receive_queue) ||
		      (msk->rx_ready && msk->rx.ooo);

	switch (sk->sk_state) {
	case MRC_S_CLOSED:
		break;
	case MRC_S_LISTEN:
		mrc_set_state(sk, MRC_S_CLOSED);
		mrc_listen_stop(sk);
		break;
	case MRC_S_REQ_SENT:
	case MRC_S_REP_SENT:
		mrc_cm_abort(sk, 0, true);
		break;
	default:
		if (unread || (sock_flag(sk, SOCK_LINGER) &&
			       !sk->sk_lingertime)) {
			mrc_cm_abort(sk, 0, true);
			break;
		}
		mrc_cm_shutdown(sk);
		sk_stream_wait_close(sk, timeout);
	}
	__skb_queue_purge(&sk->sk_receive_queue);
	msk->rq_bytes = 0;
	msk->rq_msgs = 0;
}

/* close(): proto.close.  Data not sent yet goes on in the background. */
static void mrc_close(struct sock *sk, long timeout)
{
	int state;

	lock_sock(sk);
	WRITE_ONCE(sk->sk_shutdown, SHUTDOWN_MASK);
	mrc_close_conn(sk, timeout);

	state = sk->sk_state;
	sock_hold(sk);
	sock_orphan(sk);
	/* The backlog may finish the connection, and then destroys it too. */
	release_sock(sk);
	local_bh_disable();
	bh_lock_sock(sk);
	if (state == MRC_S_CLOSED) {
		mrc_destroy_sock(sk);
	} else if (sk->sk_state != MRC_S_CLOSED) {
		mrc_sk(sk)->fin_wait_ns = mrc_now();
		mrc_timer_update(sk);
	}
	bh_unlock_sock(sk);
	local_bh_enable();
	sock_put(sk);
}

/* ---------------------------------------------------------------- poll */

static __poll_t mrc_poll_listen(struct sock *sk)
{
	return list_empty_careful(&mrc_sk(sk)->accept_q) ? 0 :
	       EPOLLIN | EPOLLRDNORM;
}

static bool mrc_writable(struct sock *sk)
{
	if (sk_stream_is_writeable(sk))
		return true;
	sk_set_bit(SOCKWQ_ASYNC_NOSPACE, sk);
	set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
	/* Space may have come between the look and the bit. */
	smp_mb__after_atomic();
	return sk_stream_is_writeable(sk);
}

static __poll_t mrc_poll(struct file *file, struct socket *sock,
			 struct poll_table_struct *wait)
{
	struct sock *sk = sock->sk;
	__poll_t mask = 0;
	int state, shut;

	sock_poll_wait(file, sock, wait);
	state = mrc_state(sk);
	if (state == MRC_S_LISTEN)
		return mrc_poll_listen(sk);

	shut = READ_ONCE(sk->sk_shutdown);
	if (READ_ONCE(sk->sk_err) || !skb_queue_empty_lockless(&sk->sk_error_queue))
		mask |= EPOLLERR;
	if (shut == SHUTDOWN_MASK || state == MRC_S_CLOSED)
		mask |= EPOLLHUP;
	if (shut & RCV_SHUTDOWN)
		mask |= EPOLLIN | EPOLLRDNORM | EPOLLRDHUP;
	if (state == MRC_S_REQ_SENT || state == MRC_S_REP_SENT)
		return mask;
	if (mrc_rx_readable(sk))
		mask |= EPOLLIN | EPOLLRDNORM;
	if ((shut & SEND_SHUTDOWN) || mrc_writable(sk))
		mask |= EPOLLOUT | EPOLLWRNORM;
	return mask;
}

/* --------------------------------------------------------------- tables */

/* Common to both families; the rest follows in each table. */
#define MRC_PROTO_COMMON						\
	.owner = THIS_MODULE,						\
	.close = mrc_close,						\
	.connect = mrc_connect,						\
	.disconnect = mrc_disconnect,					\
	.accept = mrc_accept,						\
	.ioctl = mrc_ioctl,						\
	.init = mrc_init_sock,						\
	.destroy = mrc_destroy,						\
	.shutdown = mrc_shutdown,					\
	.setsockopt = mrc_setsockopt,					\
	.getsockopt = mrc_getsockopt,					\
	.sendmsg = mrc_sendmsg,						\
	.recvmsg = mrc_recvmsg,						\
	.backlog_rcv = mrc_backlog_rcv,					\
	.release_cb = mrc_release_cb,					\
	.hash = mrc_hash,						\
	.unhash = mrc_unhash,						\
	.get_port = mrc_get_port,					\
	.put_port = mrc_put_port,					\
	.enter_memory_pressure = mrc_enter_memory_pressure,		\
	.memory_pressure = &mrc_memory_pressure,			\
	.sockets_allocated = &mrc_sockets_allocated,			\
	.memory_allocated = &mrc_memory_allocated,			\
	.per_cpu_fw_alloc = &mrc_memory_per_cpu_fw_alloc,		\
	.sysctl_mem = mrc_sysctl_mem,					\
	.sysctl_rmem = mrc_sysctl_rmem,					\
	.sysctl_wmem = mrc_sysctl_wmem,					\
	.max_header = MAX_HEADER,					\
	.no_autobind = true

struct proto mrc_prot = {
	.name = "MRC",
	.obj_size = sizeof(struct mrc_sock),
	MRC_PROTO_COMMON,
};

#if IS_ENABLED(CONFIG_IPV6)
struct proto mrcv6_prot = {
	.name = "MRCv6",
	.obj_size = sizeof(struct mrc6_sock),
	MRC_PROTO_COMMON,
};
#endif

#define MRC_PROTO_OPS_COMMON						\
	.owner = THIS_MODULE,						\
	.connect = inet_stream_connect,					\
	.socketpair = sock_no_socketpair,				\
	.accept = inet_accept,						\
	.poll = mrc_poll,						\
	.gettstamp = sock_gettstamp,					\
	.listen = mrc_listen,						\
	.shutdown = inet_shutdown,					\
	.setsockopt = sock_common_setsockopt,				\
	.getsockopt = sock_common_getsockopt,				\
	.sendmsg = inet_sendmsg,					\
	.recvmsg = inet_recvmsg,					\
	.mmap = sock_no_mmap

const struct proto_ops mrc_proto_ops = {
	.family = PF_INET,
	.release = inet_release,
	.bind = inet_bind,
	.getname = inet_getname,
	.ioctl = inet_ioctl,
	MRC_PROTO_OPS_COMMON,
};

#if IS_ENABLED(CONFIG_IPV6)
const struct proto_ops mrcv6_proto_ops = {
	.family = PF_INET6,
	.release = inet6_release,
	.bind = inet6_bind,
	.getname = inet6_getname,
	.ioctl = inet6_ioctl,
	MRC_PROTO_OPS_COMMON,
};
#endif
