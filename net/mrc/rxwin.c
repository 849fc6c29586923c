// SPDX-License-Identifier: GPL-2.0
/*
 * MRC responder: the receive window.
 *
 * MRC 1.0 sections 7.5.1 and 7.5.2 as publicly known.  What is particular to
 * sockets: the packets of a connection form one byte sequence, so every
 * packet can be checked against the one before it.  That happens when @next
 * passes it; out of order only what is wrong for certain is refused.
 *
 * An entry of the ring is in use from reception until @next has passed it
 * and its payload was handed over, whichever is later.  A bit of the bitmap
 * is set exactly as long as the entry is in use.
 */
#include "rxwin.h"

/**
 * mrc_rxwin_init() - an empty window without memory
 * @w: to be initialised
 * @first_psn: first PSN expected, from mrc_psn_first()
 * @max_size: packets that may be held, MRC_RXWIN_MIN..MRC_RXWIN_MAX; rounded
 *	down to a power of two
 * @unordered: deliver messages in the order in which they are completed
 *
 * Nothing is accepted before mrc_rxwin_advance().
 *
 * Context: any; caller serialises.
 * Return: 0, or -EINVAL if @max_size is out of range.
 */
int mrc_rxwin_init(struct mrc_rxwin *w, u64 first_psn, u32 max_size,
		   bool unordered)
{
	memset(w, 0, sizeof(*w));
	if (max_size < MRC_RXWIN_MIN || max_size > MRC_RXWIN_MAX)
		return -EINVAL;
	w->max_size = rounddown_pow_of_two(max_size);
	w->next = first_psn;
	w->max_seen = first_psn - 1;
	w->right = first_psn;
	w->base = first_psn;
	w->pop = first_psn;
	w->pop_end = first_psn;
	w->unordered = unordered;
	return 0;
}

static struct mrc_rxd *mrc_rxwin_at(const struct mrc_rxwin *w, u64 psn)
{
	return &w->ring[psn & (w->size - 1)];
}

/**
 * mrc_rxwin_destroy() - give back everything
 * @w: window
 * @release: called with the cookie of each packet not handed over
 *
 * Context: any; caller serialises.
 */
void mrc_rxwin_destroy(struct mrc_rxwin *w, void (*release)(void *cookie))
{
	u32 i;

	if (w->direct.flags & MRC_RXD_F_HELD)
		release(w->direct.cookie);
	w->direct.flags = 0;
	for (i = 0; i < w->size; i++)
		if (w->ring[i].flags & MRC_RXD_F_HELD)
			release(w->ring[i].cookie);
	kvfree(w->ring);
	kvfree(w->bitmap);
	kvfree(w->msgs);
	w->ring = NULL;
	w->bitmap = NULL;
	w->msgs = NULL;
	w->size = 0;
	w->n_msgs = 0;
	w->ooo = 0;
	w->pop = w->next;
	w->pop_end = w->next;
	w->base = w->next;
}

/**
 * mrc_rxwin_advance() - more packets may come
 * @w: window
 * @right: first PSN that is not accepted; below what was promised before it
 *	has no effect
 *
 * Context: any; caller serialises.
 */
void mrc_rxwin_advance(struct mrc_rxwin *w, u64 right)
{
	w->right = max(w->right, right);
}

/**
 * mrc_rxwin_base() - where the ring begins
 * @w: window
 *
 * The ring can hold [base, base + max_size): no more may be advertised.
 *
 * Context: any; caller serialises.
 * Return: oldest PSN that was not handed over; the next expected one if all
 * were.
 */
u64 mrc_rxwin_base(const struct mrc_rxwin *w)
{
	return w->base;
}

/* ------------------------------------------------------------------- ring */

static void mrc_rxwin_move(struct mrc_rxwin *w, struct mrc_rxd *ring,
			   unsigned long *bitmap, u32 size)
{
	u64 psn;

	for (psn = w->base; w->ring && psn <= w->max_seen; psn++) {
		if (!mrc_rxwin_at(w, psn)->flags)
			continue;
		ring[psn & (size - 1)] = *mrc_rxwin_at(w, psn);
		__set_bit(psn & (size - 1), bitmap);
	}
	kvfree(w->ring);
	kvfree(w->bitmap);
	w->ring = ring;
	w->bitmap = bitmap;
	w->size = size;
}

