// SPDX-License-Identifier: GPL-2.0
/*
 * MRC address families: every difference between IPv4 and IPv6.
 *
 * The rest of the module handles struct mrc_addr only.  A mapped IPv4
 * address is IPv4 everywhere inside and becomes mapped again only where a
 * socket of family AF_INET6 shows it to its user.
 */
#include <net/inet_ecn.h>
#include <net/ip6_route.h>
#include <net/route.h>
#include <net/udp_tunnel.h>

#include "mrc.h"

/**
 * mrc_addr_from_skb() - addresses of a received packet
 * @skb: packet with its network header set
 * @src: out: source address
 * @dst: out: destination address
 */
void mrc_addr_from_skb(const struct sk_buff *skb, struct mrc_addr *src,
		       struct mrc_addr *dst)
{
	if (ip_hdr(skb)->version == 4) {
		src->family = AF_INET;
		src->v4 = ip_hdr(skb)->saddr;
		dst->family = AF_INET;
		dst->v4 = ip_hdr(skb)->daddr;
		return;
	}
	src->family = AF_INET6;
	src->v6 = ipv6_hdr(skb)->saddr;
	dst->family = AF_INET6;
	dst->v6 = ipv6_hdr(skb)->daddr;
}

/* CE mark in the IP header of a received packet. */
bool mrc_skb_ce(const struct sk_buff *skb)
{
	if (ip_hdr(skb)->version == 4)
		return INET_ECN_is_ce(ip_hdr(skb)->tos);
	return INET_ECN_is_ce(ipv6_get_dsfield(ipv6_hdr(skb)));
}

bool mrc_addr_equal(const struct mrc_addr *a, const struct mrc_addr *b)
{
	if (a->family != b->family)
		return false;
	if (a->family == AF_INET)
		return a->v4 == b->v4;
	return ipv6_addr_equal(&a->v6, &b->v6);
}

bool mrc_addr_any(const struct mrc_addr *a)
{
	if (a->family == AF_INET)
		return !a->v4;
	return a->family != AF_INET6 || ipv6_addr_any(&a->v6);
}

/* Canonical form of an IPv6 address: a mapped one is IPv4. */
static void mrc_addr_from_v6(struct mrc_addr *a, const struct in6_addr *v6)
{
	if (ipv6_addr_v4mapped(v6)) {
		a->family = AF_INET;
		a->v4 = v6->s6_addr32[3];
	} else {
		a->family = AF_INET6;
		a->v6 = *v6;
	}
}

/**
 * mrc_addr_from_sockaddr() - decode what a user passed
 * @sa: sockaddr_in or sockaddr_in6
 * @len: its length in bytes
 * @a: out: address
 * @port: out: service port, host byte order
 * @ifindex: out: scope of a link-local address, else 0
 *
 * Return: 0, -EINVAL if it is too short or a link-local address lacks its
 * scope, -EAFNOSUPPORT for other families.
 */
int mrc_addr_from_sockaddr(const struct sockaddr *sa, int len,
			   struct mrc_addr *a, u16 *port, int *ifindex)
{
	const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)sa;
	const struct sockaddr_in *in = (const struct sockaddr_in *)sa;

	*ifindex = 0;
	if (len < (int)offsetofend(struct sockaddr, sa_family))
		return -EINVAL;
	if (sa->sa_family == AF_INET) {
		if (len < (int)sizeof(*in))
			return -EINVAL;
		a->family = AF_INET;
		a->v4 = in->sin_addr.s_addr;
		*port = ntohs(in->sin_port);
		return 0;
	}
	if (!IS_ENABLED(CONFIG_IPV6) || sa->sa_family != AF_INET6)
		return -EAFNOSUPPORT;
	if (len < SIN6_LEN_RFC2133)
		return -EINVAL;
	mrc_addr_from_v6(a, &in6->sin6_addr);
	*port = ntohs(in6->sin6_port);
	if (ipv6_addr_type(&in6->sin6_addr) & IPV6_ADDR_LINKLOCAL) {
		if (len < (int)sizeof(*in6) || !in6->sin6_scope_id)
			return -EINVAL;
		*ifindex = in6->sin6_scope_id;
	}
	return 0;
}

void mrc_addr_from_wire(const struct mrc_wire_ep *ep, struct mrc_addr *a)
{
	memset(a, 0, sizeof(*a));
	if (ep->len == sizeof(a->v4)) {
		a->family = AF_INET;
		memcpy(&a->v4, ep->addr, sizeof(a->v4));
	} else if (ep->len == sizeof(a->v6)) {
		a->family = AF_INET6;
		memcpy(&a->v6, ep->addr, sizeof(a->v6));
	}
}

/**
 * mrc_addr_put() - copy an address in network byte order
 * @a: address
 * @buf: at least 16 bytes
 *
 * Return: 4 or 16.
 */
