// SPDX-License-Identifier: GPL-2.0
/*
 * MRC generic netlink family: endpoints, connections, subflows.
 *
 * Commands, attributes and their policies are generated from
 * Documentation/netlink/specs/mrc.yaml into netlink_gen.c; what they mean is
 * told in include/uapi/linux/mrc.h.
 */
#include <linux/module.h>
#include <net/genetlink.h>

#include "mrc.h"
#include "netlink_gen.h"

static struct genl_family mrc_genl_family;

/* Where a message goes and what its header says. */
struct mrc_nl_to {
	struct sk_buff *msg;
	u32 portid;
	u32 seq;
	int flags;
	struct user_namespace *user_ns;
};

/* Where a dump stands; a fresh one is all zero. */
struct mrc_nl_dump {
	u32 after;	/* id of the last connection, or endpoint, that is done */
	u32 conn;	/* id of the connection that is half done */
	u32 subflow;	/* its next subflow */
	bool begun;
};

static struct mrc_nl_dump *mrc_nl_dump_of(struct netlink_callback *cb)
{
	BUILD_BUG_ON(sizeof(struct mrc_nl_dump) > sizeof(cb->ctx));
	return (struct mrc_nl_dump *)cb->ctx;
}

static struct mrc_nl_to mrc_nl_dump_to(struct sk_buff *skb,
				       struct netlink_callback *cb)
{
	return (struct mrc_nl_to) {
		.msg = skb,
		.portid = NETLINK_CB(cb->skb).portid,
		.seq = cb->nlh->nlmsg_seq,
		.flags = NLM_F_MULTI,
		.user_ns = sk_user_ns(NETLINK_CB(cb->skb).sk),
	};
}

/* A buffer full of messages is a success; anything else ends the dump. */
static int mrc_nl_dump_result(const struct sk_buff *skb, int err)
{
	if (err == -EMSGSIZE && skb->len)
		return skb->len;
	return err ?: skb->len;
}

/* Room for one answer; the caller adds a message to @to and sends it. */
static int mrc_nl_reply_new(struct sk_buff *skb, struct genl_info *info,
			    struct mrc_nl_to *to)
{
	*to = (struct mrc_nl_to) {
		.msg = genlmsg_new(NLMSG_GOODSIZE, GFP_KERNEL),
		.portid = info->snd_portid,
		.seq = info->snd_seq,
		.user_ns = sk_user_ns(NETLINK_CB(skb).sk),
	};
	return to->msg ? 0 : -ENOMEM;
}

static int mrc_nl_put_addr(struct sk_buff *msg, int type,
			   const struct mrc_addr *a)
{
	u8 buf[sizeof(struct in6_addr)];

	return nla_put(msg, type, mrc_addr_put(a, buf), buf);
}

/* ------------------------------------------------------------ endpoints */

/* Address of 4 or 16 bytes; the policy has refused less and more only. */
static int mrc_nl_get_addr(const struct nlattr *attr, struct mrc_addr *a,
			   struct netlink_ext_ack *extack)
{
	memset(a, 0, sizeof(*a));
	if (nla_len(attr) == sizeof(a->v4)) {
		a->family = AF_INET;
		a->v4 = nla_get_in_addr(attr);
		return 0;
	}
	if (nla_len(attr) != sizeof(a->v6)) {
		NL_SET_ERR_MSG_ATTR(extack, attr,
				    "an address has 4 or 16 bytes");
		return -EINVAL;
	}
	if (!IS_ENABLED(CONFIG_IPV6)) {
		NL_SET_ERR_MSG_ATTR(extack, attr, "this kernel has no IPv6");
		return -EAFNOSUPPORT;
	}
	a->family = AF_INET6;
	a->v6 = nla_get_in6_addr(attr);
	return 0;
}

