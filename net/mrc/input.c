// SPDX-License-Identifier: GPL-2.0
/*
 * MRC input: packets of a connection, under its socket lock.
 *
 * Before anything is believed: the ICRC was right, the address pair belongs
 * to a path of the connection, data carries our R_Key, control packets our
 * verification tag, and a SACK acknowledges only what was sent.
 */
#include "mrc.h"

/* Longest headers of a packet that is not connection management. */
#define MRC_INPUT_PULL	(MRC_BTH_LEN + MRC_EETH_LEN + MRC_ICRC_LEN)

/* -------------------------------------------------------------- data */

/* A packet whose turn has come: into the receive queue. */
static void mrc_rx_deliver(struct sock *sk, const struct mrc_rxd *rxd)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct sk_buff *skb = rxd->cookie;
	struct mrc_skb_cb *cb = MRC_SKB_CB(skb);

	msk->bytes_received += rxd->len;
	cb->first = !!(rxd->flags & MRC_RXD_F_FIRST);
	cb->last = !!(rxd->flags & MRC_RXD_F_LAST);
	cb->off = 0;
	cb->msg_len = rxd->msg_len;
	if (cb->first)
		msk->rx_msg_off = 0;
	cb->msg_off = msk->rx_msg_off;
	msk->rx_msg_off += rxd->len;
	if (msk->rx_discard || (sk->sk_shutdown & RCV_SHUTDOWN)) {
		if (cb->last) {
			msk->rx_discard = false;
			msk->msgs_received++;
			msk->rx_msn_done++;
		}
		kfree_skb(skb);
		return;
	}
	WRITE_ONCE(msk->rq_bytes, msk->rq_bytes + rxd->len);
	if (cb->last)
		WRITE_ONCE(msk->rq_msgs, msk->rq_msgs + 1);
	__skb_queue_tail(&sk->sk_receive_queue, skb);
}

static void mrc_rx_deliver_all(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_rxd rxd;
	bool any = false;

	while (mrc_rxwin_pop(&msk->rx, &rxd)) {
		mrc_rx_deliver(sk, &rxd);
		any = true;
	}
	if (any && !sock_flag(sk, SOCK_DEAD) && mrc_rx_readable(sk))
		sk->sk_data_ready(sk);
}

/* From the whole datagram to its payload. */
static bool mrc_rx_strip(struct sk_buff *skb, const struct mrc_pkt *p)
{
	__skb_pull(skb, sizeof(struct udphdr) + p->hdr_len);
	return !pskb_trim(skb, p->len);
}

static void mrc_rx_count(struct sock *sk, enum mrc_rx_verdict v)
{
	switch (v) {
	case MRC_RX_NEW:
		MRC_INC_SK(sk, RX_DATA);
		break;
	case MRC_RX_DUP:
		MRC_INC_SK(sk, RX_DUP);
		break;
	case MRC_RX_OUT_OF_WINDOW:
		MRC_INC_SK(sk, RX_WINDOW);
		break;
	case MRC_RX_INVALID:
		MRC_INC_SK(sk, RX_INVALID);
		break;
	case MRC_RX_NO_MEMORY:
		MRC_INC_SK(sk, RX_NO_MEMORY);
		break;
	}
}

/* Now, or together with what comes within MRC_SACK_DELAY. */
static void mrc_rx_sack(struct sock *sk, int path)
{
	struct mrc_sock *msk = mrc_sk(sk);

	if (mrc_rxwin_sack_due(&msk->rx))
		mrc_send_sacks(sk, path);
	else if (msk->sack_since == MRC_NEVER &&
		 mrc_rxwin_sack_pending(&msk->rx))
		msk->sack_since = mrc_now();
}

/*
 * Unordered delivery holds a message until it is complete.  One that does
 * not fit the buffer never will be: the peer has sent all it may, nothing
 * waits for the reader, and no room will come.
 */
static bool mrc_rx_stuck(const struct sock *sk)
{
	const struct mrc_sock *msk = mrc_sk(sk);

	return msk->unordered && skb_queue_empty(&sk->sk_receive_queue) &&
	       msk->rx.next >= msk->adv_right &&
	       mrc_rxwin_base(&msk->rx) < msk->rx.next &&
	       mrc_rx_right_edge(sk) <= msk->adv_right;
}