/* Messages in progress never number more than packets, so sizes are equal. */
static void mrc_rxwin_move_msgs(struct mrc_rxwin *w, struct mrc_rxmsg *msgs,
				u32 n)
{
	u32 i;

	for (i = 0; i < w->n_msgs; i++)
		if (w->msgs[i].count)
			msgs[w->msgs[i].msn & (n - 1)] = w->msgs[i];
	kvfree(w->msgs);
	w->msgs = msgs;
	w->n_msgs = n;
}

static enum mrc_rx_verdict mrc_rxwin_grow(struct mrc_rxwin *w, u32 size,
					  gfp_t gfp)
{
	struct mrc_rxmsg *msgs = NULL;
	unsigned long *bitmap;
	struct mrc_rxd *ring;

	ring = kvcalloc(size, sizeof(*ring), gfp);
	bitmap = kvcalloc(BITS_TO_LONGS(size), sizeof(*bitmap), gfp);
	if (w->unordered)
		msgs = kvcalloc(size, sizeof(*msgs), gfp);
	if (!ring || !bitmap || (w->unordered && !msgs)) {
		kvfree(ring);
		kvfree(bitmap);
		kvfree(msgs);
		return MRC_RX_NO_MEMORY;
	}
	mrc_rxwin_move(w, ring, bitmap, size);
	if (w->unordered)
		mrc_rxwin_move_msgs(w, msgs, size);
	return MRC_RX_NEW;
}

/* Make sure that the ring has an entry for @psn, which is not below base. */
static enum mrc_rx_verdict mrc_rxwin_reserve(struct mrc_rxwin *w, u64 psn,
					     gfp_t gfp)
{
	u64 span = psn - w->base + 1;

	if (span > w->max_size)
		return MRC_RX_OUT_OF_WINDOW;
	if (span <= w->size)
		return MRC_RX_NEW;
	return mrc_rxwin_grow(w, max_t(u32, roundup_pow_of_two(span),
				       MRC_RXWIN_MIN), gfp);
}

static void mrc_rxwin_free_entry(struct mrc_rxwin *w, u64 psn)
{
	memset(mrc_rxwin_at(w, psn), 0, sizeof(struct mrc_rxd));
	__clear_bit(psn & (w->size - 1), w->bitmap);
}

/* Each PSN is passed once, so this costs nothing on average. */
static void mrc_rxwin_update_base(struct mrc_rxwin *w)
{
	while (w->base < w->next &&
	       (!w->ring || !mrc_rxwin_at(w, w->base)->flags))
		w->base++;
}

/* Received bits of a group of 64 PSNs starting at @first, a multiple of 64. */
static u64 mrc_rxwin_group(const struct mrc_rxwin *w, u64 first)
{
	u64 bits = 0;
	u32 at;

	if (w->ring) {
		at = first & (w->size - 1);
		bits = w->bitmap[BIT_WORD(at)];
#if BITS_PER_LONG == 32
		bits |= (u64)w->bitmap[BIT_WORD(at) + 1] << 32;
#endif
	}
	/* Entries beyond max_seen or below next are of other PSNs. */
	if (first > w->max_seen)
		return w->next >= first + 64 ? ~0ULL : 0;
	if (w->max_seen - first < 63)
		bits &= (2ULL << (w->max_seen - first)) - 1;
	if (w->next >= first + 64)
		return ~0ULL;
	if (w->next > first)
		bits |= (1ULL << (w->next - first)) - 1;
	return bits;
}

/* The same for any start. */
static u64 mrc_rxwin_bits(const struct mrc_rxwin *w, u64 first)
{
	unsigned int shift = first & 63;
	u64 bits = mrc_rxwin_group(w, first & ~63ULL) >> shift;

	if (shift)
		bits |= mrc_rxwin_group(w, (first & ~63ULL) + 64) << (64 - shift);
	return bits;
}

