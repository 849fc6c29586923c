// SPDX-License-Identifier: GPL-2.0
/*
 * MRC reading and writing: sendmsg(), recvmsg(), ioctl().
 */
#include <linux/sched/signal.h>
#include <asm/ioctls.h>
#include <linux/sockios.h>

#include "mrc.h"

/* --------------------------------------------------------------- sending */

static int mrc_send_error(struct sock *sk)
{
	if (sk->sk_err)
		return sock_error(sk);
	if (sk->sk_shutdown & SEND_SHUTDOWN)
		return -EPIPE;
	if (sk->sk_state == MRC_S_CLOSED || sk->sk_state == MRC_S_LISTEN)
		return -ENOTCONN;
	return -EPIPE;
}

/*
 * Pieces of two messages must not mix: whoever drops the lock while its
 * message is half queued keeps its turn.
 */
static int mrc_wait_turn(struct sock *sk, long *timeo)
{
	struct mrc_sock *msk = mrc_sk(sk);
	DEFINE_WAIT_FUNC(wait, woken_wake_function);
	int err = 0;

	if (!msk->tx_busy)
		return 0;
	add_wait_queue(sk_sleep(sk), &wait);
	while (msk->tx_busy) {
		err = -EAGAIN;
		if (!*timeo)
			break;
		err = sock_intr_errno(*timeo);
		if (signal_pending(current))
			break;
		err = 0;
		sk_wait_event(sk, timeo, !msk->tx_busy, &wait);
	}
	remove_wait_queue(sk_sleep(sk), &wait);
	return err;
}

static int mrc_send_check(struct sock *sk, struct msghdr *msg, size_t len)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u64 total = len + (msk->tx_open ? msk->tx_msg_len : 0ULL);

	if (sk->sk_err || (sk->sk_shutdown & SEND_SHUTDOWN) ||
	    !((1 << sk->sk_state) & MRC_SF_SEND))
		return mrc_send_error(sk);
	if (total > msk->max_msg)
		return -EMSGSIZE;
	/*
	 * A message that does not fit the buffer goes out while it is being
	 * taken, so it has to be there, and somebody has to wait for it.
	 */
	if (len > READ_ONCE(sk->sk_sndbuf)) {
		if (msg->msg_flags & MSG_DONTWAIT)
			return -EMSGSIZE;
		if (user_backed_iter(&msg->msg_iter) &&
		    fault_in_iov_iter_readable(&msg->msg_iter, len))
			return -EFAULT;
	}
	return 0;
}

/**
 * mrc_sendmsg() - send one message, or with MSG_MORE a piece of one
 * @sk: socket
 * @msg: message
 * @len: bytes
 *
 * All or nothing: on an error no byte of the message or piece was taken.
 * Only a message larger than the send buffer may be interrupted half-way; a
 * short count then says how much of the record, which stays open, was taken.
 *
 * Return: bytes taken or a negative errno: -ENOTCONN, -EPIPE, -EMSGSIZE, -EAGAIN,
 * -EFAULT, -EOPNOTSUPP, -EINTR or what ended the connection.
 */
int mrc_sendmsg(struct sock *sk, struct msghdr *msg, size_t len)
{
	long timeo;
	int err;

	if (msg->msg_flags & MSG_OOB)
		return -EOPNOTSUPP;
	if (msg->msg_flags & ~(MSG_DONTWAIT | MSG_NOSIGNAL | MSG_MORE |
			       MSG_EOR | MSG_CONFIRM | MSG_DONTROUTE |
			       MSG_BATCH | MSG_SENDPAGE_NOTLAST |
			       MSG_CMSG_COMPAT))
		return -EOPNOTSUPP;
	if (len > MRC_MSG_MAX)
		return -EMSGSIZE;

	lock_sock(sk);
	timeo = sock_sndtimeo(sk, msg->msg_flags & MSG_DONTWAIT);
	if ((1 << sk->sk_state) & (TCPF_SYN_SENT | TCPF_SYN_RECV)) {
		err = sk_stream_wait_connect(sk, &timeo);
		if (err)
			goto out;
	}
	err = mrc_wait_turn(sk, &timeo);
	if (err)
		goto out;
	err = mrc_send_check(sk, msg, len);
	if (err)
		goto out;
	/* MSG_EOR ends a record even where MSG_MORE is left set by habit. */
	err = mrc_output_message(sk, msg, len,
				 (msg->msg_flags & MSG_MORE) &&
				 !(msg->msg_flags & MSG_EOR), &timeo);
	if (err >= 0)
		mrc_push(sk);
	mrc_timer_update(sk);
out:
	if (err < 0)
		err = sk_stream_error(sk, msg->msg_flags, err);
	release_sock(sk);
	return err;
}

