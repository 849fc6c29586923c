// SPDX-License-Identifier: GPL-2.0
/*
 * MRC connection management: how a connection begins and ends.
 *
 *	client                          server
 *	  |  REQ  (numbers, endpoints)    |  LISTEN
 *	  |------------------------------>|
 *	REQ_SENT                          |  child REP_SENT
 *	  |  REP  (numbers, endpoints)    |
 *	  |<------------------------------|
 *	ESTABLISHED   RTU or data         |
 *	  |------------------------------>|  ESTABLISHED, accept()
 *	  |            ...                |
 *	  |  DREQ (last PSN)              |  answered when all data is here
 *	  |------------------------------>|
 *	DREQ_WAIT1    DREP                |  CLOSE_WAIT
 *	  |<------------------------------|
 *	DREQ_WAIT2    DREQ                |
 *	  |<------------------------------|  LAST_DREQ
 *	  |  DREP                         |
 *	  |------------------------------>|  CLOSED
 *	CLOSED, remembered for MRC_TW_TIME to answer a repeated DREQ
 *
 * Each direction ends on its own, as with TCP.  A DREP also says that all
 * data was received.  REQ, REP, DREQ and LAP are repeated with back-off; the
 * last two over another path each time.
 */
#include "mrc.h"

/* --------------------------------------------------------------- states */

/**
 * mrc_set_state() - the one place that changes the state of a socket
 * @sk: socket
 * @state: MRC_S_*
 *
 * The kernel's tracepoint inet_sock_set_state reports each change.
 */
void mrc_set_state(struct sock *sk, int state)
{
	inet_sk_set_state(sk, state);
}

/**
 * mrc_conn_prepare() - begin the sending half of a connection
 * @sk: connection
 * @peer_mpr: packets that the peer takes, 0 if not known yet
 *
 * Return: 0 or -ENOMEM.
 */
int mrc_conn_prepare(struct sock *sk, u32 peer_mpr)
{
	struct mrc_sock *msk = mrc_sk(sk);
	int err;

	msk->first_psn = get_random_u32() & MRC_PSN_MASK;
	err = mrc_req_init(&msk->req, mrc_psn_first(msk->first_psn), peer_mpr);
	if (err)
		return err;
	msk->req.sched = msk->sched;
	msk->req.cong = msk->cong;
	msk->req.progress_ns = mrc_now();
	msk->heard_ns = mrc_now();
	msk->tx_va = 0;
	msk->tx_msn = 0;
	msk->tx_msg_len = 0;
	msk->tx_open = false;
	msk->tx_first = true;
	msk->tx_acked_msn = 0;
	msk->rx_msn_done = 0;
	msk->rx_msn_told = 0;
	msk->rx_credits = MRC_CREDITS;
	return 0;
}

/**
 * mrc_initial_mpr() - what REQ and REP advertise
 * @sk: connection
 *
 * Chooses the unit too, with room for the buffer to double.
 *
 * Return: MPR in units of 1 << mpr_shift packets, 1..255.
 */
u16 mrc_initial_mpr(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u32 pkts = READ_ONCE(sk->sk_rcvbuf) / mrc_rx_pkt_truesize(msk);

	pkts = clamp_t(u32, pkts, 2, MRC_RXWIN_MAX / 2);
	msk->mpr_shift = 0;
	while ((2 * pkts) >> msk->mpr_shift > 255)
		msk->mpr_shift++;
	return max(pkts >> msk->mpr_shift, 1U);
}

/**
 * mrc_rx_prepare() - begin the receiving half of a connection
 * @sk: connection whose max_payload is agreed
 * @first_psn: first PSN of the peer, 24 bits
 *
 * Return: 0 or -ENOMEM.
 */
int mrc_rx_prepare(struct sock *sk, u32 first_psn)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u64 first = mrc_psn_first(first_psn);
	int err;

	err = mrc_rxwin_init(&msk->rx, first, MRC_RXWIN_MAX, msk->unordered);
	if (err)
		return err;
	msk->rx_ready = true;
	msk->adv_right = first + ((u64)mrc_initial_mpr(sk) << msk->mpr_shift);
	mrc_rxwin_advance(&msk->rx, msk->adv_right);
	return 0;
}

