// SPDX-License-Identifier: GPL-2.0
/*
 * MRC requestor: sending, acknowledgment, loss, timers.
 *
 * MRC 1.0 sections 7.3 and 7.4 as publicly known; what the specification
 * leaves to the implementation (when a packet is lost, when a path is dead)
 * is decided here.  Every outstanding packet is on exactly one list, the one
 * of its subflow in send order or the lost list in PSN order, so a SACK
 * costs no more than what it newly tells.
 */
#include "recovery.h"

/* Doublings of the RTO. */
#define MRC_BACKOFF_MAX	6
/* A CACK further behind than this is not old but made up. */
#define MRC_CACK_OLD	65536
/* mrc_txd.subflow of a packet whose last subflow was removed. */
#define MRC_SF_NONE	0xff

/**
 * mrc_req_init() - prepare a requestor
 * @rq: to be initialised
 * @first_psn: PSN of its first packet, from mrc_psn_first()
 * @mpr: packets that the peer takes before it has acknowledged any
 *
 * Scheduler and congestion control are the defaults, no credit limit is set
 * and there are no subflows: the caller changes what it wants before the
 * first packet.
 *
 * Context: any; caller serialises.
 * Return: 0.
 */
int mrc_req_init(struct mrc_req *rq, u64 first_psn, u32 mpr)
{
	memset(rq, 0, sizeof(*rq));
	mrc_txwin_init(&rq->win, first_psn);
	rq->win.right = first_psn + mpr;
	rq->max_seen = first_psn - 1;
	rq->msn_limit = MRC_NEVER;
	rq->sched = &mrc_sched_spray;
	rq->cong = &mrc_cong_aimd;
	return 0;
}

/**
 * mrc_req_destroy() - give back the send window
 * @rq: requestor; payload and subflows belong to the caller
 *
 * Context: any; caller serialises.
 */
void mrc_req_destroy(struct mrc_req *rq)
{
	int i;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++) {
		if (!rq->sf[i])
			continue;
		rq->sf[i]->head = MRC_TX_NIL;
		rq->sf[i]->tail = MRC_TX_NIL;
		rq->sf[i]->inflight = 0;
	}
	mrc_txwin_destroy(&rq->win);
}

/**
 * mrc_req_idle() - is everything acknowledged?
 * @rq: requestor
 *
 * Context: any; caller serialises.
 * Return: true if the window is empty.
 */
bool mrc_req_idle(const struct mrc_req *rq)
{
	return rq->win.una == rq->win.end;
}

/* Subflow of a packet's last transmission, or NULL. */
static struct mrc_subflow *mrc_req_sf(const struct mrc_req *rq,
				      const struct mrc_txd *d)
{
	return d->subflow < MRC_SUBFLOWS_MAX ? rq->sf[d->subflow] : NULL;
}

/* ---------------------------------------------------------------- sending */

/* Do the peer's windows (packets and messages) take the next new packet? */
static bool mrc_req_new_allowed(const struct mrc_req *rq)
{
	const struct mrc_txwin *w = &rq->win;

	if (w->nxt >= w->right)
		return false;
	if (rq->msn_limit == MRC_NEVER)
		return true;
	/* Descriptors hold 32 bits of the number: serial arithmetic. */
	return (s32)(mrc_txwin_at(w, w->nxt)->msn - (u32)rq->msn_limit) < 0;
}

/* The peer's windows keep us from sending, and no SACK is to be expected. */
static bool mrc_req_window_closed(const struct mrc_req *rq)
{
	const struct mrc_txwin *w = &rq->win;

	return w->nxt < w->end && !w->n_inflight && !w->n_lost &&
	       !mrc_req_new_allowed(rq);
}

/* An EV for a packet; a retransmission tries not to repeat its last path. */
static u16 mrc_req_pick_ev(struct mrc_subflow *sf, const struct mrc_txd *d,
			   bool rtx)
{
	u16 idx = mrc_evset_next(&sf->evs);
	int tries = 4;

	while (rtx && d->subflow == sf->id && sf->evs.n > 1 && tries-- &&
	       sf->evs.ev[idx].value == d->ev)
		idx = mrc_evset_next(&sf->evs);
	return idx;
}

