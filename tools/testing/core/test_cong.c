// SPDX-License-Identifier: GPL-2.0
/* MRC congestion control. */
#include "harness.h"
#include "cong.h"
#include "txwin.h"

#define MS	MRC_NSEC_PER_MSEC
#define PKT	(1400U + MRC_PKT_OVERHEAD)

static const struct mrc_cong_ops *const cc = &mrc_cong_aimd;

static struct mrc_subflow fresh(void)
{
	struct mrc_subflow sf = { .mss = 1400, .min_rtt = MRC_NEVER };

	cc->init(&sf);
	return sf;
}

static void start(void)
{
	struct mrc_subflow sf = fresh();

	CHECK_EQ(sf.cwnd, 10 * PKT);
	sf.inflight = sf.cwnd;
	cc->on_ack(&sf, PKT, 0, false, 0);
	CHECK_EQ(sf.cwnd, 11 * PKT);
}

static void slow_start_end(void)
{
	struct mrc_subflow sf = fresh();

	sf.inflight = sf.cwnd;
	sf.srtt = 4 * MS;
	sf.min_rtt = 1 * MS;
	cc->on_ack(&sf, PKT, 0, false, 0);
	CHECK_EQ(sf.ssthresh, 10 * PKT);
	CHECK_EQ(sf.cwnd, 10 * PKT);
}

static void avoidance(void)
{
	struct mrc_subflow sf = fresh();
	int i;

	sf.ssthresh = sf.cwnd;
	sf.inflight = sf.cwnd;
	for (i = 0; i < 9; i++)
		cc->on_ack(&sf, PKT, 0, false, 0);
	CHECK_EQ(sf.cwnd, 10 * PKT);
	cc->on_ack(&sf, PKT, 0, false, 0);
	CHECK_EQ(sf.cwnd, 10 * PKT + 1400);
}

static void unused(void)
{
	struct mrc_subflow sf = fresh();

	sf.inflight = PKT;
	cc->on_ack(&sf, PKT, 0, false, 0);
	CHECK_EQ(sf.cwnd, 10 * PKT);
}

static void delayed(void)
{
	struct mrc_subflow sf = fresh();

	sf.ssthresh = 1;
	sf.inflight = sf.cwnd;
	sf.srtt = 7 * MS;
	sf.min_rtt = 1 * MS;
	cc->on_ack(&sf, 20 * PKT, 0, false, 0);
	CHECK_EQ(sf.cwnd, 10 * PKT);
}

static void loss_once(void)
{
	struct mrc_subflow sf = fresh();

	sf.send_seq = 20;
	cc->on_loss(&sf, PKT, 11, 0);
	CHECK_EQ(sf.cwnd, 7 * PKT);
	CHECK_EQ(sf.ssthresh, sf.cwnd);
	cc->on_loss(&sf, PKT, 12, 0);
	cc->on_loss(&sf, PKT, 20, 0);
	CHECK_EQ(sf.cwnd, 7 * PKT);
	sf.send_seq = 30;
	cc->on_loss(&sf, PKT, 21, 0);
	CHECK(sf.cwnd < 5 * PKT && sf.cwnd > 4 * PKT);
}

static void mark_once(void)
{
	struct mrc_subflow sf = fresh();
	u32 cut;

	sf.send_seq = 20;
	sf.acked_seq = 10;
	cc->on_ack(&sf, PKT, 0, true, 0);
	cut = sf.cwnd;
	CHECK(cut > 8 * PKT && cut < 9 * PKT);
	sf.acked_seq = 20;
	cc->on_ack(&sf, PKT, 0, true, 0);
	CHECK_EQ(sf.cwnd, cut);
	sf.acked_seq = 21;
	cc->on_ack(&sf, PKT, 0, true, 0);
	CHECK(sf.cwnd < cut);
}

static void limits(void)
{
	struct mrc_subflow sf = fresh();
	int i;

	for (i = 1; i < 50; i++) {
		sf.send_seq = 2 * i;
		cc->on_loss(&sf, PKT, 2 * i, 0);
		sf.recovery_seq = 0;
	}
	CHECK_EQ(sf.cwnd, 2 * PKT);
	sf.ssthresh = U32_MAX;
	for (i = 0; i < 100; i++) {
		sf.inflight = sf.cwnd;
		cc->on_ack(&sf, sf.cwnd, 0, false, 0);
	}
	CHECK_EQ(sf.cwnd, 16 << 20);
}

static void timeout(void)
{
	struct mrc_subflow sf = fresh();

	cc->on_timeout(&sf, 0);
	CHECK_EQ(sf.cwnd, 2 * PKT);
	CHECK_EQ(sf.ssthresh, 5 * PKT);
	sf.send_seq = 50;
	cc->init(&sf);
	CHECK_EQ(sf.cwnd, 10 * PKT);
	cc->on_loss(&sf, PKT, 50, 0);
	CHECK_EQ(sf.cwnd, 10 * PKT);
}

static void null(void)
{
	const struct mrc_cong_ops *n = mrc_cong_find("null");
	struct mrc_subflow sf = fresh();

	CHECK(n == &mrc_cong_null);
	n->init(&sf);
	n->on_loss(&sf, 1, 1, 0);
	n->on_timeout(&sf, 0);
	n->on_ack(&sf, 1, 1, true, 0);
	CHECK_EQ(sf.cwnd, 16 << 20);
}

static void names(void)
{
	char buf[32], small[4];

	CHECK_EQ(mrc_cong_names(buf, sizeof(buf)), 9);
	CHECK(!strcmp(buf, "aimd null"));
	mrc_cong_names(small, sizeof(small));
	CHECK(!strcmp(small, "aim"));
	CHECK(mrc_cong_find("aimd") == cc);
	CHECK(!mrc_cong_find("aim"));
	CHECK(!mrc_cong_find(""));
}

static const struct test tests[] = {
	TEST(start, "the first window is wrong or does not grow"),
	TEST(slow_start_end, "slow start goes on into a queue"),
	TEST(avoidance, "congestion avoidance grows at the wrong pace"),
	TEST(unused, "an unused window grows"),
	TEST(delayed, "a window grows although a queue stands"),
	TEST(loss_once, "one event cuts the window twice"),
	TEST(mark_once, "marks cut the window more than once per window"),
	TEST(limits, "the window leaves its limits"),
	TEST(timeout, "a timeout does not collapse the window"),
	TEST(null, "the null control changes its window"),
	TEST(names, "a control is not found by its name"),
};

HARNESS_MAIN(tests)