/* A data packet; consumes @skb. */
static void mrc_rx_data(struct sock *sk, struct sk_buff *skb,
			struct mrc_path *path, const struct mrc_pkt *p)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_rx_trigger t = {
		.psn = mrc_psn_expand(msk->rx.next, p->psn),
		.entropy = MRC_SKB_CB(skb)->ev,
		.tstamp = p->write.tstamp,
		.rtx = p->rtx,
		.ce = MRC_SKB_CB(skb)->ce,
	};
	enum mrc_rx_verdict v = MRC_RX_NO_MEMORY;

	if (p->write.rkey != msk->rkey) {
		MRC_INC_SK(sk, RX_BAD_RKEY);
		goto drop;
	}
	msk->heard_ns = mrc_now();
	/* Nobody is left to read it: the sender must learn that. */
	if (sock_flag(sk, SOCK_DEAD) && t.psn >= msk->rx.next) {
		mrc_cm_abort(sk, 0, true);
		goto drop;
	}
	/* Nothing can follow what the peer called its last packet. */
	if (msk->fin_rcvd && t.psn > msk->peer_fin_psn) {
		MRC_INC_SK(sk, RX_BAD_STATE);
		goto drop;
	}
	msk->pkts_received++;
	path->sf.pkts_received++;
	path->sf.bytes_received += p->len;
	msk->last_rx_path = path->sf.id;
	if (t.ce)
		MRC_INC_SK(sk, RX_CE);
	if (mrc_rx_strip(skb, p) && sk_rmem_schedule(sk, skb, skb->truesize))
		v = mrc_rxwin_receive(&msk->rx, p, &t, skb, GFP_ATOMIC);
	mrc_rx_count(sk, v);
	if (v == MRC_RX_NEW) {
		skb_set_owner_r(skb, sk);
		skb = NULL;
		mrc_rx_deliver_all(sk);
	}
	if (msk->rx.broken || v == MRC_RX_INVALID) {
		if (v != MRC_RX_INVALID)
			MRC_INC_SK(sk, RX_INVALID);
		mrc_cm_abort(sk, EPROTO, true);
		goto drop;
	}
	if (mrc_rx_stuck(sk)) {
		mrc_cm_abort(sk, EMSGSIZE, true);
		goto drop;
	}
	mrc_rx_sack(sk, path->sf.id);
	mrc_cm_peer_done(sk);
drop:
	kfree_skb(skb);
}

/**
 * mrc_rx_window_update() - the application has read
 * @sk: connection
 *
 * Tells the peer once a quarter of the buffer has become free, and how many
 * messages were taken once a quarter of the credits is used.
 *
 * Context: socket lock.
 */
void mrc_rx_window_update(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u32 step;

	if (!msk->rx_ready || !((1 << sk->sk_state) & MRC_SF_RECV))
		return;
	step = READ_ONCE(sk->sk_rcvbuf) / mrc_rx_pkt_truesize(msk) / 4;
	step = max_t(u32, step, 1U << msk->mpr_shift);
	if (mrc_rx_right_edge(sk) >= msk->adv_right + step)
		mrc_send_sacks(sk, msk->last_rx_path);
	if (msk->rx_msn_done - msk->rx_msn_told >= msk->rx_credits / 4)
		mrc_send_tack(sk);
	mrc_timer_update(sk);
}

/* ----------------------------------------------------------- control */

static bool mrc_rx_tag_ok(struct sock *sk, u16 spdcid, u16 dpdcid)
{
	if (((u32)spdcid << 16 | dpdcid) == mrc_sk(sk)->tag) {
		mrc_sk(sk)->heard_ns = mrc_now();
		return true;
	}
	MRC_INC_SK(sk, RX_BAD_TAG);
	return false;
}

static void mrc_rx_sack_pkt(struct sock *sk, struct mrc_path *path,
			    const struct mrc_sack *s)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_ack_result res;
	u64 now = mrc_now();

	if (!mrc_rx_tag_ok(sk, s->spdcid, s->dpdcid))
		return;
	if (mrc_req_sack(&msk->req, s, msk->peer_mpr_shift, now, &res)) {
		MRC_INC_SK(sk, RX_BAD_SACK);
		return;
	}
	MRC_INC_SK(sk, RX_SACKS);
	if (s->probe &&
	    mrc_subflow_probe_answered(&path->sf, s->probe_id, now))
		mrc_req_subflow_event(&msk->req, path->sf.id,
				      MRC_SF_EV_PROVED, now);
	mrc_tx_release(sk, res.freed_from, res.freed_to);
	mrc_push(sk);
}

