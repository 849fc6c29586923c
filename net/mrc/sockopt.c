// SPDX-License-Identifier: GPL-2.0
/*
 * MRC socket options, and what is told about connections and subflows.
 *
 * The options are described in include/uapi/linux/mrc.h.
 */
#include <linux/sockptr.h>
#include <linux/uaccess.h>

#include "mrc.h"

/* --------------------------------------------------------------- states */

static const struct {
	u8 state;
	const char *name;
} mrc_conn_states[] = {
	[MRC_S_CLOSED]		= { MRC_CONN_CLOSED, "closed" },
	[MRC_S_LISTEN]		= { MRC_CONN_LISTEN, "listen" },
	[MRC_S_REQ_SENT]	= { MRC_CONN_REQ_SENT, "req-sent" },
	[MRC_S_REP_SENT]	= { MRC_CONN_REP_SENT, "rep-sent" },
	[MRC_S_ESTABLISHED]	= { MRC_CONN_ESTABLISHED, "established" },
	[MRC_S_DREQ_WAIT1]	= { MRC_CONN_DREQ_WAIT1, "dreq-wait1" },
	[MRC_S_DREQ_WAIT2]	= { MRC_CONN_DREQ_WAIT2, "dreq-wait2" },
	[MRC_S_CLOSE_WAIT]	= { MRC_CONN_CLOSE_WAIT, "close-wait" },
	[MRC_S_LAST_DREQ]	= { MRC_CONN_LAST_DREQ, "last-dreq" },
	[MRC_S_CLOSING]		= { MRC_CONN_CLOSING, "closing" },
};

/**
 * mrc_conn_state() - state of a socket as users see it
 * @state: MRC_S_*
 *
 * Return: enum mrc_connection_state.
 */
u8 mrc_conn_state(int state)
{
	if (state < 0 || state >= (int)ARRAY_SIZE(mrc_conn_states))
		return MRC_CONN_CLOSED;
	return mrc_conn_states[state].state;
}

/**
 * mrc_conn_state_name() - name of a state
 * @state: enum mrc_connection_state
 */
const char *mrc_conn_state_name(u8 state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(mrc_conn_states); i++)
		if (mrc_conn_states[i].name &&
		    mrc_conn_states[i].state == state)
			return mrc_conn_states[i].name;
	return "unknown";
}

/* ---------------------------------------------------------- information */

/**
 * mrc_get_info() - fill struct mrc_info
 * @sk: socket
 * @info: out
 *
 * Context: socket lock.
 */
void mrc_get_info(struct sock *sk, struct mrc_info *info)
{
	const struct mrc_sock *msk = mrc_sk(sk);
	const struct mrc_txwin *w = &msk->req.win;
	int i;

	memset(info, 0, sizeof(*info));
	info->state = mrc_conn_state(sk->sk_state);
	info->subflows = msk->n_paths;
	for (i = 0; i < MRC_SUBFLOWS_MAX; i++)
		if (msk->paths[i] && msk->paths[i]->sf.state == MRC_SF_ACTIVE)
			info->subflows_active++;
	info->unordered = msk->unordered;
	info->id = msk->id;
	info->max_payload = msk->max_payload;
	info->snd_packets = w->n_inflight + w->n_lost;
	info->snd_queued = w->end - w->nxt;
	if (w->right > w->una)
		info->mpr = w->right - w->una;
	if (msk->rx_ready) {
		info->rcv_ooo = msk->rx.ooo;
		info->pkts_dup = msk->rx.pkts_dup;
	}
	info->bytes_sent = msk->bytes_sent;
	info->bytes_acked = msk->req.bytes_acked;
	info->bytes_received = msk->bytes_received;
	info->bytes_retrans = msk->req.bytes_retrans;
	info->msgs_sent = msk->msgs_sent;
	info->msgs_received = msk->msgs_received;
	info->pkts_sent = msk->req.pkts_sent;
	info->pkts_received = msk->pkts_received;
	info->pkts_retrans = msk->req.pkts_retrans;
	/* Not before there was a connection. */
	if (msk->req.progress_ns)
		info->last_progress_ns = mrc_now() - msk->req.progress_ns;
}