/* Which endpoint a request means: @id is 0 or @addr->family is 0 if absent. */
static int mrc_nl_get_key(struct genl_info *info, u8 *id, struct mrc_addr *addr)
{
	struct nlattr **tb = info->attrs;

	memset(addr, 0, sizeof(*addr));
	*id = 0;
	if (!tb[MRC_A_ENDPOINT_ID] && !tb[MRC_A_ENDPOINT_ADDRESS]) {
		NL_SET_ERR_MSG(info->extack,
			       "which endpoint? id or address is missing");
		return -EINVAL;
	}
	if (tb[MRC_A_ENDPOINT_ID])
		*id = nla_get_u32(tb[MRC_A_ENDPOINT_ID]);
	if (!tb[MRC_A_ENDPOINT_ADDRESS])
		return 0;
	return mrc_nl_get_addr(tb[MRC_A_ENDPOINT_ADDRESS], addr, info->extack);
}

/* Attribute to blame for the error that the key of an endpoint led to. */
static struct nlattr *mrc_nl_key_attr(struct genl_info *info)
{
	return info->attrs[MRC_A_ENDPOINT_ADDRESS] ?:
	       info->attrs[MRC_A_ENDPOINT_ID];
}

static int mrc_nl_parse_endpoint(struct genl_info *info,
				 struct mrc_endpoint *ep)
{
	struct nlattr **tb = info->attrs;
	struct net_device *dev;

	if (!tb[MRC_A_ENDPOINT_ADDRESS]) {
		NL_SET_ERR_MSG(info->extack, "address is missing");
		return -EINVAL;
	}
	if (tb[MRC_A_ENDPOINT_ID])
		ep->id = nla_get_u32(tb[MRC_A_ENDPOINT_ID]);
	if (tb[MRC_A_ENDPOINT_PLANE])
		ep->plane = nla_get_u32(tb[MRC_A_ENDPOINT_PLANE]);
	if (tb[MRC_A_ENDPOINT_EVS])
		ep->evs = nla_get_u32(tb[MRC_A_ENDPOINT_EVS]);
	if (tb[MRC_A_ENDPOINT_FLAGS])
		ep->flags = nla_get_u32(tb[MRC_A_ENDPOINT_FLAGS]);
	if (tb[MRC_A_ENDPOINT_IFINDEX]) {
		ep->ifindex = nla_get_u32(tb[MRC_A_ENDPOINT_IFINDEX]);
		rcu_read_lock();
		dev = dev_get_by_index_rcu(genl_info_net(info), ep->ifindex);
		rcu_read_unlock();
		/* 0 is what the answers say for "the route decides". */
		if (ep->ifindex && !dev) {
			NL_SET_ERR_MSG_ATTR(info->extack,
					    tb[MRC_A_ENDPOINT_IFINDEX],
					    "no such device");
			return -ENODEV;
		}
	}
	return mrc_nl_get_addr(tb[MRC_A_ENDPOINT_ADDRESS], &ep->addr,
			       info->extack);
}

int mrc_nl_endpoint_add_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mrc_net *mn = mrc_pernet(genl_info_net(info));
	struct nlattr *bad = info->attrs[MRC_A_ENDPOINT_ADDRESS];
	struct mrc_endpoint ep = {};
	int err;

	err = mrc_nl_parse_endpoint(info, &ep);
	if (err)
		return err;
	err = mrc_pm_endpoint_add(mn, &ep, info->extack);
	if (err == -EEXIST) {
		rcu_read_lock();
		if (!mrc_pm_endpoint_find(mn, 0, &ep.addr))
			bad = info->attrs[MRC_A_ENDPOINT_ID];
		rcu_read_unlock();
	}
	if (err == -EEXIST || err == -EINVAL)
		NL_SET_BAD_ATTR(info->extack, bad);
	return err;
}

int mrc_nl_endpoint_del_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mrc_addr addr;
	int err;
	u8 id;

	err = mrc_nl_get_key(info, &id, &addr);
	if (err)
		return err;
	err = mrc_pm_endpoint_del(mrc_pernet(genl_info_net(info)), id,
				  addr.family ? &addr : NULL, info->extack);
	if (err)
		NL_SET_BAD_ATTR(info->extack, mrc_nl_key_attr(info));
	return err;
}

