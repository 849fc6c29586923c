// SPDX-License-Identifier: GPL-2.0
/*
 * MRC output: messages become packets, decisions of the core become skbs.
 *
 * Payload is copied once, into page fragments that the send window keeps
 * until it is acknowledged.  Each transmission builds a fresh skb: headers
 * of its own, a reference to the payload.
 */
#include "mrc.h"

/* --------------------------------------------------- cutting messages */

static bool mrc_tx_space(const struct sock *sk)
{
	const struct mrc_txwin *w = &mrc_sk(sk)->req.win;

	return READ_ONCE(sk->sk_wmem_queued) < READ_ONCE(sk->sk_sndbuf) &&
	       w->end - w->una < MRC_TXWIN_MAX / 2;
}

/* Wait for room, holding the turn; returns 0 or an errno. */
static int mrc_wait_space(struct sock *sk, long *timeo)
{
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	struct mrc_sock *msk = mrc_sk(sk);
	int err = 0;

	if (mrc_tx_space(sk))
		return 0;
	msk->tx_busy = true;
	add_wait_queue(sk_sleep(sk), &wait);
	for (;;) {
		sk_set_bit(SOCKWQ_ASYNC_NOSPACE, sk);
		set_bit(SOCK_NOSPACE, &sk->sk_socket->flags);
		err = sk->sk_err || (sk->sk_shutdown & SEND_SHUTDOWN) ? -EPIPE : 0;
		if (err || mrc_tx_space(sk))
			break;
		err = -EAGAIN;
		if (!*timeo)
			break;
		err = sock_intr_errno(*timeo);
		if (signal_pending(current))
			break;
		sk_wait_event(sk, timeo,
			      sk->sk_err || (sk->sk_shutdown & SEND_SHUTDOWN) ||
			      mrc_tx_space(sk), &wait);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	msk->tx_busy = false;
	/* Whoever waits for its turn. */
	wake_up_interruptible_all(sk_sleep(sk));
	return err;
}

/*
 * Find @want bytes of payload, with room around, in one piece.  A page may
 * turn out smaller than that: then the packet becomes shorter.
 */
static u32 mrc_frag_get(struct sock *sk, struct page_frag *frag, u32 want)
{
	u32 extra = MRC_TX_HEADROOM + MRC_TX_TAILROOM;

	if (!sk_page_frag_refill(sk, frag))
		return 0;
	if (frag->size - frag->offset < want + extra) {
		/* The rest of this page is not worth a short packet. */
		put_page(frag->page);
		frag->page = NULL;
		if (!sk_page_frag_refill(sk, frag))
			return 0;
	}
	return min(want, frag->size - frag->offset - extra);
}

static int mrc_fill_payload(struct sock *sk, struct msghdr *msg, u32 want,
			    struct page **page, u32 *off)
{
	struct page_frag *frag = sk_page_frag(sk);
	u32 n = mrc_frag_get(sk, frag, want);

	if (!n)
		return -ENOBUFS;
	*off = frag->offset + MRC_TX_HEADROOM;
	if (copy_from_iter(page_address(frag->page) + *off, n,
			   &msg->msg_iter) != n)
		return -EFAULT;
	get_page(frag->page);
	*page = frag->page;
	frag->offset += ALIGN(MRC_TX_HEADROOM + n + MRC_TX_TAILROOM, 8);
	frag->offset = min(frag->offset, frag->size);
	return n;
}

/*
 * Append one packet of at most @left payload bytes to the send window.
 * @open: more of this record follows; @msg_len: its length if known.
 * Returns payload bytes taken or an errno with nothing changed.
 */
static int mrc_append_packet(struct sock *sk, struct msghdr *msg, u32 left,
			     bool open, u32 msg_len)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct page *page = NULL;
	struct mrc_txd *d, tmp;
	u32 off = 0;
	int n = 0;

	if (left) {
		n = mrc_fill_payload(sk, msg, min(left, msk->max_payload),
				     &page, &off);
		if (n < 0)
			return n;
	}
	tmp.len = n;
	if (!sk_wmem_schedule(sk, mrc_txd_charge(&tmp)))
		goto nomem;
	d = mrc_txwin_append(&msk->req.win, sk->sk_allocation);
	if (!d)
		goto nomem;
	d->va = msk->tx_va;
	d->msn = msk->tx_msn;
	d->len = n;
	d->data = page;
	d->data_off = off;
	d->flags = msk->tx_first ? MRC_TXD_F_FIRST : 0;
	msk->tx_msg_len += n;
	msk->tx_va += n;
	msk->bytes_sent += n;
	msk->tx_first = false;
	if ((u32)n == left && !open) {
		d->flags |= MRC_TXD_F_LAST;
		msg_len = msk->tx_msg_len;
		msk->tx_first = true;
		msk->tx_msg_len = 0;
		msk->tx_msn++;
		msk->msgs_sent++;
	}
	d->msg_len = msg_len;
	sk_wmem_queued_add(sk, mrc_txd_charge(d));
	sk_mem_charge(sk, mrc_txd_charge(d));
	return n;

nomem:
	if (page)
		put_page(page);
	return -ENOBUFS;
}

