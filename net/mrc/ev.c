// SPDX-License-Identifier: GPL-2.0
/*
 * MRC entropy values: rotation, feedback, replacement.
 *
 * MRC 1.0 section 9 and figure 5 as publicly known.  Two deviations: without
 * packet trimming one loss proves nothing, so it takes MRC_EV_LOSSES of them
 * to retire a value; and a retired value is replaced at once by a fresh one
 * of the same subflow, so that ASSUMED_BAD never stays in a set.
 */
#include "ev.h"

#define MRC_EV_SPAN	(MRC_EV_MAX - MRC_EV_MIN + 1)

static const char *const mrc_ev_state_names[__MRC_EV_STATES] = {
	[MRC_EV_GOOD]		= "good",
	[MRC_EV_SKIP]		= "skip",
	[MRC_EV_ASSUMED_BAD]	= "assumed-bad",
	[MRC_EV_DENIED]		= "denied",
};

/**
 * mrc_ev_state_name() - name of a state for people
 * @state: enum mrc_ev_state
 *
 * Context: any.
 * Return: a name, "unknown" for other numbers.
 */
const char *mrc_ev_state_name(u8 state)
{
	return state < __MRC_EV_STATES ? mrc_ev_state_names[state] : "unknown";
}

/* The one place that writes a state, see the diagram in ev.h. */
static void mrc_ev_set_state(struct mrc_ev *ev, enum mrc_ev_state state)
{
	ev->state = state;
	if (state == MRC_EV_GOOD)
		ev->losses = 0;
}

/* A value that none of the first @n entries has; sets are far below the span. */
static u16 mrc_evset_draw(struct mrc_evset *set, u16 n)
{
	u16 value, i;

	do {
		value = MRC_EV_MIN + mrc_rand(&set->seed) % MRC_EV_SPAN;
		for (i = 0; i < n; i++)
			if (set->ev[i].value == value)
				break;
	} while (i < n);
	return value;
}

/**
 * mrc_evset_init() - draw the EVs of a subflow
 * @set: to be initialised
 * @n: how many, 1..MRC_EVS_MAX
 * @seed: start of the random numbers; senders should not share it, or they
 *	would all take the same paths
 * @gfp: for the array
 *
 * Context: any; caller serialises.
 * Return: 0, -EINVAL (@n out of range) or -ENOMEM.
 */
int mrc_evset_init(struct mrc_evset *set, u16 n, u64 seed, gfp_t gfp)
{
	u16 i;

	memset(set, 0, sizeof(*set));
	if (!n || n > MRC_EVS_MAX)
		return -EINVAL;
	set->ev = kcalloc(n, sizeof(*set->ev), gfp);
	if (!set->ev)
		return -ENOMEM;
	/* The generator sticks at 0. */
	set->seed = seed ? seed : 1;
	for (i = 0; i < n; i++) {
		set->ev[i].value = mrc_evset_draw(set, i);
		mrc_ev_set_state(&set->ev[i], MRC_EV_GOOD);
	}
	set->n = n;
	return 0;
}

/**
 * mrc_evset_destroy() - give back the memory of a set
 * @set: set, also one whose initialisation failed
 *
 * Context: any; caller serialises.
 */
void mrc_evset_destroy(struct mrc_evset *set)
{
	kfree(set->ev);
	set->ev = NULL;
	set->n = 0;
}

/* Nothing is GOOD: what stands next in the rotation, if it is not DENIED. */
static u16 mrc_evset_fallback(const struct mrc_evset *set)
{
	u16 i, idx = set->next;

	for (i = 0; i < set->n; i++) {
		if (set->ev[idx].state != MRC_EV_DENIED)
			return idx;
		idx = idx + 1 == set->n ? 0 : idx + 1;
	}
	return set->next;
}

/**
 * mrc_evset_next() - EV of the next packet
 * @set: set with at least one EV
 *
 * A SKIP EV that the rotation passes is GOOD the next time; at most one in
 * each call, so that a burst of marks is not forgotten at once (MRC section
 * 11.2.2).
 *
 * Context: any; caller serialises.
 * Return: index into the set.
 */
u16 mrc_evset_next(struct mrc_evset *set)
{
	bool restored = false;
	u16 i, idx;

	for (i = 0; i < set->n; i++) {
		struct mrc_ev *ev = &set->ev[set->next];

		idx = set->next;
		set->next = idx + 1 == set->n ? 0 : idx + 1;
		if (ev->state == MRC_EV_GOOD)
			return idx;
		if (ev->state == MRC_EV_SKIP && !restored) {
			mrc_ev_set_state(ev, MRC_EV_GOOD);
			restored = true;
		}
	}
	idx = mrc_evset_fallback(set);
	set->next = idx + 1 == set->n ? 0 : idx + 1;
	return idx;
}

static void mrc_evset_retire(struct mrc_evset *set, struct mrc_ev *ev)
{
	mrc_ev_set_state(ev, MRC_EV_ASSUMED_BAD);
	/* The old value is still in the set and so cannot be drawn again. */
	ev->value = mrc_evset_draw(set, set->n);
	set->retired++;
	mrc_ev_set_state(ev, MRC_EV_GOOD);
}

/**
 * mrc_evset_feedback() - something was learnt about an EV
 * @set: set
 * @idx: index that mrc_evset_next() gave for the packet
 * @value: value that the packet carried; if the entry has another by now,
 *	the feedback is about a path that is not used any more
 * @fb: what was learnt
 *
 * Context: any; caller serialises.
 */
void mrc_evset_feedback(struct mrc_evset *set, u16 idx, u16 value,
			enum mrc_ev_feedback fb)
{
	struct mrc_ev *ev;

	if (idx >= set->n || set->ev[idx].value != value)
		return;
	ev = &set->ev[idx];
	if (ev->state == MRC_EV_DENIED)
		return;
	switch (fb) {
	case MRC_EV_FB_ACK:
		ev->losses = 0;
		break;
	case MRC_EV_FB_ECN:
	case MRC_EV_FB_TRIM:
		if (ev->state == MRC_EV_GOOD)
			mrc_ev_set_state(ev, MRC_EV_SKIP);
		break;
	case MRC_EV_FB_ALWAYS_SKIP:
		mrc_evset_retire(set, ev);
		break;
	case MRC_EV_FB_LOSS:
		if (++ev->losses >= MRC_EV_LOSSES)
			mrc_evset_retire(set, ev);
		break;
	}
}
