/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MRC responder: which packets have arrived, what can be delivered, which
 * SACKs are due.
 *
 *	  next                  max_seen      right
 *	   |                       |            |
 *	...[ ][x][x][ ][ ][x][ ][x]  ...        |
 *	   hole  received out of order     advertised to here
 *
 * A packet in order with nothing held is handed over without touching
 * memory; the ring exists only once something came out of order.
 */
#ifndef _MRC_RXWIN_H
#define _MRC_RXWIN_H

#include "core.h"
#include "wire.h"

#define MRC_RXWIN_MIN		64
#define MRC_RXWIN_MAX		32768
/* Bytes (1 KiB at least per packet) after which a SACK is due. */
#define MRC_SACK_THRESHOLD	(16 * 1024)
#define MRC_SACK_MIN_CHARGE	1024
/* Groups of 64 PSNs received out of order and not yet reported. */
#define MRC_RX_DIRTY_MAX	16

enum mrc_rx_verdict {
	MRC_RX_NEW,		/* taken; the cookie belongs to the window now */
	MRC_RX_DUP,		/* already had it: the caller frees it */
	MRC_RX_OUT_OF_WINDOW,	/* beyond the right edge: the caller frees it */
	MRC_RX_INVALID,		/* contradicts what is known: the caller frees it */
	MRC_RX_NO_MEMORY,	/* the caller frees it; not acknowledged */
};

#define MRC_RXD_F_FIRST	(1U << 0)
#define MRC_RXD_F_LAST	(1U << 1)
#define MRC_RXD_F_HELD	(1U << 2)	/* entry in use */
#define MRC_RXD_F_GONE	(1U << 3)	/* payload was delivered already */

/**
 * struct mrc_rxd - one received packet
 * @cookie: payload, opaque to the core.
 * @va: byte offset in the connection.
 * @msn: message number.
 * @msg_len: length of the message, MRC_LEN_OPEN if not known.
 * @len: payload bytes.
 * @flags: MRC_RXD_F_*.
 */
struct mrc_rxd {
	void *cookie;
	u64 va;
	u64 msn;
	u32 msg_len;
	u32 len;
	u8 flags;
};

/**
 * struct mrc_rxmsg - a message in progress, unordered delivery only
 * @msn: its number; an entry with another number is free.
 * @first: PSN of its first packet, 0 if not seen.
 * @last: PSN of its last packet, 0 if not seen.
 * @count: packets received.
 */
struct mrc_rxmsg {
	u64 msn;
	u64 first;
	u64 last;
	u32 count;
};

/**
 * struct mrc_rx_trigger - the packet that a SACK answers
 * @psn: its PSN.
 * @entropy: its EV.
 * @tstamp: its TSETH time.
 * @rtx: it was a retransmission.
 * @ce: it carried a CE mark.
 */
struct mrc_rx_trigger {
	u64 psn;
	u32 entropy;
	u16 tstamp;
	bool rtx;
	bool ce;
};

/**
 * struct mrc_rxwin - receive window
 * @ring: received out of order, entry of PSN p at p & (size - 1); NULL until
 *	needed.
 * @size: entries in @ring, a power of two; grows to @max_size.
 * @max_size: MRC_RXWIN_MIN..MRC_RXWIN_MAX; packets in flight never exceed it.
 * @bitmap: one bit for each entry of @ring: received.
 * @next: next PSN expected in order (CACK + 1).
 * @max_seen: largest PSN received; next - 1 if nothing is out of order.
 * @right: first PSN not accepted; what was promised is never taken back.
 * @next_msn: message number that the packet at @next must have, for checks.
 * @next_va: byte offset that the packet at @next must have.
 * @in_msg: the packet at @next continues a message.
 * @msg_va: byte offset at which that message began.
 * @msg_len: its length, MRC_LEN_OPEN if no packet has told it yet.
 * @base: oldest PSN that still occupies the ring; @next if none does.
 * @pop: next PSN to be handed over by mrc_rxwin_pop(); entries
 *	[pop, pop_end) are ready, after @direct.
 * @pop_end: see @pop.  Ordered mode: equals @next.  Unordered mode: the one
 *	message that the last packet completed.
 * @direct: packet that is ready without having been in the ring (F_HELD).
 * @ooo: packets held beyond @next.
 * @broken: the peer contradicted itself (offset, message number, first or
 *	last flag out of step): the connection must be aborted.
 * @unordered: deliver messages as soon as they are complete.
 * @msgs: messages in progress, by msn & (n_msgs - 1); unordered mode.
 * @n_msgs: entries in @msgs, a power of two; grows like @ring.
 * @trig_bytes: bytes received since the last SACK.
 * @sack_now: a SACK is due at once.
 * @trigger: packet that the next SACK answers.
 * @dirty: groups (PSN >> 6) with news since the last SACK, ascending.
 * @n_dirty: entries in @dirty.
 * @rcvd_bytes: bytes received in all (each packet's payload, once).
 * @pkts_dup: duplicates.
 */
struct mrc_rxwin {
	struct mrc_rxd *ring;
	unsigned long *bitmap;
	u32 size;
	u32 max_size;
	u64 next;
	u64 max_seen;
	u64 right;
	u64 next_msn;
	u64 next_va;
	bool in_msg;
	u64 msg_va;
	u32 msg_len;
	u64 base;
	u64 pop;
	u64 pop_end;
	struct mrc_rxd direct;
	u32 ooo;
	bool broken;
	bool unordered;
	struct mrc_rxmsg *msgs;
	u32 n_msgs;
	u32 trig_bytes;
	bool sack_now;
	struct mrc_rx_trigger trigger;
	u64 dirty[MRC_RX_DIRTY_MAX];
	u8 n_dirty;
	u64 rcvd_bytes;
	u64 pkts_dup;
};

int mrc_rxwin_init(struct mrc_rxwin *w, u64 first_psn, u32 max_size,
		   bool unordered);
void mrc_rxwin_destroy(struct mrc_rxwin *w, void (*release)(void *cookie));
enum mrc_rx_verdict mrc_rxwin_receive(struct mrc_rxwin *w,
				      const struct mrc_pkt *p,
				      const struct mrc_rx_trigger *t,
				      void *cookie, gfp_t gfp);
bool mrc_rxwin_pop(struct mrc_rxwin *w, struct mrc_rxd *out);
void mrc_rxwin_advance(struct mrc_rxwin *w, u64 right);
u64 mrc_rxwin_base(const struct mrc_rxwin *w);
bool mrc_rxwin_sack_due(const struct mrc_rxwin *w);
bool mrc_rxwin_sack_pending(const struct mrc_rxwin *w);
unsigned int mrc_rxwin_sack(struct mrc_rxwin *w, struct mrc_sack *out,
			    unsigned int max);

#endif /* _MRC_RXWIN_H */
