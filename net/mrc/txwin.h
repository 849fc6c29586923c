/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MRC send window: a ring of packet descriptors indexed by PSN.
 *
 * send() cuts messages into packets and appends descriptors; they leave at
 * the other end when the cumulative acknowledgment passes them.  Payload is
 * not here: a descriptor carries the caller's reference to it.
 *
 *	  una            nxt              end
 *	   |              |                |
 *	...[A][S][L][I][I][Q][Q][Q][Q][Q]  .....
 *	   in flight, lost  never sent yet
 *	   or SACKed
 */
#ifndef _MRC_TXWIN_H
#define _MRC_TXWIN_H

#include "core.h"

/* Ring sizes, descriptors; powers of two. */
#define MRC_TXWIN_MIN	64
#define MRC_TXWIN_MAX	65536

/* End of a list of descriptors. */
#define MRC_TX_NIL	0xffffffffU
/* Lists name a packet by these bits of its PSN, never equal to MRC_TX_NIL. */
#define MRC_TX_LOW_MASK	0x7fffffffU

enum mrc_txd_state {
	MRC_TXD_QUEUED,		/* never sent */
	MRC_TXD_INFLIGHT,	/* on the send order list of its subflow */
	MRC_TXD_LOST,		/* on the lost list */
	MRC_TXD_SACKED,		/* received by the peer, waits for the CACK */
	__MRC_TXD_STATES,
};

#define MRC_TXD_F_FIRST	(1U << 0)	/* first packet of its message */
#define MRC_TXD_F_LAST	(1U << 1)	/* last packet of its message */
#define MRC_TXD_F_RTX	(1U << 2)	/* sent more than once */

/**
 * struct mrc_txd - descriptor of one packet
 * @va: offset of its payload in the connection's byte sequence.
 * @sent_ns: time of the last transmission.
 * @send_seq: number of that transmission on its subflow.
 * @msg_len: length of the whole message, MRC_LEN_OPEN if not known yet.
 * @msn: message number, low 16 bits go on the wire.
 * @len: payload bytes.
 * @prev: neighbour towards older on the list it is on (low PSN bits).
 * @next: neighbour towards younger; MRC_TX_NIL at the ends.
 * @state: enum mrc_txd_state; written by mrc_txd_set_state() only.
 * @flags: MRC_TXD_F_*.
 * @subflow: subflow of the last transmission.
 * @tx_count: transmissions, saturating.
 * @ev: EV of the last transmission.
 * @ev_idx: its index in the subflow's set.
 * @data: payload, opaque to the core.
 * @data_off: offset in it, opaque to the core.
 */
struct mrc_txd {
	u64 va;
	u64 sent_ns;
	u64 send_seq;
	u32 msg_len;
	u32 msn;
	u32 len;
	u32 prev;
	u32 next;
	u8 state;
	u8 flags;
	u8 subflow;
	u8 tx_count;
	u16 ev;
	u16 ev_idx;
	void *data;
	u32 data_off;
};

/**
 * struct mrc_txwin - send window
 * @ring: descriptors, entry of PSN p at p & (size - 1).
 * @size: entries in @ring, a power of two; grows on demand.
 * @una: oldest PSN not acknowledged cumulatively.
 * @nxt: next PSN to be sent for the first time.
 * @end: PSN the next appended packet gets.
 * @right: first PSN the peer does not accept yet (CACK + MPR + 1); never
 *	moves back.
 * @lost_head: oldest lost packet, low PSN bits; MRC_TX_NIL if none.
 * @lost_tail: youngest lost packet.
 * @lost_hint: the packet that joined it last, where the next one will most
 *	likely stand; MRC_TX_NIL if that has left.
 * @n_lost: packets on the lost list.
 * @n_inflight: packets in flight.
 */
struct mrc_txwin {
	struct mrc_txd *ring;
	u32 size;
	u64 una;
	u64 nxt;
	u64 end;
	u64 right;
	u32 lost_head;
	u32 lost_tail;
	u32 lost_hint;
	u32 n_lost;
	u32 n_inflight;
};

/*
 * What a packet costs in a window, bytes: small messages would otherwise let
 * thousands of packets into a path that holds ten.
 */
#define MRC_PKT_OVERHEAD	96

static inline u32 mrc_txd_cost(const struct mrc_txd *d)
{
	return d->len + MRC_PKT_OVERHEAD;
}

/* Descriptor of a PSN in [una, end). */
static inline struct mrc_txd *mrc_txwin_at(const struct mrc_txwin *w, u64 psn)
{
	return &w->ring[psn & (w->size - 1)];
}

/* The low bits of a PSN as kept in lists. */
static inline u32 mrc_tx_low(u64 psn)
{
	return (u32)psn & MRC_TX_LOW_MASK;
}

/* PSN of the low bits kept in lists. */
static inline u64 mrc_txwin_psn(const struct mrc_txwin *w, u32 low)
{
	return w->una + ((low - (u32)w->una) & MRC_TX_LOW_MASK);
}

void mrc_txwin_init(struct mrc_txwin *w, u64 first_psn);
void mrc_txwin_destroy(struct mrc_txwin *w);
struct mrc_txd *mrc_txwin_append(struct mrc_txwin *w, gfp_t gfp);
void mrc_txd_set_state(struct mrc_txwin *w, struct mrc_txd *d, u8 state);
const char *mrc_txd_state_name(u8 state);

/* Lists: doubly linked by low PSN bits, oldest first. */
void mrc_txlist_append(struct mrc_txwin *w, u32 *head, u32 *tail, u64 psn);
void mrc_txlist_remove(struct mrc_txwin *w, u32 *head, u32 *tail, u64 psn);
void mrc_txwin_lost_add(struct mrc_txwin *w, u64 psn);
void mrc_txwin_lost_del(struct mrc_txwin *w, u64 psn);

#endif /* _MRC_TXWIN_H */