/*
 * Ask for a SACK four times per window, and whenever nothing follows that
 * would cause one; a retransmission's fate should be known soon.
 */
static bool mrc_req_ack_req(const struct mrc_req *rq,
			    const struct mrc_subflow *sf,
			    const struct mrc_txd *d, bool rtx)
{
	const struct mrc_txwin *w = &rq->win;

	if (rtx || w->nxt + 1 == w->end || w->nxt + 1 == w->right)
		return true;
	return sf->since_ack_req + mrc_txd_cost(d) >=
	       max_t(u32, sf->cwnd / 4, 2 * sf->mss);
}

/**
 * mrc_req_next() - which packet may be sent now?
 * @rq: requestor
 * @now: ns
 * @tx: out: the decision, valid if true is returned
 *
 * Lost packets first, oldest first; new data never overtakes them, since the
 * receiver can deliver nothing before they are there.  Changes nothing but
 * rotations: a decision that is not carried out is simply not reported to
 * mrc_req_sent().
 *
 * Context: any; caller serialises.
 * Return: true if there is one and a window for it.
 */
bool mrc_req_next(struct mrc_req *rq, u64 now, struct mrc_tx *tx)
{
	struct mrc_txwin *w = &rq->win;
	bool rtx = w->lost_head != MRC_TX_NIL;
	struct mrc_subflow *sf;
	struct mrc_txd *d;
	u64 psn;
	int id;

	if (rtx)
		psn = mrc_txwin_psn(w, w->lost_head);
	else if (w->nxt < w->end && mrc_req_new_allowed(rq))
		psn = w->nxt;
	else
		return false;
	d = mrc_txwin_at(w, psn);
	id = rq->sched->get(rq, d->len, rtx ? d->subflow : MRC_SCHED_NONE);
	if (id < 0 || id >= MRC_SUBFLOWS_MAX || !rq->sf[id])
		return false;
	sf = rq->sf[id];
	tx->psn = psn;
	tx->sf = id;
	tx->ev_idx = mrc_req_pick_ev(sf, d, rtx);
	tx->ev = sf->evs.ev[tx->ev_idx].value;
	tx->rtx = rtx;
	tx->ack_req = mrc_req_ack_req(rq, sf, d, rtx);
	return true;
}

static void mrc_req_count_sent(struct mrc_req *rq, struct mrc_subflow *sf,
			       const struct mrc_txd *d, bool rtx)
{
	rq->pkts_sent++;
	sf->pkts_sent++;
	sf->bytes_sent += d->len;
	if (!rtx)
		return;
	rq->pkts_retrans++;
	rq->bytes_retrans += d->len;
	sf->pkts_retrans++;
}

/**
 * mrc_req_sent() - the packet of a decision went out
 * @rq: requestor
 * @tx: what mrc_req_next() returned, with no other call in between
 * @now: ns
 *
 * Context: any; caller serialises.
 */
void mrc_req_sent(struct mrc_req *rq, const struct mrc_tx *tx, u64 now)
{
	struct mrc_txwin *w = &rq->win;
	struct mrc_txd *d = mrc_txwin_at(w, tx->psn);
	struct mrc_subflow *sf = rq->sf[tx->sf];

	if (w->una == w->nxt)
		rq->progress_ns = now;
	if (tx->rtx) {
		mrc_txwin_lost_del(w, tx->psn);
		d->flags |= MRC_TXD_F_RTX;
	} else {
		w->nxt++;
	}
	d->sent_ns = now;
	d->send_seq = ++sf->send_seq;
	d->subflow = sf->id;
	d->ev = tx->ev;
	d->ev_idx = tx->ev_idx;
	if (d->tx_count < U8_MAX)
		d->tx_count++;
	mrc_txd_set_state(w, d, MRC_TXD_INFLIGHT);
	mrc_txlist_append(w, &sf->head, &sf->tail, tx->psn);
	sf->inflight += mrc_txd_cost(d);
	sf->since_ack_req += mrc_txd_cost(d);
	if (tx->ack_req)
		sf->since_ack_req = 0;
	if (sf->owes_ns == MRC_NEVER)
		sf->owes_ns = now;
	mrc_req_count_sent(rq, sf, d, tx->rtx);
}

