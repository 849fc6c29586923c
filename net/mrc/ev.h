/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MRC entropy values of one subflow: which ones, in what state, which next.
 */
#ifndef _MRC_EV_H
#define _MRC_EV_H

#include "core.h"

/* EVs are UDP source ports; both ends send from this range. */
#define MRC_EV_MIN	0xc000
#define MRC_EV_MAX	0xffff

/* Losses without an acknowledgment in between that retire an EV. */
#define MRC_EV_LOSSES	2

/*
 *	          ECN / TRIMMED              rotation passed it once
 *	  GOOD ------------------> SKIP ---------------------------> GOOD
 *	   |                        |
 *	   | ALWAYS_SKIP or         | the same
 *	   | MRC_EV_LOSSES losses   |
 *	   v                        v
 *	  ASSUMED_BAD: its value is replaced by a fresh one, which is GOOD
 *
 *	DENIED is set and cleared by the administrator only.
 */
enum mrc_ev_state {
	MRC_EV_GOOD,
	MRC_EV_SKIP,
	MRC_EV_ASSUMED_BAD,
	MRC_EV_DENIED,
	__MRC_EV_STATES,
};

/* What was learnt about an EV. */
enum mrc_ev_feedback {
	MRC_EV_FB_ACK,		/* a packet was acknowledged */
	MRC_EV_FB_ECN,		/* SACK said SKIP_ONCE */
	MRC_EV_FB_ALWAYS_SKIP,	/* SACK said ALWAYS_SKIP */
	MRC_EV_FB_TRIM,		/* NACK said TRIMMED */
	MRC_EV_FB_LOSS,		/* a packet was lost untrimmed */
};

/**
 * struct mrc_ev - one entropy value
 * @value: MRC_EV_MIN..MRC_EV_MAX.
 * @state: enum mrc_ev_state; written by mrc_ev_set_state() only.
 * @losses: losses since the last acknowledgment.
 */
struct mrc_ev {
	u16 value;
	u8 state;
	u8 losses;
};

/**
 * struct mrc_evset - the EVs of a subflow
 * @ev: array of @n.
 * @n: number of EVs, 1..MRC_EVS_MAX.
 * @next: where the rotation stands.
 * @seed: state of the generator.
 * @retired: EVs replaced so far.
 */
struct mrc_evset {
	struct mrc_ev *ev;
	u16 n;
	u16 next;
	u64 seed;
	u64 retired;
};

int mrc_evset_init(struct mrc_evset *set, u16 n, u64 seed, gfp_t gfp);
void mrc_evset_destroy(struct mrc_evset *set);
u16 mrc_evset_next(struct mrc_evset *set);
void mrc_evset_feedback(struct mrc_evset *set, u16 idx, u16 value,
			enum mrc_ev_feedback fb);
const char *mrc_ev_state_name(u8 state);

#endif /* _MRC_EV_H */