/* ------------------------------------------------------------- receiving */

/**
 * mrc_rx_readable() - would a read get something?
 * @sk: socket; lock-free callers get a hint
 *
 * A record is handed over once it is complete, or in parts when it does not
 * fit the receive buffer: that is when the buffer is half full, or the peer
 * has sent all that was advertised and waits.
 */
bool mrc_rx_readable(const struct sock *sk)
{
	const struct mrc_sock *msk = mrc_sk(sk);

	if (skb_queue_empty_lockless(&sk->sk_receive_queue))
		return false;
	if (READ_ONCE(msk->rq_msgs))
		return true;
	if (READ_ONCE(sk->sk_shutdown) & RCV_SHUTDOWN)
		return true;
	return atomic_read(&sk->sk_rmem_alloc) > READ_ONCE(sk->sk_rcvbuf) / 2 ||
	       READ_ONCE(msk->rx.next) >= READ_ONCE(msk->adv_right);
}

/* Take a packet that was read to its end out of the queue. */
static void mrc_rq_eat(struct sock *sk, struct sk_buff *skb)
{
	struct mrc_sock *msk = mrc_sk(sk);

	WRITE_ONCE(msk->rq_bytes, msk->rq_bytes - skb->len);
	if (MRC_SKB_CB(skb)->last) {
		WRITE_ONCE(msk->rq_msgs, msk->rq_msgs - 1);
		msk->msgs_received++;
		msk->rx_msn_done++;
	}
	__skb_unlink(skb, &sk->sk_receive_queue);
	kfree_skb(skb);
}

/* MSG_TRUNC: forget the rest of the record, also what has yet to arrive. */
static void mrc_rq_discard(struct sock *sk)
{
	struct sk_buff *skb;
	bool last = false;

	while (!last && (skb = skb_peek(&sk->sk_receive_queue))) {
		last = MRC_SKB_CB(skb)->last;
		mrc_rq_eat(sk, skb);
	}
	mrc_sk(sk)->rx_discard = !last;
}

static int mrc_rq_wait(struct sock *sk, int flags, long *timeo)
{
	for (;;) {
		if (mrc_rx_readable(sk))
			return 1;
		if (sk->sk_err)
			return sock_error(sk);
		if (sk->sk_shutdown & RCV_SHUTDOWN)
			return 0;
		if (sk->sk_state == MRC_S_CLOSED ||
		    sk->sk_state == MRC_S_LISTEN)
			return -ENOTCONN;
		if (!*timeo)
			return -EAGAIN;
		if (signal_pending(current))
			return sock_intr_errno(*timeo);
		sk_wait_data(sk, timeo, skb_peek_tail(&sk->sk_receive_queue));
	}
}

/* Length of the record from @skb's unread byte on, as far as known. */
static u32 mrc_rq_record_len(struct sock *sk, struct sk_buff *skb)
{
	struct mrc_skb_cb *cb = MRC_SKB_CB(skb);
	u32 len = 0;

	if (cb->msg_len != MRC_LEN_OPEN)
		return cb->msg_len - cb->msg_off - cb->off;
	skb_queue_walk_from(&sk->sk_receive_queue, skb) {
		len += skb->len - MRC_SKB_CB(skb)->off;
		if (MRC_SKB_CB(skb)->last)
			break;
	}
	return len;
}

/*
 * Copy from the head of the queue, up to the end of the record.  Returns
 * bytes copied, or -EFAULT with nothing consumed of the packet in question.
 */
