/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MRC subflow: one (local endpoint, remote endpoint) pair of a connection.
 *
 * State machine, round trip time, window values, counters and probes.  What
 * a packet needs to leave the host (addresses, routes, devices) is added by
 * the connection storey around this struct.
 */
#ifndef _MRC_SUBFLOW_H
#define _MRC_SUBFLOW_H

#include "core.h"
#include "ev.h"

/* Retransmission timeout: bounds, and the value before the first sample, ns. */
#define MRC_RTO_MIN		(4 * MRC_NSEC_PER_MSEC)
#define MRC_RTO_MAX		(1000 * MRC_NSEC_PER_MSEC)
#define MRC_RTO_INIT		(100 * MRC_NSEC_PER_MSEC)
/* Silence that makes a subflow SUSPECT: three RTTs, but at least this, ns. */
#define MRC_SILENT_MIN		(10 * MRC_NSEC_PER_MSEC)
/* Probes: first interval, largest interval after backing off, ns. */
#define MRC_PROBE_FIRST		(10 * MRC_NSEC_PER_MSEC)
#define MRC_PROBE_MAX		(500 * MRC_NSEC_PER_MSEC)
/* Lost probes after which a SUSPECT subflow is FAILED. */
#define MRC_PROBES_FAILED	3

/* What happens to a subflow; what follows is the table in subflow.c. */
enum mrc_subflow_event {
	MRC_SF_EV_ADD,		/* created: CLOSED -> JOINING */
	MRC_SF_EV_PROVED,	/* probe answered, or the REQ/REP went over it */
	MRC_SF_EV_SILENT,	/* nothing heard although it owes SACKs */
	MRC_SF_EV_PROBES_LOST,	/* MRC_PROBES_FAILED probes unanswered */
	MRC_SF_EV_LINK_DOWN,	/* carrier, address, device or route is gone */
	MRC_SF_EV_LINK_UP,	/* and back */
	MRC_SF_EV_CLOSE,	/* removed */
	__MRC_SF_EVENTS,
};

/**
 * struct mrc_subflow - the pure part of a subflow
 * @id: index in the connection's array, 0..MRC_SUBFLOWS_MAX - 1.
 * @plane: plane number.
 * @state: enum mrc_subflow_state; written by mrc_subflow_event() only.
 * @flags: MRC_SF_F_*.
 * @evs: entropy values.
 * @mss: payload bytes of a full packet; windows are never below it.
 *
 * @srtt: smoothed RTT, ns; 0 before the first sample.
 * @rttvar: mean deviation of the RTT, ns.
 * @min_rtt: smallest RTT seen, ns; MRC_NEVER before the first sample.
 * @backoff: doublings of the RTO since something was last heard.
 *
 * @cwnd: congestion window, bytes.
 * @ssthresh: slow start threshold, bytes.
 * @cwnd_acc: bytes acknowledged since the window last grew.
 * @inflight: cost of the packets in flight over it, see mrc_txd_cost().
 * @recovery_seq: the window is not cut again before a packet with a later
 *	@send_seq was acknowledged or lost.
 * @since_ack_req: bytes sent since the last packet with BTH.A.
 *
 * @send_seq: number of the last transmission over it (1, 2, ...).
 * @acked_seq: largest send_seq known to have arrived.
 * @head: oldest outstanding packet, as mrc_tx_low() of its PSN, of the send order
 *	list kept in txwin descriptors; MRC_TX_NIL if none.
 * @tail: youngest outstanding packet; MRC_TX_NIL if none.
 * @heard_ns: when something sent over it was last known to have arrived.
 * @owes_ns: since when it has owed a SACK: the time of the first packet sent
 *	after @heard_ns; MRC_NEVER if it owes nothing.
 *
 * @probe_id: identifier of the last probe.
 * @probe_pending: a probe is unanswered.
 * @probe_lost: probes unanswered in a row.
 * @probe_sent_ns: when the last probe was sent.
 * @probe_next_ns: when the next one is due; MRC_NEVER if none is planned.
 * @probe_interval: current interval, ns.
 *
 * @notify: called by the setter of @state after each change, may be NULL.
 *
 * @bytes_sent: payload bytes sent, retransmissions included.
 * @bytes_received: payload bytes received over it.
 * @pkts_sent: data packets sent.
 * @pkts_received: data packets received.
 * @pkts_retrans: packets sent over it that had been sent before.
 * @pkts_lost: packets sent over it that were declared lost.
 * @ecn_marks: CE marks reported by the peer.
 * @changes: state changes.
 * @changed_ns: time of the last one.
 */
struct mrc_subflow {
	u8 id;
	u8 plane;
	u8 state;
	u32 flags;
	struct mrc_evset evs;
	u32 mss;

	u64 srtt;
	u64 rttvar;
	u64 min_rtt;
	u8 backoff;

	u32 cwnd;
	u32 ssthresh;
	u32 cwnd_acc;
	u32 inflight;
	u64 recovery_seq;
	u32 since_ack_req;

	u64 send_seq;
	u64 acked_seq;
	u32 head;
	u32 tail;
	u64 heard_ns;
	u64 owes_ns;

	u16 probe_id;
	bool probe_pending;
	u8 probe_lost;
	u64 probe_sent_ns;
	u64 probe_next_ns;
	u64 probe_interval;

	void (*notify)(struct mrc_subflow *sf, u8 old_state, u8 new_state);

	u64 bytes_sent;
	u64 bytes_received;
	u64 pkts_sent;
	u64 pkts_received;
	u64 pkts_retrans;
	u64 pkts_lost;
	u64 ecn_marks;
	u64 changes;
	u64 changed_ns;
};

int mrc_subflow_init(struct mrc_subflow *sf, u8 id, u8 plane, u32 mss,
		     u16 n_evs, u64 seed, u64 now, gfp_t gfp);
void mrc_subflow_destroy(struct mrc_subflow *sf);
bool mrc_subflow_event(struct mrc_subflow *sf, enum mrc_subflow_event ev,
		       u64 now);
const char *mrc_subflow_state_name(u8 state);
void mrc_subflow_rtt_sample(struct mrc_subflow *sf, u64 rtt);
u64 mrc_subflow_rto(const struct mrc_subflow *sf);
u64 mrc_subflow_silence(const struct mrc_subflow *sf);
void mrc_subflow_heard(struct mrc_subflow *sf, u64 now);

/* Probes: PETH over this subflow, answered by a SACK with pr = 1. */
bool mrc_subflow_probe_due(const struct mrc_subflow *sf, u64 now);
u16 mrc_subflow_probe_sent(struct mrc_subflow *sf, u64 now);
bool mrc_subflow_probe_answered(struct mrc_subflow *sf, u16 probe_id, u64 now);

#endif /* _MRC_SUBFLOW_H */
