// SPDX-License-Identifier: GPL-2.0
/* MRC core, end to end: requestor against responder over bad networks. */
#include "sim.h"

static struct sim_conf base_conf(unsigned int n_paths)
{
	struct sim_conf c = {
		.n_paths = n_paths,
		.n_msgs = 150,
		.msg_max = 60000,
		.mss = 1400,
		.buffer = 256,
		.first_psn = 0xffff00 + rnd_below(256),
	};
	unsigned int i;

	for (i = 0; i < n_paths; i++)
		c.path[i] = (struct sim_path) {
			.delay = (50 + rnd_below(1000)) * US,
			.rate = 2000 + rnd_below(20000),
			.queue = 5 * MS,
			.mark = 1 * MS,
		};
	return c;
}

static void make_bad(struct sim_conf *c, u32 loss, u32 dup, u32 reorder)
{
	unsigned int i;

	for (i = 0; i < c->n_paths; i++) {
		c->path[i].loss = loss;
		c->path[i].dup = dup;
		c->path[i].reorder = reorder;
	}
}

static void hole(struct sim_conf *c, unsigned int path, u64 from, u64 len)
{
	c->path[path].hole_from = MRC_NSEC_PER_SEC + from;
	c->path[path].hole_to = MRC_NSEC_PER_SEC + from + len;
}

#define LLU(x) ((unsigned long long)(x))

static void explain(const struct sim *s)
{
	const struct mrc_txwin *w = &s->rq.win;
	unsigned int i;

	printf("# %llu of %u messages after %llu ms\n", LLU(s->done_msgs),
	       s->c.n_msgs, LLU(s->now / MS - 1000));
	printf("# tx una %llu nxt %llu end %llu right %llu lost %u inflight %u\n",
	       LLU(w->una), LLU(w->nxt), LLU(w->end), LLU(w->right), w->n_lost,
	       w->n_inflight);
	printf("# rx next %llu ooo %u base %llu right %llu unread %u held %u\n",
	       LLU(s->rx.next), s->rx.ooo, LLU(s->rx.base), LLU(s->rx.right),
	       s->unread, sim_held(s));
	for (i = 0; i < s->c.n_paths; i++) {
		const struct mrc_subflow *sf = &s->sf[i];

		printf("# path %u %s cwnd %u inflight %u srtt %llu us\n", i,
		       mrc_subflow_state_name(sf->state), sf->cwnd,
		       sf->inflight, LLU(sf->srtt / US));
		printf("# path %u sent %llu retrans %llu lost %llu\n", i,
		       LLU(sf->pkts_sent), LLU(sf->pkts_retrans),
		       LLU(sf->pkts_lost));
	}
}

/* Run to the end, check that all is there and nothing is left over. */
static void run(const struct sim_conf *c, u64 limit, struct sim *s)
{
	bool done;

	sim_init(s, c);
	done = sim_run(s, limit);
	CHECK(done);
	if (!done || getenv("VERBOSE"))
		explain(s);
	CHECK_EQ(s->done_msgs, c->n_msgs);
	CHECK(!s->cur_open);
	sim_destroy(s);
	CHECK_EQ(sim_tx_live, 0);
	CHECK_EQ(sim_rx_live, 0);
	CHECK_EQ(shim_alloc_live, 0);
	sim_tx_live = 0;
	sim_rx_live = 0;
	shim_alloc_live = 0;
}

static void run_rounds(struct sim_conf (*conf)(void), u64 limit)
{
	static struct sim s;
	int round;

	for (round = 0; round < 12 && !harness_bad; round++) {
		u64 seed = harness_seed;
		struct sim_conf c = conf();

		run(&c, limit, &s);
		if (harness_bad)
			printf("# round %d, state of the generator %#llx\n",
			       round, (unsigned long long)seed);
	}
}

static struct sim_conf conf_clean1(void)
{
	return base_conf(1);
}

/* Nothing is lost by the network: nothing may be sent twice for long. */
static void clean_one(void)
{
	struct sim_conf c = conf_clean1();
	static struct sim s;

	c.path[0].queue = MRC_NSEC_PER_SEC;
	run(&c, 20 * MRC_NSEC_PER_SEC, &s);
	CHECK_EQ(s.rq.pkts_retrans, 0);
	CHECK_EQ(s.rx.pkts_dup, 0);
}

static void clean_four(void)
{
	struct sim_conf c = base_conf(4);
	static struct sim s;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		c.path[i] = c.path[0];
		c.path[i].queue = MRC_NSEC_PER_SEC;
	}
	run(&c, 20 * MRC_NSEC_PER_SEC, &s);
	/* SACKs that queue on one path are overtaken on another. */
	CHECK(s.rq.pkts_retrans * 200 < s.rq.pkts_sent);
	for (i = 0; i < 4; i++)
		CHECK(s.sf[i].pkts_sent > 20);
}

