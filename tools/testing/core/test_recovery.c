// SPDX-License-Identifier: GPL-2.0
/* MRC requestor: sending, acknowledgment, loss, timers. */
#include <errno.h>

#include "harness.h"
#include "recovery.h"

#define MS	MRC_NSEC_PER_MSEC
#define LEN	1000U
#define COST	(LEN + MRC_PKT_OVERHEAD)

static struct mrc_req rq;
static struct mrc_subflow sf[4];
static u64 first, now;

static void fresh_at(int n, u32 psn)
{
	int i;

	now = 1000 * MS;
	first = mrc_psn_first(psn);
	mrc_req_init(&rq, first, 1000);
	for (i = 0; i < n; i++) {
		CHECK_EQ(mrc_subflow_init(&sf[i], i, i, LEN, 8, 77 + i, now,
					  GFP_KERNEL), 0);
		rq.sf[i] = &sf[i];
		mrc_req_subflow_event(&rq, i, MRC_SF_EV_ADD, now);
		mrc_req_subflow_event(&rq, i, MRC_SF_EV_PROVED, now);
		CHECK_EQ(sf[i].cwnd, 10 * COST);
	}
}

static void fresh(int n)
{
	fresh_at(n, 0xfffffc);
}

static void done(void)
{
	int i;

	mrc_req_destroy(&rq);
	for (i = 0; i < 4; i++) {
		mrc_subflow_destroy(&sf[i]);
		memset(&sf[i], 0, sizeof(sf[i]));
	}
	CHECK_EQ(shim_alloc_live, 0);
	shim_alloc_live = 0;
}

static void queue(u32 n)
{
	while (n--) {
		struct mrc_txd *d = mrc_txwin_append(&rq.win, GFP_KERNEL);

		d->len = LEN;
		d->msn = rq.win.end - 1 - first;
	}
}

static struct mrc_txd *at(u32 i)
{
	return mrc_txwin_at(&rq.win, first + i);
}

/* Send up to @n packets; returns how many. */
static u32 send(u32 n)
{
	struct mrc_tx tx;
	u32 k = 0;

	while (k < n && mrc_req_next(&rq, now, &tx)) {
		mrc_req_sent(&rq, &tx, now);
		k++;
	}
	return k;
}

/* SACK: @cack packets are there, and those of @map from packet @base on. */
static struct mrc_sack sack_of(u32 cack, u32 base, u64 map, u32 trigger)
{
	u64 c = first + cack - 1;
	struct mrc_sack s = {
		.cack = c & MRC_PSN_MASK,
		.sack_off = (s64)(first + base - c), .bitmap = map,
		.trigger_off = (s64)(first + trigger - c),
	};

	if (trigger < rq.win.end - first)
		s.entropy = at(trigger)->ev;
	return s;
}

static struct mrc_ack_result sack(u32 cack, u32 base, u64 map, u32 trigger)
{
	struct mrc_sack s = sack_of(cack, base, map, trigger);
	struct mrc_ack_result res;

	CHECK_EQ(mrc_req_sack(&rq, &s, 0, now, &res), 0);
	return res;
}

static void in_order(void)
{
	struct mrc_ack_result r;

	fresh(1);
	queue(5);
	CHECK(!mrc_req_idle(&rq));
	CHECK_EQ(send(99), 5);
	CHECK_EQ(sf[0].inflight, 5 * COST);
	CHECK_EQ(sf[0].owes_ns, now);
	now += MS;
	r = sack(3, 3, 0, 2);
	CHECK_EQ(r.acked, 3);
	CHECK_EQ(r.lost, 0);
	CHECK_EQ(r.freed_from, first);
	CHECK_EQ(r.freed_to, first + 3);
	CHECK_EQ(sf[0].inflight, 2 * COST);
	CHECK_EQ(sf[0].srtt, MS);
	CHECK_EQ(rq.bytes_acked, 3 * LEN);
	CHECK_EQ(rq.progress_ns, now);
	r = sack(5, 5, 0, 4);
	CHECK(mrc_req_idle(&rq));
	CHECK(sf[0].owes_ns == MRC_NEVER);
	CHECK(mrc_req_deadline(&rq, now) == MRC_NEVER);
	done();
}

