// SPDX-License-Identifier: GPL-2.0
/*
 * MRC listeners: from a REQ to a socket that accept() returns.
 *
 * A child is a full socket from the first REQ on.  It stands in its
 * listener's list of pending children until RTU or data proves that the
 * client has the REP, then in the accept queue.  Both lists hold the child's
 * first reference, which becomes that of the file.
 */
#include <net/addrconf.h>

#include "mrc.h"

/**
 * mrc_lookup_peer() - the child that a REQ has created already
 * @mn: network namespace
 * @cm: the REQ
 *
 * Return: socket with a reference, or NULL.
 */
struct sock *mrc_lookup_peer(struct mrc_net *mn, const struct mrc_cm *cm)
{
	struct mrc_sock *msk;
	struct sock *sk = NULL;

	spin_lock_bh(&mn->conn_lock);
	hlist_for_each_entry(msk, &mn->peer_hash[cm->src_tag % MRC_PEER_HASH],
			     peer_node) {
		if (msk->peer_tag == cm->src_tag &&
		    msk->peer_qpn == cm->src_qpn &&
		    refcount_inc_not_zero(&mrc_to_sk(msk)->sk_refcnt)) {
			sk = mrc_to_sk(msk);
			break;
		}
	}
	spin_unlock_bh(&mn->conn_lock);
	return sk;
}

/* What a child has from its listener, for both families. */
static void mrc_child_inherit(struct sock *sk, const struct sock *lsk)
{
	struct mrc_sock *msk = mrc_sk(sk), *lmsk = mrc_sk(lsk);
	struct inet_sock *inet = inet_sk(sk), *linet = inet_sk(lsk);

	sk->sk_reuse = lsk->sk_reuse;
	sk->sk_bound_dev_if = lsk->sk_bound_dev_if;
	sk->sk_mark = lsk->sk_mark;
	sk->sk_priority = lsk->sk_priority;
	sk->sk_userlocks = lsk->sk_userlocks & ~(SOCK_BINDPORT_LOCK |
						 SOCK_BINDADDR_LOCK);
	sk->sk_rcvbuf = READ_ONCE(lsk->sk_rcvbuf);
	sk->sk_sndbuf = READ_ONCE(lsk->sk_sndbuf);
	sk->sk_rcvlowat = lsk->sk_rcvlowat;
	sk->sk_rcvtimeo = lsk->sk_rcvtimeo;
	sk->sk_sndtimeo = lsk->sk_sndtimeo;
	sk->sk_lingertime = lsk->sk_lingertime;
	sk->sk_uid = lsk->sk_uid;
	if (sock_flag(lsk, SOCK_LINGER))
		sock_set_flag(sk, SOCK_LINGER);
	if (sock_flag(lsk, SOCK_KEEPOPEN))
		sock_set_flag(sk, SOCK_KEEPOPEN);
	inet->uc_ttl = linet->uc_ttl;
	inet->tos = linet->tos;
	inet->pmtudisc = linet->pmtudisc;
	inet->mc_ttl = 1;
	inet->mc_loop = 1;
	inet->mc_all = 1;
	inet->inet_sport = linet->inet_sport;
	inet->inet_num = linet->inet_num;
	msk->sched = lmsk->sched;
	msk->cong = lmsk->cong;
	msk->unordered = lmsk->unordered;
	msk->user_timeout = lmsk->user_timeout;
	msk->max_msg = lmsk->max_msg;
}

/* A socket as inet_create() and inet6_create() would make it. */
static struct sock *mrc_child_alloc(const struct sock *lsk)
{
	struct net *net = sock_net(lsk);
	struct sock *sk;

