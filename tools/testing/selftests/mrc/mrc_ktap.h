/* SPDX-License-Identifier: GPL-2.0 */
/*
 * KTAP for the C tests of MRC: every case runs in a child of its own with a
 * time limit, so that one that hangs or crashes is one "not ok".
 *
 *	static void case_name(void) { CHECK(1 + 1 == 2); }
 *	static const struct mrc_case cases[] = {
 *		CASE(case_name),
 *	};
 *	MRC_MAIN(cases)
 *
 * A case returns when all is well.  CHECK*() end the child with a line that
 * says what was expected; SKIP() ends it with a reason.  Each case runs once
 * for each address family (see mrc_util.h), unless it asks for one.
 */
#ifndef _MRC_KTAP_H
#define _MRC_KTAP_H

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define KSFT_PASS	0
#define KSFT_FAIL	1
#define KSFT_SKIP	4

/* Seconds that a case may take: ten times what it takes on a slow VM. */
#define MRC_CASE_SECONDS	60

enum mrc_fam {
	FAM_V4,
	FAM_V6,
	FAM_MAPPED,	/* IPv6 sockets, IPv4-mapped addresses */
	FAM_COUNT,
};

#define IN_V4		(1U << FAM_V4)
#define IN_V6		(1U << FAM_V6)
#define IN_MAPPED	(1U << FAM_MAPPED)

/**
 * struct mrc_case - a test case
 * @name: what would be broken if it failed.
 * @fn: the case.
 * @fams: families to run it in, IN_*; 0 for all three.
 * @seconds: time limit, 0 for MRC_CASE_SECONDS.
 */
struct mrc_case {
	const char *name;
	void (*fn)(void);
	unsigned int fams;
	unsigned int seconds;
};

#define CASE(f)			{ .name = #f, .fn = f }
#define CASE_IN(f, families)	{ .name = #f, .fn = f, .fams = families }

static const char *const mrc_fam_names[] = { "v4", "v6", "mapped" };

/* Family of the case that runs. */
static enum mrc_fam mrc_fam;

#define say(fmt, ...) do {						\
	printf("# " fmt "\n", ##__VA_ARGS__);				\
	fflush(stdout);							\
} while (0)

#define FAIL(fmt, ...) do {						\
	printf("# %s:%d: " fmt "\n", __FILE__, __LINE__, ##__VA_ARGS__);	\
	fflush(stdout);							\
	_exit(KSFT_FAIL);						\
} while (0)

#define SKIP(fmt, ...) do {						\
	printf("# SKIP " fmt "\n", ##__VA_ARGS__);			\
	fflush(stdout);							\
	_exit(KSFT_SKIP);						\
} while (0)

#define CHECK(cond) do {						\
	if (!(cond))							\
		FAIL("not true: %s (errno %d %s)", #cond, errno,	\
		     strerror(errno));					\
} while (0)

#define CHECK_EQ(a, b) do {						\
	long long _a = (a), _b = (b);					\
	int _e = errno;							\
									\
	if (_a != _b)							\
		FAIL("%s is %lld, expected %s = %lld (errno %d %s)",	\
		     #a, _a, #b, _b, _e, strerror(_e));			\
} while (0)

/* @expr fails with @err. */
#define CHECK_ERR(expr, err) do {					\
	long long _r;							\
									\
	errno = 0;							\
	_r = (expr);							\
	if (_r != -1 || errno != (err))					\
		FAIL("%s: returns %lld, errno %d %s; expected -1, %d %s",	\
		     #expr, _r, errno, strerror(errno), (err),		\
		     strerror(err));					\
} while (0)

/* The same with two possible errors. */
#define CHECK_ERR2(expr, err1, err2) do {				\
	long long _r;							\
									\
	errno = 0;							\
	_r = (expr);							\
	if (_r != -1 || (errno != (err1) && errno != (err2)))		\
		FAIL("%s: returns %lld, errno %d %s; expected -1, %s or %s", \
		     #expr, _r, errno, strerror(errno), #err1, #err2);	\
} while (0)

/* Waits up to 20 s until @cond is true. */
#define WAIT_FOR(cond) do {						\
	int _n;								\
									\
	for (_n = 0; _n < 2000 && !(cond); _n++)			\
		usleep(10000);						\
	if (_n == 2000)							\
		FAIL("never became true: %s", #cond);			\
} while (0)