/* What mrc_output_message() needs to take a message back. */
struct mrc_tx_mark {
	u64 end;
	u64 va;
	u64 msn;
	u32 msg_len;
	bool first;
	bool open;
};

static void mrc_tx_mark(const struct mrc_sock *msk, struct mrc_tx_mark *m)
{
	m->end = msk->req.win.end;
	m->va = msk->tx_va;
	m->msn = msk->tx_msn;
	m->msg_len = msk->tx_msg_len;
	m->first = msk->tx_first;
	m->open = msk->tx_open;
}

/* Only while nothing behind the mark was sent, that is, seen by anyone. */
static void mrc_tx_rollback(struct sock *sk, const struct mrc_tx_mark *m)
{
	struct mrc_sock *msk = mrc_sk(sk);

	mrc_tx_release(sk, m->end, msk->req.win.end);
	msk->req.win.end = m->end;
	msk->bytes_sent -= msk->tx_va - m->va;
	msk->msgs_sent -= msk->tx_msn - m->msn;
	msk->tx_va = m->va;
	msk->tx_msn = m->msn;
	msk->tx_msg_len = m->msg_len;
	msk->tx_first = m->first;
	msk->tx_open = m->open;
}

/**
 * mrc_output_message() - queue a message
 * @sk: connection
 * @msg: where the data is
 * @len: bytes
 * @more: the record goes on (MSG_MORE)
 * @timeo: in and out: how long to wait for room, jiffies
 *
 * A message that fits the send buffer is queued whole or not at all.  A
 * larger one is sent while it is being taken, with its length left open; if
 * that is interrupted the caller learns how much was taken by a short count
 * and the record stays open.
 *
 * Context: process, socket lock (dropped while waiting).
 * Return: bytes taken or a negative errno.
 */
int mrc_output_message(struct sock *sk, struct msghdr *msg, size_t len,
		       bool more, long *timeo)
{
	struct mrc_sock *msk = mrc_sk(sk);
	bool big = len > READ_ONCE(sk->sk_sndbuf);
	u32 msg_len = len, left = len;
	bool waited = false;
	struct mrc_tx_mark mark;
	int err;

	err = mrc_wait_space(sk, timeo);
	if (err)
		return err;
	if (more || big || msk->tx_open)
		msg_len = MRC_LEN_OPEN;
	mrc_tx_mark(msk, &mark);
	msk->tx_open = more || big;
	do {
		if (big && !mrc_tx_space(sk)) {
			waited = true;
			mrc_push(sk);
			mrc_timer_update(sk);
			err = mrc_wait_space(sk, timeo);
			if (err)
				goto fail;
		}
		err = mrc_append_packet(sk, msg, left, more, msg_len);
		if (err < 0)
			goto fail;
		left -= err;
	} while (left);
	msk->tx_open = more;
	return len;

fail:
	if (waited && left < len)
		return len - left;
	mrc_tx_rollback(sk, &mark);
	return err;
}

