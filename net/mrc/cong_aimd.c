// SPDX-License-Identifier: GPL-2.0
/*
 * MRC congestion control "aimd": additive increase, multiplicative decrease
 * per subflow, driven by CE marks, losses and delay.
 *
 * Slow start and congestion avoidance as in RFC 5681; the cut for a CE mark
 * is gentler than the one for a loss (RFC 8511).  A window never grows while
 * the RTT shows a standing queue: where nothing marks, the alternative is to
 * fill the queue until it drops.  All amounts include MRC_PKT_OVERHEAD for
 * each packet, as mrc_subflow.inflight does.
 */
#include "cong.h"
#include "txwin.h"

#define MRC_AIMD_INIT_PKTS	10
#define MRC_AIMD_MIN_PKTS	2
#define MRC_AIMD_CWND_MAX	(16U << 20)
/* RTT above twice its minimum by this ends slow start, ns. */
#define MRC_AIMD_SS_DELAY	(1 * MRC_NSEC_PER_MSEC)
/* RTT above its minimum by this stops all growth, ns. */
#define MRC_AIMD_MAX_DELAY	(5 * MRC_NSEC_PER_MSEC)

static u32 mrc_aimd_pkts(const struct mrc_subflow *sf, u32 n)
{
	return min_t(u32, n * (sf->mss + MRC_PKT_OVERHEAD), MRC_AIMD_CWND_MAX);
}

static void mrc_aimd_init(struct mrc_subflow *sf)
{
	sf->cwnd = mrc_aimd_pkts(sf, MRC_AIMD_INIT_PKTS);
	sf->ssthresh = U32_MAX;
	sf->cwnd_acc = 0;
	/* What was lost before says nothing about the revived path. */
	sf->recovery_seq = sf->send_seq;
}

/* Cut to @num / @den once for what was sent up to now. */
static void mrc_aimd_cut(struct mrc_subflow *sf, u32 num, u32 den)
{
	sf->cwnd = max(sf->cwnd / den * num, mrc_aimd_pkts(sf, MRC_AIMD_MIN_PKTS));
	sf->ssthresh = sf->cwnd;
	sf->cwnd_acc = 0;
	sf->recovery_seq = sf->send_seq;
}

static void mrc_aimd_grow(struct mrc_subflow *sf, u32 bytes)
{
	if (sf->cwnd < sf->ssthresh) {
		if (sf->srtt && sf->srtt > 2 * sf->min_rtt + MRC_AIMD_SS_DELAY)
			sf->ssthresh = sf->cwnd;
		else
			sf->cwnd += bytes;
	} else {
		sf->cwnd_acc += bytes;
		while (sf->cwnd_acc >= sf->cwnd) {
			sf->cwnd_acc -= sf->cwnd;
			sf->cwnd += sf->mss;
		}
	}
	sf->cwnd = min(sf->cwnd, MRC_AIMD_CWND_MAX);
}

static void mrc_aimd_on_ack(struct mrc_subflow *sf, u32 bytes, u64 rtt, bool ce,
			    u64 now)
{
	if (ce) {
		if (sf->acked_seq > sf->recovery_seq)
			mrc_aimd_cut(sf, 7, 8);
		return;
	}
	/* A window that was not used proves nothing about a larger one. */
	if ((u64)sf->inflight + bytes < sf->cwnd / 2)
		return;
	if (sf->srtt && sf->srtt > sf->min_rtt + MRC_AIMD_MAX_DELAY)
		return;
	mrc_aimd_grow(sf, min(bytes, sf->cwnd));
}

static void mrc_aimd_on_loss(struct mrc_subflow *sf, u32 bytes, u64 send_seq,
			     u64 now)
{
	if (send_seq > sf->recovery_seq)
		mrc_aimd_cut(sf, 7, 10);
}

static void mrc_aimd_on_timeout(struct mrc_subflow *sf, u64 now)
{
	u32 floor = mrc_aimd_pkts(sf, MRC_AIMD_MIN_PKTS);

	sf->ssthresh = max(sf->cwnd / 2, floor);
	sf->cwnd = floor;
	sf->cwnd_acc = 0;
	sf->recovery_seq = sf->send_seq;
}

const struct mrc_cong_ops mrc_cong_aimd = {
	.name		= "aimd",
	.init		= mrc_aimd_init,
	.on_ack		= mrc_aimd_on_ack,
	.on_loss	= mrc_aimd_on_loss,
	.on_timeout	= mrc_aimd_on_timeout,
};