	sk = sk_alloc(net, lsk->sk_family, GFP_ATOMIC, lsk->sk_prot, 0);
	if (!sk)
		return NULL;
	sock_init_data(NULL, sk);
	sk->sk_type = lsk->sk_type;
	sk->sk_protocol = lsk->sk_protocol;
	sk->sk_backlog_rcv = lsk->sk_backlog_rcv;
	sk->sk_destruct = lsk->sk_destruct;
	sock_reset_flag(sk, SOCK_ZAPPED);
#if IS_ENABLED(CONFIG_IPV6)
	if (lsk->sk_family == AF_INET6) {
		struct ipv6_pinfo *np = &((struct mrc6_sock *)sk)->inet6;

		inet_sk(sk)->pinet6 = np;
		memset(np, 0, sizeof(*np));
		np->hop_limit = inet6_sk(lsk)->hop_limit;
		np->mcast_hops = IPV6_DEFAULT_MCASTHOPS;
		np->mc_loop = 1;
		np->mc_all = 1;
		np->pmtudisc = inet6_sk(lsk)->pmtudisc;
		np->tclass = inet6_sk(lsk)->tclass;
		sk->sk_ipv6only = lsk->sk_ipv6only;
	}
#endif
	mrc_setup_sock(sk);
	mrc_encap_hold(mrc_pernet(net));
	mrc_sk(sk)->encap_user = true;
	mrc_child_inherit(sk, lsk);
	security_sk_clone(lsk, sk);
	return sk;
}

/* Undo mrc_child_alloc() for a child that nobody else has seen. */
static void mrc_child_free(struct sock *sk)
{
	sock_orphan(sk);
	mrc_destroy_sock(sk);
}

/* Everything a child needs to send its REP. */
static int mrc_child_setup(struct sock *sk, const struct sk_buff *skb,
			   const struct mrc_cm *cm)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_addr local, remote;
	struct mrc_path *p;
	int ifindex = 0, err;
	u32 mtu;

	mrc_addr_from_skb(skb, &remote, &local);
	if (remote.family == AF_INET6 &&
	    (ipv6_addr_type(&remote.v6) & IPV6_ADDR_LINKLOCAL))
		ifindex = skb->skb_iif;
	err = mrc_route_source(sk, &remote, ifindex, &local, &mtu);
	if (err)
		return err;
	mrc_sock_set_local(sk, &local);
	mrc_sock_set_remote(sk, &remote, cm->sport);
	msk->max_payload = mrc_payload_for_mtu(&remote, mtu);
	err = mrc_conn_prepare(sk, (u32)cm->mpr << cm->mpr_shift);
	if (err)
		return err;
	mrc_cm_learn_peer(sk, cm);
	err = mrc_rx_prepare(sk, cm->psn);
	if (err)
		return err;
	p = mrc_path_add(sk, &local, &remote, ifindex, 0, MRC_EVS_DEFAULT, 0);
	if (!p)
		return -ENOMEM;
	msk->initial = p->sf.id;
	return 0;
}

/* The child begins its life: from here on others may find it. */
static int mrc_child_start(struct sock *lsk, struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk), *lmsk = mrc_sk(lsk);
	int err;

	mrc_set_state(sk, MRC_S_REP_SENT);
	err = mrc_hash_qpn(sk, GFP_ATOMIC);
	if (err) {
		mrc_set_state(sk, MRC_S_CLOSED);
		return err;
	}
	sock_hold(lsk);
	msk->listener = lsk;
	spin_lock(&lmsk->accept_lock);
	list_add_tail(&msk->child_node, &lmsk->pending);
	sk_acceptq_added(lsk);
	spin_unlock(&lmsk->accept_lock);
	msk->cm_start_ns = mrc_now();
	msk->cm_rto = MRC_CM_RTO_MIN;
	msk->cm_next_ns = msk->cm_start_ns + msk->cm_rto;
	mrc_cm_send(sk, MRC_OP_CM_REP, 0);
	mrc_timer_update(sk);
	return 0;
}

/**
 * mrc_listen_rcv_req() - a REQ for a listener
 * @lsk: listener
 * @skb: the packet, still owned by the caller
 * @p: the same decoded
 *
 * Context: listener's lock, softirq or backlog.
 */