static void gates(void)
{
	fresh(1);
	queue(50);
	CHECK_EQ(send(99), 10);		/* congestion window */
	sf[0].cwnd = 100 * COST;
	rq.win.right = first + 20;
	CHECK_EQ(send(99), 10);		/* packets */
	rq.win.right = first + 100;
	rq.msn_limit = 25;
	CHECK_EQ(send(99), 5);		/* messages */
	rq.msn_limit = 26;
	CHECK_EQ(send(99), 1);
	rq.msn_limit = MRC_NEVER;
	CHECK_EQ(send(99), 24);
	CHECK_EQ(rq.pkts_sent, 50);
	done();
}

static void next_is_pure(void)
{
	struct mrc_tx tx;
	u32 i;

	fresh(2);
	queue(10);
	for (i = 0; i < 20; i++) {
		CHECK(mrc_req_next(&rq, now, &tx));
		CHECK_EQ(tx.psn, first);
		CHECK_EQ(rq.win.nxt, first);
		CHECK_EQ(sf[0].inflight + sf[1].inflight, 0);
	}
	done();
}

static void ack_requests(void)
{
	struct mrc_tx tx;
	u32 i, asked = 0;

	fresh(1);
	sf[0].cwnd = 40 * COST;
	queue(40);
	for (i = 0; i < 40; i++) {
		CHECK(mrc_req_next(&rq, now, &tx));
		mrc_req_sent(&rq, &tx, now);
		asked += tx.ack_req;
	}
	CHECK_EQ(asked, 4);
	CHECK(tx.ack_req);		/* the last one always */
	queue(1);
	sack(40, 40, 0, 39);
	rq.win.right = rq.win.nxt + 1;
	queue(1);
	CHECK(mrc_req_next(&rq, now, &tx));
	CHECK(tx.ack_req);		/* and the one that closes the window */
	done();
}

static void reorder_threshold(void)
{
	fresh(1);
	queue(10);
	send(10);
	now += MS;
	CHECK_EQ(sack(0, 1, 0x3, 2).lost, 0);	/* two later ones */
	CHECK_EQ(rq.win.n_lost, 0);
	CHECK_EQ(sack(0, 1, 0x7, 3).lost, 1);	/* the third */
	CHECK_EQ(at(0)->state, MRC_TXD_LOST);
	CHECK_EQ(sf[0].pkts_lost, 1);
	CHECK_EQ(sf[0].inflight, 6 * COST);
	CHECK(sf[0].cwnd < 10 * COST);
	done();
}

/* Later packets over other subflows prove nothing about this one. */
static void reorder_subflows(void)
{
	u32 i;
	u64 map = 0;

	fresh(2);
	queue(20);
	CHECK_EQ(send(20), 20);
	for (i = 0; i < 20; i++)
		if (at(i)->subflow == 1)
			map |= 1ULL << i;
	CHECK_EQ(hweight64(map), 10);
	now += MS;
	CHECK_EQ(sack(0, 0, map, fls64(map) - 1).lost, 0);
	CHECK_EQ(sf[1].inflight, 0);
	CHECK_EQ(sf[0].inflight, 10 * COST);
	done();
}

static void retransmission(void)
{
	struct mrc_tx tx;

	fresh(2);
	queue(20);
	send(20);
	now += MS;
	/* All of subflow 0 behind its first arrive. */
	CHECK_EQ(at(0)->subflow, 0);
	CHECK_EQ(sack(0, 1, 0x7f, 7).lost, 1);
	CHECK(mrc_req_next(&rq, now, &tx));
	CHECK_EQ(tx.psn, first);
	CHECK(tx.rtx && tx.ack_req);
	CHECK_EQ(tx.sf, 1);
	mrc_req_sent(&rq, &tx, now);
	CHECK_EQ(rq.pkts_retrans, 1);
	CHECK_EQ(rq.bytes_retrans, LEN);
	CHECK_EQ(sf[1].pkts_retrans, 1);
	CHECK(at(0)->flags & MRC_TXD_F_RTX);
	/* With one subflow it is another EV at least. */
	mrc_req_subflow_event(&rq, 1, MRC_SF_EV_LINK_DOWN, now);
	CHECK(rq.win.n_lost > 0);
	at(0)->subflow = 0;
	at(0)->ev = sf[0].evs.ev[sf[0].evs.next].value;
	CHECK(mrc_req_next(&rq, now, &tx));
	CHECK_EQ(tx.psn, first);
	CHECK(tx.ev != at(0)->ev);
	done();
}