int mrc_addr_put(const struct mrc_addr *a, u8 *buf)
{
	if (a->family == AF_INET) {
		memcpy(buf, &a->v4, sizeof(a->v4));
		return sizeof(a->v4);
	}
	memcpy(buf, &a->v6, sizeof(a->v6));
	return sizeof(a->v6);
}

void mrc_addr_to_wire(const struct mrc_addr *a, struct mrc_wire_ep *ep)
{
	memset(ep->addr, 0, sizeof(ep->addr));
	ep->len = mrc_addr_put(a, ep->addr);
}

/* ------------------------------------------------------ socket addresses */

/* Address a socket is bound to; may be the wildcard of its family. */
void mrc_sock_local(const struct sock *sk, struct mrc_addr *a)
{
	memset(a, 0, sizeof(*a));
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6) {
		mrc_addr_from_v6(a, &sk->sk_v6_rcv_saddr);
		return;
	}
#endif
	a->family = AF_INET;
	a->v4 = inet_sk(sk)->inet_rcv_saddr;
}

#if IS_ENABLED(CONFIG_IPV6)
static void mrc_addr_to_v6(const struct mrc_addr *a, struct in6_addr *v6)
{
	if (a->family == AF_INET)
		ipv6_addr_set_v4mapped(a->v4, v6);
	else
		*v6 = a->v6;
}
#endif

/* What getsockname() shows. */
void mrc_sock_set_local(struct sock *sk, const struct mrc_addr *a)
{
	struct inet_sock *inet = inet_sk(sk);

#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6) {
		mrc_addr_to_v6(a, &sk->sk_v6_rcv_saddr);
		inet6_sk(sk)->saddr = sk->sk_v6_rcv_saddr;
	}
#endif
	if (a->family == AF_INET) {
		inet->inet_rcv_saddr = a->v4;
		inet->inet_saddr = a->v4;
	}
}

/* What getpeername() shows. */
void mrc_sock_set_remote(struct sock *sk, const struct mrc_addr *a, u16 port)
{
	struct inet_sock *inet = inet_sk(sk);

	inet->inet_dport = htons(port);
#if IS_ENABLED(CONFIG_IPV6)
	if (sk->sk_family == AF_INET6)
		mrc_addr_to_v6(a, &sk->sk_v6_daddr);
#endif
	if (a->family == AF_INET)
		inet->inet_daddr = a->v4;
}

/**
 * mrc_sock_family_ok() - may this socket talk to that address?
 * @sk: socket
 * @a: address of the peer
 */
bool mrc_sock_family_ok(const struct sock *sk, const struct mrc_addr *a)
{
	if (sk->sk_family == AF_INET)
		return a->family == AF_INET;
	return a->family == AF_INET6 || !ipv6_only_sock(sk);
}

/**
 * mrc_sock_addr_conflict() - do two sockets bound to one port collide?
 * @a: one socket
 * @b: the other
 *
 * Wildcards cover every address of their family; the IPv6 wildcard covers
 * IPv4 as well unless its socket is IPV6_V6ONLY.
 */
bool mrc_sock_addr_conflict(const struct sock *a, const struct sock *b)
{
	struct mrc_addr la, lb;

	if (a->sk_bound_dev_if && b->sk_bound_dev_if &&
	    a->sk_bound_dev_if != b->sk_bound_dev_if)
		return false;
	mrc_sock_local(a, &la);
	mrc_sock_local(b, &lb);
	if (la.family == lb.family)
		return mrc_addr_any(&la) || mrc_addr_any(&lb) ||
		       mrc_addr_equal(&la, &lb);
	if (la.family == AF_INET6)
		return mrc_addr_any(&la) && !ipv6_only_sock(a);
	return mrc_addr_any(&lb) && !ipv6_only_sock(b);
}

/* --------------------------------------------------------------- routes */

/**
 * mrc_payload_for_mtu() - payload of a full packet
 * @a: an address of the family in use
 * @mtu: largest IP packet, bytes
 *
 * Return: bytes, MRC_PAYLOAD_MIN..MRC_PAYLOAD_MAX, a multiple of 4 so that
 * full packets need no padding.
 */
u32 mrc_payload_for_mtu(const struct mrc_addr *a, u32 mtu)
{
	u32 hdr = sizeof(struct udphdr) + MRC_DATA_HDR_MAX + MRC_ICRC_LEN;

	hdr += a->family == AF_INET ? sizeof(struct iphdr) :
				      sizeof(struct ipv6hdr);
	if (mtu < hdr + MRC_PAYLOAD_MIN)
		return MRC_PAYLOAD_MIN;
	return min_t(u32, round_down(mtu - hdr, 4), MRC_PAYLOAD_MAX);
}