/* ------------------------------------------------------------------- loss */

/* A packet in flight is given up; it goes out again as soon as may be. */
static void mrc_req_lose(struct mrc_req *rq, struct mrc_subflow *sf, u64 psn)
{
	struct mrc_txwin *w = &rq->win;
	struct mrc_txd *d = mrc_txwin_at(w, psn);

	mrc_txlist_remove(w, &sf->head, &sf->tail, psn);
	sf->inflight -= mrc_txd_cost(d);
	mrc_txd_set_state(w, d, MRC_TXD_LOST);
	mrc_txwin_lost_add(w, psn);
	sf->pkts_lost++;
}

/* Everything outstanding on a subflow, which is no sign of congestion. */
static u32 mrc_req_lose_all(struct mrc_req *rq, struct mrc_subflow *sf)
{
	u32 n = 0;

	for (; sf->head != MRC_TX_NIL; n++)
		mrc_req_lose(rq, sf, mrc_txwin_psn(&rq->win, sf->head));
	sf->owes_ns = MRC_NEVER;
	sf->since_ack_req = 0;
	return n;
}

/* Paths keep order: what enough later packets have overtaken is lost. */
static u32 mrc_req_detect_loss(struct mrc_req *rq, struct mrc_subflow *sf,
			       u64 now)
{
	u32 n = 0;

	for (; sf->head != MRC_TX_NIL; n++) {
		u64 psn = mrc_txwin_psn(&rq->win, sf->head);
		struct mrc_txd *d = mrc_txwin_at(&rq->win, psn);

		if (d->send_seq + MRC_REORDER > sf->acked_seq)
			break;
		mrc_req_lose(rq, sf, psn);
		mrc_evset_feedback(&sf->evs, d->ev_idx, d->ev, MRC_EV_FB_LOSS);
		rq->cong->on_loss(sf, mrc_txd_cost(d), d->send_seq, now);
	}
	return n;
}

/* -------------------------------------------------------------------- SACK */

/* A SACK on its way through mrc_req_sack(). */
struct mrc_ack_ctx {
	const struct mrc_sack *s;
	u64 now;
	u64 cack;	/* full */
	u64 base;	/* PSN of bit 0 of the bitmap */
	u64 trigger;	/* PSN that caused it; MRC_NEVER if it names none of ours */
	u64 rtt;	/* sample of subflow @rtt_sf, or 0 */
	u8 rtt_sf;
	u8 ce_sf;	/* subflow that met congestion, or MRC_SF_NONE */
	u16 touched;	/* subflows with news */
	u16 heard;	/* of those, the ones that surely delivered something */
	u32 bytes[MRC_SUBFLOWS_MAX];
};

/* Nothing is believed of a SACK that contradicts what was sent. */
static int mrc_ack_check(const struct mrc_req *rq, struct mrc_ack_ctx *c)
{
	const struct mrc_txwin *w = &rq->win;
	const struct mrc_sack *s = c->s;
	u64 t;

	c->cack = mrc_psn_expand(w->una - 1, s->cack);
	if (c->cack >= w->nxt || c->cack + MRC_CACK_OLD < w->una - 1)
		return -ERANGE;
	c->base = c->cack + s->sack_off;
	if (s->bitmap && c->base + fls64(s->bitmap) - 1 >= w->nxt)
		return -ERANGE;
	c->trigger = MRC_NEVER;
	t = c->cack + s->trigger_off;
	if (!s->probe && t >= w->una && t < w->nxt &&
	    mrc_txwin_at(w, t)->ev == s->entropy)
		c->trigger = t;
	return 0;
}

/* Does the SACK say that @psn, which is at least una, was received? */
static bool mrc_ack_covers(const struct mrc_ack_ctx *c, u64 psn)
{
	if (psn <= c->cack)
		return true;
	return psn >= c->base && psn - c->base < 64 &&
	       (c->s->bitmap >> (psn - c->base) & 1);
}