/*
 * SACKs of unequal planes overtake each other: some packets look lost that
 * are not, but few.
 */
static void clean_unequal(void)
{
	struct sim_conf c = base_conf(4);
	static struct sim s;
	unsigned int i;

	c.n_msgs = 300;
	for (i = 0; i < 4; i++)
		c.path[i].queue = MRC_NSEC_PER_SEC;
	run(&c, 20 * MRC_NSEC_PER_SEC, &s);
	printf("# %llu of %llu sent again\n",
	       (unsigned long long)s.rq.pkts_retrans,
	       (unsigned long long)s.rq.pkts_sent);
	CHECK(s.rq.pkts_retrans * 20 < s.rq.pkts_sent);
}

static struct sim_conf conf_lossy1(void)
{
	struct sim_conf c = base_conf(1);

	make_bad(&c, rnd_below(50), rnd_below(20), rnd_below(50));
	return c;
}

static void lossy_one(void)
{
	run_rounds(conf_lossy1, 30 * MRC_NSEC_PER_SEC);
}

static struct sim_conf conf_lossy4(void)
{
	struct sim_conf c = base_conf(4);

	make_bad(&c, rnd_below(50), rnd_below(20), rnd_below(50));
	return c;
}

static void lossy_four(void)
{
	run_rounds(conf_lossy4, 30 * MRC_NSEC_PER_SEC);
}

static struct sim_conf conf_hole1(void)
{
	struct sim_conf c = conf_lossy1();

	hole(&c, 0, 20 * MS, 100 * MS);
	return c;
}

static void hole_one(void)
{
	run_rounds(conf_hole1, 40 * MRC_NSEC_PER_SEC);
}

static struct sim_conf conf_hole4(void)
{
	struct sim_conf c = conf_lossy4();

	c.n_msgs = 400;
	hole(&c, rnd_below(4), 20 * MS, 100 * MS);
	return c;
}

static void hole_four(void)
{
	run_rounds(conf_hole4, 30 * MRC_NSEC_PER_SEC);
}

/* All at once, for longer than probes are patient. */
static struct sim_conf conf_all_holes(void)
{
	struct sim_conf c = conf_lossy4();
	unsigned int i;

	for (i = 0; i < 4; i++)
		hole(&c, i, 10 * MS, 400 * MS);
	return c;
}

static void hole_all(void)
{
	run_rounds(conf_all_holes, 40 * MRC_NSEC_PER_SEC);
}

static struct sim_conf conf_unordered(void)
{
	struct sim_conf c = rnd_chance(500) ? conf_lossy4() : conf_lossy1();

	c.unordered = true;
	c.open_len = rnd_chance(500);
	if (rnd_chance(500))
		hole(&c, c.n_paths - 1, 15 * MS, 60 * MS);
	return c;
}

static void unordered(void)
{
	run_rounds(conf_unordered, 40 * MRC_NSEC_PER_SEC);
}

/* A reader that is slow closes windows; SACKs that open them get lost. */
static struct sim_conf conf_slow_reader(void)
{
	struct sim_conf c = rnd_chance(500) ? conf_lossy4() : conf_lossy1();

	make_bad(&c, 50, 10, 20);
	c.buffer = 64;
	c.mpr_shift = rnd_below(4);
	c.reader_stall = 300;
	c.unordered = rnd_chance(300);
	if (c.unordered)
		c.msg_max = 20 * c.mss;
	return c;
}

static void slow_reader(void)
{
	run_rounds(conf_slow_reader, 120 * MRC_NSEC_PER_SEC);
}

static struct sim_conf conf_credits(void)
{
	struct sim_conf c = rnd_chance(500) ? conf_lossy4() : conf_lossy1();

	c.credits = 1 + rnd_below(10);
	c.n_msgs = 300;
	c.msg_max = 3000;
	c.reader_stall = 100;
	return c;
}

static void credits(void)
{
	run_rounds(conf_credits, 120 * MRC_NSEC_PER_SEC);
}

static struct sim_conf conf_no_memory(void)
{
	struct sim_conf c = conf_lossy4();

	c.no_memory = 200;
	c.unordered = rnd_chance(500);
	return c;
}

static void no_memory(void)
{
	run_rounds(conf_no_memory, 60 * MRC_NSEC_PER_SEC);
}