/* ----------------------------------------------------------------- checks */

/*
 * What is wrong whatever else arrives: a message number or an offset that a
 * packet at this distance from @next cannot have.
 */
static bool mrc_rxwin_plausible(const struct mrc_rxwin *w, u64 psn,
				const struct mrc_rxd *e)
{
	if (e->msn < w->next_msn || e->msn - w->next_msn > psn - w->next)
		return false;
	if (e->va < w->next_va)
		return false;
	if (e->msg_len != MRC_LEN_OPEN && e->len > e->msg_len)
		return false;
	if ((e->flags & MRC_RXD_F_FIRST) && (e->flags & MRC_RXD_F_LAST))
		return e->msg_len == e->len;
	return true;
}

/* Is @e what the packet at @next must be? */
static bool mrc_rxwin_in_step(struct mrc_rxwin *w, const struct mrc_rxd *e)
{
	bool first = e->flags & MRC_RXD_F_FIRST;
	u64 sum;

	if (e->va != w->next_va || e->msn != w->next_msn || first == w->in_msg)
		return false;
	if (first) {
		w->msg_va = e->va;
		w->msg_len = MRC_LEN_OPEN;
	}
	if (e->msg_len != MRC_LEN_OPEN) {
		if (w->msg_len != MRC_LEN_OPEN && w->msg_len != e->msg_len)
			return false;
		w->msg_len = e->msg_len;
	}
	sum = e->va + e->len - w->msg_va;
	if (w->msg_len == MRC_LEN_OPEN)
		return true;
	return e->flags & MRC_RXD_F_LAST ? sum == w->msg_len : sum <= w->msg_len;
}

/* @next passes a packet. */
static void mrc_rxwin_pass(struct mrc_rxwin *w, const struct mrc_rxd *e)
{
	if (!mrc_rxwin_in_step(w, e)) {
		w->broken = true;
		return;
	}
	w->next_va += e->len;
	w->in_msg = !(e->flags & MRC_RXD_F_LAST);
	if (!w->in_msg)
		w->next_msn++;
	w->next++;
}

/* @next moves over what is held behind it. */
static void mrc_rxwin_pass_held(struct mrc_rxwin *w)
{
	while (w->ooo && !w->broken) {
		u64 psn = w->next;
		struct mrc_rxd *e = mrc_rxwin_at(w, psn);

		if (!e->flags)
			break;
		mrc_rxwin_pass(w, e);
		if (w->broken)
			break;
		w->ooo--;
		if (e->flags & MRC_RXD_F_GONE)
			mrc_rxwin_free_entry(w, psn);
	}
}

/* --------------------------------------------------- messages (unordered) */

/* Are all packets of a message here, and do they fit together? */
static bool mrc_rxmsg_whole(const struct mrc_rxwin *w,
			    const struct mrc_rxmsg *m)
{
	u64 psn, va = mrc_rxwin_at(w, m->first)->va, sum = 0;
	u32 len = mrc_rxwin_at(w, m->last)->msg_len;

	for (psn = m->first; psn <= m->last; psn++) {
		const struct mrc_rxd *e = mrc_rxwin_at(w, psn);

		if (!(e->flags & MRC_RXD_F_HELD) || e->msn != m->msn ||
		    e->va != va + sum)
			return false;
		sum += e->len;
	}
	return len == MRC_LEN_OPEN || len == sum;
}