/* ------------------------------------------------------- building skbs */

static u16 mrc_tstamp(u64 now)
{
	return now >> 7;	/* 128 ns ticks */
}

/* Padding and ICRC in a fragment of their own, behind the payload's. */
static bool mrc_add_trailer(struct sk_buff *skb, u32 pad, u32 crc)
{
	u8 *t = netdev_alloc_frag(MRC_TX_TAILROOM);
	struct page *page;

	if (!t)
		return false;
	memset(t, 0, pad);
	mrc_icrc_store(t + pad, mrc_icrc_update(crc, t, pad));
	page = virt_to_head_page(t);
	skb_add_rx_frag(skb, skb_shinfo(skb)->nr_frags, page,
			t - (u8 *)page_address(page), pad + MRC_ICRC_LEN,
			MRC_TX_TAILROOM);
	return true;
}

static void mrc_data_headers(struct mrc_sock *msk, const struct mrc_tx *tx,
			     const struct mrc_txd *d, u64 now, struct mrc_pkt *p)
{
	p->opcode = mrc_op_write(d->flags & MRC_TXD_F_FIRST,
				 d->flags & MRC_TXD_F_LAST);
	p->pad = -d->len & 3;
	p->ack_req = tx->ack_req;
	p->rtx = tx->rtx;
	p->ts = true;
	p->dqpn = msk->peer_qpn;
	p->psn = tx->psn & MRC_PSN_MASK;
	p->write.msn = d->msn;
	p->write.rqmsn = d->msn;
	p->write.tstamp = mrc_tstamp(now);
	p->write.va = d->va;
	p->write.rkey = msk->peer_rkey;
	p->write.msg_len = d->msg_len;
	p->write.imm = 0;
}

static struct sk_buff *mrc_build_data(struct mrc_sock *msk,
				      const struct mrc_tx *tx,
				      const struct mrc_txd *d, u64 now)
{
	bool copy = d->len <= MRC_TX_COPYBREAK;
	struct sk_buff *skb;
	struct mrc_pkt p;
	const u8 *payload = NULL;
	u32 hdr, crc;
	u8 *at;

	mrc_data_headers(msk, tx, d, now, &p);
	hdr = mrc_wire_hdr_len(p.opcode, true);
	skb = alloc_skb(MRC_SKB_HEADROOM + hdr +
			(copy ? MRC_TX_COPYBREAK + MRC_TX_TAILROOM : 0),
			GFP_ATOMIC);
	if (!skb)
		return NULL;
	skb_reserve(skb, MRC_SKB_HEADROOM);
	at = skb_put(skb, hdr);
	mrc_wire_build(at, hdr, &p);
	crc = mrc_icrc_header(at, hdr);
	if (d->len) {
		payload = page_address((struct page *)d->data) + d->data_off;
		crc = mrc_icrc_update(crc, payload, d->len);
	}
	if (copy) {
		if (d->len)
			skb_put_data(skb, payload, d->len);
		at = skb_put_zero(skb, p.pad + MRC_ICRC_LEN);
		mrc_icrc_store(at + p.pad, mrc_icrc_update(crc, at, p.pad));
		return skb;
	}
	get_page(d->data);
	skb_add_rx_frag(skb, 0, d->data, d->data_off, d->len, d->len);
	if (!mrc_add_trailer(skb, p.pad, crc)) {
		kfree_skb(skb);
		return NULL;
	}
	return skb;
}

/**
 * mrc_build_ctrl() - a packet without payload
 * @p: what it says
 * @gfp: for the skb
 *
 * Return: skb from the BTH to the ICRC with headroom, or NULL.
 */
struct sk_buff *mrc_build_ctrl(const struct mrc_pkt *p, gfp_t gfp)
{
	u32 size = mrc_op_is_cm(p->opcode) ? MRC_HDR_PULL_MAX :
					     mrc_wire_hdr_len(p->opcode, p->ts);
	struct sk_buff *skb;
	u32 len;
	u8 *at;

