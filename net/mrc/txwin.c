// SPDX-License-Identifier: GPL-2.0
/*
 * MRC send window: the ring of packet descriptors and the lists through it.
 */
#include "txwin.h"

static const char *const mrc_txd_state_names[__MRC_TXD_STATES] = {
	[MRC_TXD_QUEUED]	= "queued",
	[MRC_TXD_INFLIGHT]	= "inflight",
	[MRC_TXD_LOST]		= "lost",
	[MRC_TXD_SACKED]	= "sacked",
};

/**
 * mrc_txd_state_name() - name of a state for people
 * @state: enum mrc_txd_state
 *
 * Context: any.
 * Return: a name, "unknown" for other numbers.
 */
const char *mrc_txd_state_name(u8 state)
{
	return state < __MRC_TXD_STATES ? mrc_txd_state_names[state] : "unknown";
}

/**
 * mrc_txwin_init() - an empty window without memory
 * @w: to be initialised
 * @first_psn: PSN of the first packet, from mrc_psn_first()
 *
 * Context: any; caller serialises.
 */
void mrc_txwin_init(struct mrc_txwin *w, u64 first_psn)
{
	memset(w, 0, sizeof(*w));
	w->una = first_psn;
	w->nxt = first_psn;
	w->end = first_psn;
	w->right = first_psn;
	w->lost_head = MRC_TX_NIL;
	w->lost_tail = MRC_TX_NIL;
	w->lost_hint = MRC_TX_NIL;
}

/**
 * mrc_txwin_destroy() - give back the ring
 * @w: window; the payload of its packets belongs to the caller
 *
 * Context: any; caller serialises.
 */
void mrc_txwin_destroy(struct mrc_txwin *w)
{
	kvfree(w->ring);
	w->ring = NULL;
	w->size = 0;
	w->una = w->end;
	w->nxt = w->end;
	w->lost_head = MRC_TX_NIL;
	w->lost_tail = MRC_TX_NIL;
	w->lost_hint = MRC_TX_NIL;
	w->n_lost = 0;
	w->n_inflight = 0;
}

/*
 * Lists name packets by PSN, not by address or index, so they survive the
 * move to a larger ring as they are.
 */
static bool mrc_txwin_grow(struct mrc_txwin *w, gfp_t gfp)
{
	u32 size = w->size ? 2 * w->size : MRC_TXWIN_MIN;
	struct mrc_txd *ring;
	u64 psn;

	if (size > MRC_TXWIN_MAX)
		return false;
	ring = kvcalloc(size, sizeof(*ring), gfp);
	if (!ring)
		return false;
	for (psn = w->una; psn < w->end; psn++)
		ring[psn & (size - 1)] = *mrc_txwin_at(w, psn);
	kvfree(w->ring);
	w->ring = ring;
	w->size = size;
	return true;
}

/**
 * mrc_txwin_append() - a packet joins the window
 * @w: window
 * @gfp: for a larger ring
 *
 * The ring exists from the first packet on and doubles when it is full.
 *
 * Context: any; caller serialises.
 * Return: the zeroed descriptor (QUEUED) of the PSN that @w->end was, or
 * NULL: MRC_TXWIN_MAX packets are in the window, or there is no memory.
 */
struct mrc_txd *mrc_txwin_append(struct mrc_txwin *w, gfp_t gfp)
{
	struct mrc_txd *d;

	if (w->end - w->una >= w->size && !mrc_txwin_grow(w, gfp))
		return NULL;
	d = mrc_txwin_at(w, w->end);
	memset(d, 0, sizeof(*d));
	d->prev = MRC_TX_NIL;
	d->next = MRC_TX_NIL;
	w->end++;
	return d;
}

/**
 * mrc_txd_set_state() - the one place that writes a descriptor's state
 * @w: window
 * @d: descriptor in it
 * @state: enum mrc_txd_state
 *
 * Keeps the window's counters; lists are the caller's.
 *
 * Context: any; caller serialises.
 */
void mrc_txd_set_state(struct mrc_txwin *w, struct mrc_txd *d, u8 state)
{
	if (d->state == MRC_TXD_INFLIGHT)
		w->n_inflight--;
	else if (d->state == MRC_TXD_LOST)
		w->n_lost--;
	d->state = state;
	if (state == MRC_TXD_INFLIGHT)
		w->n_inflight++;
	else if (state == MRC_TXD_LOST)
		w->n_lost++;
}