/* A packet of a longer message was put into the ring. */
static void mrc_rxmsg_add(struct mrc_rxwin *w, u64 psn, const struct mrc_rxd *e)
{
	struct mrc_rxmsg *m = &w->msgs[e->msn & (w->n_msgs - 1)];

	if (m->msn != e->msn) {
		/* Numbers in progress span less than the table. */
		if (m->count) {
			w->broken = true;
			return;
		}
		memset(m, 0, sizeof(*m));
		m->msn = e->msn;
	}
	if (((e->flags & MRC_RXD_F_FIRST) && m->first) ||
	    ((e->flags & MRC_RXD_F_LAST) && m->last)) {
		w->broken = true;
		return;
	}
	if (e->flags & MRC_RXD_F_FIRST)
		m->first = psn;
	if (e->flags & MRC_RXD_F_LAST)
		m->last = psn;
	m->count++;
	if (!m->first || !m->last)
		return;
	if (m->last < m->first || m->count > m->last - m->first + 1) {
		w->broken = true;
		return;
	}
	if (m->count < m->last - m->first + 1)
		return;
	if (!mrc_rxmsg_whole(w, m)) {
		w->broken = true;
		return;
	}
	w->pop = m->first;
	w->pop_end = m->last + 1;
	memset(m, 0, sizeof(*m));
}

/* -------------------------------------------------------------- reception */

static void mrc_rxwin_dirty(struct mrc_rxwin *w, u64 psn)
{
	u64 group = psn >> 6;
	int i = w->n_dirty;

	while (i > 0 && w->dirty[i - 1] > group)
		i--;
	if (i > 0 && w->dirty[i - 1] == group)
		return;
	if (w->n_dirty == MRC_RX_DIRTY_MAX) {
		w->sack_now = true;
		return;
	}
	memmove(&w->dirty[i + 1], &w->dirty[i],
		(w->n_dirty - i) * sizeof(w->dirty[0]));
	w->dirty[i] = group;
	/* Report before one must be left out. */
	if (++w->n_dirty == MRC_RX_DIRTY_MAX)
		w->sack_now = true;
}

/* A packet arrived, new or not: it is news for the sender. */
static void mrc_rxwin_note(struct mrc_rxwin *w, u64 psn, const struct mrc_pkt *p,
			   const struct mrc_rx_trigger *t, bool dup)
{
	w->trig_bytes += max_t(u32, p->len, MRC_SACK_MIN_CHARGE);
	if (p->ack_req || t->ce || t->rtx || dup)
		w->sack_now = true;
	/* A mark must not be forgotten because something else came later. */
	if (!w->trigger.ce || t->ce) {
		w->trigger = *t;
		w->trigger.psn = psn;
	}
	/* A duplicate beyond the hole: the SACK about it was lost. */
	if (psn >= w->next)
		mrc_rxwin_dirty(w, psn);
}

static void mrc_rxwin_decode(const struct mrc_rxwin *w, const struct mrc_pkt *p,
			     void *cookie, struct mrc_rxd *e)
{
	e->cookie = cookie;
	e->va = p->write.va;
	e->msn = mrc_expand(w->next_msn, p->write.msn, 16);
	e->msg_len = p->write.msg_len;
	e->len = p->len;
	e->flags = MRC_RXD_F_HELD;
	if (mrc_op_is_first(p->opcode))
		e->flags |= MRC_RXD_F_FIRST;
	if (mrc_op_is_last(p->opcode))
		e->flags |= MRC_RXD_F_LAST;
}

static bool mrc_rxd_only(const struct mrc_rxd *e)
{
	return (e->flags & MRC_RXD_F_FIRST) && (e->flags & MRC_RXD_F_LAST);
}

/* A packet that can be handed over without having been in the ring. */
static void mrc_rxwin_take_direct(struct mrc_rxwin *w, const struct mrc_rxd *e)
{
	mrc_rxwin_pass(w, e);
	if (w->broken)
		return;
	w->direct = *e;
	if (!w->unordered)
		w->pop = w->next;
	mrc_rxwin_pass_held(w);
	if (!w->unordered)
		w->pop_end = w->next;
}

static void mrc_rxwin_take_ring(struct mrc_rxwin *w, u64 psn,
				const struct mrc_rxd *e)
{
	*mrc_rxwin_at(w, psn) = *e;
	__set_bit(psn & (w->size - 1), w->bitmap);
	w->ooo++;
	w->max_seen = max(w->max_seen, psn);
	if (w->unordered && mrc_rxd_only(e)) {
		w->pop = psn;
		w->pop_end = psn + 1;
	} else if (w->unordered) {
		mrc_rxmsg_add(w, psn, e);
	}
	/* A broken message may have entries that were never checked. */
	if (!w->broken)
		mrc_rxwin_pass_held(w);
}