static u8 mrc_sock_tos(const struct sock *sk, u16 family)
{
#if IS_ENABLED(CONFIG_IPV6)
	if (family == AF_INET6)
		return inet6_sk(sk)->tclass & ~INET_ECN_MASK;
#endif
	return inet_sk(sk)->tos & ~INET_ECN_MASK;
}

static struct dst_entry *mrc_route4(struct sock *sk, struct mrc_addr *local,
				    const struct mrc_addr *remote, int ifindex)
{
	struct flowi4 fl4 = {};
	struct rtable *rt;

	flowi4_init_output(&fl4, ifindex, sk->sk_mark,
			   mrc_sock_tos(sk, AF_INET), RT_SCOPE_UNIVERSE,
			   IPPROTO_UDP, inet_sk_flowi_flags(sk), remote->v4,
			   mrc_addr_any(local) ? 0 : local->v4,
			   htons(mrc_sknet(sk)->cur_port), 0, sk->sk_uid);
	security_sk_classify_flow(sk, flowi4_to_flowi_common(&fl4));
	rt = ip_route_output_flow(sock_net(sk), &fl4, sk);
	if (IS_ERR(rt))
		return ERR_CAST(rt);
	local->family = AF_INET;
	local->v4 = fl4.saddr;
	return &rt->dst;
}

#if IS_ENABLED(CONFIG_IPV6)
static struct dst_entry *mrc_route6(struct sock *sk, struct mrc_addr *local,
				    const struct mrc_addr *remote, int ifindex)
{
	struct flowi6 fl6 = {
		.flowi6_oif = ifindex,
		.flowi6_mark = sk->sk_mark,
		.flowi6_proto = IPPROTO_UDP,
		.flowi6_uid = sk->sk_uid,
		.daddr = remote->v6,
		.fl6_dport = htons(mrc_sknet(sk)->cur_port),
	};
	struct dst_entry *dst;

	if (!mrc_addr_any(local))
		fl6.saddr = local->v6;
	fl6.flowlabel = ip6_make_flowinfo(mrc_sock_tos(sk, AF_INET6), 0);
	security_sk_classify_flow(sk, flowi6_to_flowi_common(&fl6));
	dst = ip6_dst_lookup_flow(sock_net(sk), sk, &fl6, NULL);
	if (IS_ERR(dst))
		return dst;
	local->family = AF_INET6;
	local->v6 = fl6.saddr;
	return dst;
}
#endif

/* Route from @local (wildcard: filled in) to @remote. */
static struct dst_entry *mrc_route(struct sock *sk, struct mrc_addr *local,
				   const struct mrc_addr *remote, int ifindex)
{
	if (!ifindex)
		ifindex = sk->sk_bound_dev_if;
	if (remote->family == AF_INET)
		return mrc_route4(sk, local, remote, ifindex);
#if IS_ENABLED(CONFIG_IPV6)
	return mrc_route6(sk, local, remote, ifindex);
#else
	return ERR_PTR(-EAFNOSUPPORT);
#endif
}

/**
 * mrc_route_source() - which address and MTU does the route to a peer give?
 * @sk: socket, for mark, device, type of service
 * @remote: peer
 * @ifindex: device or 0
 * @local: in: address bound to or the wildcard; out: source address
 * @mtu: out: largest IP packet, bytes
 *
 * Return: 0 or the error of the routing code (-ENETUNREACH, -EHOSTUNREACH,
 * -EINVAL for a source address that is not ours).
 */
int mrc_route_source(struct sock *sk, const struct mrc_addr *remote,
		     int ifindex, struct mrc_addr *local, u32 *mtu)
{
	struct dst_entry *dst = mrc_route(sk, local, remote, ifindex);

	if (IS_ERR(dst))
		return PTR_ERR(dst);
	*mtu = dst_mtu(dst);
	dst_release(dst);
	return 0;
}

static u32 mrc_dst_cookie(struct dst_entry *dst, u16 family)
{
#if IS_ENABLED(CONFIG_IPV6)
	if (family == AF_INET6)
		return rt6_get_cookie((struct rt6_info *)dst);
#endif
	return 0;
}

/**
 * mrc_path_route() - make sure that a path has a valid route
 * @sk: its connection
 * @p: path
 *
 * Context: socket lock, any context.
 * Return: 0 with @p->dst valid, or a negative errno with @p->dst NULL.
 */
int mrc_path_route(struct sock *sk, struct mrc_path *p)
{
	struct mrc_addr local = p->local;
	struct dst_entry *dst = p->dst;

	if (dst && !READ_ONCE(dst->obsolete))
		return 0;
	if (dst && dst_check(dst, p->dst_cookie))
		return 0;
	dst_release(dst);
	p->dst = NULL;
	dst = mrc_route(sk, &local, &p->remote, p->ifindex);
	if (IS_ERR(dst)) {
		p->oif = 0;
		return PTR_ERR(dst);
	}
	p->dst = dst;
	p->dst_cookie = mrc_dst_cookie(dst, p->remote.family);
	p->oif = dst->dev->ifindex;
	p->mtu = dst_mtu(dst);
	return 0;
}