/* Take over what a REQ or REP says of its sender. */
void mrc_cm_learn_peer(struct sock *sk, const struct mrc_cm *cm)
{
	struct mrc_sock *msk = mrc_sk(sk);
	int i;

	msk->peer_qpn = cm->src_qpn;
	msk->peer_tag = cm->src_tag;
	msk->peer_rkey = cm->rkey;
	msk->peer_mpr_shift = cm->mpr_shift;
	msk->tx_credits = cm->credits;
	msk->req.msn_limit = cm->credits;
	msk->n_peer_eps = cm->n_eps;
	memcpy(msk->peer_eps, cm->eps, cm->n_eps * sizeof(cm->eps[0]));
	msk->max_payload = clamp_t(u32, cm->mtu, MRC_PAYLOAD_MIN,
				   msk->max_payload);
	for (i = 0; i < MRC_SUBFLOWS_MAX; i++)
		if (msk->paths[i])
			msk->paths[i]->sf.mss = msk->max_payload;
}

/* -------------------------------------------------------------- sending */

static void mrc_cm_fill_setup(struct sock *sk, struct mrc_cm *cm)
{
	struct mrc_sock *msk = mrc_sk(sk);

	cm->caps = MRC_CM_CAP_ICRC | MRC_CM_CAP_DYN_MPR;
	cm->sport = ntohs(inet_sk(sk)->inet_sport);
	cm->dport = ntohs(inet_sk(sk)->inet_dport);
	cm->psn = msk->first_psn;
	cm->rkey = msk->rkey;
	cm->mtu = msk->max_payload;
	cm->mpr = mrc_initial_mpr(sk);
	cm->mpr_shift = msk->mpr_shift;
	cm->credits = msk->rx_credits;
	cm->sock_type = sk->sk_type;
}

static void mrc_cm_fill(struct sock *sk, struct mrc_pkt *p, u8 opcode, u32 flags)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_cm *cm = &p->cm;

	memset(p, 0, sizeof(*p));
	p->opcode = opcode;
	p->dqpn = MRC_QPN_CM;
	cm->version = MRC_VERSION;
	cm->src_qpn = msk->qpn;
	cm->dst_qpn = msk->peer_qpn;
	cm->src_tag = msk->tag;
	cm->dst_tag = msk->peer_tag;
	switch (opcode) {
	case MRC_OP_CM_REQ:
		cm->dst_qpn = 0;
		cm->dst_tag = 0;
		fallthrough;
	case MRC_OP_CM_REP:
		mrc_cm_fill_setup(sk, cm);
		cm->n_eps = mrc_pm_fill_wire(sk, cm->eps);
		break;
	case MRC_OP_CM_LAP:
		cm->gen = msk->lap_gen;
		cm->n_eps = mrc_pm_fill_wire(sk, cm->eps);
		break;
	case MRC_OP_CM_APR:
		cm->gen = msk->peer_gen;
		break;
	case MRC_OP_CM_DREQ:
		cm->psn = msk->fin_psn & MRC_PSN_MASK;
		cm->flags = flags;
		break;
	case MRC_OP_CM_DREP:
		cm->psn = msk->peer_fin_psn & MRC_PSN_MASK;
		break;
	}
}

/* The path whose turn it is, so that repeating does not repeat a bad path. */
static int mrc_cm_turn(const struct mrc_sock *msk)
{
	int i, n = msk->n_paths ? msk->cm_path % msk->n_paths : 0;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++)
		if (msk->paths[i] && !n--)
			return i;
	return -1;
}

/**
 * mrc_cm_send() - send a connection management message once
 * @sk: connection
 * @opcode: MRC_OP_CM_*
 * @flags: MRC_DREQ_* for a DREQ
 *
 * Context: socket lock, any context.
 */