	skb = alloc_skb(MRC_SKB_HEADROOM + size + MRC_ICRC_LEN, gfp);
	if (!skb)
		return NULL;
	skb_reserve(skb, MRC_SKB_HEADROOM);
	len = mrc_wire_build(skb_tail_pointer(skb), size, p);
	if (WARN_ON_ONCE(!len)) {
		kfree_skb(skb);
		return NULL;
	}
	at = skb_put(skb, len + MRC_ICRC_LEN);
	mrc_icrc_store(at + len, mrc_icrc_header(at, len));
	return skb;
}

/* ------------------------------------------------------------ sending */

/**
 * mrc_best_path() - a path for a control packet
 * @msk: connection
 * @prefer: index to take if it works, or -1
 *
 * Return: index, or -1 if every path is down.
 */
int mrc_best_path(const struct mrc_sock *msk, int prefer)
{
	int i, rank, best = -1, top = 0;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++) {
		const struct mrc_path *p = msk->paths[i];

		if (!p)
			continue;
		switch (p->sf.state) {
		case MRC_SF_ACTIVE:
			rank = 4;
			break;
		case MRC_SF_SUSPECT:
			rank = 2;
			break;
		case MRC_SF_JOINING:
		case MRC_SF_FAILED:
			rank = 1;
			break;
		default:
			continue;
		}
		rank = 2 * rank + (i == prefer);
		if (rank > top) {
			top = rank;
			best = i;
		}
	}
	return best;
}

/**
 * mrc_send_ctrl() - send a control packet over a path
 * @sk: connection
 * @p: path
 * @pkt: what to send
 *
 * Return: 0 or a negative errno; callers repeat what matters.
 */
int mrc_send_ctrl(struct sock *sk, struct mrc_path *p, const struct mrc_pkt *pkt)
{
	struct mrc_evset *evs = &p->sf.evs;
	struct sk_buff *skb = mrc_build_ctrl(pkt, GFP_ATOMIC);

	if (!skb) {
		MRC_INC_SK(sk, TX_NO_MEMORY);
		return -ENOMEM;
	}
	return mrc_path_xmit(sk, p, skb, evs->ev[mrc_evset_next(evs)].value,
			     false);
}

static int mrc_send_data(struct sock *sk, const struct mrc_tx *tx, u64 now)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_txd *d = mrc_txwin_at(&msk->req.win, tx->psn);
	struct sk_buff *skb = mrc_build_data(msk, tx, d, now);

	if (!skb) {
		/* Counts as sent and lost: the retransmission brings it. */
		MRC_INC_SK(sk, TX_NO_MEMORY);
		return 0;
	}
	MRC_INC_SK(sk, TX_DATA);
	if (tx->rtx)
		MRC_INC_SK(sk, TX_RETRANS);
	skb_set_owner_w(skb, sk);
	return mrc_path_xmit(sk, msk->paths[tx->sf], skb, tx->ev, true);
}

/**
 * mrc_push() - send what windows allow
 * @sk: connection
 *
 * Context: socket lock, any context.  The caller updates the timer.
 */
void mrc_push(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_tx tx;
	u64 now;

	if (!((1 << sk->sk_state) & MRC_SF_CONNECTED))
		return;
	now = mrc_now();
	while (mrc_req_next(&msk->req, now, &tx)) {
		if (mrc_send_data(sk, &tx, now)) {
			/* No route: the path is down until that changes. */
			mrc_req_subflow_event(&msk->req, tx.sf,
					      MRC_SF_EV_LINK_DOWN, now);
			continue;
		}
		mrc_req_sent(&msk->req, &tx, now);
	}
	if (msk->fin_wanted && !msk->fin_sent)
		mrc_cm_fin_check(sk);
}

static void mrc_put_tag(const struct mrc_sock *msk, u16 *spdcid, u16 *dpdcid)
{
	*spdcid = msk->peer_tag >> 16;
	*dpdcid = msk->peer_tag;
}