/* What the packet that caused the SACK says about its path. */
static void mrc_ack_trigger(struct mrc_req *rq, struct mrc_ack_ctx *c)
{
	const struct mrc_sack *s = c->s;
	struct mrc_subflow *sf;
	struct mrc_txd *d;

	if (c->trigger == MRC_NEVER)
		return;
	d = mrc_txwin_at(&rq->win, c->trigger);
	sf = mrc_req_sf(rq, d);
	if (!sf)
		return;
	/* Karn: only if it is certain which transmission it was. */
	if (d->state != MRC_TXD_SACKED && mrc_ack_covers(c, c->trigger) &&
	    d->tx_count == (s->rtx ? 2 : 1)) {
		c->rtt = c->now - d->sent_ns;
		c->rtt_sf = sf->id;
		mrc_subflow_rtt_sample(sf, c->rtt);
	}
	if (s->m == MRC_M_SKIP_ONCE || s->m == MRC_M_ALWAYS_SKIP) {
		mrc_evset_feedback(&sf->evs, d->ev_idx, d->ev,
				   s->m == MRC_M_SKIP_ONCE ?
				   MRC_EV_FB_ECN : MRC_EV_FB_ALWAYS_SKIP);
		sf->ecn_marks++;
		c->ce_sf = sf->id;
		c->touched |= 1U << sf->id;
	}
}

/* Take a newly acknowledged packet off whatever list it is on. */
static void mrc_ack_unlink(struct mrc_req *rq, struct mrc_subflow *sf,
			   struct mrc_ack_ctx *c, u64 psn, struct mrc_txd *d)
{
	if (d->state == MRC_TXD_LOST) {
		/* Given up too early; it left the window then. */
		mrc_txwin_lost_del(&rq->win, psn);
	} else if (sf) {
		mrc_txlist_remove(&rq->win, &sf->head, &sf->tail, psn);
		sf->inflight -= mrc_txd_cost(d);
		c->bytes[sf->id] += mrc_txd_cost(d);
	}
	mrc_txd_set_state(&rq->win, d, MRC_TXD_SACKED);
}

/* One packet was received, as far as @c says; it may be known already. */
static u32 mrc_ack_one(struct mrc_req *rq, struct mrc_ack_ctx *c, u64 psn)
{
	struct mrc_txd *d = mrc_txwin_at(&rq->win, psn);
	struct mrc_subflow *sf = mrc_req_sf(rq, d);
	bool rtx = d->flags & MRC_TXD_F_RTX;

	if (d->state == MRC_TXD_SACKED)
		return 0;
	mrc_ack_unlink(rq, sf, c, psn, d);
	if (!sf)
		return 1;
	c->touched |= 1U << sf->id;
	/*
	 * A packet sent twice may have come by its first path: it proves
	 * nothing about the second, unless it is the one the SACK answers.
	 */
	if (!rtx || (psn == c->trigger && c->s->rtx)) {
		mrc_evset_feedback(&sf->evs, d->ev_idx, d->ev, MRC_EV_FB_ACK);
		sf->acked_seq = max(sf->acked_seq, d->send_seq);
		c->heard |= 1U << sf->id;
	}
	return 1;
}

static u32 mrc_ack_all(struct mrc_req *rq, struct mrc_ack_ctx *c)
{
	struct mrc_txwin *w = &rq->win;
	u64 bits = c->s->bitmap, psn;
	u32 n = 0;

	for (psn = w->una; psn <= c->cack; psn++) {
		n += mrc_ack_one(rq, c, psn);
		rq->bytes_acked += mrc_txwin_at(w, psn)->len;
	}
	for (; bits; bits &= bits - 1) {
		psn = c->base + __ffs64(bits);
		if (psn >= w->una)
			n += mrc_ack_one(rq, c, psn);
	}
	return n;
}

