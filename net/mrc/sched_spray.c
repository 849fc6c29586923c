// SPDX-License-Identifier: GPL-2.0
/*
 * MRC scheduler "spray": the subflow whose window is least full.
 *
 * Filling all windows to the same degree spreads the packets in proportion
 * to the windows, so unequal planes are used in full and a slow one gets
 * only what it can carry.
 */
#include "recovery.h"

/* Is @a less full than @b?  Windows are below 2^32, the products fit. */
static bool mrc_spray_less(const struct mrc_subflow *a,
			   const struct mrc_subflow *b)
{
	return (u64)a->inflight * b->cwnd < (u64)b->inflight * a->cwnd;
}

static int mrc_spray_pick(const struct mrc_req *rq, u32 mask, u32 len)
{
	int best = MRC_SCHED_NONE, i;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++) {
		/* Starting behind the last one breaks ties by rotation. */
		int id = (rq->sched_next + i) % MRC_SUBFLOWS_MAX;

		if (!(mask & (1U << id)) || !mrc_sched_room(rq, id, len))
			continue;
		if (best < 0 || mrc_spray_less(rq->sf[id], rq->sf[best]))
			best = id;
	}
	return best;
}

/*
 * A retransmission waits for room on another subflow rather than take the
 * one that lost it: that one may be dead, and waiting costs one SACK.
 */
static int mrc_spray_get(struct mrc_req *rq, u32 len, int avoid)
{
	u32 mask = mrc_sched_usable_mask(rq), others = mask;
	int id;

	if (avoid >= 0 && avoid < MRC_SUBFLOWS_MAX)
		others &= ~(1U << avoid);
	id = mrc_spray_pick(rq, others ? others : mask, len);
	if (id >= 0)
		rq->sched_next = (id + 1) % MRC_SUBFLOWS_MAX;
	return id;
}

const struct mrc_sched_ops mrc_sched_spray = {
	.name	= "spray",
	.get	= mrc_spray_get,
};