void mrc_cm_send(struct sock *sk, u8 opcode, u32 flags)
{
	struct mrc_sock *msk = mrc_sk(sk);
	int path = msk->initial;
	struct mrc_pkt *p;

	if (opcode != MRC_OP_CM_REQ && opcode != MRC_OP_CM_REP)
		path = mrc_best_path(msk, mrc_cm_turn(msk));
	if (path < 0 || !msk->paths[path])
		return;
	p = kmalloc(sizeof(*p), GFP_ATOMIC);
	if (!p)
		return;
	mrc_cm_fill(sk, p, opcode, flags);
	mrc_send_ctrl(sk, msk->paths[path], p);
	kfree(p);
}

/* Start repeating: first interval. */
static void mrc_cm_start(struct mrc_sock *msk, u64 now)
{
	msk->cm_start_ns = now;
	msk->cm_rto = MRC_CM_RTO_MIN;
	msk->cm_next_ns = now + msk->cm_rto;
}

/**
 * mrc_cm_connect() - send the first REQ
 * @sk: socket with addresses, numbers and its initial path
 *
 * Return: 0.
 */
int mrc_cm_connect(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);

	msk->peer_qpn = 0;
	mrc_set_state(sk, MRC_S_REQ_SENT);
	mrc_cm_start(msk, mrc_now());
	mrc_cm_send(sk, MRC_OP_CM_REQ, 0);
	mrc_timer_update(sk);
	return 0;
}

/* Tell the peer our endpoints again. */
void mrc_cm_send_lap(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);

	msk->lap_gen++;
	/* A DREQ that is under way keeps its own back-off and start. */
	if (msk->cm_next_ns == MRC_NEVER)
		mrc_cm_start(msk, mrc_now());
	mrc_cm_send(sk, MRC_OP_CM_LAP, 0);
}

/* ---------------------------------------------------------- established */

/**
 * mrc_cm_established() - both sides know each other
 * @sk: connection in REQ_SENT or REP_SENT
 *
 * The initial path has carried REQ and REP, which proves it.
 */
void mrc_cm_established(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u64 now = mrc_now();

	msk->cm_next_ns = MRC_NEVER;
	msk->heard_ns = now;
	mrc_set_state(sk, MRC_S_ESTABLISHED);
	mrc_req_subflow_event(&msk->req, msk->initial, MRC_SF_EV_ADD, now);
	mrc_req_subflow_event(&msk->req, msk->initial, MRC_SF_EV_PROVED, now);
	mrc_paths_sync(sk);
	mrc_timer_update(sk);
}

static void mrc_cm_rx_rep(struct sock *sk, const struct mrc_pkt *p)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u64 now = mrc_now();

	if (sk->sk_state != MRC_S_REQ_SENT) {
		/* Our RTU was lost. */
		if (p->cm.src_qpn == msk->peer_qpn)
			mrc_cm_send(sk, MRC_OP_CM_RTU, 0);
		return;
	}
	if (p->cm.version != MRC_VERSION) {
		mrc_cm_abort(sk, EPROTO, false);
		return;
	}
	mrc_cm_learn_peer(sk, &p->cm);
	if (mrc_rx_prepare(sk, p->cm.psn)) {
		mrc_cm_abort(sk, ENOMEM, true);
		return;
	}
	msk->req.win.right = msk->req.win.nxt +
			     ((u64)p->cm.mpr << p->cm.mpr_shift);
	/* Only an answer to the first REQ is a clean sample. */
	if (msk->cm_rto == MRC_CM_RTO_MIN)
		mrc_subflow_rtt_sample(&msk->paths[msk->initial]->sf,
				       now - msk->cm_start_ns);
	mrc_cm_established(sk);
	if (sk->sk_state != MRC_S_ESTABLISHED)
		return;
	MRC_INC_SK(sk, CM_ACTIVE);
	mrc_cm_send(sk, MRC_OP_CM_RTU, 0);
	sk->sk_state_change(sk);
	sk_wake_async(sk, SOCK_WAKE_IO, POLL_OUT);
}

