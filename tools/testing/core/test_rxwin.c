// SPDX-License-Identifier: GPL-2.0
/* MRC receive window. */
#include <errno.h>

#include "harness.h"
#include "rxwin.h"

static struct mrc_rxwin w;
static u64 first;
static long live;

static void release(void *cookie)
{
	live--;
	free(cookie);
}

static void fresh_at(u32 psn, bool unordered)
{
	first = mrc_psn_first(psn);
	CHECK_EQ(mrc_rxwin_init(&w, first, MRC_RXWIN_MAX, unordered), 0);
	mrc_rxwin_advance(&w, first + MRC_RXWIN_MAX);
	live = 0;
}

static void fresh(bool unordered)
{
	fresh_at(0xfffff8, unordered);
}

static void done(void)
{
	mrc_rxwin_destroy(&w, release);
	CHECK_EQ(live, 0);
	CHECK_EQ(shim_alloc_live, 0);
	shim_alloc_live = 0;
}

/* Packet number @n of a connection whose messages have @per packets of 100. */
static struct mrc_pkt pkt(u32 n, u32 per)
{
	struct mrc_pkt p = {
		.opcode = mrc_op_write(n % per == 0, n % per == per - 1),
		.psn = (first + n) & MRC_PSN_MASK, .len = 100, .ts = true,
		.write = { .va = 100ULL * n, .msn = n / per, .rqmsn = n / per,
			   .msg_len = 100 * per },
	};

	return p;
}

static enum mrc_rx_verdict give(const struct mrc_pkt *p)
{
	struct mrc_rx_trigger t = { .entropy = 0xc000, .rtx = p->rtx };
	void *cookie = malloc(1);
	enum mrc_rx_verdict v;

	v = mrc_rxwin_receive(&w, p, &t, cookie, GFP_ATOMIC);
	if (v == MRC_RX_NEW)
		live++;
	else
		free(cookie);
	return v;
}

static enum mrc_rx_verdict give_n(u32 n, u32 per)
{
	struct mrc_pkt p = pkt(n, per);

	return give(&p);
}

/* Number of the next packet handed over, or -1. */
static long take(void)
{
	struct mrc_rxd d;

	if (!mrc_rxwin_pop(&w, &d))
		return -1;
	CHECK(d.cookie);
	release(d.cookie);
	return d.va / 100;
}

static u32 take_all(void)
{
	u32 n = 0;

	while (take() >= 0)
		n++;
	return n;
}

static void in_order(void)
{
	u32 i;

	fresh(false);
	for (i = 0; i < 1000; i++) {
		CHECK_EQ(give_n(i, 3), MRC_RX_NEW);
		CHECK_EQ(take(), i);
		CHECK_EQ(take(), -1);
	}
	CHECK(!w.ring);
	CHECK_EQ(w.next, first + 1000);
	CHECK_EQ(mrc_rxwin_base(&w), first + 1000);
	CHECK_EQ(w.rcvd_bytes, 100000);
	done();
}

static void hole(void)
{
	u32 i;

	fresh(false);
	for (i = 1; i < 20; i++) {
		CHECK_EQ(give_n(i, 4), MRC_RX_NEW);
		CHECK_EQ(take(), -1);
	}
	CHECK_EQ(w.ooo, 19);
	CHECK_EQ(w.max_seen, first + 19);
	CHECK_EQ(give_n(0, 4), MRC_RX_NEW);
	for (i = 0; i < 20; i++)
		CHECK_EQ(take(), i);
	CHECK_EQ(take(), -1);
	CHECK_EQ(w.ooo, 0);
	CHECK_EQ(w.next, first + 20);
	CHECK_EQ(mrc_rxwin_base(&w), first + 20);
	done();
}