static int mrc_nl_put_endpoint(const struct mrc_nl_to *to,
			       struct netlink_callback *cb,
			       const struct mrc_endpoint *ep)
{
	void *hdr;

	hdr = genlmsg_put(to->msg, to->portid, to->seq, &mrc_genl_family,
			  to->flags, MRC_CMD_ENDPOINT_GET);
	if (!hdr)
		return -EMSGSIZE;
	if (cb)
		genl_dump_check_consistent(cb, hdr);
	if (nla_put_u32(to->msg, MRC_A_ENDPOINT_ID, ep->id) ||
	    mrc_nl_put_addr(to->msg, MRC_A_ENDPOINT_ADDRESS, &ep->addr) ||
	    nla_put_u32(to->msg, MRC_A_ENDPOINT_PLANE, ep->plane) ||
	    nla_put_u32(to->msg, MRC_A_ENDPOINT_FLAGS, ep->flags) ||
	    (ep->ifindex &&
	     nla_put_u32(to->msg, MRC_A_ENDPOINT_IFINDEX, ep->ifindex)) ||
	    (ep->evs && nla_put_u32(to->msg, MRC_A_ENDPOINT_EVS, ep->evs))) {
		genlmsg_cancel(to->msg, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(to->msg, hdr);
	return 0;
}

int mrc_nl_endpoint_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct mrc_net *mn = mrc_pernet(genl_info_net(info));
	const struct mrc_endpoint *ep;
	struct mrc_nl_to to;
	struct mrc_addr addr;
	int err;
	u8 id;

	err = mrc_nl_get_key(info, &id, &addr);
	if (err)
		return err;
	err = mrc_nl_reply_new(skb, info, &to);
	if (err)
		return err;
	rcu_read_lock();
	ep = mrc_pm_endpoint_find(mn, id, addr.family ? &addr : NULL);
	err = ep ? mrc_nl_put_endpoint(&to, NULL, ep) : -ENOENT;
	rcu_read_unlock();
	if (!err)
		return genlmsg_reply(to.msg, info);
	nlmsg_free(to.msg);
	if (err == -ENOENT)
		NL_SET_ERR_MSG_ATTR(info->extack, mrc_nl_key_attr(info),
				    "no such endpoint");
	return err;
}

/* A filter that is silently ignored would be worse than none. */
static int mrc_nl_dump_all_only(struct netlink_callback *cb, int maxattr)
{
	struct nlattr **tb = mrc_genl_dump_attrs(cb);
	int i;

	for (i = 1; i <= maxattr; i++) {
		if (!tb[i])
			continue;
		NL_SET_ERR_MSG_ATTR(cb->extack, tb[i],
				    "a dump takes no such filter");
		return -EINVAL;
	}
	return 0;
}

int mrc_nl_endpoint_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct mrc_net *mn = mrc_pernet(sock_net(skb->sk));
	struct mrc_nl_to to = mrc_nl_dump_to(skb, cb);
	struct mrc_nl_dump *at = mrc_nl_dump_of(cb);
	const struct mrc_endpoint *ep;
	int err;

	err = mrc_nl_dump_all_only(cb, MRC_A_ENDPOINT_ADDRESS);
	if (err)
		return err;
	/* Tells the reader if the list changed in the middle of the dump. */
	cb->seq = smp_load_acquire(&mn->ep_gen) + 1;
	rcu_read_lock();
	list_for_each_entry_rcu(ep, &mn->endpoints, list) {
		if (ep->id <= at->after)
			continue;
		err = mrc_nl_put_endpoint(&to, cb, ep);
		if (err)
			break;
		at->after = ep->id;
	}
	rcu_read_unlock();
	return mrc_nl_dump_result(skb, err);
}

/* ---------------------------------------------------------- connections */

