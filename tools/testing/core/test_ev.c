// SPDX-License-Identifier: GPL-2.0
/* MRC entropy values. */
#include <errno.h>

#include "harness.h"
#include "ev.h"

static void check_set(const struct mrc_evset *s)
{
	unsigned int i, k;

	for (i = 0; i < s->n; i++) {
		CHECK(s->ev[i].value >= MRC_EV_MIN);
		for (k = 0; k < i; k++)
			CHECK(s->ev[i].value != s->ev[k].value);
	}
}

static void init_sizes(void)
{
	static const u16 sizes[] = { 1, 2, 16, 255, 256 };
	struct mrc_evset s;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		CHECK_EQ(mrc_evset_init(&s, sizes[i], rnd(), GFP_KERNEL), 0);
		CHECK_EQ(s.n, sizes[i]);
		check_set(&s);
		for (k = 0; k < s.n; k++)
			CHECK_EQ(s.ev[k].state, MRC_EV_GOOD);
		mrc_evset_destroy(&s);
	}
	CHECK_EQ(mrc_evset_init(&s, 0, 1, GFP_KERNEL), -EINVAL);
	CHECK_EQ(mrc_evset_init(&s, 257, 1, GFP_KERNEL), -EINVAL);
	mrc_evset_destroy(&s);
	shim_alloc_fail = 1;
	CHECK_EQ(mrc_evset_init(&s, 8, 1, GFP_KERNEL), -ENOMEM);
	mrc_evset_destroy(&s);
	CHECK_EQ(shim_alloc_live, 0);
}

static void seeds_differ(void)
{
	struct mrc_evset a, b, c;
	unsigned int i, same = 0;

	mrc_evset_init(&a, 64, 1, GFP_KERNEL);
	mrc_evset_init(&b, 64, 2, GFP_KERNEL);
	mrc_evset_init(&c, 64, 0, GFP_KERNEL);
	check_set(&c);
	for (i = 0; i < 64; i++)
		same += a.ev[i].value == b.ev[i].value;
	CHECK(same < 4);
	mrc_evset_destroy(&a);
	mrc_evset_destroy(&b);
	mrc_evset_destroy(&c);
}

static void rotation(void)
{
	struct mrc_evset s;
	unsigned int i;

	mrc_evset_init(&s, 5, 3, GFP_KERNEL);
	for (i = 0; i < 20; i++)
		CHECK_EQ(mrc_evset_next(&s), i % 5);
	mrc_evset_destroy(&s);
}

static void mark(struct mrc_evset *s, u16 i, enum mrc_ev_feedback fb)
{
	mrc_evset_feedback(s, i, s->ev[i].value, fb);
}

static void skip_once(void)
{
	struct mrc_evset s;

	mrc_evset_init(&s, 3, 3, GFP_KERNEL);
	mark(&s, 1, MRC_EV_FB_ECN);
	CHECK_EQ(s.ev[1].state, MRC_EV_SKIP);
	CHECK_EQ(mrc_evset_next(&s), 0);
	CHECK_EQ(mrc_evset_next(&s), 2);
	CHECK_EQ(s.ev[1].state, MRC_EV_GOOD);
	CHECK_EQ(mrc_evset_next(&s), 0);
	CHECK_EQ(mrc_evset_next(&s), 1);
	mark(&s, 0, MRC_EV_FB_TRIM);
	CHECK_EQ(s.ev[0].state, MRC_EV_SKIP);
	/* An acknowledgment does not make it GOOD, the rotation does. */
	mark(&s, 0, MRC_EV_FB_ACK);
	CHECK_EQ(s.ev[0].state, MRC_EV_SKIP);
	mrc_evset_destroy(&s);
}