/* Very different planes: the slow one must not hold up the fast ones. */
static void unequal(void)
{
	struct sim_conf c = base_conf(4);
	static struct sim s;
	u64 bytes = 0, took, ideal;
	unsigned int i;

	c.n_msgs = 400;
	c.buffer = 4096;
	c.mpr_shift = 6;
	for (i = 0; i < 4; i++) {
		c.path[i].delay = i < 2 ? 100 * US : i == 2 ? MS : 5 * MS;
		c.path[i].rate = i < 2 ? 12500 : i == 2 ? 6250 : 1250;
		c.path[i].queue = 12 * MS;
		c.path[i].mark = MRC_NEVER;
	}
	run(&c, 30 * MRC_NSEC_PER_SEC, &s);
	bytes = s.rq.bytes_acked;
	took = s.last_done - MRC_NSEC_PER_SEC;
	ideal = div_u64(bytes * MS, 12500 * 2 + 6250 + 1250);
	printf("# %llu bytes in %llu us, at full rate %llu us, %llu sent again\n",
	       (unsigned long long)bytes, LLU(took / US),
	       LLU(ideal / US),
	       (unsigned long long)s.rq.pkts_retrans);
	CHECK(took < 2 * ideal + 50 * MS);
}

/* One of four planes dies: how long does delivery stand still? */
static void failover_gap(void)
{
	struct sim_conf c = base_conf(4);
	static struct sim s;
	u64 done = 0, last = 0, gap = 0;
	unsigned int i;

	c.n_msgs = 3000;
	c.msg_max = 4000;
	c.buffer = 2048;
	c.mpr_shift = 4;
	for (i = 0; i < 4; i++) {
		c.path[i].delay = 100 * US;
		c.path[i].rate = 12500;
	}
	hole(&c, 2, 20 * MS, 10000 * MS);
	sim_init(&s, &c);
	while (!sim_done(&s) && s.now < 10 * MRC_NSEC_PER_SEC) {
		sim_step(&s);
		if (s.done_msgs > done) {
			if (last && s.now - last > gap)
				gap = s.now - last;
			done = s.done_msgs;
			last = s.now;
		}
	}
	CHECK(sim_done(&s));
	CHECK(s.sf[2].state == MRC_SF_SUSPECT || s.sf[2].state == MRC_SF_FAILED);
	printf("# longest gap %llu us\n", LLU(gap / US));
	CHECK(gap < 15 * MS);
	sim_destroy(&s);
	CHECK_EQ(sim_tx_live, 0);
	CHECK_EQ(sim_rx_live, 0);
}

/* More packets than 24 bits of PSN can count need not be sent to wrap. */
static void psn_wrap(void)
{
	struct sim_conf c = base_conf(2);
	static struct sim s;

	c.first_psn = 0xffffff;
	c.n_msgs = 60;
	run(&c, 20 * MRC_NSEC_PER_SEC, &s);
}

/* A peer that dies with everything closed must not be asked for ever. */
static void dead_peer_progress(void)
{
	struct sim_conf c = base_conf(1);
	static struct sim s;
	u64 t;

	c.buffer = 64;
	sim_init(&s, &c);
	while (s.now < MRC_NSEC_PER_SEC + 10 * MS)
		sim_step(&s);
	t = s.rq.progress_ns;
	s.c.path[0].loss = 1000;
	while (s.now < 5 * MRC_NSEC_PER_SEC)
		sim_step(&s);
	CHECK(s.rq.progress_ns < t + 20 * MS);
	CHECK(s.rq.pkts_sent < 4000);
	CHECK(s.probes < 300);
	sim_destroy(&s);
	sim_rx_live = 0;
	sim_tx_live = 0;
}

static const struct test tests[] = {
	TEST(clean_one, "one clean path: packets are sent twice or messages break"),
	TEST(clean_four, "four clean paths: more than 0.5 % is sent twice, or a path is idle"),
	TEST(clean_unequal, "unequal clean paths: more than 5 % is sent twice"),
	TEST(lossy_one, "one lossy path: a message is lost, doubled or out of order"),
	TEST(lossy_four, "four lossy paths: a message is lost, doubled or out of order"),
	TEST(hole_one, "the only path is a black hole for 100 ms: no recovery"),
	TEST(hole_four, "one of four paths is a black hole for 100 ms: no recovery"),
	TEST(hole_all, "all paths are black holes for 400 ms: no recovery"),
	TEST(unordered, "unordered: a message is torn, lost or doubled"),
	TEST(slow_reader, "a closed window is never opened again"),
	TEST(credits, "message credits are overrun or never come back"),
	TEST(no_memory, "a packet refused for lack of memory is never sent again"),
	TEST(unequal, "a slow plane holds up the fast ones"),
	TEST(failover_gap, "a dead plane stops delivery for longer than 15 ms"),
	TEST(psn_wrap, "the wrap of the PSN breaks the connection"),
	TEST(dead_peer_progress, "probing a closed window looks like progress"),
};

HARNESS_MAIN(tests)