/* What is read of a connection under its lock. */
struct mrc_nl_conn {
	struct mrc_info info;
	struct mrc_addr local;
	struct mrc_addr remote;
	u16 sport;
	u16 dport;
	kuid_t uid;
	unsigned long inode;
	const char *sched;
	const char *cong;
};

/* Returns false if the connection has ended meanwhile. */
static bool mrc_nl_read_conn(struct sock *sk, u32 id, struct mrc_nl_conn *c)
{
	struct mrc_sock *msk = mrc_sk(sk);
	const struct mrc_path *p;
	bool alive;

	memset(c, 0, sizeof(*c));
	lock_sock(sk);
	alive = msk->qpn && msk->id == id;
	if (alive) {
		mrc_get_info(sk, &c->info);
		mrc_sock_local(sk, &c->local);
		p = msk->paths[msk->initial];
		if (p)
			c->remote = p->remote;
		c->sport = ntohs(inet_sk(sk)->inet_sport);
		c->dport = ntohs(inet_sk(sk)->inet_dport);
		c->sched = msk->req.sched->name;
		c->cong = msk->req.cong->name;
		c->uid = mrc_sk_uid(sk);
		c->inode = sock_i_ino(sk);
	}
	release_sock(sk);
	return alive;
}

static int mrc_nl_put_conn_id(const struct mrc_nl_to *to,
			      const struct mrc_nl_conn *c)
{
	struct sk_buff *msg = to->msg;

	return nla_put_u32(msg, MRC_A_CONNECTION_ID, c->info.id) ||
	       nla_put_u32(msg, MRC_A_CONNECTION_STATE, c->info.state) ||
	       mrc_nl_put_addr(msg, MRC_A_CONNECTION_LOCAL_ADDRESS,
			       &c->local) ||
	       nla_put_u32(msg, MRC_A_CONNECTION_LOCAL_PORT, c->sport) ||
	       (c->remote.family &&
		mrc_nl_put_addr(msg, MRC_A_CONNECTION_REMOTE_ADDRESS,
				&c->remote)) ||
	       nla_put_u32(msg, MRC_A_CONNECTION_REMOTE_PORT, c->dport) ||
	       nla_put_u32(msg, MRC_A_CONNECTION_UID,
			   from_kuid_munged(to->user_ns, c->uid)) ||
	       nla_put_u32(msg, MRC_A_CONNECTION_INODE, c->inode) ||
	       nla_put_string(msg, MRC_A_CONNECTION_SCHEDULER, c->sched) ||
	       nla_put_string(msg, MRC_A_CONNECTION_CONGESTION, c->cong);
}

static int mrc_nl_put_info_now(struct sk_buff *msg, const struct mrc_info *i)
{
	return nla_put_u32(msg, MRC_A_CONNECTION_SUBFLOWS, i->subflows) ||
	       nla_put_u32(msg, MRC_A_CONNECTION_SUBFLOWS_ACTIVE,
			   i->subflows_active) ||
	       nla_put_u32(msg, MRC_A_CONNECTION_MPR, i->mpr) ||
	       nla_put_u32(msg, MRC_A_CONNECTION_SND_PACKETS, i->snd_packets) ||
	       nla_put_u32(msg, MRC_A_CONNECTION_SND_QUEUED, i->snd_queued) ||
	       nla_put_u32(msg, MRC_A_CONNECTION_RCV_OOO, i->rcv_ooo);
}

static int mrc_nl_put_conn64(struct sk_buff *msg, int type, u64 value)
{
	return nla_put_u64_64bit(msg, type, value, MRC_A_CONNECTION_PAD);
}