/**
 * mrc_rxwin_receive() - a data packet has arrived
 * @w: window; everything ready was taken by mrc_rxwin_pop()
 * @p: its headers
 * @t: what a SACK must know of it; @t->psn is not looked at
 * @cookie: its payload, opaque
 * @gfp: for a larger ring
 *
 * Afterwards the caller takes what is ready, checks @w->broken and asks
 * mrc_rxwin_sack_due().
 *
 * Context: any; caller serialises.
 * Return: enum mrc_rx_verdict; @cookie stays the caller's unless it is
 * MRC_RX_NEW.
 */
enum mrc_rx_verdict mrc_rxwin_receive(struct mrc_rxwin *w,
				      const struct mrc_pkt *p,
				      const struct mrc_rx_trigger *t,
				      void *cookie, gfp_t gfp)
{
	u64 psn = mrc_psn_expand(w->next, p->psn);
	enum mrc_rx_verdict v;
	struct mrc_rxd e;
	bool direct;

	if (psn >= w->right)
		return MRC_RX_OUT_OF_WINDOW;
	if (psn < w->next || (psn <= w->max_seen && w->ooo &&
			      mrc_rxwin_at(w, psn)->flags)) {
		w->pkts_dup++;
		mrc_rxwin_note(w, psn, p, t, true);
		return MRC_RX_DUP;
	}
	if (w->broken)
		return MRC_RX_INVALID;
	/* Only a caller that did not pop gets here; the peer sends it again. */
	if ((w->direct.flags & MRC_RXD_F_HELD) || w->pop != w->pop_end)
		return MRC_RX_NO_MEMORY;
	mrc_rxwin_decode(w, p, cookie, &e);
	if (!mrc_rxwin_plausible(w, psn, &e))
		return MRC_RX_INVALID;
	direct = psn == w->next && (!w->unordered || mrc_rxd_only(&e));
	if (direct) {
		mrc_rxwin_take_direct(w, &e);
		if (w->next <= psn)
			return MRC_RX_INVALID;
	} else {
		v = mrc_rxwin_reserve(w, psn, gfp);
		if (v != MRC_RX_NEW)
			return v;
		mrc_rxwin_take_ring(w, psn, &e);
	}
	w->max_seen = max(w->max_seen, w->next - 1);
	w->rcvd_bytes += p->len;
	mrc_rxwin_update_base(w);
	mrc_rxwin_note(w, psn, p, t, false);
	return MRC_RX_NEW;
}

/**
 * mrc_rxwin_pop() - next packet for the application
 * @w: window
 * @out: out: the packet; its cookie is the caller's now
 *
 * Packets of a message come together and in order.
 *
 * Context: any; caller serialises.
 * Return: false if nothing is ready.
 */
bool mrc_rxwin_pop(struct mrc_rxwin *w, struct mrc_rxd *out)
{
	struct mrc_rxd *e;
	u64 psn;

	if (w->direct.flags & MRC_RXD_F_HELD) {
		*out = w->direct;
		w->direct.flags = 0;
		return true;
	}
	if (w->pop == w->pop_end)
		return false;
	psn = w->pop++;
	e = mrc_rxwin_at(w, psn);
	*out = *e;
	if (psn < w->next) {
		mrc_rxwin_free_entry(w, psn);
	} else {
		/* Its numbers are still needed when next comes by. */
		e->cookie = NULL;
		e->flags ^= MRC_RXD_F_HELD | MRC_RXD_F_GONE;
	}
	if (w->pop == w->pop_end)
		mrc_rxwin_update_base(w);
	return true;
}

/* ------------------------------------------------------------------- SACK */

/**
 * mrc_rxwin_sack_due() - must a SACK be sent at once?
 * @w: window
 *
 * Context: any; caller serialises.
 * Return: true if so.
 */