static void mrc_cm_rx_rej(struct sock *sk, const struct mrc_pkt *p)
{
	int err = ECONNRESET;

	if (sk->sk_state == MRC_S_REQ_SENT) {
		switch (p->cm.reason) {
		case MRC_REJ_BACKLOG:
		case MRC_REJ_NO_RESOURCE:
			return;		/* the next REQ may find room */
		case MRC_REJ_VERSION:
			err = EPROTO;
			break;
		default:
			err = ECONNREFUSED;
		}
	} else if (p->cm.reason != MRC_REJ_NO_CONNECTION) {
		return;
	}
	MRC_INC_SK(sk, CM_RESETS);
	mrc_cm_abort(sk, err, false);
}

/* ------------------------------------------------------------------ end */

/**
 * mrc_done() - a connection has ended
 * @sk: connection in whatever state
 *
 * Context: socket lock; the caller holds a reference of its own, since an
 * orphan is destroyed here.
 */
void mrc_done(struct sock *sk)
{
	if (sk->sk_state == MRC_S_CLOSED)
		return;
	mrc_set_state(sk, MRC_S_CLOSED);
	WRITE_ONCE(sk->sk_shutdown, SHUTDOWN_MASK);
	mrc_timer_stop(sk);
	mrc_tx_purge(sk);
	mrc_unhash(sk);
	/* A child that nobody will ever accept. */
	if (mrc_child_detach(sk))
		sock_orphan(sk);
	if (sock_flag(sk, SOCK_DEAD))
		mrc_destroy_sock(sk);
	else
		sk->sk_state_change(sk);
}

/**
 * mrc_cm_abort() - end a connection now
 * @sk: connection in whatever state
 * @err: errno for the application, positive; 0 for none
 * @tell_peer: send a DREQ with ABORT
 *
 * Context: socket lock; the caller holds a reference of its own.
 */
void mrc_cm_abort(struct sock *sk, int err, bool tell_peer)
{
	if (sk->sk_state == MRC_S_CLOSED)
		return;
	if (tell_peer && mrc_sk(sk)->peer_qpn)
		mrc_cm_send(sk, MRC_OP_CM_DREQ, MRC_DREQ_ABORT);
	if (err) {
		WRITE_ONCE(sk->sk_err, err);
		sk_error_report(sk);
	}
	mrc_done(sk);
}

/**
 * mrc_cm_fin_check() - send the DREQ once all data was sent
 * @sk: connection
 */
void mrc_cm_fin_check(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_txwin *w = &msk->req.win;

	if (!msk->fin_wanted || msk->fin_sent || w->nxt != w->end)
		return;
	msk->fin_sent = true;
	msk->fin_psn = w->end - 1;
	mrc_cm_start(msk, mrc_now());
	mrc_cm_send(sk, MRC_OP_CM_DREQ, MRC_DREQ_FIN);
}

/**
 * mrc_cm_shutdown() - close our direction
 * @sk: connection
 *
 * Context: process, socket lock.
 */
void mrc_cm_shutdown(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);

	if (msk->fin_wanted)
		return;
	/* A record left open by MSG_MORE stays so: it must not look whole. */
	msk->fin_wanted = true;
	if (sk->sk_state == MRC_S_CLOSE_WAIT)
		mrc_set_state(sk, MRC_S_LAST_DREQ);
	else
		mrc_set_state(sk, MRC_S_DREQ_WAIT1);
	mrc_push(sk);
	mrc_timer_update(sk);
}

/**
 * mrc_cm_peer_done() - has the peer's direction ended?
 * @sk: connection; called after new data and after each DREQ
 *
 * The DREP waits until every packet is here, so that it can say so.
 */