/* Tell each subflow with news, and see what it has lost. */
static u32 mrc_ack_subflows(struct mrc_req *rq, const struct mrc_ack_ctx *c)
{
	u32 lost = 0;
	int i;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++) {
		struct mrc_subflow *sf = rq->sf[i];

		if (!(c->touched & (1U << i)))
			continue;
		rq->cong->on_ack(sf, c->bytes[i], c->rtt_sf == i ? c->rtt : 0,
				 c->ce_sf == i, c->now);
		lost += mrc_req_detect_loss(rq, sf, c->now);
		if (c->heard & (1U << i))
			mrc_subflow_heard(sf, c->now);
		else if (sf->head == MRC_TX_NIL)
			/* Whichever path it was: nothing is owed any more. */
			sf->owes_ns = MRC_NEVER;
	}
	return lost;
}

static void mrc_ack_window(struct mrc_req *rq, const struct mrc_ack_ctx *c,
			   unsigned int mpr_shift, struct mrc_ack_result *res)
{
	struct mrc_txwin *w = &rq->win;
	u64 right = c->cack + 1 + ((u64)c->s->mpr << mpr_shift);

	res->freed_from = w->una;
	w->una = max(w->una, c->cack + 1);
	res->freed_to = w->una;
	rq->max_seen = max(rq->max_seen, c->cack);
	/* SACKs overtake each other: the edge never moves back. */
	if (c->s->mpr && right > w->right) {
		w->right = right;
		res->window_opened = true;
	}
}

/**
 * mrc_req_sack() - a SACK has arrived
 * @rq: requestor
 * @s: the SACK; its tags were checked by the caller
 * @mpr_shift: @s->mpr counts units of 1 << @mpr_shift packets, 0..15
 * @now: ns
 * @res: out: what it brought, valid if 0 is returned
 *
 * MRC sections 7.5.2 and 7.3.  Old and repeated SACKs are harmless: what
 * they say is known.  One that claims what was never sent changes nothing.
 *
 * Context: any; caller serialises.
 * Return: 0, or -ERANGE if it cannot be about this connection's packets.
 */
int mrc_req_sack(struct mrc_req *rq, const struct mrc_sack *s,
		 unsigned int mpr_shift, u64 now, struct mrc_ack_result *res)
{
	struct mrc_ack_ctx c = {
		.s = s, .now = now, .rtt_sf = MRC_SF_NONE, .ce_sf = MRC_SF_NONE,
	};
	int err;

	memset(res, 0, sizeof(*res));
	err = mrc_ack_check(rq, &c);
	if (err)
		return err;
	mrc_ack_trigger(rq, &c);
	res->acked = mrc_ack_all(rq, &c);
	res->lost = mrc_ack_subflows(rq, &c);
	mrc_ack_window(rq, &c, mpr_shift, res);
	if (res->acked)
		rq->progress_ns = now;
	return 0;
}

/**
 * mrc_req_nack() - a NACK has arrived
 * @rq: requestor
 * @n: the NACK; its tags were checked by the caller
 * @now: ns
 *
 * MRC section 7.4.4.  The packet is sent again at once.  A NACK about an
 * earlier transmission (other EV) or a packet that was acknowledged
 * meanwhile is no error and has no effect.
 *
 * Context: any; caller serialises.
 * Return: 0, -ERANGE (a PSN that is not outstanding) or -ECONNRESET (the
 * peer gives the connection up).
 */
int mrc_req_nack(struct mrc_req *rq, const struct mrc_nack *n, u64 now)
{
	u64 psn = mrc_psn_expand(rq->win.una, n->psn);
	struct mrc_subflow *sf;
	struct mrc_txd *d;

	if (psn < rq->win.una || psn >= rq->win.nxt)
		return -ERANGE;
	if (n->reason == MRC_NACK_UNEXP_EVENT)
		return -ECONNRESET;
	d = mrc_txwin_at(&rq->win, psn);
	sf = mrc_req_sf(rq, d);
	if (!sf || d->state != MRC_TXD_INFLIGHT || d->ev != n->entropy)
		return 0;
	mrc_req_lose(rq, sf, psn);
	/* At the last hop all paths meet: it is congested, the EV is not. */
	if (n->reason == MRC_NACK_TRIMMED)
		mrc_evset_feedback(&sf->evs, d->ev_idx, d->ev, MRC_EV_FB_TRIM);
	if (n->reason == MRC_NACK_TRIMMED ||
	    n->reason == MRC_NACK_TRIMMED_LASTHOP)
		rq->cong->on_loss(sf, mrc_txd_cost(d), d->send_seq, now);
	return 0;
}

