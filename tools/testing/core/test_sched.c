// SPDX-License-Identifier: GPL-2.0
/* MRC scheduler. */
#include "harness.h"
#include "recovery.h"

static struct mrc_req rq;
static struct mrc_subflow sf[MRC_SUBFLOWS_MAX];

static void fresh(int n)
{
	int i;

	mrc_req_init(&rq, mrc_psn_first(0), 100);
	memset(sf, 0, sizeof(sf));
	for (i = 0; i < n; i++) {
		sf[i].id = i;
		sf[i].state = MRC_SF_ACTIVE;
		sf[i].cwnd = 100000;
		rq.sf[i] = &sf[i];
	}
}

static void states(void)
{
	int s;

	fresh(2);
	for (s = 0; s < __MRC_SF_STATES; s++) {
		sf[0].state = s;
		CHECK_EQ(mrc_sched_usable(&rq, 0), s == MRC_SF_ACTIVE);
	}
	CHECK(!mrc_sched_usable(&rq, 2));
	CHECK(!mrc_sched_usable(&rq, -1));
	CHECK(!mrc_sched_usable(&rq, 16));
}

static void backup(void)
{
	fresh(3);
	sf[0].flags = MRC_SF_F_INITIAL;
	sf[1].flags = MRC_SF_F_BACKUP;
	CHECK(!mrc_sched_usable(&rq, 0));
	CHECK(!mrc_sched_usable(&rq, 1));
	CHECK(mrc_sched_usable(&rq, 2));
	sf[2].state = MRC_SF_SUSPECT;
	CHECK(mrc_sched_usable(&rq, 0));
	CHECK(mrc_sched_usable(&rq, 1));
	CHECK(!mrc_sched_usable(&rq, 2));
}

static void room(void)
{
	fresh(1);
	sf[0].cwnd = 1000;
	CHECK(mrc_sched_room(&rq, 0, 5000));
	sf[0].inflight = 1000 - MRC_PKT_OVERHEAD - 100;
	CHECK(mrc_sched_room(&rq, 0, 100));
	CHECK(!mrc_sched_room(&rq, 0, 101));
}

static void ties(void)
{
	int i;

	fresh(4);
	for (i = 0; i < 12; i++)
		CHECK_EQ(rq.sched->get(&rq, 100, MRC_SCHED_NONE), i % 4);
}

static void proportion(void)
{
	u32 count[2] = { 0 }, i;

	fresh(2);
	sf[0].cwnd = 300000;
	for (i = 0; i < 300; i++) {
		int id = rq.sched->get(&rq, 904, MRC_SCHED_NONE);

		CHECK(id >= 0);
		sf[id].inflight += 1000;
		count[id]++;
	}
	CHECK(count[0] >= 224 && count[0] <= 226);
	for (i = 0; i < 100; i++) {
		int id = rq.sched->get(&rq, 904, MRC_SCHED_NONE);

		CHECK(id >= 0);
		sf[id].inflight += 1000;
	}
	CHECK_EQ(rq.sched->get(&rq, 904, MRC_SCHED_NONE), MRC_SCHED_NONE);
}

static void avoid(void)
{
	int i;

	fresh(2);
	for (i = 0; i < 5; i++)
		CHECK_EQ(rq.sched->get(&rq, 100, 0), 1);
	/* The other one is full: wait for it. */
	sf[1].inflight = sf[1].cwnd;
	CHECK_EQ(rq.sched->get(&rq, 100, 0), MRC_SCHED_NONE);
	CHECK_EQ(rq.sched->get(&rq, 100, MRC_SCHED_NONE), 0);
	sf[1].state = MRC_SF_DOWN;
	CHECK_EQ(rq.sched->get(&rq, 100, 0), 0);
	CHECK_EQ(rq.sched->get(&rq, 100, 0xff), 0);
	sf[0].state = MRC_SF_DOWN;
	CHECK_EQ(rq.sched->get(&rq, 100, 0), MRC_SCHED_NONE);
}

static void names(void)
{
	char buf[16];

	CHECK(mrc_sched_find("spray") == &mrc_sched_spray);
	CHECK(!mrc_sched_find("x"));
	CHECK_EQ(mrc_sched_names(buf, sizeof(buf)), 5);
	CHECK(!strcmp(buf, "spray"));
}

static const struct test tests[] = {
	TEST(states, "data goes over a subflow that is not ACTIVE"),
	TEST(backup, "a backup subflow is used too early or too late"),
	TEST(room, "a window is overrun, or one packet never fits"),
	TEST(ties, "equal subflows are not used in turn"),
	TEST(proportion, "unequal windows are not filled alike"),
	TEST(avoid, "a retransmission takes the path that lost it"),
	TEST(names, "a scheduler is not found by its name"),
};

HARNESS_MAIN(tests)