static inline long long mrc_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000LL + ts.tv_nsec / 1000000;
}

/* The whole process group of the child goes, and with it what it forked. */
static int mrc_reap(pid_t pid, unsigned int seconds, bool *timed_out)
{
	long long end = mrc_ms() + seconds * 1000LL;
	int status;

	*timed_out = false;
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (mrc_ms() > end) {
			if (*timed_out) {
				printf("# pid %d cannot be killed\n", pid);
				return -1;
			}
			*timed_out = true;
			end = mrc_ms() + 5000;
			kill(-pid, SIGKILL);
		}
		usleep(1000);
	}
	kill(-pid, SIGKILL);
	return status;
}

static int mrc_run_case(const struct mrc_case *c, enum mrc_fam fam, unsigned int number)
{
	unsigned int seconds = c->seconds ? c->seconds : MRC_CASE_SECONDS;
	bool timed_out;
	pid_t pid;
	int status;

	fflush(stdout);
	pid = fork();
	if (pid < 0) {
		printf("not ok %u %s %s\n", number, mrc_fam_names[fam], c->name);
		return KSFT_FAIL;
	}
	if (!pid) {
		setpgid(0, 0);
		mrc_fam = fam;
		c->fn();
		fflush(stdout);
		_exit(KSFT_PASS);
	}
	setpgid(pid, pid);
	status = mrc_reap(pid, seconds, &timed_out);
	if (timed_out) {
		printf("# took more than %u s\n", seconds);
		status = -1;
	} else if (WIFSIGNALED(status)) {
		printf("# killed by signal %d\n", WTERMSIG(status));
	} else if (WEXITSTATUS(status) == KSFT_SKIP) {
		printf("ok %u %s %s # SKIP\n", number, mrc_fam_names[fam], c->name);
		return KSFT_SKIP;
	}
	printf("%sok %u %s %s\n", status ? "not " : "", number, mrc_fam_names[fam], c->name);
	return status ? KSFT_FAIL : KSFT_PASS;
}

static bool mrc_case_in(const struct mrc_case *c, int fam)
{
	return !c->fams || c->fams & (1U << fam);
}

/*
 * Options: -c prints the number of tests and ends; -o N numbers them from
 * N + 1 without header and plan, for scripts that join several programs;
 * -t NAME runs one case only; -f v4|v6|mapped one family only.
 */
static inline int mrc_main(int argc, char **argv, const struct mrc_case *cases, unsigned int n)
{
	unsigned int i, fam, total = 0, number = 0, failed = 0;
	const char *only = NULL, *only_fam = NULL;
	bool count = false, joined = false;
	int opt;

	while ((opt = getopt(argc, argv, "co:t:f:")) != -1) {
		switch (opt) {
		case 'c':
			count = true;
			break;
		case 'o':
			joined = true;
			number = strtoul(optarg, NULL, 10);
			break;
		case 't':
			only = optarg;
			break;
		case 'f':
			only_fam = optarg;
			break;
		default:
			return 2;
		}
	}
	for (i = 0; i < n; i++)
		for (fam = 0; fam < FAM_COUNT; fam++)
			total += mrc_case_in(&cases[i], fam) &&
				 (!only || !strcmp(only, cases[i].name)) &&
				 (!only_fam || !strcmp(only_fam, mrc_fam_names[fam]));
	if (count) {
		printf("%u\n", total);
		return 0;
	}
	if (!joined)
		printf("TAP version 13\n1..%u\n", total);
	for (i = 0; i < n; i++) {
		for (fam = 0; fam < FAM_COUNT; fam++) {
			if (!mrc_case_in(&cases[i], fam) ||
			    (only && strcmp(only, cases[i].name)) ||
			    (only_fam && strcmp(only_fam, mrc_fam_names[fam])))
				continue;
			failed += mrc_run_case(&cases[i], fam, ++number) == KSFT_FAIL;
			fflush(stdout);
		}
	}
	return failed ? KSFT_FAIL : KSFT_PASS;
}

#define MRC_MAIN(cases)							\
int main(int argc, char **argv)						\
{									\
	return mrc_main(argc, argv, cases, sizeof(cases) / sizeof((cases)[0]));	\
}

#endif /* _MRC_KTAP_H */