/* --------------------------------------------------------------- subflows */

static bool mrc_req_other_active(const struct mrc_req *rq, int id)
{
	int i;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++)
		if (i != id && rq->sf[i] && rq->sf[i]->state == MRC_SF_ACTIVE)
			return true;
	return false;
}

/**
 * mrc_req_subflow_event() - something happened to a subflow
 * @rq: requestor
 * @id: subflow, 0..MRC_SUBFLOWS_MAX - 1; none there is no error
 * @ev: what happened
 * @now: ns
 *
 * Leaving ACTIVE moves everything outstanding to the others at once.  The
 * last ACTIVE subflow is never suspected: there is nothing better to use.
 *
 * Context: any; caller serialises.
 * Return: packets that must be sent again.
 */
u32 mrc_req_subflow_event(struct mrc_req *rq, int id,
			  enum mrc_subflow_event ev, u64 now)
{
	struct mrc_subflow *sf = rq->sf[id];
	u8 old;

	if (!sf)
		return 0;
	if (ev == MRC_SF_EV_SILENT && !mrc_req_other_active(rq, id))
		return 0;
	old = sf->state;
	if (!mrc_subflow_event(sf, ev, now))
		return 0;
	if (sf->state == MRC_SF_ACTIVE)
		rq->cong->init(sf);
	return old == MRC_SF_ACTIVE ? mrc_req_lose_all(rq, sf) : 0;
}

/**
 * mrc_req_subflow_remove() - a subflow goes away
 * @rq: requestor
 * @id: subflow, 0..MRC_SUBFLOWS_MAX - 1
 * @now: ns
 *
 * The caller frees it.
 *
 * Context: any; caller serialises.
 * Return: packets that must be sent again, or -ENOENT if there is none.
 */
int mrc_req_subflow_remove(struct mrc_req *rq, int id, u64 now)
{
	struct mrc_txwin *w = &rq->win;
	struct mrc_txd *d;
	u32 lost, low;

	if (!rq->sf[id])
		return -ENOENT;
	lost = mrc_req_subflow_event(rq, id, MRC_SF_EV_CLOSE, now);
	/* Its number may be given to another subflow, which lost nothing. */
	for (low = w->lost_head; low != MRC_TX_NIL; low = d->next) {
		d = mrc_txwin_at(w, low);
		if (d->subflow == id)
			d->subflow = MRC_SF_NONE;
	}
	rq->sf[id] = NULL;
	return lost;
}

/* ----------------------------------------------------------------- timers */

static u64 mrc_req_sf_deadline(const struct mrc_req *rq,
			       const struct mrc_subflow *sf)
{
	u64 t = sf->probe_next_ns;

	if (sf->state != MRC_SF_ACTIVE)
		return t;
	if (sf->head != MRC_TX_NIL)
		t = min(t, mrc_txwin_at(&rq->win, sf->head)->sent_ns +
			   mrc_subflow_rto(sf));
	if (sf->owes_ns != MRC_NEVER && mrc_req_other_active(rq, sf->id))
		t = min(t, sf->owes_ns + mrc_subflow_silence(sf));
	return t;
}

/* When a closed window must be probed. */
static u64 mrc_req_window_due(const struct mrc_req *rq)
{
	return max(rq->progress_ns, rq->window_probe_ns) + MRC_WINDOW_PROBE;
}

/**
 * mrc_req_deadline() - when must mrc_req_timer() run?
 * @rq: requestor
 * @now: ns
 *
 * Context: any; caller serialises.
 * Return: ns, not before @now; MRC_NEVER if there is nothing to wait for.
 */
u64 mrc_req_deadline(const struct mrc_req *rq, u64 now)
{
	u64 t = MRC_NEVER;
	int i;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++)
		if (rq->sf[i])
			t = min(t, mrc_req_sf_deadline(rq, rq->sf[i]));
	if (mrc_req_window_closed(rq))
		t = min(t, mrc_req_window_due(rq));
	return max(t, now);
}