void mrc_cm_peer_done(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);

	if (!msk->fin_rcvd || msk->rx.next != msk->peer_fin_psn + 1)
		return;
	mrc_cm_send(sk, MRC_OP_CM_DREP, 0);
	if (sk->sk_shutdown & RCV_SHUTDOWN && msk->peer_closed)
		return;
	msk->peer_closed = true;
	WRITE_ONCE(sk->sk_shutdown, sk->sk_shutdown | RCV_SHUTDOWN);
	switch (sk->sk_state) {
	case MRC_S_ESTABLISHED:
		mrc_set_state(sk, MRC_S_CLOSE_WAIT);
		break;
	case MRC_S_DREQ_WAIT1:
		mrc_set_state(sk, MRC_S_CLOSING);
		break;
	case MRC_S_DREQ_WAIT2:
		mrc_tw_add(sk);
		mrc_done(sk);
		return;
	}
	if (!sock_flag(sk, SOCK_DEAD)) {
		sk->sk_state_change(sk);
		sk_wake_async(sk, SOCK_WAKE_WAITD, POLL_IN);
	}
}

static void mrc_cm_rx_dreq(struct sock *sk, const struct mrc_pkt *p)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u64 psn;

	if (p->cm.flags & MRC_DREQ_ABORT) {
		MRC_INC_SK(sk, CM_RESETS);
		mrc_cm_abort(sk, sk->sk_state == MRC_S_CLOSE_WAIT ? EPIPE :
			     ECONNRESET, false);
		return;
	}
	if (!msk->rx_ready || !(p->cm.flags & MRC_DREQ_FIN))
		return;
	psn = mrc_psn_expand(msk->rx.next - 1, p->cm.psn);
	if (msk->fin_rcvd && psn != msk->peer_fin_psn) {
		MRC_INC_SK(sk, RX_BAD_STATE);
		return;
	}
	/* Fewer packets than we have seen: not from our peer's right mind. */
	if (psn < msk->rx.max_seen && msk->rx.max_seen >= msk->rx.next) {
		MRC_INC_SK(sk, RX_BAD_STATE);
		return;
	}
	msk->fin_rcvd = true;
	msk->peer_fin_psn = psn;
	mrc_cm_peer_done(sk);
}

static void mrc_cm_rx_drep(struct sock *sk, const struct mrc_pkt *p)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_sack all = { .cack = p->cm.psn, .probe = true };
	struct mrc_ack_result res;

	if (!msk->fin_sent || msk->fin_acked ||
	    p->cm.psn != (msk->fin_psn & MRC_PSN_MASK))
		return;
	/* It acknowledges all data: the last SACK may have been lost. */
	if (mrc_req_sack(&msk->req, &all, 0, mrc_now(), &res))
		return;
	mrc_tx_release(sk, res.freed_from, res.freed_to);
	/* The timer goes on if a LAP is still to be confirmed. */
	msk->fin_acked = true;
	switch (sk->sk_state) {
	case MRC_S_DREQ_WAIT1:
		mrc_set_state(sk, MRC_S_DREQ_WAIT2);
		msk->fin_wait_ns = mrc_now();
		/* A lingering close() waits for this. */
		sk->sk_state_change(sk);
		break;
	case MRC_S_CLOSING:
	case MRC_S_LAST_DREQ:
		mrc_tw_add(sk);
		mrc_done(sk);
		break;
	}
}

/* ------------------------------------------------------------ endpoints */

static void mrc_cm_rx_lap(struct sock *sk, const struct mrc_pkt *p)
{
	struct mrc_sock *msk = mrc_sk(sk);

	if ((s32)(p->cm.gen - msk->peer_gen) > 0) {
		msk->peer_gen = p->cm.gen;
		msk->n_peer_eps = p->cm.n_eps;
		memcpy(msk->peer_eps, p->cm.eps,
		       p->cm.n_eps * sizeof(p->cm.eps[0]));
		mrc_cm_send(sk, MRC_OP_CM_APR, 0);
		mrc_paths_sync(sk);
	} else if (p->cm.gen == msk->peer_gen) {
		mrc_cm_send(sk, MRC_OP_CM_APR, 0);
	}
}

/* -------------------------------------------------------------- dispatch */

static bool mrc_cm_from_peer(const struct mrc_sock *msk, const struct mrc_cm *cm)
{
	return cm->src_qpn == msk->peer_qpn && cm->src_tag == msk->peer_tag;
}