static int mrc_nl_put_info_sums(struct sk_buff *m, const struct mrc_info *i)
{
	return mrc_nl_put_conn64(m, MRC_A_CONNECTION_BYTES_SENT,
				 i->bytes_sent) ||
	       mrc_nl_put_conn64(m, MRC_A_CONNECTION_BYTES_ACKED,
				 i->bytes_acked) ||
	       mrc_nl_put_conn64(m, MRC_A_CONNECTION_BYTES_RECEIVED,
				 i->bytes_received) ||
	       mrc_nl_put_conn64(m, MRC_A_CONNECTION_BYTES_RETRANS,
				 i->bytes_retrans) ||
	       mrc_nl_put_conn64(m, MRC_A_CONNECTION_MSGS_SENT,
				 i->msgs_sent) ||
	       mrc_nl_put_conn64(m, MRC_A_CONNECTION_MSGS_RECEIVED,
				 i->msgs_received) ||
	       mrc_nl_put_conn64(m, MRC_A_CONNECTION_PKTS_SENT,
				 i->pkts_sent) ||
	       mrc_nl_put_conn64(m, MRC_A_CONNECTION_PKTS_RECEIVED,
				 i->pkts_received) ||
	       mrc_nl_put_conn64(m, MRC_A_CONNECTION_PKTS_RETRANS,
				 i->pkts_retrans) ||
	       mrc_nl_put_conn64(m, MRC_A_CONNECTION_PKTS_DUP, i->pkts_dup);
}

/* Returns 0, -ENOENT if the connection has ended, or -EMSGSIZE. */
static int mrc_nl_put_conn(const struct mrc_nl_to *to, struct sock *sk, u32 id)
{
	struct mrc_nl_conn c;
	void *hdr;

	if (!mrc_nl_read_conn(sk, id, &c))
		return -ENOENT;
	hdr = genlmsg_put(to->msg, to->portid, to->seq, &mrc_genl_family,
			  to->flags, MRC_CMD_CONNECTION_GET);
	if (!hdr)
		return -EMSGSIZE;
	if (mrc_nl_put_conn_id(to, &c) ||
	    mrc_nl_put_info_now(to->msg, &c.info) ||
	    mrc_nl_put_info_sums(to->msg, &c.info)) {
		genlmsg_cancel(to->msg, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(to->msg, hdr);
	return 0;
}

/* Connection by id with a reference, or NULL. */
static struct sock *mrc_nl_find_conn(struct mrc_net *mn, u32 id)
{
	struct sock *sk = NULL;
	struct mrc_sock *msk;

	spin_lock_bh(&mn->conn_lock);
	list_for_each_entry(msk, &mn->conns, conn_node) {
		if (msk->id != id)
			continue;
		if (refcount_inc_not_zero(&mrc_to_sk(msk)->sk_refcnt))
			sk = mrc_to_sk(msk);
		break;
	}
	spin_unlock_bh(&mn->conn_lock);
	return sk;
}

int mrc_nl_connection_get_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *attr = info->attrs[MRC_A_CONNECTION_ID];
	struct mrc_nl_to to;
	struct sock *sk;
	int err;
	u32 id;

	if (!attr) {
		NL_SET_ERR_MSG(info->extack, "connection id is missing");
		return -EINVAL;
	}
	id = nla_get_u32(attr);
	err = mrc_nl_reply_new(skb, info, &to);
	if (err)
		return err;
	err = -ENOENT;
	sk = mrc_nl_find_conn(mrc_pernet(genl_info_net(info)), id);
	if (sk) {
		err = mrc_nl_put_conn(&to, sk, id);
		sock_put(sk);
	}
	if (!err)
		return genlmsg_reply(to.msg, info);
	nlmsg_free(to.msg);
	if (err == -ENOENT)
		NL_SET_ERR_MSG_ATTR(info->extack, attr, "no such connection");
	return err;
}

int mrc_nl_connection_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb)
{
	struct mrc_net *mn = mrc_pernet(sock_net(skb->sk));
	struct mrc_nl_to to = mrc_nl_dump_to(skb, cb);
	struct mrc_nl_dump *at = mrc_nl_dump_of(cb);
	struct mrc_conns c = {};
	unsigned int i;
	int err;

	err = mrc_nl_dump_all_only(cb, MRC_A_CONNECTION_ID);
	while (!err && mrc_conns_next(mn, &c, at->after)) {
		for (i = 0; i < c.n; i++) {
			err = mrc_nl_put_conn(&to, c.sk[i], c.id[i]);
			if (err == -EMSGSIZE)
				break;
			err = 0;
			at->after = c.id[i];
		}
	}
	mrc_conns_put(&c);
	return mrc_nl_dump_result(skb, err);
}

