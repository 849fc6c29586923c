/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MRC: what differs between kernel versions, and nothing else.
 *
 * Version numbers lie: stable and distribution kernels take API changes from
 * later releases.  net/mrc/Makefile therefore looks into the headers that it
 * builds against and defines a macro MRC_HAVE_* for each new form it finds.
 * None of them is defined on Linux 6.1.  No other file may test a version;
 * only the prototypes of recvmsg and ioctl are chosen outside (mrc.h, rdwr.c).
 *
 *	MRC_HAVE_HRTIMER_SETUP		hrtimer_setup()			6.13
 *	MRC_HAVE_UDP_TUNNEL_SOCK_SK	tunnel calls take struct sock	7.1
 *	MRC_HAVE_UDP_TUNNEL_IPCB_FLAGS	xmit calls take ipcb_flags	6.17
 *	MRC_HAVE_FLOWI4_DSCP		flowi4_dscp for flowi4_tos	6.18
 *	MRC_HAVE_GENL_INFO_DUMP		genl_info_dump()		6.6
 *	MRC_HAVE_SK_UID			sk_uid()			6.17
 *	MRC_HAVE_NET_SYSCTL_SZ		register_net_sysctl_sz()	6.6
 *	MRC_HAVE_RECVMSG_ADDR_LEN_GONE	proto.recvmsg lost addr_len	7.1
 *	MRC_HAVE_IOCTL_KARG		proto.ioctl takes int *karg	6.5
 */
#ifndef _MRC_COMPAT_H
#define _MRC_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/sysctl.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>
#include <net/sock.h>
#include <net/udp_tunnel.h>

/* --------------------------------------------------------------- timers */

static inline void mrc_hrtimer_setup(struct hrtimer *timer,
				     enum hrtimer_restart (*fn)(struct hrtimer *),
				     clockid_t clock, enum hrtimer_mode mode)
{
#ifdef MRC_HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, fn, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = fn;
#endif
}

/* ----------------------------------------------------------- UDP tunnels */

static inline void mrc_setup_udp_tunnel_sock(struct net *net, struct socket *sock,
					     struct udp_tunnel_sock_cfg *cfg)
{
#ifdef MRC_HAVE_UDP_TUNNEL_SOCK_SK
	setup_udp_tunnel_sock(net, sock->sk, cfg);
#else
	setup_udp_tunnel_sock(net, sock, cfg);
#endif
}

static inline void mrc_udp_tunnel_sock_release(struct socket *sock)
{
#ifdef MRC_HAVE_UDP_TUNNEL_SOCK_SK
	udp_tunnel_sock_release(sock->sk);
#else
	udp_tunnel_sock_release(sock);
#endif
}

/* Consumes @skb and the reference on @rt; bottom halves must be off. */
static inline void mrc_udp_tunnel_xmit(struct rtable *rt, struct sock *sk,
				       struct sk_buff *skb, __be32 src,
				       __be32 dst, u8 tos, u8 ttl, __be16 df,
				       __be16 sport, __be16 dport)
{
#ifdef MRC_HAVE_UDP_TUNNEL_IPCB_FLAGS
	udp_tunnel_xmit_skb(rt, sk, skb, src, dst, tos, ttl, df, sport, dport,
			    false, false, 0);
#else
	udp_tunnel_xmit_skb(rt, sk, skb, src, dst, tos, ttl, df, sport, dport,
			    false, false);
#endif
}

#if IS_ENABLED(CONFIG_IPV6)
/* The addresses are only read; kernels before 6.12 forget to say so. */
static inline void mrc_udp_tunnel6_xmit(struct dst_entry *dst, struct sock *sk,
					struct sk_buff *skb,
					const struct in6_addr *saddr,
					const struct in6_addr *daddr, u8 tos,
					u8 ttl, __be32 label, __be16 sport,
					__be16 dport)
{
	struct in6_addr *s = (struct in6_addr *)saddr;
	struct in6_addr *d = (struct in6_addr *)daddr;

#ifdef MRC_HAVE_UDP_TUNNEL_IPCB_FLAGS
	udp_tunnel6_xmit_skb(dst, sk, skb, NULL, s, d, tos, ttl, label, sport,
			     dport, false, 0);
#else
	udp_tunnel6_xmit_skb(dst, sk, skb, NULL, s, d, tos, ttl, label, sport,
			     dport, false);
#endif
}
#endif

/* --------------------------------------------------------------- netlink */

/* Attributes of a dump request, parsed and checked by the policy. */
static inline struct nlattr **mrc_genl_dump_attrs(struct netlink_callback *cb)
{
#ifdef MRC_HAVE_GENL_INFO_DUMP
	return genl_info_dump(cb)->attrs;
#else
	return genl_dumpit_info(cb)->attrs;
#endif
}

/* --------------------------------------------------------------- sockets */

static inline kuid_t mrc_sk_uid(struct sock *sk)
{
#ifdef MRC_HAVE_SK_UID
	return sk_uid(sk);
#else
	return sock_i_uid(sk);
#endif
}

/* ---------------------------------------------------------------- sysctl */

/* An empty last entry ends a table where its size cannot be passed. */
#ifdef MRC_HAVE_NET_SYSCTL_SZ
#define MRC_SYSCTL_SENTINELS	0
#else
#define MRC_SYSCTL_SENTINELS	1
#endif

static inline struct ctl_table_header *
mrc_register_net_sysctl(struct net *net, const char *path,
			struct ctl_table *table, size_t entries)
{
#ifdef MRC_HAVE_NET_SYSCTL_SZ
	return register_net_sysctl_sz(net, path, table, entries);
#else
	return register_net_sysctl(net, path, table);
#endif
}

#endif /* _MRC_COMPAT_H */