/* New data waits while a retransmission has no window. */
static void oldest_first(void)
{
	struct mrc_tx tx;

	fresh(1);
	queue(30);
	send(10);
	now += MS;
	CHECK_EQ(sack(0, 4, 0x1f, 8).lost, 4);
	sf[0].cwnd = 1 * COST;
	CHECK(!mrc_req_next(&rq, now, &tx));
	sf[0].cwnd = 20 * COST;
	CHECK(mrc_req_next(&rq, now, &tx));
	CHECK_EQ(tx.psn, first);
	CHECK_EQ(send(4), 4);
	CHECK_EQ(rq.win.n_lost, 0);
	CHECK(mrc_req_next(&rq, now, &tx));
	CHECK_EQ(tx.psn, first + 10);
	done();
}

static void spurious_loss(void)
{
	fresh(1);
	queue(10);
	send(10);
	now += MS;
	CHECK_EQ(sack(0, 3, 0x7, 5).lost, 3);
	/* They were only late. */
	CHECK_EQ(sack(6, 6, 0, 2).acked, 3);
	CHECK_EQ(rq.win.n_lost, 0);
	CHECK_EQ(rq.win.lost_head, MRC_TX_NIL);
	CHECK_EQ(sf[0].inflight, 4 * COST);
	CHECK_EQ(rq.win.una, first + 6);
	done();
}

static void old_sacks(void)
{
	struct mrc_ack_result r;
	struct mrc_sack s, old;

	fresh(1);
	queue(10);
	send(10);
	old = sack_of(2, 3, 0x1, 3);
	now += MS;
	sack(6, 6, 0, 5);
	s = sack_of(6, 6, 0, 5);
	CHECK_EQ(mrc_req_sack(&rq, &s, 0, now, &r), 0);
	CHECK_EQ(r.acked, 0);
	CHECK_EQ(r.freed_from, r.freed_to);
	CHECK_EQ(mrc_req_sack(&rq, &old, 0, now, &r), 0);
	CHECK_EQ(r.acked, 0);
	CHECK_EQ(rq.win.una, first + 6);
	CHECK_EQ(rq.bytes_acked, 6 * LEN);
	CHECK_EQ(rq.max_seen, first + 5);
	done();
}

/* Nothing may change when a SACK is refused. */
static void impossible(const struct mrc_sack *s)
{
	struct mrc_subflow sf_before = sf[0];
	struct mrc_req before = rq;
	struct mrc_ack_result r;

	CHECK_EQ(mrc_req_sack(&rq, s, 0, now, &r), -ERANGE);
	CHECK(!memcmp(&before, &rq, sizeof(rq)));
	CHECK(!memcmp(&sf_before, &sf[0], sizeof(sf[0])));
	CHECK_EQ(at(2)->state, MRC_TXD_INFLIGHT);
}

static void impossible_sacks(void)
{
	struct mrc_sack s;

	fresh(1);
	queue(20);
	send(10);
	sack(2, 2, 0, 1);
	now += MS;
	s = sack_of(11, 11, 0, 5);		/* never sent */
	impossible(&s);
	s = sack_of(21, 21, 0, 5);		/* not even queued */
	impossible(&s);
	s = sack_of(3, 4, 1ULL << 6, 5);	/* a bit beyond */
	impossible(&s);
	s = sack_of(3, 4, 1ULL << 63, 5);
	impossible(&s);
	s = sack_of(3, 3, 0, 5);
	s.sack_off = S16_MAX;
	s.bitmap = 1;
	impossible(&s);
	s = sack_of(3, 3, 0, 5);
	s.cack = (s.cack + 0x800000) & MRC_PSN_MASK;	/* half a world away */
	impossible(&s);
	s.cack = (u32)(first - 70000) & MRC_PSN_MASK;
	impossible(&s);
	/* Bits of what was acknowledged long ago are no lie. */
	s = sack_of(2, 0, 0x3, 5);
	CHECK_EQ(sack(2, 0, 0x3, 5).acked, 0);
	done();
}