/* ------------------------------------------------------------- subflows */

static int mrc_nl_put_sf_id(struct sk_buff *msg, u32 conn,
			    const struct mrc_subflow_info *si)
{
	int len = si->family == AF_INET ? sizeof(__be32) :
					  sizeof(struct in6_addr);

	return nla_put_u32(msg, MRC_A_SUBFLOW_CONNECTION, conn) ||
	       nla_put_u32(msg, MRC_A_SUBFLOW_ID, si->id) ||
	       nla_put_u32(msg, MRC_A_SUBFLOW_STATE, si->state) ||
	       nla_put_u32(msg, MRC_A_SUBFLOW_PLANE, si->plane) ||
	       nla_put_u32(msg, MRC_A_SUBFLOW_FLAGS, si->flags) ||
	       nla_put_u32(msg, MRC_A_SUBFLOW_IFINDEX, si->ifindex) ||
	       nla_put(msg, MRC_A_SUBFLOW_LOCAL_ADDRESS, len, si->local) ||
	       nla_put(msg, MRC_A_SUBFLOW_REMOTE_ADDRESS, len, si->remote);
}

static int mrc_nl_put_sf_now(struct sk_buff *msg,
			     const struct mrc_subflow_info *si)
{
	return nla_put_u32(msg, MRC_A_SUBFLOW_EVS, si->evs) ||
	       nla_put_u32(msg, MRC_A_SUBFLOW_SRTT, si->srtt_us) ||
	       nla_put_u32(msg, MRC_A_SUBFLOW_RTTVAR, si->rttvar_us) ||
	       nla_put_u32(msg, MRC_A_SUBFLOW_MIN_RTT, si->min_rtt_us) ||
	       nla_put_u32(msg, MRC_A_SUBFLOW_CWND, si->cwnd) ||
	       nla_put_u32(msg, MRC_A_SUBFLOW_INFLIGHT, si->inflight);
}

static int mrc_nl_put_sf64(struct sk_buff *msg, int type, u64 value)
{
	return nla_put_u64_64bit(msg, type, value, MRC_A_SUBFLOW_PAD);
}

static int mrc_nl_put_sf_sums(struct sk_buff *m,
			      const struct mrc_subflow_info *si)
{
	return mrc_nl_put_sf64(m, MRC_A_SUBFLOW_BYTES_SENT, si->bytes_sent) ||
	       mrc_nl_put_sf64(m, MRC_A_SUBFLOW_BYTES_RECEIVED,
			       si->bytes_received) ||
	       mrc_nl_put_sf64(m, MRC_A_SUBFLOW_PKTS_SENT, si->pkts_sent) ||
	       mrc_nl_put_sf64(m, MRC_A_SUBFLOW_PKTS_RECEIVED,
			       si->pkts_received) ||
	       mrc_nl_put_sf64(m, MRC_A_SUBFLOW_PKTS_RETRANS,
			       si->pkts_retrans) ||
	       mrc_nl_put_sf64(m, MRC_A_SUBFLOW_PKTS_LOST, si->pkts_lost) ||
	       mrc_nl_put_sf64(m, MRC_A_SUBFLOW_ECN_MARKS, si->ecn_marks) ||
	       mrc_nl_put_sf64(m, MRC_A_SUBFLOW_CHANGES, si->changes);
}