bool mrc_rxwin_sack_due(const struct mrc_rxwin *w)
{
	return w->sack_now || w->trig_bytes >= MRC_SACK_THRESHOLD;
}

/**
 * mrc_rxwin_sack_pending() - is there anything that was not reported?
 * @w: window
 *
 * Context: any; caller serialises.
 * Return: true if so.
 */
bool mrc_rxwin_sack_pending(const struct mrc_rxwin *w)
{
	return w->sack_now || w->trig_bytes || w->n_dirty;
}

/* What all SACKs of one report have in common. */
static void mrc_rxwin_sack_fill(const struct mrc_rxwin *w, struct mrc_sack *s)
{
	s64 off = (s64)(w->trigger.psn - (w->next - 1));

	memset(s, 0, sizeof(*s));
	s->cack = (w->next - 1) & MRC_PSN_MASK;
	s->rtx = w->trigger.rtx;
	s->tstamp = w->trigger.tstamp;
	s->ooo = min_t(u32, w->ooo, 0x7fff);
	s->rcvd_bytes = (u32)((w->rcvd_bytes + 255) >> 8) & 0xffffff;
	/* EV 0 exists nowhere: a trigger out of reach is one nobody believes. */
	if (off < S16_MIN || off > S16_MAX)
		return;
	s->trigger_off = off;
	s->entropy = w->trigger.entropy;
}

/* Bitmap of the 64 PSNs from @first on; false if that is too far away. */
static bool mrc_rxwin_sack_map(const struct mrc_rxwin *w, u64 first,
			       struct mrc_sack *s)
{
	s64 off = (s64)(first - (w->next - 1));

	if (off < S16_MIN || off > S16_MAX)
		return false;
	s->sack_off = off;
	s->bitmap = mrc_rxwin_bits(w, first);
	return true;
}

/*
 * Where the bitmap about a group begins.  It ends with the youngest packet
 * of the group: what there is room for before the group is repeated, because
 * SACKs take different paths, overtake each other and get lost.
 */
static u64 mrc_rxwin_sack_first(const struct mrc_rxwin *w, u64 group)
{
	u64 bits = mrc_rxwin_group(w, group);
	u64 last = group + (bits ? fls64(bits) - 1 : 63);

	return max(last - 63, w->next);
}

/**
 * mrc_rxwin_sack() - report what has arrived
 * @w: window
 * @out: out: SACKs in ascending order; tags and mpr are the caller's to set
 * @max: entries in @out; 0 changes nothing
 *
 * One for each group of 64 PSNs with news beyond the first hole, at least
 * one in any case.  What does not fit stays due.
 *
 * Context: any; caller serialises.
 * Return: number of SACKs written.
 */
unsigned int mrc_rxwin_sack(struct mrc_rxwin *w, struct mrc_sack *out,
			    unsigned int max)
{
	unsigned int n = 0, i;

	if (!max)
		return 0;
	for (i = 0; i < w->n_dirty && n < max; i++) {
		u64 group = w->dirty[i] << 6;

		if (group + 64 <= w->next)
			continue;
		/* The next one's bitmap may reach back over all of this. */
		if (i + 1 < w->n_dirty &&
		    mrc_rxwin_sack_first(w, w->dirty[i + 1] << 6) <=
		    max(group, w->next))
			continue;
		mrc_rxwin_sack_fill(w, &out[n]);
		if (mrc_rxwin_sack_map(w, mrc_rxwin_sack_first(w, group),
				       &out[n]))
			n++;
	}
	w->n_dirty -= i;
	memmove(w->dirty, w->dirty + i, w->n_dirty * sizeof(w->dirty[0]));
	if (!n) {
		mrc_rxwin_sack_fill(w, &out[0]);
		mrc_rxwin_sack_map(w, w->next, &out[0]);
		n = 1;
	}
	if (w->trigger.ce)
		out[0].m = MRC_M_SKIP_ONCE;
	w->trigger.ce = false;
	w->trig_bytes = 0;
	w->sack_now = w->n_dirty;
	return n;
}
