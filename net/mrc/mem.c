// SPDX-License-Identifier: GPL-2.0
/*
 * MRC memory: what a connection may hold, and giving it back.
 *
 * Sending: payload pages and descriptors count in sk_wmem_queued from send()
 * until the cumulative acknowledgment; packets on their way through the
 * stack count in sk_wmem_alloc on their own.  Receiving: packets are charged
 * with their truesize the moment they are kept, and the window promises
 * only what fits the buffer at the truesize of full packets.
 */
#include <linux/percpu_counter.h>
#include <linux/swap.h>

#include "mrc.h"

atomic_long_t mrc_memory_allocated ____cacheline_aligned_in_smp;
DEFINE_PER_CPU(int, mrc_memory_per_cpu_fw_alloc);
struct percpu_counter mrc_sockets_allocated;
unsigned long mrc_memory_pressure __read_mostly;
long mrc_sysctl_mem[3] __read_mostly;
int mrc_sysctl_rmem[3] __read_mostly = { 4096, 4 << 20, 16 << 20 };
int mrc_sysctl_wmem[3] __read_mostly = { 4096, 4 << 20, 16 << 20 };

/* Bookkeeping of a queued packet beside its payload, bytes. */
#define MRC_TXD_OVERHEAD	(sizeof(struct mrc_txd) + MRC_TX_HEADROOM + \
				 MRC_TX_TAILROOM)

int mrc_mem_init(void)
{
	/* The same shares of memory that TCP takes. */
	unsigned long limit = max(nr_free_buffer_pages() / 16, 128UL);

	mrc_sysctl_mem[0] = limit / 4 * 3;
	mrc_sysctl_mem[1] = limit;
	mrc_sysctl_mem[2] = mrc_sysctl_mem[0] * 2;
	return percpu_counter_init(&mrc_sockets_allocated, 0, GFP_KERNEL);
}

void mrc_mem_exit(void)
{
	percpu_counter_destroy(&mrc_sockets_allocated);
}

void mrc_enter_memory_pressure(struct sock *sk)
{
	if (!READ_ONCE(mrc_memory_pressure))
		WRITE_ONCE(mrc_memory_pressure, jiffies ?: 1);
}

/**
 * mrc_txd_charge() - what a queued packet costs its socket
 * @d: descriptor
 *
 * Return: bytes.
 */
u32 mrc_txd_charge(const struct mrc_txd *d)
{
	return d->len + MRC_TXD_OVERHEAD;
}

/**
 * mrc_write_space() - room in the send buffer: wake writers
 * @sk: socket
 *
 * sk->sk_write_space; like TCP's, which is not exported, with a third free.
 */
void mrc_write_space(struct sock *sk)
{
	struct socket *sock = sk->sk_socket;
	struct socket_wq *wq;

	if (!sock || !sk_stream_is_writeable(sk))
		return;
	clear_bit(SOCK_NOSPACE, &sock->flags);
	rcu_read_lock();
	wq = rcu_dereference(sk->sk_wq);
	if (skwq_has_sleeper(wq))
		wake_up_interruptible_poll(&wq->wait, EPOLLOUT |
					   EPOLLWRNORM | EPOLLWRBAND);
	if (wq && wq->fasync_list && !(sk->sk_shutdown & SEND_SHUTDOWN))
		sock_wake_async(wq, SOCK_WAKE_SPACE, POLL_OUT);
	rcu_read_unlock();
}

/**
 * mrc_tx_release() - give back the payload of packets
 * @sk: connection
 * @from: first PSN
 * @to: PSN after the last one
 *
 * Context: socket lock.
 */
void mrc_tx_release(struct sock *sk, u64 from, u64 to)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u32 freed = 0;

	for (; from != to; from++) {
		struct mrc_txd *d = mrc_txwin_at(&msk->req.win, from);

		freed += mrc_txd_charge(d);
		if (d->data)
			put_page(d->data);
		d->data = NULL;
	}
	if (!freed)
		return;
	sk_wmem_queued_add(sk, -(int)freed);
	sk_mem_uncharge(sk, freed);
	if (sk->sk_socket && test_bit(SOCK_NOSPACE, &sk->sk_socket->flags)) {
		/* pairs with the barrier in mrc_writable() */
		smp_mb();
		sk->sk_write_space(sk);
	}
}

/* Everything that is left in the send window, and the window itself. */
void mrc_tx_purge(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);

	mrc_tx_release(sk, msk->req.win.una, msk->req.win.end);
	mrc_req_destroy(&msk->req);
}

/* Truesize of a full packet as drivers commonly build it. */
u32 mrc_rx_pkt_truesize(const struct mrc_sock *msk)
{
	return SKB_TRUESIZE(msk->max_payload + MRC_DATA_HDR_MAX + 128);
}

/**
 * mrc_rx_right_edge() - how far may the peer send?
 * @sk: connection
 *
 * What was promised before counts as if it were here already.
 *
 * Return: first PSN that is not accepted; never below what was promised.
 */
u64 mrc_rx_right_edge(const struct sock *sk)
{
	const struct mrc_sock *msk = mrc_sk(sk);
	const struct mrc_rxwin *w = &msk->rx;
	s64 room = (s64)READ_ONCE(sk->sk_rcvbuf) -
		   atomic_read(&sk->sk_rmem_alloc);
	u64 right = w->next + w->ooo;

	if (room > 0)
		right += div_u64(room, mrc_rx_pkt_truesize(msk));
	/* However small the buffer, an empty one takes the least step. */
	if (!atomic_read(&sk->sk_rmem_alloc))
		right = max(right, w->next + (1U << msk->mpr_shift));
	if (right > mrc_rxwin_base(w) + w->max_size)
		right = mrc_rxwin_base(w) + w->max_size;
	return max(right, w->right);
}

/* A packet held in the receive window is given up. */
void mrc_rx_release_cookie(void *cookie)
{
	kfree_skb(cookie);
}
