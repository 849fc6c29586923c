// SPDX-License-Identifier: GPL-2.0
/*
 * MRC encapsulation: the UDP sockets of a network namespace, and the way of
 * a packet from them to its connection.
 */
#include <net/udp.h>
#include <net/udp_tunnel.h>

#include "mrc.h"

/* ------------------------------------------------------------- receive */

/**
 * mrc_icrc_check() - verify the ICRC of a packet
 * @skb: packet
 * @off: offset of the BTH in it
 * @len: bytes from the BTH to the end of the ICRC
 *
 * Return: true if it is right.
 */
bool mrc_icrc_check(struct sk_buff *skb, u32 off, u32 len)
{
	u32 body = len - MRC_ICRC_LEN;
	u8 want[MRC_ICRC_LEN], hdr[MRC_BTH_LEN];
	struct skb_seq_state st;
	const u8 *data;
	u32 crc, done = 0, n;

	if (len < MRC_BTH_LEN + MRC_ICRC_LEN ||
	    skb_copy_bits(skb, off, hdr, sizeof(hdr)) ||
	    skb_copy_bits(skb, off + body, want, sizeof(want)))
		return false;
	crc = mrc_icrc_header(hdr, sizeof(hdr));
	skb_prepare_seq_read(skb, off + MRC_BTH_LEN, off + body, &st);
	while ((n = skb_seq_read(done, &data, &st)) > 0) {
		/* A block ends where the buffer does, not where we do. */
		n = min(n, body - MRC_BTH_LEN - done);
		crc = mrc_icrc_update(crc, data, n);
		done += n;
	}
	return mrc_icrc_equal(want, crc);
}

/* Packet for a connection: its lock, or its backlog. */
void mrc_deliver(struct sock *sk, struct sk_buff *skb)
{
	u32 limit = READ_ONCE(sk->sk_rcvbuf) + READ_ONCE(sk->sk_sndbuf);

	bh_lock_sock(sk);
	if (!sock_owned_by_user(sk)) {
		mrc_input(sk, skb);
	} else if (sk_add_backlog(sk, skb, limit)) {
		MRC_INC_SK(sk, RX_BACKLOG);
		kfree_skb(skb);
	}
	bh_unlock_sock(sk);
}

/* QPN 1: the message names its connection itself, or none. */
static void mrc_encap_cm(struct mrc_net *mn, struct sk_buff *skb)
{
	u32 off = sizeof(struct udphdr);
	struct mrc_pkt p;
	struct sock *sk;
	int err;

	if (skb->len - off > MRC_HDR_PULL_MAX || skb_linearize(skb)) {
		MRC_INC(mn, RX_SHORT);
		goto drop;
	}
	err = mrc_wire_parse(skb->data + off, skb->len - off, skb->len - off,
			     &p);
	if (err || !mrc_op_is_cm(p.opcode)) {
		/* A version we do not know is refused by the listener. */
		if (err == -EOPNOTSUPP)
			MRC_INC(mn, RX_BAD_OPCODE);
		else
			MRC_INC(mn, RX_SHORT);
		goto drop;
	}
	if (p.opcode == MRC_OP_CM_REQ || !p.cm.dst_qpn) {
		mrc_stateless_rcv(mn, skb, &p);
		return;
	}
	sk = mrc_lookup_qpn(mn, p.cm.dst_qpn);
	if (!sk) {
		mrc_stateless_rcv(mn, skb, &p);
		return;
	}
	mrc_deliver(sk, skb);
	sock_put(sk);
	return;

drop:
	kfree_skb(skb);
}

/*
 * UDP gives us each datagram whose checksum is right, with skb->data at the
 * UDP header.  Return 0: the packet is ours whatever it is; nobody else can
 * be behind this port.
 */
static int mrc_encap_rcv(struct sock *usk, struct sk_buff *skb)
{
	struct mrc_net *mn = rcu_dereference_sk_user_data(usk);
	u32 off = sizeof(struct udphdr), len, qpn;
	const u8 *bth;
	struct sock *sk;

	if (!mn)
		goto drop;
	MRC_INC(mn, RX_PKTS);
	if (!pskb_may_pull(skb, off + MRC_BTH_LEN + MRC_ICRC_LEN)) {
		MRC_INC(mn, RX_SHORT);
		goto drop;
	}
	len = ntohs(udp_hdr(skb)->len);
	if (len > skb->len || pskb_trim_rcsum(skb, len)) {
		MRC_INC(mn, RX_SHORT);
		goto drop;
	}
	memset(skb->cb, 0, sizeof(skb->cb));
	MRC_SKB_CB(skb)->ev = ntohs(udp_hdr(skb)->source);
	MRC_SKB_CB(skb)->ce = mrc_skb_ce(skb);
	/* A queued packet must not pin the route or device it came by. */
	skb->dev = NULL;
	skb_dst_drop(skb);
	nf_reset_ct(skb);

	if (!mrc_icrc_check(skb, off, len - off)) {
		MRC_INC(mn, RX_BAD_ICRC);
		goto drop;
	}
	bth = skb->data + off;
	qpn = bth[5] << 16 | bth[6] << 8 | bth[7];
	if (qpn == MRC_QPN_CM) {
		mrc_encap_cm(mn, skb);
		return 0;
	}
	sk = mrc_lookup_qpn(mn, qpn);
	if (!sk) {
		MRC_INC(mn, RX_NO_QPN);
		goto drop;
	}
	mrc_deliver(sk, skb);
	sock_put(sk);
	return 0;

drop:
	kfree_skb(skb);
	return 0;
}