static void duplicates(void)
{
	fresh(false);
	give_n(0, 1);
	take_all();
	give_n(2, 1);
	mrc_rxwin_sack(&w, (struct mrc_sack[1]) { }, 1);
	CHECK(!mrc_rxwin_sack_pending(&w));
	CHECK_EQ(give_n(0, 1), MRC_RX_DUP);
	CHECK(mrc_rxwin_sack_due(&w));
	CHECK_EQ(give_n(2, 1), MRC_RX_DUP);
	CHECK_EQ(w.pkts_dup, 2);
	CHECK_EQ(w.rcvd_bytes, 200);
	/* The SACK about the held one was lost: it must be told again. */
	CHECK_EQ(w.n_dirty, 1);
	done();
}

static void right_edge(void)
{
	first = mrc_psn_first(0xfffffe);
	CHECK_EQ(mrc_rxwin_init(&w, first, 64, false), 0);
	CHECK_EQ(give_n(0, 1), MRC_RX_OUT_OF_WINDOW);
	mrc_rxwin_advance(&w, first + 2);
	CHECK_EQ(give_n(2, 1), MRC_RX_OUT_OF_WINDOW);
	CHECK_EQ(give_n(1, 1), MRC_RX_NEW);
	mrc_rxwin_advance(&w, first + 1);
	CHECK_EQ(w.right, first + 2);
	/* Promised more than the ring can ever hold: refused, not overrun. */
	mrc_rxwin_advance(&w, first + 1000);
	CHECK_EQ(give_n(63, 1), MRC_RX_NEW);
	CHECK_EQ(give_n(64, 1), MRC_RX_OUT_OF_WINDOW);
	done();
	CHECK_EQ(mrc_rxwin_init(&w, first, 63, false), -EINVAL);
	CHECK_EQ(mrc_rxwin_init(&w, first, MRC_RXWIN_MAX + 1, false), -EINVAL);
}

static void growth(void)
{
	u32 i, n = 20000, got = 0;

	fresh(false);
	for (i = n - 1; i > 0; i--) {
		CHECK_EQ(give_n(i, 7), MRC_RX_NEW);
		if (i % 1000 == 0)
			CHECK_EQ(give_n(i, 7), MRC_RX_DUP);
	}
	CHECK_EQ(w.size, 32768);
	CHECK_EQ(give_n(0, 7), MRC_RX_NEW);
	while (take() == (long)got)
		got++;
	CHECK_EQ(got, n);
	CHECK(!w.broken);
	done();
}

/* Every allocation on the way fails once; nothing is lost by it. */
static void no_memory(void)
{
	u32 unordered, fail, i, seen;

	for (unordered = 0; unordered < 2; unordered++) {
		for (fail = 1; fail < 12; fail++) {
			fresh(unordered);
			shim_alloc_fail = fail;
			for (i = 299; i > 0; i--)
				if (give_n(i, 5) == MRC_RX_NO_MEMORY)
					CHECK_EQ(give_n(i, 5), MRC_RX_NEW);
				else
					take_all();
			shim_alloc_fail = 0;
			seen = 300 - live - 1;
			CHECK_EQ(give_n(0, 5), MRC_RX_NEW);
			seen += take_all();
			CHECK_EQ(seen, 300);
			CHECK_EQ(w.next, first + 300);
			CHECK(!w.broken);
			done();
		}
	}
}

static void not_popped(void)
{
	fresh(false);
	give_n(0, 1);
	CHECK_EQ(give_n(1, 1), MRC_RX_NO_MEMORY);
	CHECK_EQ(take(), 0);
	CHECK_EQ(give_n(1, 1), MRC_RX_NEW);
	done();
}

static void unordered_only(void)
{
	fresh(true);
	CHECK_EQ(give_n(3, 1), MRC_RX_NEW);
	CHECK_EQ(take(), 3);
	CHECK_EQ(give_n(1, 1), MRC_RX_NEW);
	CHECK_EQ(take(), 1);
	CHECK_EQ(give_n(3, 1), MRC_RX_DUP);
	CHECK_EQ(give_n(0, 1), MRC_RX_NEW);
	CHECK_EQ(take(), 0);
	CHECK_EQ(w.next, first + 2);
	CHECK_EQ(give_n(2, 1), MRC_RX_NEW);
	CHECK_EQ(take(), 2);
	CHECK_EQ(take(), -1);
	CHECK_EQ(w.next, first + 4);
	CHECK_EQ(mrc_rxwin_base(&w), first + 4);
	done();
}

