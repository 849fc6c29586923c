/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A small test harness: KTAP out, one function for each case.
 *
 *	static void some_case(void) { CHECK(1 + 1 == 2); }
 *
 *	static const struct test tests[] = {
 *		TEST(some_case, "addition is broken"),
 *	};
 *
 *	HARNESS_MAIN(tests)
 *
 * The name of a case says what would be broken if it failed.
 */
#ifndef _MRC_TEST_HARNESS_H
#define _MRC_TEST_HARNESS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core.h"

struct test {
	void (*fn)(void);
	const char *name;
};

#define TEST(f, what) { f, what }

static int harness_bad;
static u64 harness_seed;

/* Says where and goes on: one run shows all that is wrong. */
#define CHECK(cond) do {						\
	if (!(cond)) {							\
		printf("# %s:%d: %s\n", __FILE__, __LINE__, #cond);	\
		harness_bad++;						\
	}								\
} while (0)

#define CHECK_EQ(a, b) do {						\
	long long __a = (long long)(a), __b = (long long)(b);		\
									\
	if (__a != __b) {						\
		printf("# %s:%d: %s is %lld, not %s (%lld)\n",		\
		       __FILE__, __LINE__, #a, __a, #b, __b);		\
		harness_bad++;						\
	}								\
} while (0)

/* Random numbers of the tests; the seed is printed and can be given. */
static inline u32 rnd(void)
{
	return mrc_rand(&harness_seed);
}

static inline u32 rnd_below(u32 n)
{
	return rnd() % n;
}

/* True in @per_mille of 1000 cases. */
static inline bool rnd_chance(u32 per_mille)
{
	return rnd_below(1000) < per_mille;
}

static inline void harness_reseed(u64 seed)
{
	harness_seed = seed ? seed : 1;
}

static inline u64 harness_start_seed(void)
{
	const char *s = getenv("SEED");

	if (s && *s)
		return strtoull(s, NULL, 0);
	return (u64)time(NULL) * 0x9e3779b97f4a7c15ULL | 1;
}

static int harness_run(const struct test *t, unsigned int n)
{
	u64 seed = harness_start_seed();
	unsigned int i, failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("KTAP version 1\n# SEED=%llu\n1..%u\n",
	       (unsigned long long)seed, n);
	for (i = 0; i < n; i++) {
		harness_bad = 0;
		harness_reseed(seed + i);
		shim_alloc_fail = 0;
		t[i].fn();
		if (harness_bad)
			failed++;
		printf("%s %u %s\n", harness_bad ? "not ok" : "ok", i + 1,
		       t[i].name);
	}
	return failed ? 1 : 0;
}

#define HARNESS_MAIN(tests)						\
int main(void)								\
{									\
	return harness_run(tests, ARRAY_SIZE(tests));			\
}

#endif /* _MRC_TEST_HARNESS_H */