static void one_restoration(void)
{
	struct mrc_evset s;
	unsigned int i, good = 0;

	mrc_evset_init(&s, 4, 3, GFP_KERNEL);
	for (i = 0; i < 3; i++)
		mark(&s, i, MRC_EV_FB_ECN);
	CHECK_EQ(mrc_evset_next(&s), 3);
	for (i = 0; i < 3; i++)
		good += s.ev[i].state == MRC_EV_GOOD;
	CHECK_EQ(good, 1);
	/* All of them marked: there is still an answer, and it ends. */
	for (i = 0; i < 4; i++)
		mark(&s, i, MRC_EV_FB_ECN);
	for (i = 0; i < 10; i++)
		CHECK(mrc_evset_next(&s) < 4);
	mrc_evset_destroy(&s);
}

static void retire(void)
{
	struct mrc_evset s;
	u16 old;

	mrc_evset_init(&s, 4, 3, GFP_KERNEL);
	old = s.ev[2].value;
	mark(&s, 2, MRC_EV_FB_LOSS);
	CHECK_EQ(s.ev[2].value, old);
	mark(&s, 2, MRC_EV_FB_ACK);
	mark(&s, 2, MRC_EV_FB_LOSS);
	CHECK_EQ(s.ev[2].value, old);
	mark(&s, 2, MRC_EV_FB_LOSS);
	CHECK(s.ev[2].value != old);
	CHECK_EQ(s.ev[2].state, MRC_EV_GOOD);
	CHECK_EQ(s.retired, 1);
	/* News of the old path must not touch the new one. */
	mrc_evset_feedback(&s, 2, old, MRC_EV_FB_ALWAYS_SKIP);
	CHECK_EQ(s.retired, 1);
	old = s.ev[0].value;
	mark(&s, 0, MRC_EV_FB_ECN);
	mark(&s, 0, MRC_EV_FB_ALWAYS_SKIP);
	CHECK(s.ev[0].value != old);
	CHECK_EQ(s.retired, 2);
	check_set(&s);
	mrc_evset_feedback(&s, 4, 0xc000, MRC_EV_FB_LOSS);
	mrc_evset_destroy(&s);
}

static void denied(void)
{
	struct mrc_evset s;
	unsigned int i;

	mrc_evset_init(&s, 3, 3, GFP_KERNEL);
	s.ev[1].state = MRC_EV_DENIED;
	for (i = 0; i < 10; i++)
		CHECK(mrc_evset_next(&s) != 1);
	mark(&s, 1, MRC_EV_FB_ALWAYS_SKIP);
	CHECK_EQ(s.ev[1].state, MRC_EV_DENIED);
	mark(&s, 0, MRC_EV_FB_ECN);
	mark(&s, 2, MRC_EV_FB_ECN);
	CHECK(mrc_evset_next(&s) != 1);
	mrc_evset_destroy(&s);
}

static void random_feedback(void)
{
	struct mrc_evset s;
	unsigned int i;

	mrc_evset_init(&s, 16, rnd(), GFP_KERNEL);
	for (i = 0; i < 20000; i++) {
		CHECK(mrc_evset_next(&s) < 16);
		mark(&s, rnd_below(16), rnd_below(5));
	}
	check_set(&s);
	mrc_evset_destroy(&s);
}

static void names(void)
{
	CHECK(!strcmp(mrc_ev_state_name(MRC_EV_SKIP), "skip"));
	CHECK(!strcmp(mrc_ev_state_name(99), "unknown"));
}

static const struct test tests[] = {
	TEST(init_sizes, "a set has equal values, wrong states or leaks"),
	TEST(seeds_differ, "connections take the same paths"),
	TEST(rotation, "the rotation leaves an EV out"),
	TEST(skip_once, "a marked EV is not skipped exactly once"),
	TEST(one_restoration, "one packet restores several EVs, or none is found"),
	TEST(retire, "losses do not retire an EV, or the wrong one"),
	TEST(denied, "a denied EV is used or freed by feedback"),
	TEST(random_feedback, "random feedback breaks a set"),
	TEST(names, "states have no names"),
};

HARNESS_MAIN(tests)