static void random_sacks(void)
{
	struct mrc_ack_result r;
	struct mrc_sack s;
	u32 i;

	fresh(2);
	for (i = 0; i < 30000; i++) {
		if (rq.win.end - rq.win.una < 40)
			queue(20);
		send(rnd_below(20));
		now += rnd_below(MS);
		memset(&s, 0, sizeof(s));
		s.cack = (rq.win.una - 3 + rnd_below(8)) & MRC_PSN_MASK;
		s.trigger_off = rnd_chance(900) ? rnd_below(30) : rnd();
		s.sack_off = rnd_chance(900) ? rnd_below(20) : rnd();
		s.bitmap = rnd() & rnd() & rnd() & rnd();
		s.m = rnd_below(4);
		s.rtx = rnd() & 1;
		s.entropy = rnd_chance(500) ? 0xc000 + rnd_below(0x4000) :
					      sf[0].evs.ev[0].value;
		s.mpr = rnd();
		mrc_req_sack(&rq, &s, 0, now, &r);
		if (rnd_chance(100))
			mrc_req_timer(&rq, now);
	}
	CHECK(rq.win.una > first + 100);
	done();
}

static void rtt_only_certain(void)
{
	struct mrc_ack_result r;
	struct mrc_sack s;

	fresh(1);
	queue(10);
	send(10);
	now += 2 * MS;
	s = sack_of(1, 1, 0, 0);
	s.entropy ^= 1;				/* another packet's path */
	CHECK_EQ(mrc_req_sack(&rq, &s, 0, now, &r), 0);
	CHECK_EQ(sf[0].srtt, 0);
	s = sack_of(2, 2, 0, 1);
	s.rtx = true;				/* was not sent again */
	CHECK_EQ(mrc_req_sack(&rq, &s, 0, now, &r), 0);
	CHECK_EQ(sf[0].srtt, 0);
	s = sack_of(3, 3, 0, 2);
	s.probe = true;				/* no trigger */
	CHECK_EQ(mrc_req_sack(&rq, &s, 0, now, &r), 0);
	CHECK_EQ(sf[0].srtt, 0);
	CHECK_EQ(r.acked, 1);
	/* Sent twice: only if the SACK says that the second arrived. */
	CHECK_EQ(sack(3, 4, 0x7, 2).lost, 1);
	CHECK_EQ(sf[0].srtt, 0);
	send(1);
	now += 3 * MS;
	s = sack_of(7, 7, 0, 3);
	s.rtx = true;
	CHECK_EQ(mrc_req_sack(&rq, &s, 0, now, &r), 0);
	CHECK_EQ(sf[0].srtt, 3 * MS);
	done();
}

static void karn(void)
{
	fresh(1);
	queue(10);
	send(10);
	now += MS;
	CHECK_EQ(sack(0, 1, 0x7, 3).lost, 1);
	send(1);
	now += MS;
	sf[0].srtt = 0;
	/* The first transmission was only late. */
	sack(4, 4, 0, 0);
	CHECK_EQ(sf[0].srtt, 0);
	done();
}

static void marks(void)
{
	struct mrc_ack_result r;
	struct mrc_sack s;
	u32 cwnd;

	fresh(1);
	queue(10);
	send(10);
	now += MS;
	cwnd = sf[0].cwnd;
	s = sack_of(4, 4, 0, 3);
	s.m = MRC_M_SKIP_ONCE;
	CHECK_EQ(mrc_req_sack(&rq, &s, 0, now, &r), 0);
	CHECK_EQ(sf[0].ecn_marks, 1);
	CHECK_EQ(sf[0].evs.ev[at(3)->ev_idx].state, MRC_EV_SKIP);
	CHECK(sf[0].cwnd < cwnd);
	s = sack_of(5, 5, 0, 4);
	s.m = MRC_M_ALWAYS_SKIP;
	CHECK_EQ(mrc_req_sack(&rq, &s, 0, now, &r), 0);
	CHECK_EQ(sf[0].evs.retired, 1);
	done();
}

static void window_edge(void)
{
	struct mrc_ack_result r;
	struct mrc_sack s;

	fresh(1);
	queue(10);
	send(10);
	s = sack_of(2, 2, 0, 1);
	s.mpr = 5;
	CHECK_EQ(mrc_req_sack(&rq, &s, 3, now, &r), 0);
	CHECK_EQ(rq.win.right, first + 1000);
	CHECK(!r.window_opened);
	s.mpr = 255;
	CHECK_EQ(mrc_req_sack(&rq, &s, 3, now, &r), 0);
	CHECK_EQ(rq.win.right, first + 2 + (255 << 3));
	CHECK(r.window_opened);
	s.mpr = 0;
	CHECK_EQ(mrc_req_sack(&rq, &s, 3, now, &r), 0);
	CHECK_EQ(rq.win.right, first + 2 + (255 << 3));
	done();
}