static int mrc_rq_copy(struct sock *sk, struct msghdr *msg, size_t len,
		       bool peek)
{
	struct sk_buff *skb = skb_peek(&sk->sk_receive_queue), *next;
	size_t copied = 0;

	for (; skb; skb = next) {
		struct mrc_skb_cb *cb = MRC_SKB_CB(skb);
		size_t avail = skb->len - cb->off;
		size_t n = min(avail, len - copied);
		bool last = cb->last;

		if (avail && !n)
			break;
		if (skb_copy_datagram_msg(skb, cb->off, msg, n))
			return copied ? (int)copied : -EFAULT;
		copied += n;
		next = NULL;
		if (!skb_queue_is_last(&sk->sk_receive_queue, skb))
			next = skb_queue_next(&sk->sk_receive_queue, skb);
		if (n < avail) {
			if (!peek)
				cb->off += n;
			break;
		}
		if (!peek)
			mrc_rq_eat(sk, skb);
		if (last) {
			msg->msg_flags |= MSG_EOR;
			break;
		}
	}
	return copied;
}

/**
 * mrc_recv_record() - receive one message or a part of one
 * @sk: socket
 * @msg: message
 * @len: room, bytes
 * @flags: MSG_*
 *
 * MSG_EOR tells that the record's last byte is among what was returned.
 *
 * Return: bytes, 0 at the end of the connection (or for an empty message,
 * then with MSG_EOR), or a negative errno.
 */
static int mrc_recv_record(struct sock *sk, struct msghdr *msg, size_t len,
			   int flags)
{
	bool peek = flags & MSG_PEEK;
	u32 full;
	long timeo;
	int ret;

	if (flags & MSG_OOB)
		return -EOPNOTSUPP;
	if (flags & MSG_ERRQUEUE)
		return -EAGAIN;
	/* A connected socket has no source address to tell. */
	msg->msg_namelen = 0;
	msg->msg_flags &= ~(MSG_EOR | MSG_TRUNC);

	lock_sock(sk);
	timeo = sock_rcvtimeo(sk, flags & MSG_DONTWAIT);
	ret = mrc_rq_wait(sk, flags, &timeo);
	if (ret <= 0)
		goto out;
	full = mrc_rq_record_len(sk, skb_peek(&sk->sk_receive_queue));
	ret = mrc_rq_copy(sk, msg, len, peek);
	if (ret >= 0 && (flags & MSG_TRUNC) && !(msg->msg_flags & MSG_EOR)) {
		msg->msg_flags |= MSG_TRUNC;
		if (!peek)
			mrc_rq_discard(sk);
		ret = full;
	}
	if (!peek && ret >= 0)
		mrc_rx_window_update(sk);
out:
	release_sock(sk);
	return ret;
}

/* proto.recvmsg; kernels from 7.1 on have no addr_len */
#ifdef MRC_HAVE_RECVMSG_ADDR_LEN_GONE
int mrc_recvmsg(struct sock *sk, struct msghdr *msg, size_t len, int flags)
#else
int mrc_recvmsg(struct sock *sk, struct msghdr *msg, size_t len, int flags,
		int *addr_len)
#endif
{
	return mrc_recv_record(sk, msg, len, flags);
}

/* ----------------------------------------------------------------- ioctl */

/* SIOCINQ: bytes of the next message; SIOCOUTQ: bytes not acknowledged. */
static int mrc_ioctl_value(struct sock *sk, int cmd)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct sk_buff *skb;
	int val = -EINVAL;

	lock_sock(sk);
	if (sk->sk_state == MRC_S_LISTEN)
		goto out;
	switch (cmd) {
	case SIOCINQ:
		val = 0;
		skb = skb_peek(&sk->sk_receive_queue);
		if (skb && mrc_rx_readable(sk))
			val = min_t(u32, mrc_rq_record_len(sk, skb), INT_MAX);
		break;
	case SIOCOUTQ:
		val = min_t(u64, msk->tx_va - msk->req.bytes_acked, INT_MAX);
		break;
	default:
		val = -ENOIOCTLCMD;
	}
out:
	release_sock(sk);
	return val;
}

#ifdef MRC_HAVE_IOCTL_KARG
int mrc_ioctl(struct sock *sk, int cmd, int *karg)
{
	int val = mrc_ioctl_value(sk, cmd);

	if (val < 0)
		return val;
	*karg = val;
	return 0;
}
#else
int mrc_ioctl(struct sock *sk, int cmd, unsigned long arg)
{
	int val = mrc_ioctl_value(sk, cmd);

	return val < 0 ? val : put_user(val, (int __user *)arg);
}
#endif