/* The second message overtakes the first, which stays in the ring. */
static void unordered_long(void)
{
	fresh(true);
	CHECK_EQ(give_n(0, 3), MRC_RX_NEW);
	CHECK_EQ(give_n(1, 3), MRC_RX_NEW);
	CHECK_EQ(take(), -1);
	CHECK_EQ(w.next, first + 2);
	CHECK_EQ(mrc_rxwin_base(&w), first);
	CHECK_EQ(give_n(5, 3), MRC_RX_NEW);
	CHECK_EQ(give_n(3, 3), MRC_RX_NEW);
	CHECK_EQ(take(), -1);
	CHECK_EQ(give_n(4, 3), MRC_RX_NEW);
	CHECK_EQ(take(), 3);
	CHECK_EQ(take(), 4);
	CHECK_EQ(take(), 5);
	CHECK_EQ(take(), -1);
	CHECK_EQ(give_n(4, 3), MRC_RX_DUP);
	CHECK_EQ(w.ooo, 3);
	CHECK_EQ(give_n(2, 3), MRC_RX_NEW);
	CHECK_EQ(take(), 0);
	CHECK_EQ(take(), 1);
	CHECK_EQ(take(), 2);
	CHECK_EQ(take(), -1);
	CHECK_EQ(w.next, first + 6);
	CHECK_EQ(mrc_rxwin_base(&w), first + 6);
	CHECK_EQ(w.ooo, 0);
	done();
}

/* Any order, duplicates in between: each message once and whole. */
static void shuffled(void)
{
	u32 round, i, k, n, per, total, order[600];
	long expect, got;
	bool unordered;
	u8 seen[600];

	for (round = 0; round < 40; round++) {
		unordered = round & 1;
		per = 1 + rnd_below(9);
		n = 600 / per * per;
		fresh_at(rnd(), unordered);
		for (i = 0; i < n; i++)
			order[i] = i;
		for (i = 0; i < n; i++) {
			u32 t = order[i];

			k = i + rnd_below(min(n - i, 1 + rnd_below(n)));
			order[i] = order[k];
			order[k] = t;
		}
		memset(seen, 0, sizeof(seen));
		expect = -1;
		total = 0;
		for (i = 0; i < n; i++) {
			CHECK_EQ(give_n(order[i], per), MRC_RX_NEW);
			while ((got = take()) >= 0) {
				if (got % per)
					CHECK_EQ(got, expect);
				if (!unordered)
					CHECK_EQ(got, total);
				CHECK(!seen[got]++);
				expect = got + 1;
				total++;
			}
			CHECK_EQ(total % per, unordered ? 0 : total % per);
			if (rnd_chance(200))
				CHECK_EQ(give_n(order[rnd_below(i + 1)], per),
					 MRC_RX_DUP);
		}
		CHECK_EQ(total, n);
		CHECK_EQ(w.next, first + n);
		CHECK(!w.broken);
		done();
	}
}

static void release_held(void)
{
	u32 i;

	fresh(false);
	give_n(0, 1);
	for (i = 5; i < 200; i += 3)
		give_n(i, 1);
	done();
	fresh(true);
	for (i = 0; i < 40; i++)
		give_n(i, 50);
	done();
}

/* Packet @n with a change; what happens must be told by @expect_broken. */
static void contradict(void (*change)(struct mrc_pkt *p), bool unordered)
{
	struct mrc_pkt p;
	u32 i;

	fresh(unordered);
	for (i = 0; i < 5; i++) {
		give_n(i, 4);
		take_all();
	}
	p = pkt(5, 4);
	change(&p);
	CHECK(give(&p) == MRC_RX_INVALID || w.broken);
	take_all();
	done();
	/* The same, but out of order: seen at the latest when next passes. */
	fresh(unordered);
	give(&p);
	take_all();
	for (i = 0; i < 8 && !w.broken; i++) {
		if (i != 5)
			give_n(i, 4);
		take_all();
	}
	CHECK(w.broken || w.next <= first + 5);
	done();
}

