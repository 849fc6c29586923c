// SPDX-License-Identifier: GPL-2.0
/* MRC subflow: states, round trip time, probes. */
#include <errno.h>

#include "harness.h"
#include "subflow.h"

#define MS	MRC_NSEC_PER_MSEC
#define C	MRC_SF_CLOSED
#define J	MRC_SF_JOINING
#define A	MRC_SF_ACTIVE
#define S	MRC_SF_SUSPECT
#define F	MRC_SF_FAILED
#define D	MRC_SF_DOWN

static struct mrc_subflow sf;
static unsigned int notified;

static void notify(struct mrc_subflow *s, u8 old, u8 new)
{
	CHECK_EQ(s->state, new);
	CHECK(old != new);
	notified++;
}

static void fresh(void)
{
	CHECK_EQ(mrc_subflow_init(&sf, 3, 7, 1400, 4, 99, 5 * MS, GFP_KERNEL), 0);
	sf.notify = notify;
	notified = 0;
}

/* Every state with every event. */
static void table(void)
{
	/* ADD PROVED SILENT PROBES_LOST LINK_DOWN LINK_UP CLOSE */
	static const u8 want[__MRC_SF_STATES][__MRC_SF_EVENTS] = {
		[C] = { J, C, C, C, C, C, C },
		[J] = { J, A, J, F, D, J, C },
		[A] = { A, A, S, A, D, A, C },
		[S] = { S, A, S, F, D, S, C },
		[F] = { F, A, F, F, D, F, C },
		[D] = { D, D, D, D, D, J, C },
	};
	unsigned int s, e;

	fresh();
	for (s = 0; s < __MRC_SF_STATES; s++) {
		for (e = 0; e < __MRC_SF_EVENTS; e++) {
			u64 changes = sf.changes;
			bool changed = want[s][e] != s;

			sf.state = s;
			notified = 0;
			CHECK_EQ(mrc_subflow_event(&sf, e, 9 * MS), changed);
			CHECK_EQ(sf.state, want[s][e]);
			CHECK_EQ(notified, changed);
			CHECK_EQ(sf.changes, changes + changed);
		}
	}
	mrc_subflow_destroy(&sf);
}

static void entering(void)
{
	fresh();
	mrc_subflow_event(&sf, MRC_SF_EV_ADD, 10 * MS);
	CHECK(mrc_subflow_probe_due(&sf, 10 * MS));
	CHECK_EQ(sf.changed_ns, 10 * MS);
	sf.backoff = 3;
	sf.owes_ns = 1;
	mrc_subflow_event(&sf, MRC_SF_EV_PROVED, 20 * MS);
	CHECK(!mrc_subflow_probe_due(&sf, 1000 * MS));
	CHECK_EQ(sf.heard_ns, 20 * MS);
	CHECK_EQ(sf.backoff, 0);
	CHECK(sf.owes_ns == MRC_NEVER);
	mrc_subflow_event(&sf, MRC_SF_EV_SILENT, 30 * MS);
	CHECK(mrc_subflow_probe_due(&sf, 30 * MS));
	CHECK(!mrc_subflow_probe_due(&sf, 29 * MS));
	mrc_subflow_event(&sf, MRC_SF_EV_LINK_DOWN, 40 * MS);
	CHECK(!mrc_subflow_probe_due(&sf, 1000 * MS));
	/* What comes back need not be the path that went. */
	sf.srtt = 300 * MS;
	sf.rttvar = 100 * MS;
	mrc_subflow_event(&sf, MRC_SF_EV_LINK_UP, 50 * MS);
	CHECK(mrc_subflow_probe_due(&sf, 50 * MS));
	CHECK_EQ(sf.srtt, 0);
	CHECK_EQ(sf.rttvar, 0);
	mrc_subflow_event(&sf, MRC_SF_EV_CLOSE, 60 * MS);
	CHECK(!mrc_subflow_probe_due(&sf, 1000 * MS));
	mrc_subflow_destroy(&sf);
}

static void rtt(void)
{
	int i;

	fresh();
	CHECK_EQ(mrc_subflow_rto(&sf), MRC_RTO_INIT);
	CHECK_EQ(mrc_subflow_silence(&sf), MRC_SILENT_MIN);
	mrc_subflow_rtt_sample(&sf, 0);
	mrc_subflow_rtt_sample(&sf, 61000 * MS);
	CHECK_EQ(sf.srtt, 0);
	mrc_subflow_rtt_sample(&sf, 8 * MS);
	CHECK_EQ(sf.srtt, 8 * MS);
	CHECK_EQ(sf.rttvar, 4 * MS);
	CHECK_EQ(sf.min_rtt, 8 * MS);
	CHECK_EQ(mrc_subflow_rto(&sf), 24 * MS);
	CHECK_EQ(mrc_subflow_silence(&sf), 24 * MS);
	mrc_subflow_rtt_sample(&sf, 16 * MS);
	CHECK_EQ(sf.srtt, 9 * MS);
	CHECK_EQ(sf.rttvar, 5 * MS);
	CHECK_EQ(sf.min_rtt, 8 * MS);
	sf.backoff = 1;
	CHECK_EQ(mrc_subflow_rto(&sf), 58 * MS);
	sf.backoff = 6;
	CHECK_EQ(mrc_subflow_rto(&sf), MRC_RTO_MAX);
	sf.backoff = 0;
	for (i = 0; i < 200; i++)
		mrc_subflow_rtt_sample(&sf, 100 * 1000);
	CHECK_EQ(mrc_subflow_rto(&sf), MRC_RTO_MIN);
	mrc_subflow_destroy(&sf);
}