/*
 * Hand a packet to UDP and IP.  Bottom halves must be off: the tunnel code
 * keeps per-CPU recursion counters and statistics.  Consumes @skb and @dst.
 */
static void mrc_xmit4(struct sock *sk, struct dst_entry *dst,
		      struct sk_buff *skb, const struct mrc_addr *local,
		      const struct mrc_addr *remote, u8 tos, u16 ev, u16 dport)
{
	mrc_udp_tunnel_xmit((struct rtable *)dst, sk, skb, local->v4,
			    remote->v4, tos, ip4_dst_hoplimit(dst), 0,
			    htons(ev), htons(dport));
}

#if IS_ENABLED(CONFIG_IPV6)
static void mrc_xmit6(struct sock *sk, struct dst_entry *dst,
		      struct sk_buff *skb, const struct mrc_addr *local,
		      const struct mrc_addr *remote, u8 tos, u16 ev, u16 dport)
{
	/* The flow label carries the EV too: switches may hash either. */
	mrc_udp_tunnel6_xmit(dst, sk, skb, &local->v6, &remote->v6, tos,
			     ip6_dst_hoplimit(dst), htonl(ev), htons(ev),
			     htons(dport));
}
#endif

static void mrc_xmit(struct sock *sk, struct dst_entry *dst,
		     struct sk_buff *skb, const struct mrc_addr *local,
		     const struct mrc_addr *remote, u8 tos, u16 ev, u16 dport)
{
	local_bh_disable();
#if IS_ENABLED(CONFIG_IPV6)
	if (remote->family == AF_INET6)
		mrc_xmit6(sk, dst, skb, local, remote, tos, ev, dport);
	else
#endif
		mrc_xmit4(sk, dst, skb, local, remote, tos, ev, dport);
	local_bh_enable();
}

/**
 * mrc_path_xmit() - send a packet over a path
 * @sk: connection
 * @p: path
 * @skb: packet from the BTH on, with MAX_HEADER + IPv6 + UDP headroom
 * @ev: entropy value, becomes the source port
 * @ect: mark as ECN capable (data)
 *
 * Context: socket lock, any context.  Consumes @skb.
 * Return: 0, or the negative errno of the route look-up.  A packet dropped
 * further down counts as lost on the way.
 */
int mrc_path_xmit(struct sock *sk, struct mrc_path *p, struct sk_buff *skb,
		  u16 ev, bool ect)
{
	u8 tos = mrc_sock_tos(sk, p->remote.family);
	int err;

	err = mrc_path_route(sk, p);
	if (err) {
		MRC_INC_SK(sk, TX_NO_ROUTE);
		kfree_skb(skb);
		return err;
	}
	if (ect)
		tos |= INET_ECN_ECT_0;
	skb->priority = sk->sk_priority;
	skb->mark = sk->sk_mark;
	dst_hold(p->dst);
	mrc_xmit(sk, p->dst, skb, &p->local, &p->remote, tos, ev,
		 mrc_sknet(sk)->cur_port);
	return 0;
}

/**
 * mrc_reply_xmit() - answer a packet without a connection
 * @mn: network namespace
 * @in: packet to answer
 * @skb: answer from the BTH on; consumed
 *
 * Uses the UDP socket for routing, swaps the addresses, keeps the EV: the
 * answer takes the path of the question where fabrics hash symmetrically.
 *
 * Return: 0 or a negative errno.
 */
int mrc_reply_xmit(struct mrc_net *mn, struct sk_buff *in, struct sk_buff *skb)
{
	struct mrc_addr src, dst;
	struct dst_entry *rt;
	struct socket *us;
	int err = -EAFNOSUPPORT;

	mrc_addr_from_skb(in, &src, &dst);
	us = READ_ONCE(*(src.family == AF_INET ? &mn->udp4 : &mn->udp6));
	if (!us)
		goto drop;
	rt = mrc_route(us->sk, &dst, &src,
		       src.family == AF_INET6 &&
		       (ipv6_addr_type(&src.v6) & IPV6_ADDR_LINKLOCAL) ?
		       in->skb_iif : 0);
	err = PTR_ERR_OR_ZERO(rt);
	if (err)
		goto drop;
	mrc_xmit(NULL, rt, skb, &dst, &src, 0, MRC_SKB_CB(in)->ev,
		 mn->cur_port);
	return 0;

drop:
	kfree_skb(skb);
	return err;
}