static void bad_va(struct mrc_pkt *p)
{
	p->write.va++;
}

static void bad_va_back(struct mrc_pkt *p)
{
	p->write.va = 0;
}

static void bad_msn(struct mrc_pkt *p)
{
	p->write.msn++;
}

static void bad_msn_back(struct mrc_pkt *p)
{
	p->write.msn--;
}

static void bad_first(struct mrc_pkt *p)
{
	p->opcode = MRC_OP_WRITE_FIRST;
}

static void bad_last(struct mrc_pkt *p)
{
	p->opcode = MRC_OP_WRITE_LAST_IMM;
}

static void bad_only(struct mrc_pkt *p)
{
	p->opcode = MRC_OP_WRITE_ONLY_IMM;
}

static void bad_msg_len(struct mrc_pkt *p)
{
	p->write.msg_len--;
}

static void bad_len(struct mrc_pkt *p)
{
	p->len = 401;
}

static void contradictions(void)
{
	static void (*const changes[])(struct mrc_pkt *p) = {
		bad_va, bad_va_back, bad_msn, bad_msn_back, bad_first, bad_last,
		bad_only, bad_msg_len, bad_len,
	};
	unsigned int i;

	for (i = 0; i < 2 * ARRAY_SIZE(changes); i++) {
		int bad = harness_bad;

		contradict(changes[i / 2], i & 1);
		if (harness_bad != bad)
			printf("# change %u, unordered %u\n", i / 2, i & 1);
	}
}

/* A peer that makes everything up: refused or broken, never a crash. */
static void liar(void)
{
	u32 round, i;

	for (round = 0; round < 300; round++) {
		fresh_at(rnd(), round & 1);
		for (i = 0; i < 200; i++) {
			struct mrc_pkt p = pkt(rnd_below(100), 1 + rnd_below(5));

			p.opcode = MRC_OP_WRITE_FIRST + rnd_below(6);
			p.write.msg_len = rnd_chance(500) ? MRC_LEN_OPEN :
							    rnd_below(500);
			if (rnd_chance(100))
				p.write.msn = rnd();
			if (rnd_chance(100))
				p.write.va = rnd();
			give(&p);
			take_all();
			if (rnd_chance(100))
				mrc_rxwin_sack(&w, (struct mrc_sack[4]) { }, 4);
		}
		done();
	}
}

/* MSG_MORE: the length is known at the end; empty messages and packets. */
static void open_length(void)
{
	struct mrc_pkt p;

	fresh(false);
	p = pkt(0, 3);
	p.write.msg_len = MRC_LEN_OPEN;
	CHECK_EQ(give(&p), MRC_RX_NEW);
	take_all();
	p = pkt(1, 3);
	p.write.msg_len = MRC_LEN_OPEN;
	CHECK_EQ(give(&p), MRC_RX_NEW);
	take_all();
	p = pkt(2, 3);
	p.len = 0;
	p.write.msg_len = 200;
	CHECK_EQ(give(&p), MRC_RX_NEW);
	take_all();
	CHECK(!w.broken);
	p = pkt(3, 1);
	p.len = 0;
	p.write.msn = 1;
	p.write.va = 200;
	p.write.msg_len = 0;
	CHECK_EQ(give(&p), MRC_RX_NEW);
	CHECK_EQ(take_all(), 1);
	CHECK_EQ(w.next_msn, 2);
	done();
}

/* ------------------------------------------------------------------- SACK */