static void mrc_rx_nack(struct sock *sk, const struct mrc_nack *n)
{
	struct mrc_sock *msk = mrc_sk(sk);
	int err;

	if (!mrc_rx_tag_ok(sk, n->spdcid, n->dpdcid))
		return;
	err = mrc_req_nack(&msk->req, n, mrc_now());
	if (err == -ECONNRESET)
		mrc_cm_abort(sk, ECONNRESET, false);
	else if (err)
		MRC_INC_SK(sk, RX_BAD_SACK);
	else
		mrc_push(sk);
}

static void mrc_rx_tack(struct sock *sk, const struct mrc_tack *t)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u64 msn = mrc_expand(msk->tx_acked_msn, t->msn, 16);

	if (msn < msk->tx_acked_msn)
		return;
	if (msn > msk->tx_msn) {
		MRC_INC_SK(sk, RX_BAD_SACK);
		return;
	}
	msk->tx_acked_msn = msn;
	msk->req.msn_limit = msn + msk->tx_credits;
	mrc_push(sk);
}

static void mrc_rx_probe(struct sock *sk, struct mrc_path *path,
			 const struct mrc_probe *pr)
{
	if (!mrc_rx_tag_ok(sk, pr->spdcid, pr->dpdcid))
		return;
	MRC_INC_SK(sk, RX_PROBES);
	mrc_send_probe_reply(sk, path, pr);
	/* The peer reaches us there again: try the other direction at once. */
	if (path->sf.state == MRC_SF_SUSPECT || path->sf.state == MRC_SF_FAILED)
		path->sf.probe_next_ns = mrc_now();
}

/* Anything but connection management; consumes @skb. */
static void mrc_input_conn(struct sock *sk, struct sk_buff *skb,
			   const struct mrc_pkt *p)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_addr src, dst;
	struct mrc_path *path;

	if (!msk->rx_ready ||
	    !((1 << sk->sk_state) & (MRC_SF_CONNECTED | TCPF_SYN_RECV))) {
		MRC_INC_SK(sk, RX_BAD_STATE);
		goto drop;
	}
	mrc_addr_from_skb(skb, &src, &dst);
	path = mrc_path_find(msk, &dst, &src);
	if (!path) {
		MRC_INC_SK(sk, RX_BAD_ADDRESS);
		goto drop;
	}
	if (mrc_op_is_write(p->opcode)) {
		if (sk->sk_state == MRC_S_REP_SENT &&
		    p->write.rkey == msk->rkey)
			mrc_child_ready(sk);
		mrc_rx_data(sk, skb, path, p);
		return;
	}
	switch (p->opcode) {
	case MRC_OP_SACK:
		mrc_rx_sack_pkt(sk, path, &p->sack);
		break;
	case MRC_OP_NACK:
		mrc_rx_nack(sk, &p->nack);
		break;
	case MRC_OP_TACK:
		mrc_rx_tack(sk, &p->tack);
		break;
	case MRC_OP_PROBE:
		mrc_rx_probe(sk, path, &p->probe);
		break;
	default:
		MRC_INC_SK(sk, RX_BAD_OPCODE);
	}
drop:
	kfree_skb(skb);
}

/**
 * mrc_input() - a packet for a socket
 * @sk: listener or connection
 * @skb: packet with skb->data at the UDP header; consumed
 *
 * Context: socket lock, softirq or backlog; the caller holds a reference.
 */
void mrc_input(struct sock *sk, struct sk_buff *skb)
{
	u32 off = sizeof(struct udphdr), len = skb->len - off;
	struct mrc_pkt p;
	int err;

	/* Connection management was made linear before it came here. */
	if (!pskb_may_pull(skb, off + min_t(u32, len, MRC_INPUT_PULL))) {
		MRC_INC_SK(sk, RX_NO_MEMORY);
		goto drop;
	}
	err = mrc_wire_parse(skb->data + off, skb_headlen(skb) - off, len, &p);
	if (err) {
		if (err == -EOPNOTSUPP)
			MRC_INC_SK(sk, RX_BAD_OPCODE);
		else
			MRC_INC_SK(sk, RX_SHORT);
		goto drop;
	}
	if (!mrc_op_is_cm(p.opcode)) {
		mrc_input_conn(sk, skb, &p);
		skb = NULL;
	} else if (p.dqpn == MRC_QPN_CM) {
		mrc_cm_input(sk, skb, &p);
	} else {
		MRC_INC_SK(sk, RX_BAD_OPCODE);
	}
	if (sk->sk_state != MRC_S_CLOSED)
		mrc_timer_update(sk);
drop:
	kfree_skb(skb);
}

/* proto.backlog_rcv: what came while a process held the lock */
int mrc_backlog_rcv(struct sock *sk, struct sk_buff *skb)
{
	mrc_input(sk, skb);
	return 0;
}