static void timeout(void)
{
	struct mrc_ack_result r;
	struct mrc_sack s;
	u64 t;
	int i;

	fresh(1);
	queue(3);
	send(3);
	t = mrc_req_deadline(&rq, now);
	CHECK_EQ(t, now + MRC_RTO_INIT);
	now = t - 1;
	CHECK_EQ(mrc_req_timer(&rq, now), 0);
	now = t;
	CHECK_EQ(mrc_req_timer(&rq, now), 3);
	CHECK_EQ(sf[0].backoff, 1);
	CHECK_EQ(sf[0].cwnd, 2 * COST);
	CHECK_EQ(sf[0].state, MRC_SF_ACTIVE);
	CHECK_EQ(send(99), 2);
	CHECK_EQ(mrc_req_deadline(&rq, now), now + 2 * MRC_RTO_INIT);
	for (i = 0; i < 10; i++) {
		now = mrc_req_deadline(&rq, now);
		mrc_req_timer(&rq, now);
		send(99);
	}
	CHECK_EQ(sf[0].backoff, 6);
	CHECK_EQ(mrc_req_deadline(&rq, now), now + MRC_RTO_MAX);
	/* The last ACTIVE subflow is never given up. */
	CHECK_EQ(sf[0].state, MRC_SF_ACTIVE);
	now += MS;
	s = sack_of(1, 1, 0, 0);
	s.rtx = true;
	CHECK_EQ(mrc_req_sack(&rq, &s, 0, now, &r), 0);
	CHECK_EQ(sf[0].backoff, 0);
	done();
}

static void silence(void)
{
	u32 i, n = 0;

	fresh(2);
	sf[0].srtt = MS;
	sf[1].srtt = MS;
	queue(20);
	send(20);
	/* Subflow 1 answers, subflow 0 does not. */
	for (i = 0; i < 20; i++)
		n += at(i)->subflow == 0;
	CHECK_EQ(n, 10);
	sf[0].rttvar = 100 * MS;
	now += MRC_SILENT_MIN;
	mrc_subflow_heard(&sf[1], now);
	sf[1].rttvar = 100 * MS;
	CHECK_EQ(mrc_req_deadline(&rq, now), now);
	CHECK_EQ(mrc_req_timer(&rq, now), 10);
	CHECK_EQ(sf[0].state, MRC_SF_SUSPECT);
	CHECK_EQ(sf[0].inflight, 0);
	CHECK_EQ(rq.win.n_lost, 10);
	CHECK(mrc_subflow_probe_due(&sf[0], now));
	/* No congestion is concluded from it. */
	CHECK_EQ(sf[0].cwnd, 10 * COST);
	sf[1].cwnd = 20 * COST;
	CHECK_EQ(send(99), 10);
	CHECK_EQ(sf[1].inflight, 20 * COST);
	/* And the other, now alone, is not suspected. */
	now += 500 * MS;
	mrc_req_timer(&rq, now);
	CHECK_EQ(sf[1].state, MRC_SF_ACTIVE);
	CHECK_EQ(mrc_req_subflow_event(&rq, 1, MRC_SF_EV_SILENT, now), 0);
	CHECK_EQ(sf[1].state, MRC_SF_ACTIVE);
	done();
}

static void revival(void)
{
	u16 id;
	int i;

	fresh(2);
	queue(4);
	send(4);
	mrc_req_subflow_event(&rq, 0, MRC_SF_EV_SILENT, now);
	CHECK_EQ(sf[0].state, MRC_SF_SUSPECT);
	for (i = 0; i < 4; i++) {
		CHECK(mrc_subflow_probe_due(&sf[0], now));
		id = mrc_subflow_probe_sent(&sf[0], now);
		now = sf[0].probe_next_ns;
		mrc_req_timer(&rq, now);
	}
	CHECK_EQ(sf[0].state, MRC_SF_FAILED);
	CHECK(mrc_subflow_probe_due(&sf[0], now));
	id = mrc_subflow_probe_sent(&sf[0], now);
	CHECK(mrc_subflow_probe_answered(&sf[0], id, now + MS));
	sf[0].cwnd = 1;
	mrc_req_subflow_event(&rq, 0, MRC_SF_EV_PROVED, now + MS);
	CHECK_EQ(sf[0].state, MRC_SF_ACTIVE);
	CHECK_EQ(sf[0].cwnd, 10 * COST);
	CHECK(mrc_sched_usable(&rq, 0));
	done();
}

