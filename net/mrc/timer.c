// SPDX-License-Identifier: GPL-2.0
/*
 * MRC timer: one soft hrtimer for each connection, and deferred work.
 *
 * The timer fires at the earliest of all deadlines and looks at each.  It is
 * only ever moved forward: an early one finds nothing to do and sleeps
 * again, which is cheaper than moving it with every packet.
 */
#include "mrc.h"

/* Never fire more often than this, whatever a deadline says; ns. */
#define MRC_TIMER_MIN	(20 * MRC_NSEC_PER_USEC)

static bool mrc_any_active(const struct mrc_sock *msk)
{
	int i;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++)
		if (msk->paths[i] && msk->paths[i]->sf.state == MRC_SF_ACTIVE)
			return true;
	return false;
}

/*
 * When the connection is given up: the peer has been silent although it
 * owes something, or no path was usable, for the user timeout.
 */
static u64 mrc_death_ns(const struct sock *sk)
{
	const struct mrc_sock *msk = mrc_sk(sk);
	u64 since = max(msk->heard_ns, msk->req.progress_ns);
	int i;

	if (sock_flag(sk, SOCK_DEAD) && sk->sk_state == MRC_S_DREQ_WAIT2)
		return msk->fin_wait_ns + MRC_FIN_TIMEOUT;
	/* An orphan's peer that never reads must not keep it for ever. */
	if (sock_flag(sk, SOCK_DEAD) && !mrc_req_idle(&msk->req))
		return max(msk->req.progress_ns, msk->fin_wait_ns) +
		       msk->user_timeout;
	if (mrc_req_idle(&msk->req) && mrc_any_active(msk))
		return MRC_NEVER;
	for (i = 0; i < MRC_SUBFLOWS_MAX; i++)
		if (msk->paths[i])
			since = max(since, msk->paths[i]->sf.changed_ns);
	return since + msk->user_timeout;
}

static u64 mrc_next_deadline(struct sock *sk, u64 now)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u64 d = msk->cm_next_ns;

	if (!((1 << sk->sk_state) & MRC_SF_CONNECTED))
		return d;
	if (msk->sack_since != MRC_NEVER)
		d = min_t(u64, d, msk->sack_since + MRC_SACK_DELAY);
	d = min_t(u64, d, mrc_req_deadline(&msk->req, now));
	return min_t(u64, d, mrc_death_ns(sk));
}

/**
 * mrc_timer_update() - make sure the timer fires in time
 * @sk: connection
 *
 * Context: socket lock, any context.
 */
void mrc_timer_update(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u64 now, d;

	if (sk->sk_state == MRC_S_CLOSED || sk->sk_state == MRC_S_LISTEN)
		return;
	now = mrc_now();
	d = mrc_next_deadline(sk, now);
	if (d == MRC_NEVER || msk->timer_ns <= d)
		return;
	d = max_t(u64, d, now + MRC_TIMER_MIN);
	/* A queued timer's reference is inherited, a running one keeps its. */
	if (hrtimer_try_to_cancel(&msk->timer) != 1)
		sock_hold(sk);
	msk->timer_ns = d;
	hrtimer_start(&msk->timer, ns_to_ktime(d), HRTIMER_MODE_ABS_SOFT);
}

/**
 * mrc_timer_stop() - no timer any more
 * @sk: socket
 *
 * A callback that waits for the lock right now will find nothing to do.
 */
void mrc_timer_stop(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);

	if (hrtimer_try_to_cancel(&msk->timer) == 1)
		__sock_put(sk);
	msk->timer_ns = MRC_NEVER;
}

static void mrc_timer_probes(struct sock *sk, u64 now)
{
	struct mrc_sock *msk = mrc_sk(sk);
	int i;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++)
		if (msk->paths[i] &&
		    mrc_subflow_probe_due(&msk->paths[i]->sf, now))
			mrc_send_probe(sk, msk->paths[i], now);
}

/**
 * mrc_timer_run() - do what is due
 * @sk: connection
 *
 * Context: socket lock; may end the connection, the caller holds a reference.
 */
void mrc_timer_run(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u64 now = mrc_now();

	/* It may have been set again while the callback waited. */
	if (!hrtimer_is_queued(&msk->timer))
		msk->timer_ns = MRC_NEVER;
	if (sk->sk_state == MRC_S_CLOSED || sk->sk_state == MRC_S_LISTEN)
		return;
	mrc_cm_timer(sk, now);
	if ((1 << sk->sk_state) & MRC_SF_CONNECTED) {
		if (now >= mrc_death_ns(sk)) {
			MRC_INC_SK(sk, CM_TIMEOUTS);
			mrc_cm_abort(sk, ETIMEDOUT, true);
			return;
		}
		mrc_req_timer(&msk->req, now);
		mrc_timer_probes(sk, now);
		if (msk->sack_since != MRC_NEVER &&
		    now >= msk->sack_since + MRC_SACK_DELAY)
			mrc_send_sacks(sk, msk->last_rx_path);
		mrc_push(sk);
	}
	mrc_timer_update(sk);
}

/* ---------------------------------------------------------- deferred work */

static void mrc_deferred_run(struct sock *sk, enum mrc_deferred what)
{
	switch (what) {
	case MRC_DEFER_TIMER:
		mrc_timer_run(sk);
		break;
	case MRC_DEFER_LINKS:
		if ((1 << sk->sk_state) & MRC_SF_CONNECTED)
			mrc_paths_check_links(sk);
		break;
	case MRC_DEFER_ENDPOINTS:
		if ((1 << sk->sk_state) & MRC_SF_CONNECTED)
			mrc_paths_sync(sk);
		break;
	}
}

/* Run now, or leave a bit and a reference for mrc_release_cb(). */
static void mrc_run_or_defer(struct sock *sk, enum mrc_deferred what)
{
	if (!sock_owned_by_user(sk))
		mrc_deferred_run(sk, what);
	else if (!test_and_set_bit(what, &sk->sk_tsq_flags))
		sock_hold(sk);
}

/**
 * mrc_defer() - run work under a socket's lock without waiting for it
 * @sk: socket; the caller holds a reference
 * @what: which work
 *
 * Context: any but hard interrupts, no socket lock held.
 */
void mrc_defer(struct sock *sk, enum mrc_deferred what)
{
	local_bh_disable();
	bh_lock_sock(sk);
	mrc_run_or_defer(sk, what);
	bh_unlock_sock(sk);
	local_bh_enable();
}

/* proto.release_cb: the process that held the lock is about to let go. */
void mrc_release_cb(struct sock *sk)
{
	enum mrc_deferred what;

	for (what = MRC_DEFER_TIMER; what <= MRC_DEFER_ENDPOINTS; what++) {
		if (!test_and_clear_bit(what, &sk->sk_tsq_flags))
			continue;
		mrc_deferred_run(sk, what);
		__sock_put(sk);
	}
}

static enum hrtimer_restart mrc_timer_fn(struct hrtimer *t)
{
	struct mrc_sock *msk = container_of(t, struct mrc_sock, timer);
	struct sock *sk = mrc_to_sk(msk);

	bh_lock_sock(sk);
	mrc_run_or_defer(sk, MRC_DEFER_TIMER);
	bh_unlock_sock(sk);
	sock_put(sk);
	return HRTIMER_NORESTART;
}

void mrc_timer_init(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);

	mrc_hrtimer_setup(&msk->timer, mrc_timer_fn, CLOCK_MONOTONIC,
			  HRTIMER_MODE_ABS_SOFT);
	msk->timer_ns = MRC_NEVER;
}