static u32 mrc_ns_to_us(u64 ns)
{
	return min_t(u64, div_u64(ns, MRC_NSEC_PER_USEC), U32_MAX);
}

/**
 * mrc_get_subflow_info() - fill struct mrc_subflow_info
 * @sk: connection
 * @id: index of a path that exists
 * @si: out
 *
 * Context: socket lock.
 */
void mrc_get_subflow_info(struct sock *sk, int id, struct mrc_subflow_info *si)
{
	const struct mrc_path *p = mrc_sk(sk)->paths[id];
	const struct mrc_subflow *sf = &p->sf;

	memset(si, 0, sizeof(*si));
	si->size = sizeof(*si);
	si->id = sf->id;
	si->state = sf->state;
	si->plane = sf->plane;
	si->family = p->local.family;
	si->flags = sf->flags;
	si->ifindex = p->ifindex;
	mrc_addr_put(&p->local, si->local);
	mrc_addr_put(&p->remote, si->remote);
	si->srtt_us = mrc_ns_to_us(sf->srtt);
	si->rttvar_us = mrc_ns_to_us(sf->rttvar);
	if (sf->min_rtt != MRC_NEVER)
		si->min_rtt_us = mrc_ns_to_us(sf->min_rtt);
	si->cwnd = sf->cwnd;
	si->inflight = sf->inflight;
	si->evs = sf->evs.n;
	si->bytes_sent = sf->bytes_sent;
	si->bytes_received = sf->bytes_received;
	si->pkts_sent = sf->pkts_sent;
	si->pkts_received = sf->pkts_received;
	si->pkts_retrans = sf->pkts_retrans;
	si->pkts_lost = sf->pkts_lost;
	si->ecn_marks = sf->ecn_marks;
	si->changes = sf->changes;
}

/* ------------------------------------------------------------------ set */

/* May options that a connection begins with still be set? */
static int mrc_opt_early(const struct sock *sk)
{
	if (sk->sk_state == MRC_S_CLOSED)
		return 0;
	return sk->sk_state == MRC_S_LISTEN ? -EBUSY : -EISCONN;
}

static int mrc_set_name(struct sock *sk, int optname, const char *name)
{
	const struct mrc_sched_ops *sched = NULL;
	const struct mrc_cong_ops *cong = NULL;
	struct mrc_sock *msk = mrc_sk(sk);
	int err;

	if (optname == MRC_SCHEDULER)
		sched = mrc_sched_find(name);
	else
		cong = mrc_cong_find(name);
	if (!sched && !cong)
		return -ENOENT;
	lock_sock(sk);
	err = mrc_opt_early(sk);
	if (!err && sched)
		msk->sched = sched;
	else if (!err)
		msk->cong = cong;
	release_sock(sk);
	return err;
}

static int mrc_set_string(struct sock *sk, int optname, sockptr_t optval,
			  unsigned int optlen)
{
	char name[MRC_SCHED_NAME_MAX];
	long n;

	BUILD_BUG_ON(MRC_SCHED_NAME_MAX != MRC_CONG_NAME_MAX);
	if (!optlen)
		return -EINVAL;
	n = strncpy_from_sockptr(name, optval,
				 min_t(size_t, optlen, sizeof(name)));
	if (n < 0)
		return n;
	/* No name is that long. */
	if (n == sizeof(name))
		return -ENOENT;
	name[n] = '\0';
	return mrc_set_name(sk, optname, name);
}

static int mrc_set_unordered(struct sock *sk, u32 val)
{
	if (val > 1)
		return -EINVAL;
	if (sk->sk_state != MRC_S_CLOSED && sk->sk_state != MRC_S_LISTEN)
		return -EISCONN;
	mrc_sk(sk)->unordered = val;
	return 0;
}