/* ------------------------------------------------------------- sockets */

static int mrc_udp_open(struct mrc_net *mn, bool v6, struct socket **res)
{
	struct udp_port_cfg cfg = {
		.family = v6 ? AF_INET6 : AF_INET,
		.local_udp_port = htons(mn->udp_port),
		.use_udp_checksums = 1,
		.use_udp6_tx_checksums = 1,
		.use_udp6_rx_checksums = 1,
		.ipv6_v6only = v6,
	};
	struct udp_tunnel_sock_cfg tcfg = {
		.sk_user_data = mn,
		.encap_type = 1,
		.encap_rcv = mrc_encap_rcv,
	};
	struct socket *us;
	int err;

	err = udp_sock_create(mn->net, &cfg, &us);
	if (err)
		return err;
	us->sk->sk_allocation = GFP_ATOMIC;
	mrc_setup_udp_tunnel_sock(mn->net, us, &tcfg);
	WRITE_ONCE(*res, us);
	return 0;
}

static void mrc_udp_close(struct socket **us)
{
	struct socket *s = *us;

	if (!s)
		return;
	WRITE_ONCE(*us, NULL);
	mrc_udp_tunnel_sock_release(s);
}

/**
 * mrc_encap_get() - make the UDP sockets of a namespace exist
 * @net: network namespace
 *
 * Context: process, may sleep.
 * Return: 0, or -EADDRINUSE if another program holds the UDP port.
 */
int mrc_encap_get(struct net *net)
{
	struct mrc_net *mn = mrc_pernet(net);
	int err = 0;

	mutex_lock(&mn->encap_mutex);
	if (mn->udp4)
		goto out;
	mn->cur_port = mn->udp_port;
	err = mrc_udp_open(mn, false, &mn->udp4);
	if (!err && IS_ENABLED(CONFIG_IPV6)) {
		err = mrc_udp_open(mn, true, &mn->udp6);
		/* A host without IPv6 still has IPv4. */
		if (err == -EAFNOSUPPORT || err == -EADDRNOTAVAIL)
			err = 0;
	}
	if (err) {
		mrc_udp_close(&mn->udp4);
		if (err == -EADDRINUSE)
			pr_warn_ratelimited("UDP port %u is in use (soft-RoCE?): free it or choose another by sysctl net.mrc.udp_port\n",
					    mn->cur_port);
	}
out:
	if (!err)
		atomic_inc(&mn->users);
	mutex_unlock(&mn->encap_mutex);
	return err;
}

/* One more user while there is one already; any context. */
void mrc_encap_hold(struct mrc_net *mn)
{
	atomic_inc(&mn->users);
}

/* Closing a UDP socket sleeps, and the last user may go in softirq. */
void mrc_encap_put(struct mrc_net *mn)
{
	if (atomic_dec_and_test(&mn->users))
		queue_work(system_unbound_wq, &mn->encap_work);
}

static void mrc_encap_work(struct work_struct *work)
{
	struct mrc_net *mn = container_of(work, struct mrc_net, encap_work);

	mutex_lock(&mn->encap_mutex);
	if (!atomic_read(&mn->users)) {
		mrc_udp_close(&mn->udp4);
		mrc_udp_close(&mn->udp6);
	}
	mutex_unlock(&mn->encap_mutex);
}

int mrc_encap_net_init(struct mrc_net *mn)
{
	mutex_init(&mn->encap_mutex);
	INIT_WORK(&mn->encap_work, mrc_encap_work);
	atomic_set(&mn->users, 0);
	mn->udp_port = MRC_UDP_PORT;
	return 0;
}

/* The namespace has no sockets any more: each held a reference on it. */
void mrc_encap_net_exit(struct mrc_net *mn)
{
	cancel_work_sync(&mn->encap_work);
	mrc_udp_close(&mn->udp4);
	mrc_udp_close(&mn->udp6);
}