static void link_down_and_remove(void)
{
	fresh(3);
	queue(9);
	send(9);
	CHECK_EQ(mrc_req_subflow_event(&rq, 0, MRC_SF_EV_LINK_DOWN, now), 3);
	CHECK_EQ(sf[0].state, MRC_SF_DOWN);
	CHECK_EQ(mrc_req_subflow_remove(&rq, 1, now), 3);
	CHECK(!rq.sf[1]);
	CHECK_EQ(sf[1].state, MRC_SF_CLOSED);
	CHECK_EQ(mrc_req_subflow_remove(&rq, 1, now), -ENOENT);
	CHECK_EQ(mrc_req_subflow_event(&rq, 1, MRC_SF_EV_ADD, now), 0);
	CHECK_EQ(rq.win.n_lost, 6);
	/* Its number is given to another one: news is not about that. */
	mrc_subflow_destroy(&sf[1]);
	mrc_subflow_init(&sf[1], 1, 1, LEN, 8, 5, now, GFP_KERNEL);
	rq.sf[1] = &sf[1];
	CHECK_EQ(sack(9, 9, 0, 8).acked, 9);
	CHECK_EQ(sf[1].acked_seq, 0);
	CHECK(mrc_req_idle(&rq));
	done();
}

static void nacks(void)
{
	struct mrc_nack n = { .reason = MRC_NACK_TRIMMED };
	u32 cwnd;

	fresh(1);
	queue(12);
	send(10);
	n.psn = (first + 10) & MRC_PSN_MASK;
	CHECK_EQ(mrc_req_nack(&rq, &n, now), -ERANGE);
	n.psn = (first - 1) & MRC_PSN_MASK;
	CHECK_EQ(mrc_req_nack(&rq, &n, now), -ERANGE);
	n.psn = (first + 4) & MRC_PSN_MASK;
	n.entropy = at(4)->ev ^ 1;
	CHECK_EQ(mrc_req_nack(&rq, &n, now), 0);	/* earlier transmission */
	CHECK_EQ(rq.win.n_lost, 0);
	n.entropy = at(4)->ev;
	cwnd = sf[0].cwnd;
	CHECK_EQ(mrc_req_nack(&rq, &n, now), 0);
	CHECK_EQ(at(4)->state, MRC_TXD_LOST);
	CHECK_EQ(sf[0].evs.ev[at(4)->ev_idx].state, MRC_EV_SKIP);
	CHECK(sf[0].cwnd < cwnd);
	CHECK_EQ(mrc_req_nack(&rq, &n, now), 0);	/* repeated */
	CHECK_EQ(rq.win.n_lost, 1);
	n.psn = (first + 5) & MRC_PSN_MASK;
	n.entropy = at(5)->ev;
	n.reason = MRC_NACK_NO_PKT_BUFFER;
	cwnd = sf[0].cwnd;
	CHECK_EQ(mrc_req_nack(&rq, &n, now), 0);
	CHECK_EQ(sf[0].evs.ev[at(5)->ev_idx].state, MRC_EV_GOOD);
	CHECK_EQ(sf[0].cwnd, cwnd);
	CHECK_EQ(rq.win.n_lost, 2);
	n.reason = MRC_NACK_UNEXP_EVENT;
	CHECK_EQ(mrc_req_nack(&rq, &n, now), -ECONNRESET);
	done();
}