static void heard(void)
{
	fresh();
	sf.backoff = 2;
	sf.head = 5;
	mrc_subflow_heard(&sf, 7 * MS);
	CHECK_EQ(sf.backoff, 0);
	CHECK_EQ(sf.owes_ns, 7 * MS);
	sf.head = 0xffffffff;
	mrc_subflow_heard(&sf, 8 * MS);
	CHECK(sf.owes_ns == MRC_NEVER);
	mrc_subflow_destroy(&sf);
}

static void probes(void)
{
	u64 now = 100 * MS, gap = MRC_PROBE_FIRST;
	u16 id, first;
	int i;

	fresh();
	mrc_subflow_event(&sf, MRC_SF_EV_ADD, now);
	first = mrc_subflow_probe_sent(&sf, now);
	CHECK(!mrc_subflow_probe_due(&sf, now + gap - 1));
	CHECK(mrc_subflow_probe_due(&sf, now + gap));
	id = first;
	for (i = 1; i < 12; i++) {
		now = sf.probe_next_ns;
		id = mrc_subflow_probe_sent(&sf, now);
		gap = min_t(u64, 2 * gap, MRC_PROBE_MAX);
		CHECK_EQ(sf.probe_lost, i);
		CHECK_EQ(sf.probe_next_ns, now + gap);
	}
	CHECK_EQ(gap, MRC_PROBE_MAX);
	CHECK(!mrc_subflow_probe_answered(&sf, first, now + MS));
	CHECK(!mrc_subflow_probe_answered(&sf, id + 1, now + MS));
	CHECK(mrc_subflow_probe_answered(&sf, id, now + 2 * MS));
	CHECK_EQ(sf.srtt, 2 * MS);
	CHECK_EQ(sf.probe_lost, 0);
	CHECK_EQ(sf.probe_interval, MRC_PROBE_FIRST);
	CHECK_EQ(sf.state, MRC_SF_JOINING);
	/* Twice the same answer is one answer. */
	CHECK(!mrc_subflow_probe_answered(&sf, id, now + 3 * MS));
	for (i = 0; i < 300; i++)
		mrc_subflow_probe_sent(&sf, now);
	CHECK_EQ(sf.probe_lost, 255);
	mrc_subflow_destroy(&sf);
}

static void failed_interval(void)
{
	int i;

	fresh();
	mrc_subflow_event(&sf, MRC_SF_EV_ADD, 0);
	for (i = 0; i < 4; i++)
		mrc_subflow_probe_sent(&sf, i * MS);
	mrc_subflow_event(&sf, MRC_SF_EV_PROBES_LOST, 9 * MS);
	CHECK_EQ(sf.state, MRC_SF_FAILED);
	CHECK(mrc_subflow_probe_due(&sf, 9 * MS));
	CHECK_EQ(sf.probe_interval, 8 * MRC_PROBE_FIRST);
	mrc_subflow_destroy(&sf);
}

/* An ACTIVE subflow is probed for a closed window only, once at a time. */
static void active_probe(void)
{
	u16 id;

	fresh();
	mrc_subflow_event(&sf, MRC_SF_EV_ADD, 0);
	mrc_subflow_event(&sf, MRC_SF_EV_PROVED, 0);
	sf.probe_next_ns = 5 * MS;
	id = mrc_subflow_probe_sent(&sf, 5 * MS);
	CHECK(mrc_subflow_probe_due(&sf, 5 * MS + MRC_PROBE_FIRST));
	CHECK(mrc_subflow_probe_answered(&sf, id, 6 * MS));
	CHECK(sf.probe_next_ns == MRC_NEVER);
	mrc_subflow_destroy(&sf);
}

static void arguments(void)
{
	CHECK_EQ(mrc_subflow_init(&sf, 16, 0, 1400, 4, 1, 0, GFP_KERNEL), -EINVAL);
	CHECK_EQ(mrc_subflow_init(&sf, 0, 0, 0, 4, 1, 0, GFP_KERNEL), -EINVAL);
	CHECK_EQ(mrc_subflow_init(&sf, 0, 0, 1, 0, 1, 0, GFP_KERNEL), -EINVAL);
	shim_alloc_fail = 1;
	CHECK_EQ(mrc_subflow_init(&sf, 0, 0, 1, 4, 1, 0, GFP_KERNEL), -ENOMEM);
	mrc_subflow_destroy(&sf);
	CHECK_EQ(shim_alloc_live, 0);
	CHECK(!strcmp(mrc_subflow_state_name(MRC_SF_SUSPECT), "suspect"));
	CHECK(!strcmp(mrc_subflow_state_name(77), "unknown"));
	CHECK(!mrc_subflow_event(&sf, 77, 0));
}

static const struct test tests[] = {
	TEST(table, "a transition of the state machine is wrong"),
	TEST(entering, "a state does not plan its probes or clear its debts"),
	TEST(rtt, "RTT, RTO or the limit of silence is wrong"),
	TEST(heard, "hearing of a subflow does not renew what it owes"),
	TEST(probes, "probes do not back off, or a stale answer counts"),
	TEST(failed_interval, "a FAILED subflow is probed too often"),
	TEST(active_probe, "an answered window probe goes on"),
	TEST(arguments, "bad arguments are taken or memory leaks"),
};

HARNESS_MAIN(tests)
