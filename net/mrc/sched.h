/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MRC scheduler: which subflow the next packet takes.
 */
#ifndef _MRC_SCHED_H
#define _MRC_SCHED_H

#include "core.h"

struct mrc_req;

#define MRC_SCHED_NONE	(-1)

/**
 * struct mrc_sched_ops - a scheduler
 * @name: as in MRC_SCHEDULER.
 * @get: choose the subflow for a packet of @len payload bytes.  @avoid is
 *	the subflow that lost this packet the last time, or MRC_SCHED_NONE;
 *	it is taken only if no other usable subflow exists.  Returns its id,
 *	or MRC_SCHED_NONE if no window is open.
 */
struct mrc_sched_ops {
	const char *name;
	int (*get)(struct mrc_req *rq, u32 len, int avoid);
};

extern const struct mrc_sched_ops mrc_sched_spray;

const struct mrc_sched_ops *mrc_sched_find(const char *name);
int mrc_sched_names(char *buf, size_t size);

/* For schedulers: may this subflow carry data now, and is there room? */
u32 mrc_sched_usable_mask(const struct mrc_req *rq);
bool mrc_sched_usable(const struct mrc_req *rq, int id);
bool mrc_sched_room(const struct mrc_req *rq, int id, u32 len);

#endif /* _MRC_SCHED_H */
