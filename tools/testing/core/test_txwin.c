// SPDX-License-Identifier: GPL-2.0
/* MRC send window. */
#include "harness.h"
#include "txwin.h"

static struct mrc_txwin w;

static void append(u32 n)
{
	while (n--) {
		struct mrc_txd *d = mrc_txwin_append(&w, GFP_KERNEL);

		CHECK(d);
		if (d)
			d->va = w.end - 1;
	}
}

static void lazy(void)
{
	mrc_txwin_init(&w, mrc_psn_first(5));
	CHECK(!w.ring);
	CHECK_EQ(shim_alloc_live, 0);
	append(1);
	CHECK_EQ(w.size, MRC_TXWIN_MIN);
	CHECK_EQ(mrc_txwin_at(&w, w.una)->state, MRC_TXD_QUEUED);
	mrc_txwin_destroy(&w);
	CHECK_EQ(shim_alloc_live, 0);
}

/* Slide so that the ring is used across its end, then let it grow. */
static void grow(void)
{
	u64 psn;

	mrc_txwin_init(&w, mrc_psn_first(0xfffff0));
	append(50);
	w.una += 40;
	w.nxt = w.una;
	append(1000);
	for (psn = w.una; psn < w.end; psn++)
		CHECK_EQ(mrc_txwin_at(&w, psn)->va, psn);
	CHECK_EQ(w.size, 1024);
	append(MRC_TXWIN_MAX - 1010);
	CHECK(!mrc_txwin_append(&w, GFP_KERNEL));
	CHECK_EQ(w.end - w.una, MRC_TXWIN_MAX);
	for (psn = w.una; psn < w.end; psn++)
		CHECK_EQ(mrc_txwin_at(&w, psn)->va, psn);
	w.una++;
	append(1);
	mrc_txwin_destroy(&w);
}

static void no_memory(void)
{
	u64 end;

	mrc_txwin_init(&w, mrc_psn_first(1));
	shim_alloc_fail = -1;
	CHECK(!mrc_txwin_append(&w, GFP_ATOMIC));
	CHECK_EQ(w.end, w.una);
	shim_alloc_fail = 0;
	append(64);
	shim_alloc_fail = -1;
	end = w.end;
	CHECK(!mrc_txwin_append(&w, GFP_ATOMIC));
	CHECK_EQ(w.end, end);
	CHECK_EQ(mrc_txwin_at(&w, w.una)->va, w.una);
	shim_alloc_fail = 0;
	append(1);
	mrc_txwin_destroy(&w);
	CHECK_EQ(shim_alloc_live, 0);
}

static void counters(void)
{
	struct mrc_txd *d;

	mrc_txwin_init(&w, mrc_psn_first(1));
	append(2);
	d = mrc_txwin_at(&w, w.una);
	mrc_txd_set_state(&w, d, MRC_TXD_INFLIGHT);
	CHECK_EQ(w.n_inflight, 1);
	mrc_txd_set_state(&w, d, MRC_TXD_LOST);
	CHECK_EQ(w.n_inflight, 0);
	CHECK_EQ(w.n_lost, 1);
	mrc_txd_set_state(&w, d, MRC_TXD_INFLIGHT);
	mrc_txd_set_state(&w, d, MRC_TXD_SACKED);
	CHECK_EQ(w.n_lost + w.n_inflight, 0);
	CHECK(!strcmp(mrc_txd_state_name(MRC_TXD_LOST), "lost"));
	CHECK(!strcmp(mrc_txd_state_name(9), "unknown"));
	mrc_txwin_destroy(&w);
}

static void lists(void)
{
	u32 head = MRC_TX_NIL, tail = MRC_TX_NIL;
	u64 a;

	mrc_txwin_init(&w, mrc_psn_first(0xfffffe));
	append(4);
	a = w.una;
	mrc_txlist_append(&w, &head, &tail, a + 2);
	mrc_txlist_append(&w, &head, &tail, a);
	mrc_txlist_append(&w, &head, &tail, a + 3);
	CHECK_EQ(mrc_txwin_psn(&w, head), a + 2);
	CHECK_EQ(mrc_txwin_psn(&w, tail), a + 3);
	mrc_txlist_remove(&w, &head, &tail, a);
	CHECK_EQ(mrc_txwin_psn(&w, mrc_txwin_at(&w, head)->next), a + 3);
	mrc_txlist_remove(&w, &head, &tail, a + 2);
	mrc_txlist_remove(&w, &head, &tail, a + 3);
	CHECK_EQ(head, MRC_TX_NIL);
	CHECK_EQ(tail, MRC_TX_NIL);
	mrc_txwin_destroy(&w);
}

static void check_lost(const u8 *in, u32 n)
{
	u32 low = w.lost_head, i, prev = MRC_TX_NIL;

	for (i = 0; i < n; i++) {
		if (!in[i])
			continue;
		CHECK(low != MRC_TX_NIL);
		if (low == MRC_TX_NIL)
			return;
		CHECK_EQ(mrc_txwin_psn(&w, low), w.una + i);
		CHECK_EQ(mrc_txwin_at(&w, low)->prev, prev);
		prev = low;
		low = mrc_txwin_at(&w, low)->next;
	}
	CHECK_EQ(low, MRC_TX_NIL);
	CHECK_EQ(w.lost_tail, prev);
}

/* Where 32 bits of PSN end, too: no number may look like the end of a list. */
static void lost_sorted(void)
{
	static const u64 starts[] = { 1ULL << 24, (1ULL << 31) - 50,
				      (1ULL << 32) - 50, (1ULL << 33) - 64 };
	u8 in[100];
	u32 s, i, k;

	for (s = 0; s < ARRAY_SIZE(starts); s++) {
		mrc_txwin_init(&w, starts[s]);
		append(100);
		memset(in, 0, sizeof(in));
		for (k = 0; k < 3000; k++) {
			i = rnd_below(100);
			if (in[i])
				mrc_txwin_lost_del(&w, w.una + i);
			else
				mrc_txwin_lost_add(&w, w.una + i);
			in[i] ^= 1;
			if (k % 16 == 0)
				check_lost(in, 100);
		}
		mrc_txwin_destroy(&w);
	}
}

/* Lists survive the move to another ring. */
static void lost_grow(void)
{
	u8 in[60] = { 0 };
	u32 i;

	mrc_txwin_init(&w, mrc_psn_first(0xffffe0));
	append(60);
	for (i = 0; i < 60; i += 3) {
		mrc_txwin_lost_add(&w, w.una + i);
		in[i] = 1;
	}
	append(500);
	check_lost(in, 60);
	mrc_txwin_destroy(&w);
}

static const struct test tests[] = {
	TEST(lazy, "an idle window uses memory"),
	TEST(grow, "descriptors get lost when the ring grows, or it has no limit"),
	TEST(no_memory, "a failed allocation changes the window"),
	TEST(counters, "packets in flight or lost are miscounted"),
	TEST(lists, "a list loses a packet"),
	TEST(lost_sorted, "the lost list is not sorted by PSN"),
	TEST(lost_grow, "a list breaks when the ring grows"),
};

HARNESS_MAIN(tests)