static void closed_window(void)
{
	struct mrc_sack s;
	struct mrc_ack_result r;
	u64 progress;
	u16 id;
	int i;

	fresh(1);
	rq.win.right = first + 5;
	queue(10);
	CHECK_EQ(send(99), 5);
	now += MS;
	sack(5, 5, 0, 4);
	progress = rq.progress_ns;
	CHECK_EQ(mrc_req_deadline(&rq, now), now + MRC_WINDOW_PROBE);
	now += MRC_WINDOW_PROBE;
	mrc_req_timer(&rq, now);
	CHECK(mrc_subflow_probe_due(&sf[0], now));
	id = mrc_subflow_probe_sent(&sf[0], now);
	/* Answered, still closed: again after a while, not at once. */
	CHECK(mrc_subflow_probe_answered(&sf[0], id, now + MS));
	CHECK_EQ(mrc_req_deadline(&rq, now), now + MRC_WINDOW_PROBE);
	for (i = 0; i < 5; i++) {
		now = mrc_req_deadline(&rq, now);
		mrc_req_timer(&rq, now);
		if (mrc_subflow_probe_due(&sf[0], now))
			mrc_subflow_probe_sent(&sf[0], now);
	}
	CHECK(sf[0].probe_lost > 0);
	CHECK_EQ(rq.progress_ns, progress);
	s = sack_of(5, 5, 0, 4);
	s.mpr = 5;
	CHECK_EQ(mrc_req_sack(&rq, &s, 0, now, &r), 0);
	CHECK(r.window_opened);
	CHECK_EQ(send(99), 5);
	mrc_req_timer(&rq, now);
	CHECK(sf[0].probe_next_ns == MRC_NEVER);
	CHECK_EQ(sf[0].probe_lost, 0);
	done();
}

static void ev_losses(void)
{
	u32 i;

	fresh(1);
	sf[0].cwnd = 100 * COST;
	queue(64);
	send(64);
	now += MRC_RTO_INIT;
	/* Eight EVs, eight losses each. */
	CHECK_EQ(mrc_req_timer(&rq, now), 64);
	CHECK(sf[0].evs.retired >= 8);
	for (i = 0; i < 8; i++)
		CHECK_EQ(sf[0].evs.ev[i].state, MRC_EV_GOOD);
	done();
}

/* Beyond 2^24 and 2^32 packets, with a loss at every turn. */
static void wraps(void)
{
	static const u64 starts[] = { 1ULL << 25, 1ULL << 31, 1ULL << 32 };
	u32 s, i;

	for (s = 0; s < ARRAY_SIZE(starts); s++) {
		fresh(1);
		first = starts[s] - 6;
		mrc_req_init(&rq, first, 1000);
		rq.sf[0] = &sf[0];
		queue(12);
		CHECK_EQ(send(10), 10);
		now += MS;
		/* Only every fourth is missing. */
		CHECK_EQ(sack(0, 0, 0x2ee, 9).acked, 7);
		CHECK_EQ(rq.win.n_lost, 2);
		CHECK_EQ(send(2), 2);
		CHECK_EQ(rq.win.n_lost, 0);
		for (i = 0; i < 10; i++)
			CHECK(at(i)->state == MRC_TXD_SACKED || i % 4 == 0);
		CHECK_EQ(sack(10, 10, 0, 8).acked, 3);
		CHECK_EQ(rq.win.una, first + 10);
		CHECK_EQ(sf[0].inflight, 0);
		done();
	}
}

static const struct test tests[] = {
	TEST(in_order, "a window without losses is not sent and freed"),
	TEST(gates, "a window (bytes, packets or messages) is overrun"),
	TEST(next_is_pure, "asking what to send changes something"),
	TEST(ack_requests, "SACKs are asked for too often or not at the end"),
	TEST(reorder_threshold, "loss is declared too early or too late"),
	TEST(reorder_subflows, "a slow subflow's packets are taken for lost"),
	TEST(retransmission, "a retransmission takes the same path again"),
	TEST(oldest_first, "new data overtakes retransmissions"),
	TEST(spurious_loss, "a late packet is sent although it arrived"),
	TEST(old_sacks, "an old or repeated SACK changes something"),
	TEST(impossible_sacks, "an impossible SACK is believed"),
	TEST(random_sacks, "random SACKs break the window"),
	TEST(rtt_only_certain, "an RTT is measured on the wrong packet"),
	TEST(karn, "an RTT is measured on an ambiguous packet"),
	TEST(marks, "a mark does not reach its EV and its window"),
	TEST(window_edge, "the right edge moves back or does not move"),
	TEST(timeout, "a timeout does not back off, or kills the last subflow"),
	TEST(silence, "a silent subflow keeps its packets, or the last one is suspected"),
	TEST(revival, "a failed subflow does not come back"),
	TEST(link_down_and_remove, "packets of a lost link are not sent again"),
	TEST(nacks, "a NACK is ignored or believed wrongly"),
	TEST(closed_window, "a closed window is not probed, or for ever"),
	TEST(ev_losses, "dead EVs are kept"),
	TEST(wraps, "a long connection breaks when numbers wrap"),
};

HARNESS_MAIN(tests)
