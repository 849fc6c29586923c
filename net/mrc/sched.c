// SPDX-License-Identifier: GPL-2.0
/*
 * MRC scheduler: the list of what there is, and what all of them need.
 */
#include "recovery.h"

static const struct mrc_sched_ops *const mrc_scheds[] = {
	&mrc_sched_spray,
};

/**
 * mrc_sched_find() - scheduler of a name
 * @name: as in MRC_SCHEDULER
 *
 * Context: any.
 * Return: its operations, or NULL.
 */
const struct mrc_sched_ops *mrc_sched_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mrc_scheds); i++)
		if (!strcmp(mrc_scheds[i]->name, name))
			return mrc_scheds[i];
	return NULL;
}

/**
 * mrc_sched_names() - all names, separated by spaces
 * @buf: where to write them, always terminated
 * @size: bytes in @buf, not 0
 *
 * Context: any.
 * Return: characters written without the final NUL.
 */
int mrc_sched_names(char *buf, size_t size)
{
	unsigned int i;
	int n = 0;

	for (i = 0; i < ARRAY_SIZE(mrc_scheds); i++)
		n += scnprintf(buf + n, size - n, "%s%s", i ? " " : "",
			       mrc_scheds[i]->name);
	return n;
}

/**
 * mrc_sched_usable_mask() - which subflows may carry data now?
 * @rq: requestor
 *
 * ACTIVE ones; backup ones only while no other is ACTIVE.  The subflow that
 * carried the REQ over the route's addresses stands back in the same way
 * once there are subflows over endpoints.
 *
 * Context: any; caller serialises.
 * Return: bit N is set for the subflow with id N.
 */
u32 mrc_sched_usable_mask(const struct mrc_req *rq)
{
	u32 first = 0, backup = 0;
	int i;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++) {
		const struct mrc_subflow *sf = rq->sf[i];

		if (!sf || sf->state != MRC_SF_ACTIVE)
			continue;
		if (sf->flags & (MRC_SF_F_BACKUP | MRC_SF_F_INITIAL))
			backup |= 1U << i;
		else
			first |= 1U << i;
	}
	return first ? first : backup;
}

/**
 * mrc_sched_usable() - may this subflow carry data now?
 * @rq: requestor
 * @id: subflow, any number
 *
 * Context: any; caller serialises.
 * Return: true if so.
 */
bool mrc_sched_usable(const struct mrc_req *rq, int id)
{
	if (id < 0 || id >= MRC_SUBFLOWS_MAX)
		return false;
	return mrc_sched_usable_mask(rq) & (1U << id);
}

/**
 * mrc_sched_room() - is its congestion window open?
 * @rq: requestor
 * @id: a subflow that exists
 * @len: payload bytes of the packet
 *
 * One packet is always allowed, or a window below a packet would never open.
 *
 * Context: any; caller serialises.
 * Return: true if so.
 */
bool mrc_sched_room(const struct mrc_req *rq, int id, u32 len)
{
	const struct mrc_subflow *sf = rq->sf[id];

	return !sf->inflight ||
	       (u64)sf->inflight + len + MRC_PKT_OVERHEAD <= sf->cwnd;
}