static void sack_when(void)
{
	struct mrc_rx_trigger t = { .entropy = 0xc001 };
	struct mrc_sack s[4];
	struct mrc_pkt p;
	u32 i;

	fresh(false);
	CHECK(!mrc_rxwin_sack_pending(&w));
	for (i = 0; i < 16; i++) {
		CHECK(!mrc_rxwin_sack_due(&w));
		give_n(i, 1);
		take_all();
		CHECK(mrc_rxwin_sack_pending(&w));
	}
	CHECK(mrc_rxwin_sack_due(&w));
	CHECK_EQ(mrc_rxwin_sack(&w, s, 4), 1);
	CHECK(!mrc_rxwin_sack_pending(&w));
	p = pkt(16, 1);
	p.ack_req = true;
	give(&p);
	take_all();
	CHECK(mrc_rxwin_sack_due(&w));
	mrc_rxwin_sack(&w, s, 4);
	p = pkt(17, 1);
	p.rtx = true;
	give(&p);
	take_all();
	CHECK(mrc_rxwin_sack_due(&w));
	mrc_rxwin_sack(&w, s, 4);
	CHECK(s[0].rtx);
	p = pkt(18, 1);
	t.ce = true;
	mrc_rxwin_receive(&w, &p, &t, malloc(1), GFP_ATOMIC);
	live++;
	take_all();
	CHECK(mrc_rxwin_sack_due(&w));
	/* The mark is reported although something came later. */
	give_n(19, 1);
	take_all();
	CHECK_EQ(mrc_rxwin_sack(&w, s, 4), 1);
	CHECK_EQ(s[0].m, MRC_M_SKIP_ONCE);
	CHECK_EQ(s[0].entropy, 0xc001);
	CHECK_EQ(s[0].trigger_off, -1);
	CHECK_EQ(mrc_rxwin_sack(&w, s, 4), 1);
	CHECK_EQ(s[0].m, MRC_M_NONE);
	CHECK_EQ(mrc_rxwin_sack(&w, s, 0), 0);
	done();
}

static bool sack_has(const struct mrc_sack *s, u64 psn)
{
	u64 cack = mrc_psn_expand(w.next - 1, s->cack);
	u64 base = cack + s->sack_off;

	return psn <= cack || (psn >= base && psn - base < 64 &&
			       (s->bitmap >> (psn - base) & 1));
}

static void sack_fields(void)
{
	struct mrc_sack s[4];

	fresh_at(0x100, false);
	give_n(0, 1);
	take_all();
	give_n(2, 1);
	give_n(5, 1);
	CHECK_EQ(mrc_rxwin_sack(&w, s, 4), 1);
	CHECK_EQ(s[0].cack, 0x100);
	CHECK_EQ(s[0].trigger_off, 5);
	CHECK_EQ(s[0].ooo, 2);
	CHECK_EQ(s[0].rcvd_bytes, 2);
	CHECK(sack_has(&s[0], first + 2) && sack_has(&s[0], first + 5));
	CHECK(!sack_has(&s[0], first + 1) && !sack_has(&s[0], first + 3));
	CHECK(!sack_has(&s[0], first + 6));
	/* Nothing new: the 64 from the hole on. */
	CHECK_EQ(mrc_rxwin_sack(&w, s, 4), 1);
	CHECK_EQ(s[0].sack_off, 1);
	CHECK(s[0].bitmap == 0x12);
	done();
}

/* Everything received out of order is reported, in as many as it takes. */
static void sack_complete(void)
{
	struct mrc_sack s[MRC_RX_DIRTY_MAX];
	u32 round, i, k, n, from;
	u8 got[1000], told[1000];

	for (round = 0; round < 100; round++) {
		fresh_at(rnd(), round & 1);
		memset(got, 0, sizeof(got));
		memset(told, 0, sizeof(told));
		for (i = 0; i < 700; i++) {
			from = 1 + rnd_below(999);
			if (give_n(from, 1) == MRC_RX_NEW)
				got[from] = 1;
			take_all();
			if (!mrc_rxwin_sack_due(&w) && !rnd_chance(50))
				continue;
			n = mrc_rxwin_sack(&w, s, MRC_RX_DIRTY_MAX);
			CHECK(n >= 1 && n <= MRC_RX_DIRTY_MAX);
			for (k = 1; k < 1000; k++) {
				u32 m;

				for (m = 0; m < n; m++)
					told[k] |= sack_has(&s[m], first + k);
				CHECK_EQ(told[k], got[k]);
			}
			for (k = 1; k < n; k++)
				CHECK(s[k].sack_off > s[k - 1].sack_off);
		}
		done();
	}
}