static int mrc_set_user_timeout(struct sock *sk, u32 ms)
{
	if (!ms)
		ms = READ_ONCE(mrc_sknet(sk)->user_timeout_ms);
	mrc_sk(sk)->user_timeout = ms * MRC_NSEC_PER_MSEC;
	/* It may be sooner than what the timer waits for. */
	mrc_timer_update(sk);
	return 0;
}

static int mrc_set_max_msg(struct sock *sk, u32 val)
{
	if (!val || val > MRC_MSG_MAX)
		return -EINVAL;
	mrc_sk(sk)->max_msg = val;
	return 0;
}

/* A later version may make the value longer; what we do not know must be 0. */
static int mrc_copy_u32(u32 *val, sockptr_t optval, unsigned int optlen)
{
	u32 more[16] = {};

	if (optlen < sizeof(*val))
		return -EINVAL;
	if (optlen > sizeof(more))
		return -E2BIG;
	if (copy_from_sockptr(more, optval, optlen))
		return -EFAULT;
	*val = more[0];
	return memchr_inv(&more[1], 0, sizeof(more) - sizeof(*val)) ? -E2BIG : 0;
}

static int mrc_set_u32(struct sock *sk, int optname, sockptr_t optval,
		       unsigned int optlen)
{
	int err;
	u32 val;

	err = mrc_copy_u32(&val, optval, optlen);
	if (err)
		return err;
	lock_sock(sk);
	switch (optname) {
	case MRC_UNORDERED:
		err = mrc_set_unordered(sk, val);
		break;
	case MRC_USER_TIMEOUT:
		err = mrc_set_user_timeout(sk, val);
		break;
	case MRC_MAX_MSG:
		err = mrc_set_max_msg(sk, val);
		break;
	}
	release_sock(sk);
	return err;
}

/**
 * mrc_setsockopt() - proto.setsockopt
 * @sk: socket
 * @level: SOL_MRC, or a level of IP or IPv6
 * @optname: option
 * @optval: value
 * @optlen: its length in bytes
 *
 * Return: 0 or a negative errno.
 */
int mrc_setsockopt(struct sock *sk, int level, int optname, sockptr_t optval,
		   unsigned int optlen)
{
#if IS_ENABLED(CONFIG_IPV6)
	if (level == SOL_IPV6 && sk->sk_family == AF_INET6)
		return ipv6_setsockopt(sk, level, optname, optval, optlen);
#endif
	/* Also for IPv6 sockets, which may carry IPv4. */
	if (level != SOL_MRC)
		return ip_setsockopt(sk, level, optname, optval, optlen);

	switch (optname) {
	case MRC_SCHEDULER:
	case MRC_CONGESTION:
		return mrc_set_string(sk, optname, optval, optlen);
	case MRC_UNORDERED:
	case MRC_USER_TIMEOUT:
	case MRC_MAX_MSG:
		return mrc_set_u32(sk, optname, optval, optlen);
	default:
		return -ENOPROTOOPT;
	}
}

/* ------------------------------------------------------------------ get */

/* At most @size bytes of @val; tells the user how many. */
static int mrc_put_opt(const void *val, size_t size, int len,
		       char __user *optval, int __user *optlen)
{
	len = min_t(size_t, len, size);
	if (put_user(len, optlen) || copy_to_user(optval, val, len))
		return -EFAULT;
	return 0;
}

static int mrc_opt_info(struct sock *sk, int len, char __user *optval,
			int __user *optlen)
{
	struct mrc_info info;

	lock_sock(sk);
	mrc_get_info(sk, &info);
	release_sock(sk);
	return mrc_put_opt(&info, sizeof(info), len, optval, optlen);
}

/* All subflows as they are at one instant; returns how many. */
static unsigned int mrc_read_subflows(struct sock *sk,
				      struct mrc_subflow_info *si)
{
	unsigned int n = 0;
	int i;

	lock_sock(sk);
	for (i = 0; i < MRC_SUBFLOWS_MAX; i++)
		if (mrc_sk(sk)->paths[i])
			mrc_get_subflow_info(sk, i, &si[n++]);
	release_sock(sk);
	return n;
}