static int mrc_nl_put_subflow(const struct mrc_nl_to *to, u32 conn,
			      const struct mrc_subflow_info *si)
{
	void *hdr;

	hdr = genlmsg_put(to->msg, to->portid, to->seq, &mrc_genl_family,
			  to->flags, MRC_CMD_SUBFLOW_GET);
	if (!hdr)
		return -EMSGSIZE;
	if (mrc_nl_put_sf_id(to->msg, conn, si) ||
	    mrc_nl_put_sf_now(to->msg, si) ||
	    mrc_nl_put_sf_sums(to->msg, si)) {
		genlmsg_cancel(to->msg, hdr);
		return -EMSGSIZE;
	}
	genlmsg_end(to->msg, hdr);
	return 0;
}

/* Subflows of one connection from @at->subflow on; @at says how far it got. */
static int mrc_nl_put_subflows(const struct mrc_nl_to *to, struct sock *sk,
			       u32 id, struct mrc_nl_dump *at)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_subflow_info si;
	int err = 0;

	/* The one that was half done has gone: begin with this one. */
	if (at->conn != id)
		at->subflow = 0;
	at->conn = id;
	lock_sock(sk);
	for (; at->subflow < MRC_SUBFLOWS_MAX; at->subflow++) {
		if (!msk->qpn || msk->id != id)
			break;
		if (!msk->paths[at->subflow])
			continue;
		mrc_get_subflow_info(sk, at->subflow, &si);
		err = mrc_nl_put_subflow(to, id, &si);
		if (err)
			break;
	}
	release_sock(sk);
	if (!err)
		at->after = id;
	return err;
}

/* Dump of one connection, chosen by attribute. */
static int mrc_nl_dump_subflows_of(struct mrc_net *mn, struct nlattr *attr,
				   const struct mrc_nl_to *to,
				   struct mrc_nl_dump *at,
				   struct netlink_ext_ack *extack)
{
	u32 id = nla_get_u32(attr);
	struct sock *sk;
	int err;

	if (at->begun && at->after == id)
		return 0;
	sk = mrc_nl_find_conn(mn, id);
	if (!sk) {
		/* One that ends during the dump has no more subflows. */
		if (at->begun)
			return 0;
		NL_SET_ERR_MSG_ATTR(extack, attr, "no such connection");
		return -ENOENT;
	}
	at->begun = true;
	err = mrc_nl_put_subflows(to, sk, id, at);
	sock_put(sk);
	return err;
}

int mrc_nl_subflow_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct nlattr *attr = mrc_genl_dump_attrs(cb)[MRC_A_SUBFLOW_CONNECTION];
	struct mrc_net *mn = mrc_pernet(sock_net(skb->sk));
	struct mrc_nl_to to = mrc_nl_dump_to(skb, cb);
	struct mrc_nl_dump *at = mrc_nl_dump_of(cb);
	struct mrc_conns c = {};
	unsigned int i;
	int err = 0;

	if (attr) {
		err = mrc_nl_dump_subflows_of(mn, attr, &to, at, cb->extack);
		return mrc_nl_dump_result(skb, err);
	}
	while (!err && mrc_conns_next(mn, &c, at->after))
		for (i = 0; i < c.n && !err; i++)
			err = mrc_nl_put_subflows(&to, c.sk[i], c.id[i], at);
	mrc_conns_put(&c);
	return mrc_nl_dump_result(skb, err);
}

/* --------------------------------------------------------------- family */

static struct genl_family mrc_genl_family __ro_after_init = {
	.name		= MRC_GENL_NAME,
	.version	= MRC_GENL_VERSION,
	.netnsok	= true,
	.module		= THIS_MODULE,
	.ops		= mrc_nl_ops,
	.n_ops		= ARRAY_SIZE(mrc_nl_ops),
	/* All operations are strict: none is older than that rule. */
	.resv_start_op	= MRC_CMD_ENDPOINT_ADD,
};

/**
 * mrc_netlink_init() - register the family
 *
 * Return: 0 or a negative errno.
 */
int mrc_netlink_init(void)
{
	return genl_register_family(&mrc_genl_family);
}

void mrc_netlink_exit(void)
{
	genl_unregister_family(&mrc_genl_family);
}