/* The RTO: what is as old as that is lost. */
static u32 mrc_req_timeouts(struct mrc_req *rq, struct mrc_subflow *sf, u64 now)
{
	u64 rto = mrc_subflow_rto(sf);
	u32 n = 0;

	for (; sf->head != MRC_TX_NIL; n++) {
		u64 psn = mrc_txwin_psn(&rq->win, sf->head);
		struct mrc_txd *d = mrc_txwin_at(&rq->win, psn);

		if (d->sent_ns + rto > now)
			break;
		mrc_req_lose(rq, sf, psn);
		mrc_evset_feedback(&sf->evs, d->ev_idx, d->ev, MRC_EV_FB_LOSS);
	}
	if (!n)
		return 0;
	if (sf->backoff < MRC_BACKOFF_MAX)
		sf->backoff++;
	rq->cong->on_timeout(sf, now);
	return n;
}

static u32 mrc_req_sf_timer(struct mrc_req *rq, struct mrc_subflow *sf, u64 now)
{
	u32 lost;

	switch (sf->state) {
	case MRC_SF_ACTIVE:
		if (sf->owes_ns != MRC_NEVER &&
		    now >= sf->owes_ns + mrc_subflow_silence(sf)) {
			lost = mrc_req_subflow_event(rq, sf->id,
						     MRC_SF_EV_SILENT, now);
			if (sf->state != MRC_SF_ACTIVE)
				return lost;
		}
		return mrc_req_timeouts(rq, sf, now);
	case MRC_SF_JOINING:
	case MRC_SF_SUSPECT:
		if (sf->probe_lost >= MRC_PROBES_FAILED)
			mrc_req_subflow_event(rq, sf->id, MRC_SF_EV_PROBES_LOST,
					      now);
		return 0;
	default:
		return 0;
	}
}

/*
 * The subflow that was probed the longest time ago, since any may be dead;
 * one whose probe is unanswered goes on at its own interval.
 */
static struct mrc_subflow *mrc_req_probe_target(const struct mrc_req *rq)
{
	u32 mask = mrc_sched_usable_mask(rq);
	struct mrc_subflow *best = NULL;
	int i;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++)
		if ((mask & (1U << i)) && rq->sf[i]->probe_next_ns == MRC_NEVER &&
		    (!best || rq->sf[i]->probe_sent_ns < best->probe_sent_ns))
			best = rq->sf[i];
	return best;
}

/*
 * The SACK that opens a closed window may be lost, and then nothing would
 * ever be sent again: ask.
 */
static void mrc_req_window_timer(struct mrc_req *rq, u64 now)
{
	struct mrc_subflow *sf;
	int i;

	if (!mrc_req_window_closed(rq)) {
		/* ACTIVE subflows are probed for that reason only. */
		for (i = 0; i < MRC_SUBFLOWS_MAX; i++) {
			sf = rq->sf[i];
			if (!sf || sf->state != MRC_SF_ACTIVE)
				continue;
			sf->probe_next_ns = MRC_NEVER;
			sf->probe_pending = false;
			sf->probe_lost = 0;
			sf->probe_interval = MRC_PROBE_FIRST;
		}
		return;
	}
	if (now < mrc_req_window_due(rq))
		return;
	rq->window_probe_ns = now;
	sf = mrc_req_probe_target(rq);
	if (sf)
		sf->probe_next_ns = now;
}

/**
 * mrc_req_timer() - time has passed
 * @rq: requestor
 * @now: ns
 *
 * May be called at any time, and must be at mrc_req_deadline().  Afterwards
 * the caller sends the probes that are due (mrc_subflow_probe_due()) and
 * what mrc_req_next() gives.
 *
 * Context: any; caller serialises.
 * Return: packets newly lost.
 */
u32 mrc_req_timer(struct mrc_req *rq, u64 now)
{
	u32 lost = 0;
	int i;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++)
		if (rq->sf[i])
			lost += mrc_req_sf_timer(rq, rq->sf[i], now);
	mrc_req_window_timer(rq, now);
	return lost;
}