/**
 * mrc_cm_input() - a connection management message for this socket
 * @sk: listener or connection
 * @skb: the packet, still owned by the caller
 * @p: the same decoded
 *
 * Context: socket lock, softirq or backlog; the caller holds a reference.
 */
void mrc_cm_input(struct sock *sk, struct sk_buff *skb, const struct mrc_pkt *p)
{
	struct mrc_sock *msk = mrc_sk(sk);
	const struct mrc_cm *cm = &p->cm;

	if (p->opcode == MRC_OP_CM_REQ) {
		if (sk->sk_state == MRC_S_LISTEN)
			mrc_listen_rcv_req(sk, skb, p);
		else if (sk->sk_state == MRC_S_REP_SENT &&
			 mrc_cm_from_peer(msk, cm))
			mrc_cm_send(sk, MRC_OP_CM_REP, 0);
		return;
	}
	if (cm->dst_tag != msk->tag || cm->dst_qpn != msk->qpn) {
		MRC_INC_SK(sk, RX_BAD_TAG);
		return;
	}
	if (p->opcode == MRC_OP_CM_REP) {
		if (sk->sk_state != MRC_S_REP_SENT)
			mrc_cm_rx_rep(sk, p);
		return;
	}
	if (p->opcode == MRC_OP_CM_REJ) {
		mrc_cm_rx_rej(sk, p);
		return;
	}
	if (!mrc_cm_from_peer(msk, cm)) {
		MRC_INC_SK(sk, RX_BAD_TAG);
		return;
	}
	msk->heard_ns = mrc_now();
	/* Whatever a peer sends behind our REP proves that it has it. */
	if (sk->sk_state == MRC_S_REP_SENT)
		mrc_child_ready(sk);
	switch (p->opcode) {
	case MRC_OP_CM_DREQ:
		mrc_cm_rx_dreq(sk, p);
		break;
	case MRC_OP_CM_DREP:
		mrc_cm_rx_drep(sk, p);
		break;
	case MRC_OP_CM_LAP:
		mrc_cm_rx_lap(sk, p);
		break;
	case MRC_OP_CM_APR:
		if (cm->gen == msk->lap_gen)
			msk->lap_acked = cm->gen;
		break;
	}
}

/**
 * mrc_cm_timer() - repeat what was not answered
 * @sk: connection
 * @now: ns
 *
 * Context: socket lock; may end the connection, the caller holds a reference.
 */
void mrc_cm_timer(struct sock *sk, u64 now)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u64 waited = now - msk->cm_start_ns, limit = msk->user_timeout;
	u8 op = 0;

	if (now < msk->cm_next_ns)
		return;
	if (sk->sk_state == MRC_S_REQ_SENT) {
		limit = min_t(u64, limit, MRC_CONNECT_TIMEOUT);
		op = MRC_OP_CM_REQ;
	} else if (sk->sk_state == MRC_S_REP_SENT) {
		limit = MRC_ACCEPT_TIMEOUT;
		op = MRC_OP_CM_REP;
	} else if (msk->fin_sent && !msk->fin_acked) {
		op = MRC_OP_CM_DREQ;
	} else if (msk->lap_gen != msk->lap_acked) {
		limit = MRC_NEVER;	/* the connection's own life decides */
		op = MRC_OP_CM_LAP;
	}
	if (!op) {
		msk->cm_next_ns = MRC_NEVER;
		return;
	}
	if (waited > limit) {
		MRC_INC_SK(sk, CM_TIMEOUTS);
		mrc_cm_abort(sk, ETIMEDOUT, false);
		return;
	}
	msk->cm_path++;
	msk->cm_rto = min_t(u64, 2 * msk->cm_rto, MRC_CM_RTO_MAX);
	msk->cm_next_ns = now + msk->cm_rto;
	mrc_cm_send(sk, op, MRC_DREQ_FIN);
	if (op == MRC_OP_CM_DREQ && msk->lap_gen != msk->lap_acked)
		mrc_cm_send(sk, MRC_OP_CM_LAP, 0);
}