static int mrc_opt_subflows(struct sock *sk, int len, char __user *optval,
			    int __user *optlen)
{
	struct mrc_subflow_info *si;
	unsigned int i, n;
	int err = -EFAULT;
	u32 elem, known;

	/* The caller's buffer begins with the size that it knows. */
	if (len < (int)sizeof(elem))
		return -EINVAL;
	if (copy_from_user(&elem, optval, sizeof(elem)))
		return -EFAULT;
	if (elem < 2 * sizeof(elem) || elem > PAGE_SIZE)
		return -EINVAL;

	si = kcalloc(MRC_SUBFLOWS_MAX, sizeof(*si), GFP_KERNEL);
	if (!si)
		return -ENOMEM;
	n = min_t(unsigned int, mrc_read_subflows(sk, si), (u32)len / elem);
	known = min_t(u32, elem, sizeof(*si));
	for (i = 0; i < n; i++) {
		si[i].size = known;
		if (copy_to_user(optval, &si[i], known) ||
		    clear_user(optval + known, elem - known))
			goto out;
		optval += elem;
	}
	err = put_user((int)(n * elem), optlen) ? -EFAULT : 0;
out:
	kfree(si);
	return err;
}

static int mrc_opt_string(struct sock *sk, int optname, int len,
			  char __user *optval, int __user *optlen)
{
	char name[MRC_SCHED_NAME_MAX] = {};

	lock_sock(sk);
	strscpy(name, optname == MRC_SCHEDULER ? mrc_sk(sk)->sched->name :
						 mrc_sk(sk)->cong->name,
		sizeof(name));
	release_sock(sk);
	return mrc_put_opt(name, sizeof(name), len, optval, optlen);
}

static int mrc_opt_u32(struct sock *sk, int optname, int len,
		       char __user *optval, int __user *optlen)
{
	const struct mrc_sock *msk = mrc_sk(sk);
	u32 val = 0;

	if (len < (int)sizeof(val))
		return -EINVAL;
	lock_sock(sk);
	switch (optname) {
	case MRC_UNORDERED:
		val = msk->unordered;
		break;
	case MRC_USER_TIMEOUT:
		val = div_u64(msk->user_timeout, MRC_NSEC_PER_MSEC);
		break;
	case MRC_MAX_MSG:
		val = msk->max_msg;
		break;
	}
	release_sock(sk);
	return mrc_put_opt(&val, sizeof(val), len, optval, optlen);
}

static int mrc_getsockopt_mrc(struct sock *sk, int optname,
			      char __user *optval, int __user *optlen)
{
	int len;

	if (get_user(len, optlen))
		return -EFAULT;
	if (len <= 0)
		return -EINVAL;
	switch (optname) {
	case MRC_INFO:
		return mrc_opt_info(sk, len, optval, optlen);
	case MRC_SUBFLOW_INFO:
		return mrc_opt_subflows(sk, len, optval, optlen);
	case MRC_SCHEDULER:
	case MRC_CONGESTION:
		return mrc_opt_string(sk, optname, len, optval, optlen);
	case MRC_UNORDERED:
	case MRC_USER_TIMEOUT:
	case MRC_MAX_MSG:
		return mrc_opt_u32(sk, optname, len, optval, optlen);
	default:
		return -ENOPROTOOPT;
	}
}

/**
 * mrc_getsockopt() - proto.getsockopt
 * @sk: socket
 * @level: SOL_MRC, or a level of IP or IPv6
 * @optname: option
 * @optval: buffer
 * @optlen: in: its length in bytes; out: bytes written
 *
 * Return: 0 or a negative errno.
 */
int mrc_getsockopt(struct sock *sk, int level, int optname,
		   char __user *optval, int __user *optlen)
{
#if IS_ENABLED(CONFIG_IPV6)
	if (level == SOL_IPV6 && sk->sk_family == AF_INET6)
		return ipv6_getsockopt(sk, level, optname, optval, optlen);
#endif
	if (level != SOL_MRC)
		return ip_getsockopt(sk, level, optname, optval, optlen);
	return mrc_getsockopt_mrc(sk, optname, optval, optlen);
}