/* Put a packet behind @prev; MRC_TX_NIL means in front of all. */
static void mrc_txlist_insert(struct mrc_txwin *w, u32 *head, u32 *tail,
			      u32 prev, u64 psn)
{
	struct mrc_txd *d = mrc_txwin_at(w, psn);

	d->prev = prev;
	d->next = prev == MRC_TX_NIL ? *head : mrc_txwin_at(w, prev)->next;
	if (prev == MRC_TX_NIL)
		*head = mrc_tx_low(psn);
	else
		mrc_txwin_at(w, prev)->next = mrc_tx_low(psn);
	if (d->next == MRC_TX_NIL)
		*tail = mrc_tx_low(psn);
	else
		mrc_txwin_at(w, d->next)->prev = mrc_tx_low(psn);
}

/**
 * mrc_txlist_append() - a packet joins a list as its youngest
 * @w: window
 * @head: oldest of the list, MRC_TX_NIL if it is empty
 * @tail: youngest of the list
 * @psn: packet in the window, on no list
 *
 * Context: any; caller serialises.
 */
void mrc_txlist_append(struct mrc_txwin *w, u32 *head, u32 *tail, u64 psn)
{
	mrc_txlist_insert(w, head, tail, *tail, psn);
}

/**
 * mrc_txlist_remove() - a packet leaves a list
 * @w: window
 * @head: oldest of the list
 * @tail: youngest of the list
 * @psn: packet on this list
 *
 * Context: any; caller serialises.
 */
void mrc_txlist_remove(struct mrc_txwin *w, u32 *head, u32 *tail, u64 psn)
{
	struct mrc_txd *d = mrc_txwin_at(w, psn);

	if (d->prev == MRC_TX_NIL)
		*head = d->next;
	else
		mrc_txwin_at(w, d->prev)->next = d->next;
	if (d->next == MRC_TX_NIL)
		*tail = d->prev;
	else
		mrc_txwin_at(w, d->next)->prev = d->prev;
	d->prev = MRC_TX_NIL;
	d->next = MRC_TX_NIL;
}

/* The packet on the lost list behind which @psn belongs. */
static u32 mrc_txwin_lost_place(const struct mrc_txwin *w, u64 psn)
{
	u32 at = w->lost_tail;

	if (at == MRC_TX_NIL || mrc_txwin_psn(w, at) < psn)
		return at;
	if (mrc_txwin_psn(w, w->lost_head) > psn)
		return MRC_TX_NIL;
	/*
	 * Packets are lost in runs: when a subflow dies its packets come in
	 * ascending order, and each belongs shortly behind the one before.
	 */
	if (w->lost_hint != MRC_TX_NIL)
		at = w->lost_hint;
	while (mrc_txwin_psn(w, at) > psn)
		at = mrc_txwin_at(w, at)->prev;
	while (mrc_txwin_psn(w, mrc_txwin_at(w, at)->next) < psn)
		at = mrc_txwin_at(w, at)->next;
	return at;
}

/**
 * mrc_txwin_lost_add() - a packet joins the lost list, which is sorted by PSN
 * @w: window
 * @psn: packet in the window, on no list
 *
 * The state is the caller's to set.
 *
 * Context: any; caller serialises.
 */
void mrc_txwin_lost_add(struct mrc_txwin *w, u64 psn)
{
	mrc_txlist_insert(w, &w->lost_head, &w->lost_tail,
			  mrc_txwin_lost_place(w, psn), psn);
	w->lost_hint = mrc_tx_low(psn);
}

/**
 * mrc_txwin_lost_del() - a packet leaves the lost list
 * @w: window
 * @psn: packet on it
 *
 * Context: any; caller serialises.
 */
void mrc_txwin_lost_del(struct mrc_txwin *w, u64 psn)
{
	if (w->lost_hint == mrc_tx_low(psn))
		w->lost_hint = mrc_txwin_at(w, psn)->prev;
	mrc_txlist_remove(w, &w->lost_head, &w->lost_tail, psn);
}