void mrc_listen_rcv_req(struct sock *lsk, struct sk_buff *skb,
			const struct mrc_pkt *p)
{
	struct mrc_net *mn = mrc_sknet(lsk);
	const struct mrc_cm *cm = &p->cm;
	struct sock *sk;
	int err;

	/* Two copies may have passed the look-up before we got the lock. */
	sk = mrc_lookup_peer(mn, cm);
	if (sk) {
		sock_put(sk);
		return;
	}
	if (cm->sock_type != lsk->sk_type) {
		mrc_stateless_rej(mn, skb, cm, MRC_REJ_TYPE);
		return;
	}
	if (sk_acceptq_is_full(lsk)) {
		/* Silence: the client repeats its REQ, as with TCP. */
		MRC_INC(mn, CM_OVERFLOW);
		return;
	}
	sk = mrc_child_alloc(lsk);
	if (!sk) {
		MRC_INC(mn, RX_NO_MEMORY);
		return;
	}
	local_bh_disable();
	bh_lock_sock_nested(sk);
	err = mrc_child_setup(sk, skb, cm);
	if (!err)
		err = mrc_child_start(lsk, sk);
	bh_unlock_sock(sk);
	local_bh_enable();
	if (err) {
		MRC_INC(mn, RX_NO_MEMORY);
		mrc_child_free(sk);
	}
}

/**
 * mrc_child_ready() - a child's client has the REP
 * @sk: child in REP_SENT
 *
 * Context: child's lock.
 */
void mrc_child_ready(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct sock *lsk = msk->listener;
	bool queued = false;

	if (msk->cm_rto == MRC_CM_RTO_MIN)
		mrc_subflow_rtt_sample(&msk->paths[msk->initial]->sf,
				       mrc_now() - msk->cm_start_ns);
	mrc_cm_established(sk);
	if (!lsk)
		return;
	spin_lock_bh(&mrc_sk(lsk)->accept_lock);
	if (!list_empty(&msk->child_node)) {
		list_move_tail(&msk->child_node, &mrc_sk(lsk)->accept_q);
		queued = true;
	}
	spin_unlock_bh(&mrc_sk(lsk)->accept_lock);
	msk->listener = NULL;
	if (queued) {
		MRC_INC_SK(sk, CM_PASSIVE);
		lsk->sk_data_ready(lsk);
	}
	sock_put(lsk);
}

/**
 * mrc_child_detach() - a child dies before its client answered
 * @sk: socket that may be a pending child
 *
 * Return: true if it was one: then nobody else will free it.
 */
bool mrc_child_detach(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct sock *lsk = msk->listener;
	bool was = false;

	if (!lsk)
		return false;
	msk->listener = NULL;
	spin_lock_bh(&mrc_sk(lsk)->accept_lock);
	if (!list_empty(&msk->child_node)) {
		list_del_init(&msk->child_node);
		sk_acceptq_removed(lsk);
		was = true;
	}
	spin_unlock_bh(&mrc_sk(lsk)->accept_lock);
	sock_put(lsk);
	return was;
}

/* Any child, pending ones first; its reference goes to the caller. */
static struct sock *mrc_listen_pop(struct sock *lsk)
{
	struct mrc_sock *lmsk = mrc_sk(lsk), *child;

	spin_lock_bh(&lmsk->accept_lock);
	child = list_first_entry_or_null(&lmsk->pending, struct mrc_sock,
					 child_node);
	if (!child)
		child = list_first_entry_or_null(&lmsk->accept_q,
						 struct mrc_sock, child_node);
	if (child) {
		list_del_init(&child->child_node);
		sk_acceptq_removed(lsk);
	}
	spin_unlock_bh(&lmsk->accept_lock);
	return child ? mrc_to_sk(child) : NULL;
}

/**
 * mrc_listen_stop() - end all children that nobody has accepted
 * @lsk: listener, in state CLOSED already, so that no new ones come
 *
 * Context: process, listener's lock.
 */
void mrc_listen_stop(struct sock *lsk)
{
	struct sock *sk;

	while ((sk = mrc_listen_pop(lsk))) {
		local_bh_disable();
		bh_lock_sock_nested(sk);
		/* Never seen by a process, so nobody can own it. */
		WARN_ON_ONCE(sock_owned_by_user(sk));
		sock_hold(sk);
		sock_orphan(sk);
		if (sk->sk_state == MRC_S_CLOSED)
			mrc_destroy_sock(sk);
		else
			mrc_cm_abort(sk, 0, true);
		bh_unlock_sock(sk);
		local_bh_enable();
		sock_put(sk);
		cond_resched();
	}
}