static void sack_limited(void)
{
	struct mrc_sack s[3];
	u32 i;

	fresh_at(0, false);
	for (i = 1; i < 8; i++)
		give_n(64 * i, 1);
	CHECK_EQ(mrc_rxwin_sack(&w, s, 3), 3);
	CHECK(sack_has(&s[0], first + 64) && sack_has(&s[2], first + 192));
	CHECK(mrc_rxwin_sack_due(&w));
	CHECK_EQ(mrc_rxwin_sack(&w, s, 3), 3);
	CHECK_EQ(mrc_rxwin_sack(&w, s, 3), 1);
	CHECK(sack_has(&s[0], first + 448));
	CHECK(!mrc_rxwin_sack_pending(&w));
	/* As many groups as can be noted: report before one is left out. */
	for (i = 8; i < 8 + MRC_RX_DIRTY_MAX; i++) {
		CHECK(!mrc_rxwin_sack_due(&w) || w.trig_bytes >= 16384);
		give_n(64 * i, 1);
	}
	CHECK(w.sack_now);
	give_n(64 * i, 1);
	CHECK_EQ(w.n_dirty, MRC_RX_DIRTY_MAX);
	done();
}

/* Offsets have 16 bits; what is further away is left out, not wrapped. */
static void sack_far(void)
{
	struct mrc_sack s[2];
	struct mrc_rx_trigger t = { .entropy = 0xc001 };
	struct mrc_pkt p;

	fresh_at(0, false);
	CHECK_EQ(give_n(32767, 1), MRC_RX_NEW);
	CHECK_EQ(mrc_rxwin_sack(&w, s, 2), 1);
	CHECK(sack_has(&s[0], first + 32767));
	CHECK_EQ(s[0].trigger_off, 0);
	CHECK_EQ(s[0].entropy, 0);
	/* A duplicate from the far past. */
	p = pkt(0, 1);
	p.psn = (p.psn - 100000) & MRC_PSN_MASK;
	CHECK_EQ(mrc_rxwin_receive(&w, &p, &t, NULL, GFP_ATOMIC), MRC_RX_DUP);
	CHECK_EQ(mrc_rxwin_sack(&w, s, 2), 1);
	CHECK_EQ(s[0].entropy, 0);
	done();
}

static const struct test tests[] = {
	TEST(in_order, "packets in order use memory or are not handed over"),
	TEST(hole, "what waits behind a hole is not delivered when it is filled"),
	TEST(duplicates, "a duplicate is delivered, or not reported again"),
	TEST(right_edge, "the right edge moves back or is overrun"),
	TEST(growth, "the ring loses packets when it grows"),
	TEST(no_memory, "a failed allocation loses or leaks a packet"),
	TEST(not_popped, "a packet is overwritten that was not taken"),
	TEST(unordered_only, "unordered: small messages wait for earlier ones"),
	TEST(unordered_long, "unordered: a complete message waits, or a torn one is given"),
	TEST(shuffled, "some order of arrival breaks delivery"),
	TEST(release_held, "packets held at the end leak"),
	TEST(contradictions, "a contradiction is not noticed"),
	TEST(liar, "made up packets crash the receiver"),
	TEST(open_length, "messages of unknown length or without data break"),
	TEST(sack_when, "a SACK is not sent when it is due"),
	TEST(sack_fields, "a SACK says something wrong"),
	TEST(sack_complete, "something received is never reported"),
	TEST(sack_limited, "what does not fit into a report is forgotten"),
	TEST(sack_far, "offsets wrap"),
};

HARNESS_MAIN(tests)
