// SPDX-License-Identifier: GPL-2.0
/*
 * MRC without a connection: messages whose QPN nobody has, and what is
 * remembered of connections that have ended.
 *
 * Nothing here answers with more bytes than it was sent, answers are
 * limited per second, and a rejection or an abort is never answered.
 */
#include "mrc.h"

/* --------------------------------------------------- closed connections */

static struct hlist_head *mrc_tw_head(struct mrc_net *mn, u32 qpn)
{
	return &mn->tw_table[qpn % MRC_BIND_HASH];
}

static void mrc_tw_unlink(struct mrc_net *mn, struct mrc_tw *tw)
{
	hlist_del(&tw->node);
	list_del(&tw->lru);
	mn->tw_count--;
	kfree(tw);
}

/* Forget what is old, and the oldest when there are too many. */
static void mrc_tw_age(struct mrc_net *mn, u64 now)
{
	struct mrc_tw *tw, *next;

	list_for_each_entry_safe(tw, next, &mn->tw_lru, lru) {
		if (tw->expires > now && mn->tw_count < MRC_TW_MAX)
			break;
		mrc_tw_unlink(mn, tw);
	}
}

/**
 * mrc_tw_add() - remember a connection that ended in order
 * @sk: connection
 *
 * Without memory the peer times out its DREQ instead: harmless.
 */
void mrc_tw_add(struct sock *sk)
{
	struct mrc_net *mn = mrc_sknet(sk);
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_tw *tw = kmalloc(sizeof(*tw), GFP_ATOMIC);
	u64 now = mrc_now();

	if (!tw)
		return;
	tw->qpn = msk->qpn;
	tw->peer_qpn = msk->peer_qpn;
	tw->tag = msk->tag;
	tw->peer_tag = msk->peer_tag;
	tw->expires = now + MRC_TW_TIME;
	spin_lock_bh(&mn->conn_lock);
	mrc_tw_age(mn, now);
	hlist_add_head(&tw->node, mrc_tw_head(mn, tw->qpn));
	list_add_tail(&tw->lru, &mn->tw_lru);
	mn->tw_count++;
	spin_unlock_bh(&mn->conn_lock);
}

void mrc_tw_purge(struct mrc_net *mn)
{
	struct mrc_tw *tw, *next;

	list_for_each_entry_safe(tw, next, &mn->tw_lru, lru)
		mrc_tw_unlink(mn, tw);
}

static bool mrc_tw_known(struct mrc_net *mn, const struct mrc_cm *cm)
{
	struct mrc_tw *tw;
	bool found = false;

	spin_lock_bh(&mn->conn_lock);
	hlist_for_each_entry(tw, mrc_tw_head(mn, cm->dst_qpn), node) {
		if (tw->qpn == cm->dst_qpn && tw->tag == cm->dst_tag &&
		    tw->peer_qpn == cm->src_qpn &&
		    tw->peer_tag == cm->src_tag) {
			found = true;
			break;
		}
	}
	spin_unlock_bh(&mn->conn_lock);
	return found;
}

/* --------------------------------------------------------------- answers */

static bool mrc_reply_allowed(struct mrc_net *mn)
{
	u64 now = mrc_now(), start = READ_ONCE(mn->rej_ns);

	if (now - start > MRC_NSEC_PER_SEC) {
		WRITE_ONCE(mn->rej_ns, now);
		atomic_set(&mn->rej_count, 0);
	}
	return atomic_inc_return(&mn->rej_count) <= MRC_REJ_RATE;
}

static void mrc_reply_cm(struct mrc_net *mn, struct sk_buff *in, u8 opcode,
			 const struct mrc_cm *cm, u32 reason)
{
	struct sk_buff *skb;
	struct mrc_pkt *p;

	if (!mrc_reply_allowed(mn))
		return;
	p = kzalloc(sizeof(*p), GFP_ATOMIC);
	if (!p)
		return;
	p->opcode = opcode;
	p->dqpn = MRC_QPN_CM;
	p->cm.version = MRC_VERSION;
	p->cm.src_qpn = cm->dst_qpn;
	p->cm.dst_qpn = cm->src_qpn;
	p->cm.src_tag = cm->dst_tag;
	p->cm.dst_tag = cm->src_tag;
	p->cm.psn = cm->psn;
	p->cm.reason = reason;
	skb = mrc_build_ctrl(p, GFP_ATOMIC);
	kfree(p);
	if (skb)
		mrc_reply_xmit(mn, in, skb);
}

/**
 * mrc_stateless_rej() - reject a message
 * @mn: network namespace
 * @skb: the packet that carried it, still owned by the caller
 * @cm: the message
 * @reason: enum mrc_rej_reason
 */
void mrc_stateless_rej(struct mrc_net *mn, struct sk_buff *skb,
		       const struct mrc_cm *cm, u32 reason)
{
	MRC_INC(mn, CM_REJECTED);
	mrc_reply_cm(mn, skb, MRC_OP_CM_REJ, cm, reason);
}

/* A REQ: for the child it made already, or for who listens. */
static void mrc_stateless_req(struct mrc_net *mn, struct sk_buff *skb,
			      const struct mrc_pkt *p)
{
	struct mrc_addr src, dst;
	struct sock *sk;

	/* The REP must not be larger than what anybody may send in our name. */
	if (p->hdr_len < MRC_BTH_LEN + MRC_CM_REQ_PADDED) {
		MRC_INC(mn, RX_SHORT);
		goto drop;
	}
	if (p->cm.version != MRC_VERSION) {
		mrc_stateless_rej(mn, skb, &p->cm, MRC_REJ_VERSION);
		goto drop;
	}
	sk = mrc_lookup_peer(mn, &p->cm);
	if (!sk) {
		mrc_addr_from_skb(skb, &src, &dst);
		sk = mrc_lookup_listener(mn, &dst, p->cm.dport, skb->skb_iif);
	}
	if (sk) {
		mrc_deliver(sk, skb);
		sock_put(sk);
		return;
	}
	mrc_stateless_rej(mn, skb, &p->cm, MRC_REJ_NO_LISTENER);
drop:
	kfree_skb(skb);
}

/**
 * mrc_stateless_rcv() - a message whose connection does not exist
 * @mn: network namespace
 * @skb: packet; consumed
 * @p: the same decoded
 *
 * Context: softirq.
 */
void mrc_stateless_rcv(struct mrc_net *mn, struct sk_buff *skb,
		       const struct mrc_pkt *p)
{
	const struct mrc_cm *cm = &p->cm;

	switch (p->opcode) {
	case MRC_OP_CM_REQ:
		mrc_stateless_req(mn, skb, p);
		return;
	case MRC_OP_CM_DREQ:
		if (cm->flags & MRC_DREQ_ABORT)
			break;
		if (mrc_tw_known(mn, cm))
			mrc_reply_cm(mn, skb, MRC_OP_CM_DREP, cm, 0);
		else
			mrc_stateless_rej(mn, skb, cm, MRC_REJ_NO_CONNECTION);
		break;
	case MRC_OP_CM_REP:
	case MRC_OP_CM_LAP:
		/* The client has given up, or the host was started again. */
		mrc_stateless_rej(mn, skb, cm, MRC_REJ_NO_CONNECTION);
		break;
	default:
		MRC_INC(mn, RX_NO_QPN);
	}
	kfree_skb(skb);
}