/* Window field of a SACK; remembers what it promises. */
static u8 mrc_advertise(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u64 units;

	mrc_rxwin_advance(&msk->rx, mrc_rx_right_edge(sk));
	units = (msk->rx.right - msk->rx.next) >> msk->mpr_shift;
	units = min_t(u64, units, 255);
	msk->adv_right = msk->rx.next + (units << msk->mpr_shift);
	return units;
}

/**
 * mrc_send_sacks() - report everything that has arrived
 * @sk: connection
 * @path: path of the packet that caused it, or -1
 *
 * Context: socket lock, any context.
 */
void mrc_send_sacks(struct sock *sk, int path)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_pkt p = { .opcode = MRC_OP_SACK, .dqpn = msk->peer_qpn };
	struct mrc_sack s[MRC_RX_DIRTY_MAX];
	unsigned int i, n;
	u8 mpr;

	/* Not with no path either: its deadline would stay in the past. */
	msk->sack_since = MRC_NEVER;
	path = mrc_best_path(msk, path);
	if (path < 0)
		return;
	n = mrc_rxwin_sack(&msk->rx, s, ARRAY_SIZE(s));
	mpr = mrc_advertise(sk);
	for (i = 0; i < n; i++) {
		p.sack = s[i];
		p.psn = s[i].cack;
		p.rtx = s[i].rtx;
		p.sack.mpr = mpr;
		mrc_put_tag(msk, &p.sack.spdcid, &p.sack.dpdcid);
		MRC_INC_SK(sk, TX_SACKS);
		mrc_send_ctrl(sk, msk->paths[path], &p);
	}
}

/**
 * mrc_send_probe_reply() - answer a probe over the path it came by
 * @sk: connection
 * @path: that path
 * @pr: the probe
 *
 * Context: socket lock, any context.
 */
void mrc_send_probe_reply(struct sock *sk, struct mrc_path *path,
			  const struct mrc_probe *pr)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_pkt p = { .opcode = MRC_OP_SACK, .dqpn = msk->peer_qpn };

	/* Reports what is new as well; the probe asks for just that. */
	if (!mrc_rxwin_sack(&msk->rx, &p.sack, 1))
		return;
	p.psn = p.sack.cack;
	p.sack.probe = true;
	p.sack.probe_id = pr->probe_id;
	p.sack.tstamp = pr->tstamp;
	p.sack.mpr = mrc_advertise(sk);
	mrc_put_tag(msk, &p.sack.spdcid, &p.sack.dpdcid);
	MRC_INC_SK(sk, TX_SACKS);
	mrc_send_ctrl(sk, path, &p);
	if (msk->rx_msn_done)
		mrc_send_tack(sk);
}

/**
 * mrc_send_probe() - probe a path
 * @sk: connection
 * @path: path
 * @now: ns
 *
 * Context: socket lock, any context.
 */
void mrc_send_probe(struct sock *sk, struct mrc_path *path, u64 now)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_pkt p = { .opcode = MRC_OP_PROBE, .dqpn = msk->peer_qpn };

	p.probe.probe_id = mrc_subflow_probe_sent(&path->sf, now);
	p.probe.tstamp = mrc_tstamp(now);
	mrc_put_tag(msk, &p.probe.spdcid, &p.probe.dpdcid);
	MRC_INC_SK(sk, TX_PROBES);
	mrc_send_ctrl(sk, path, &p);
}

/* Transport ACK: how many messages the application has taken. */
void mrc_send_tack(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_pkt p = { .opcode = MRC_OP_TACK, .dqpn = msk->peer_qpn };
	int path = mrc_best_path(msk, msk->last_rx_path);

	if (path < 0)
		return;
	p.tack.msn = msk->rx_msn_done;
	p.psn = (msk->rx.next - 1) & MRC_PSN_MASK;
	msk->rx_msn_told = msk->rx_msn_done;
	mrc_send_ctrl(sk, msk->paths[path], &p);
}
