/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MRC requestor: what to send next, what an acknowledgment means, what is
 * lost, when to look again.  Ties txwin, subflows, EVs, scheduler and
 * congestion control together.
 */
#ifndef _MRC_RECOVERY_H
#define _MRC_RECOVERY_H

#include "core.h"
#include "cong.h"
#include "sched.h"
#include "subflow.h"
#include "txwin.h"
#include "wire.h"

/* A packet is lost once one sent this many later over its subflow arrived. */
#define MRC_REORDER	3
/* A closed receive window with nothing in flight is probed this often, ns. */
#define MRC_WINDOW_PROBE	(20 * MRC_NSEC_PER_MSEC)

/**
 * struct mrc_req - requestor: the sending half of a connection
 * @win: send window.
 * @sf: subflows by id; NULL where none is.
 * @sched: scheduler.
 * @cong: congestion control.
 * @max_seen: largest CACK accepted so far (una - 1 at the start).
 * @progress_ns: when data was last acknowledged or the window became busy.
 * @window_probe_ns: when a closed window was last probed.
 * @msn_limit: first message number that the peer has no credit for;
 *	MRC_NEVER (as after mrc_req_init()) if messages are not limited.
 * @sched_next: where the scheduler's rotation stands.
 * @bytes_acked: payload bytes acknowledged cumulatively.
 * @bytes_retrans: payload bytes sent again.
 * @pkts_sent: data packets sent.
 * @pkts_retrans: data packets sent again.
 */
struct mrc_req {
	struct mrc_txwin win;
	struct mrc_subflow *sf[MRC_SUBFLOWS_MAX];
	const struct mrc_sched_ops *sched;
	const struct mrc_cong_ops *cong;
	u64 max_seen;
	u64 progress_ns;
	u64 window_probe_ns;
	u64 msn_limit;
	u8 sched_next;
	u64 bytes_acked;
	u64 bytes_retrans;
	u64 pkts_sent;
	u64 pkts_retrans;
};

/**
 * struct mrc_tx - a decision to transmit
 * @psn: which packet.
 * @sf: over which subflow.
 * @ev: with which EV.
 * @ev_idx: its index in the subflow's set.
 * @rtx: it was sent before.
 * @ack_req: ask for a SACK at once (BTH.A).
 */
struct mrc_tx {
	u64 psn;
	u8 sf;
	u16 ev;
	u16 ev_idx;
	bool rtx;
	bool ack_req;
};

/**
 * struct mrc_ack_result - what a SACK brought
 * @acked: packets newly acknowledged, cumulatively or selectively.
 * @lost: packets newly declared lost.
 * @freed_from: PSNs [freed_from, freed_to) left the window: the caller gives
 *	their payload back (their descriptors stay readable until the next
 *	append).
 * @freed_to: see @freed_from.
 * @window_opened: the right edge moved.
 */
struct mrc_ack_result {
	u32 acked;
	u32 lost;
	u64 freed_from;
	u64 freed_to;
	bool window_opened;
};

int mrc_req_init(struct mrc_req *rq, u64 first_psn, u32 mpr);
void mrc_req_destroy(struct mrc_req *rq);
bool mrc_req_next(struct mrc_req *rq, u64 now, struct mrc_tx *tx);
void mrc_req_sent(struct mrc_req *rq, const struct mrc_tx *tx, u64 now);
int mrc_req_sack(struct mrc_req *rq, const struct mrc_sack *s,
		 unsigned int mpr_shift, u64 now, struct mrc_ack_result *res);
int mrc_req_nack(struct mrc_req *rq, const struct mrc_nack *n, u64 now);
u32 mrc_req_subflow_event(struct mrc_req *rq, int id,
			  enum mrc_subflow_event ev, u64 now);
int mrc_req_subflow_remove(struct mrc_req *rq, int id, u64 now);
u64 mrc_req_deadline(const struct mrc_req *rq, u64 now);
u32 mrc_req_timer(struct mrc_req *rq, u64 now);
bool mrc_req_idle(const struct mrc_req *rq);

#endif /* _MRC_RECOVERY_H */
