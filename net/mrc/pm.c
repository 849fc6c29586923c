// SPDX-License-Identifier: GPL-2.0
/*
 * MRC path manager: endpoints, and which subflows a connection has.
 *
 * Both ends know both lists of endpoints and pair them by the same rule, so
 * that neither has to ask the other.  What a device, an address or the
 * administrator does reaches each connection by mrc_pm_notify_all().
 */
#include <linux/inetdevice.h>
#include <linux/netdevice.h>
#include <net/addrconf.h>
#include <net/route.h>

#include "mrc.h"

/* Paths that are DOWN are looked at again this often, jiffies. */
#define MRC_LINKS_RETRY		HZ

/* ------------------------------------------------------------ addresses */

/**
 * mrc_addr_unicast() - may a subflow begin or end at this address?
 * @net: network namespace
 * @a: address
 *
 * Context: any.
 */
bool mrc_addr_unicast(struct net *net, const struct mrc_addr *a)
{
	unsigned int type;

	if (a->family == AF_INET) {
		if (ipv4_is_zeronet(a->v4) || ipv4_is_lbcast(a->v4))
			return false;
		type = inet_addr_type(net, a->v4);
		return type != RTN_BROADCAST && type != RTN_MULTICAST;
	}
	return a->family == AF_INET6 && !ipv6_addr_any(&a->v6) &&
	       !ipv6_addr_is_multicast(&a->v6) && !ipv6_addr_v4mapped(&a->v6);
}

static bool mrc_addr_linklocal(const struct mrc_addr *a)
{
	return a->family == AF_INET6 &&
	       (ipv6_addr_type(&a->v6) & IPV6_ADDR_LINKLOCAL);
}

static bool mrc_addr_loopback(const struct mrc_addr *a)
{
	if (a->family == AF_INET)
		return ipv4_is_loopback(a->v4);
	return ipv6_addr_loopback(&a->v6);
}

/* ------------------------------------------------------------ endpoints */

/* Link-local addresses may exist once on each device, others only once. */
static bool mrc_ep_same_addr(const struct mrc_endpoint *a,
			     const struct mrc_endpoint *b)
{
	return mrc_addr_equal(&a->addr, &b->addr) &&
	       (!mrc_addr_linklocal(&a->addr) || a->ifindex == b->ifindex);
}

/**
 * mrc_pm_endpoint_find() - endpoint by id or address
 * @mn: network namespace
 * @id: 1..255, or 0 for any
 * @addr: address, or NULL for any
 *
 * Context: RCU or ep_lock.
 * Return: the first that matches, or NULL.
 */
const struct mrc_endpoint *
mrc_pm_endpoint_find(const struct mrc_net *mn, u8 id,
		     const struct mrc_addr *addr)
{
	const struct mrc_endpoint *ep;

	list_for_each_entry_rcu(ep, &mn->endpoints, list,
				lockdep_is_held(&mn->ep_lock))
		if ((!id || ep->id == id) &&
		    (!addr || mrc_addr_equal(&ep->addr, addr)))
			return ep;
	return NULL;
}

static void mrc_ep_changed(struct mrc_net *mn)
{
	/* Pairs with the acquires: who reads the number sees the list. */
	smp_store_release(&mn->ep_gen, mn->ep_gen + 1);
}

/*
 * Check @ep against the list, give it an id if it has none, insert it in
 * order of id.  Caller holds ep_lock.
 */
static int mrc_ep_insert(struct mrc_net *mn, struct mrc_endpoint *ep,
			 struct netlink_ext_ack *extack)
{
	struct list_head *at = &mn->endpoints;
	struct mrc_endpoint *o;
	unsigned int id = 1;

	list_for_each_entry(o, &mn->endpoints, list) {
		if (mrc_ep_same_addr(o, ep)) {
			NL_SET_ERR_MSG(extack, "address is already an endpoint");
			return -EEXIST;
		}
		if (o->id == ep->id) {
			NL_SET_ERR_MSG(extack, "endpoint id is in use");
			return -EEXIST;
		}
	}
	if (mn->n_endpoints >= MRC_ENDPOINTS_MAX) {
		NL_SET_ERR_MSG(extack, "too many endpoints");
		return -ENOSPC;
	}
	/* The first gap, or the place of the id asked for. */
	list_for_each_entry(o, &mn->endpoints, list) {
		if (ep->id ? o->id > ep->id : o->id > id)
			break;
		at = &o->list;
		id = o->id + 1;
	}
	if (!ep->id)
		ep->id = id;
	list_add_rcu(&ep->list, at);
	mn->n_endpoints++;
	mrc_ep_changed(mn);
	return 0;
}

/**
 * mrc_pm_endpoint_add() - add an endpoint; connections begin to use it
 * @mn: network namespace
 * @tmpl: the endpoint; its id may be 0 for the lowest free one
 * @extack: for what is wrong
 *
 * Context: process, no socket lock.
 * Return: 0, -EINVAL, -EEXIST, -ENOSPC or -ENOMEM.
 */
int mrc_pm_endpoint_add(struct mrc_net *mn, const struct mrc_endpoint *tmpl,
			struct netlink_ext_ack *extack)
{
	struct mrc_endpoint *ep;
	int err;

	if (!mrc_addr_unicast(mn->net, &tmpl->addr)) {
		NL_SET_ERR_MSG(extack, "not a unicast address");
		return -EINVAL;
	}
	if (mrc_addr_linklocal(&tmpl->addr) && !tmpl->ifindex) {
		NL_SET_ERR_MSG(extack, "a link-local address needs a device");
		return -EINVAL;
	}
	ep = kmemdup(tmpl, sizeof(*ep), GFP_KERNEL_ACCOUNT);
	if (!ep)
		return -ENOMEM;
	spin_lock_bh(&mn->ep_lock);
	err = mrc_ep_insert(mn, ep, extack);
	spin_unlock_bh(&mn->ep_lock);
	if (err) {
		kfree(ep);
		return err;
	}
	mrc_pm_notify_all(mn, MRC_DEFER_ENDPOINTS);
	return 0;
}

/* Caller holds ep_lock. */
static int mrc_ep_remove(struct mrc_net *mn, u8 id, const struct mrc_addr *addr,
			 struct netlink_ext_ack *extack)
{
	struct mrc_endpoint *ep, *found = NULL;

	list_for_each_entry(ep, &mn->endpoints, list) {
		if ((id && ep->id != id) ||
		    (addr && !mrc_addr_equal(&ep->addr, addr)))
			continue;
		if (found) {
			NL_SET_ERR_MSG(extack, "several endpoints have this address: give the id");
			return -EINVAL;
		}
		found = ep;
	}
	if (!found) {
		NL_SET_ERR_MSG(extack, "no such endpoint");
		return -ENOENT;
	}
	list_del_rcu(&found->list);
	mn->n_endpoints--;
	mrc_ep_changed(mn);
	kfree_rcu(found, rcu);
	return 0;
}

/**
 * mrc_pm_endpoint_del() - remove an endpoint; connections leave it
 * @mn: network namespace
 * @id: its id, or 0
 * @addr: its address, or NULL
 * @extack: for what is wrong
 *
 * Context: process, no socket lock.
 * Return: 0, -ENOENT, or -EINVAL if the address is not unique.
 */
int mrc_pm_endpoint_del(struct mrc_net *mn, u8 id, const struct mrc_addr *addr,
			struct netlink_ext_ack *extack)
{
	int err;

	spin_lock_bh(&mn->ep_lock);
	err = mrc_ep_remove(mn, id, addr, extack);
	spin_unlock_bh(&mn->ep_lock);
	if (!err)
		mrc_pm_notify_all(mn, MRC_DEFER_ENDPOINTS);
	return err;
}

/*
 * Endpoints that a socket may use: of its families, and on the device that
 * SO_BINDTODEVICE allows.  Caller holds rcu_read_lock().
 */
static unsigned int mrc_eps_of(const struct sock *sk,
			       const struct mrc_endpoint **eps)
{
	const struct mrc_endpoint *ep;
	unsigned int n = 0;

	list_for_each_entry_rcu(ep, &mrc_sknet(sk)->endpoints, list) {
		if (!mrc_sock_family_ok(sk, &ep->addr) ||
		    (ep->ifindex && sk->sk_bound_dev_if &&
		     ep->ifindex != sk->sk_bound_dev_if))
			continue;
		/* A list that changes under us may look longer than it is. */
		if (n < MRC_ENDPOINTS_MAX)
			eps[n++] = ep;
	}
	return n;
}

/**
 * mrc_pm_fill_wire() - our endpoints as REQ, REP and LAP carry them
 * @sk: connection
 * @eps: out: array of MRC_ENDPOINTS_MAX
 *
 * Context: any.
 * Return: number of entries.
 */
int mrc_pm_fill_wire(const struct sock *sk, struct mrc_wire_ep *eps)
{
	const struct mrc_endpoint *ep[MRC_ENDPOINTS_MAX];
	unsigned int n, i;

	rcu_read_lock();
	n = mrc_eps_of(sk, ep);
	for (i = 0; i < n; i++) {
		eps[i].plane = ep[i]->plane;
		eps[i].flags = ep[i]->flags;
		eps[i].id = ep[i]->id;
		mrc_addr_to_wire(&ep[i]->addr, &eps[i]);
	}
	rcu_read_unlock();
	return n;
}

/* ---------------------------------------------------------------- paths */

static void mrc_links_retry(struct mrc_net *mn)
{
	queue_delayed_work(system_unbound_wq, &mn->links_work, MRC_LINKS_RETRY);
}

/* Called by the setter of the state; counts what is worth an alarm. */
static void mrc_path_notify(struct mrc_subflow *sf, u8 old_state, u8 new_state)
{
	struct mrc_net *mn = mrc_sknet(mrc_to_sk(mrc_path_of(sf)->msk));

	switch (new_state) {
	case MRC_SF_SUSPECT:
		MRC_INC(mn, SF_SUSPECT);
		break;
	case MRC_SF_DOWN:
		MRC_INC(mn, SF_DOWN);
		mrc_links_retry(mn);
		break;
	case MRC_SF_ACTIVE:
		/* Its first two changes brought a new one from CLOSED here. */
		if (old_state != MRC_SF_JOINING || sf->changes > 2)
			MRC_INC(mn, SF_REVIVED);
		break;
	}
}

/**
 * mrc_path_add() - give a connection one more path
 * @sk: connection
 * @local: local address
 * @remote: remote address
 * @ifindex: device it is bound to, 0 if the route decides
 * @plane: plane of the local endpoint
 * @evs: number of entropy values
 * @flags: MRC_SF_F_*
 *
 * The path is in state CLOSED; the caller sends it MRC_SF_EV_ADD.
 *
 * Context: socket lock, any context.
 * Return: the path, or NULL without memory or with all numbers in use.
 */
struct mrc_path *mrc_path_add(struct sock *sk, const struct mrc_addr *local,
			      const struct mrc_addr *remote, int ifindex,
			      u8 plane, u16 evs, u32 flags)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_path *p;
	int id;

	for (id = 0; id < MRC_SUBFLOWS_MAX; id++)
		if (!msk->paths[id])
			break;
	if (id == MRC_SUBFLOWS_MAX)
		return NULL;
	p = kzalloc(sizeof(*p), GFP_ATOMIC);
	if (!p)
		return NULL;
	if (mrc_subflow_init(&p->sf, id, plane, msk->max_payload, evs,
			     get_random_u64() | 1, mrc_now(), GFP_ATOMIC)) {
		kfree(p);
		return NULL;
	}
	p->sf.notify = mrc_path_notify;
	p->sf.flags = flags;
	p->msk = msk;
	p->local = *local;
	p->remote = *remote;
	p->ifindex = ifindex;
	if (!msk->n_paths)
		/*
		 * With the first path goes the first list of endpoints, in
		 * REQ or REP: it is at least as new as this number says.
		 */
		msk->ep_gen = smp_load_acquire(&mrc_sknet(sk)->ep_gen);
	msk->paths[id] = p;
	msk->req.sf[id] = &p->sf;
	msk->n_paths++;
	return p;
}

/**
 * mrc_path_del() - remove a path; what is in flight over it counts as lost
 * @sk: connection
 * @id: index of the path
 *
 * Context: socket lock, any context.
 */
void mrc_path_del(struct sock *sk, int id)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_path *p = msk->paths[id];

	if (!p)
		return;
	mrc_req_subflow_remove(&msk->req, id, mrc_now());
	msk->req.sf[id] = NULL;
	msk->paths[id] = NULL;
	msk->n_paths--;
	if (msk->last_rx_path == id)
		msk->last_rx_path = -1;
	dst_release(p->dst);
	mrc_subflow_destroy(&p->sf);
	kfree(p);
}

/**
 * mrc_path_find() - path of an address pair
 * @msk: connection
 * @local: local address
 * @remote: remote address
 *
 * Context: socket lock.
 */
struct mrc_path *mrc_path_find(const struct mrc_sock *msk,
			       const struct mrc_addr *local,
			       const struct mrc_addr *remote)
{
	int i;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++) {
		struct mrc_path *p = msk->paths[i];

		if (p && mrc_addr_equal(&p->local, local) &&
		    mrc_addr_equal(&p->remote, remote))
			return p;
	}
	return NULL;
}

/* ---------------------------------------------------------------- links */

/* Is the address on a device that is up?  Caller holds rcu_read_lock(). */
static bool mrc_addr_up(struct net *net, const struct mrc_addr *a,
			const struct net_device *dev)
{
	if (a->family == AF_INET) {
		const struct net_device *adev = __ip_dev_find(net, a->v4, false);

		return adev && netif_running(adev);
	}
#if IS_ENABLED(CONFIG_IPV6)
	/* Addresses leave IPv6 devices that go down; tentative ones may try. */
	return ipv6_chk_addr_and_flags(net, &a->v6, dev,
				       !mrc_addr_linklocal(a), 0, 0);
#else
	return false;
#endif
}

/*
 * Can the path send, as far as this host can know?  The device in question is
 * that of the route; the address may live on another one (a loopback, say).
 */
static bool mrc_path_fine(struct sock *sk, struct mrc_path *p)
{
	struct net *net = sock_net(sk);
	struct net_device *dev;
	bool fine = false;

	rcu_read_lock();
	if (p->ifindex) {
		/* Do not ask for a route over what is gone. */
		dev = dev_get_by_index_rcu(net, p->ifindex);
		if (!dev || !netif_running(dev))
			goto out;
	}
	if (mrc_path_route(sk, p))
		goto out;
	dev = dev_get_by_index_rcu(net, p->oif);
	fine = dev && netif_running(dev) && netif_carrier_ok(dev) &&
	       mrc_addr_up(net, &p->local, dev);
out:
	rcu_read_unlock();
	return fine;
}

/* Tell the core how the link of a path is.  True if it is down. */
static bool mrc_path_check(struct sock *sk, struct mrc_path *p, u64 now)
{
	struct mrc_req *rq = &mrc_sk(sk)->req;
	bool fine = mrc_path_fine(sk, p);

	if (!fine) {
		/* A route kept here could pin a device that goes away. */
		dst_release(p->dst);
		p->dst = NULL;
		p->oif = 0;
	}
	if (fine && p->sf.state == MRC_SF_DOWN)
		mrc_req_subflow_event(rq, p->sf.id, MRC_SF_EV_LINK_UP, now);
	else if (!fine && p->sf.state != MRC_SF_DOWN)
		mrc_req_subflow_event(rq, p->sf.id, MRC_SF_EV_LINK_DOWN, now);
	return !fine;
}

/**
 * mrc_paths_check_links() - a device or an address has changed
 * @sk: connection
 *
 * Context: socket lock, any context.
 */
void mrc_paths_check_links(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u64 now = mrc_now();
	bool down = false;
	int i;

	for (i = 0; i < MRC_SUBFLOWS_MAX; i++)
		if (msk->paths[i])
			down |= mrc_path_check(sk, msk->paths[i], now);
	if (down)
		mrc_links_retry(mrc_sknet(sk));
	mrc_push(sk);
	mrc_timer_update(sk);
}

/* -------------------------------------------------------------- pairing */

/* Pairs of endpoints that a connection should have a path for. */
struct mrc_pairs {
	const struct mrc_endpoint *ep[MRC_ENDPOINTS_MAX];
	unsigned int n_ep;
	u8 local[MRC_SUBFLOWS_MAX];	/* index in @ep */
	u8 remote[MRC_SUBFLOWS_MAX];	/* index in peer_eps */
	unsigned int n;
};

/* May a path lead from @ep to @remote?  Planes are the caller's business. */
static bool mrc_pair_ok(const struct sock *sk, const struct mrc_endpoint *ep,
			const struct mrc_addr *remote)
{
	const struct mrc_path *first = mrc_sk(sk)->paths[mrc_sk(sk)->initial];

	if (ep->addr.family != remote->family)
		return false;
	if (mrc_addr_linklocal(remote) && !ep->ifindex)
		return false;
	/* The peer's loopback is ours only if the peer is this host. */
	if (mrc_addr_loopback(&ep->addr) || mrc_addr_loopback(remote))
		return first && mrc_addr_loopback(&ep->addr) &&
		       mrc_addr_loopback(remote) &&
		       mrc_addr_loopback(&first->remote);
	return mrc_addr_unicast(sock_net(sk), remote);
}

static void mrc_pairs_try(const struct sock *sk, struct mrc_pairs *pr,
			  unsigned int i, unsigned int j, bool same_plane)
{
	const struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_addr remote;
	bool cross;

	if (i >= pr->n_ep || j >= msk->n_peer_eps || pr->n == MRC_SUBFLOWS_MAX)
		return;
	cross = pr->ep[i]->plane != msk->peer_eps[j].plane;
	if (cross == same_plane)
		return;
	if (cross && !((pr->ep[i]->flags | msk->peer_eps[j].flags) &
		       MRC_ENDPOINT_F_FULLMESH))
		return;
	mrc_addr_from_wire(&msk->peer_eps[j], &remote);
	if (!mrc_pair_ok(sk, pr->ep[i], &remote))
		return;
	pr->local[pr->n] = i;
	pr->remote[pr->n] = j;
	pr->n++;
}

/*
 * Choose the pairs.  If there are more than a connection can have, both ends
 * must choose the same: pairs within a plane first, then those whose ends
 * stand at similar places in their lists; of a mirrored pair, the end with
 * the smaller tag puts its own place first.  Caller holds rcu_read_lock().
 */
static void mrc_pairs_choose(const struct sock *sk, struct mrc_pairs *pr)
{
	const struct mrc_sock *msk = mrc_sk(sk);
	bool first = msk->tag < msk->peer_tag;
	unsigned int pass, d, i;

	pr->n_ep = mrc_eps_of(sk, pr->ep);
	pr->n = 0;
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < MRC_ENDPOINTS_MAX; i++)
			mrc_pairs_try(sk, pr, i, i, !pass);
		for (d = 1; d < MRC_ENDPOINTS_MAX; d++) {
			for (i = 0; i + d < MRC_ENDPOINTS_MAX; i++) {
				mrc_pairs_try(sk, pr, first ? i : i + d,
					      first ? i + d : i, !pass);
				mrc_pairs_try(sk, pr, first ? i + d : i,
					      first ? i : i + d, !pass);
			}
		}
	}
}

static u32 mrc_pair_flags(const struct mrc_sock *msk, const struct mrc_pairs *pr,
			  unsigned int k)
{
	u32 flags = pr->ep[pr->local[k]]->flags |
		    msk->peer_eps[pr->remote[k]].flags;

	return flags & MRC_ENDPOINT_F_BACKUP ? MRC_SF_F_BACKUP : 0;
}

/* Path that exists for pair @k, or NULL. */
static struct mrc_path *mrc_pair_path(const struct mrc_sock *msk,
				      const struct mrc_pairs *pr, unsigned int k)
{
	struct mrc_addr remote;

	mrc_addr_from_wire(&msk->peer_eps[pr->remote[k]], &remote);
	return mrc_path_find(msk, &pr->ep[pr->local[k]]->addr, &remote);
}

/* An existing path takes on what its endpoints say. */
static void mrc_pair_adopt(const struct mrc_sock *msk, const struct mrc_pairs *pr,
			   unsigned int k, struct mrc_path *p)
{
	const struct mrc_endpoint *ep = pr->ep[pr->local[k]];

	p->sf.plane = ep->plane;
	p->sf.flags = mrc_pair_flags(msk, pr, k);
	if (ep->ifindex && p->ifindex != ep->ifindex) {
		p->ifindex = ep->ifindex;
		dst_release(p->dst);
		p->dst = NULL;
	}
}

/* A path for pair @k; one that cannot work begins as DOWN. */
static void mrc_pair_add(struct sock *sk, const struct mrc_pairs *pr,
			 unsigned int k, u64 now)
{
	struct mrc_sock *msk = mrc_sk(sk);
	const struct mrc_endpoint *ep = pr->ep[pr->local[k]];
	u16 evs = ep->evs ?: max(MRC_EVS_MIN, MRC_EVS_DEFAULT / (int)pr->n);
	struct mrc_addr remote;
	struct mrc_path *p;

	mrc_addr_from_wire(&msk->peer_eps[pr->remote[k]], &remote);
	p = mrc_path_add(sk, &ep->addr, &remote, ep->ifindex, ep->plane, evs,
			 mrc_pair_flags(msk, pr, k));
	if (!p)
		return;
	mrc_req_subflow_event(&msk->req, p->sf.id, MRC_SF_EV_ADD, now);
	mrc_path_check(sk, p, now);
}

/* Removals come first: they make room for what is new. */
static void mrc_pairs_apply(struct sock *sk, const struct mrc_pairs *pr)
{
	struct mrc_sock *msk = mrc_sk(sk);
	u64 now = mrc_now();
	struct mrc_path *p;
	unsigned int k;
	u32 wanted = 0;
	int i;

	for (k = 0; k < pr->n; k++) {
		p = mrc_pair_path(msk, pr, k);
		if (!p)
			continue;
		mrc_pair_adopt(msk, pr, k, p);
		wanted |= BIT(p->sf.id);
	}
	for (i = 0; i < MRC_SUBFLOWS_MAX; i++) {
		p = msk->paths[i];
		if (!p || (wanted & BIT(i)))
			continue;
		/* The first path stays, in case that no pair works. */
		if (i == msk->initial)
			p->sf.flags = pr->n ? MRC_SF_F_INITIAL : 0;
		else
			mrc_path_del(sk, i);
	}
	for (k = 0; k < pr->n; k++)
		if (!mrc_pair_path(msk, pr, k))
			mrc_pair_add(sk, pr, k, now);
}

/**
 * mrc_paths_sync() - make the paths be what the endpoints ask for
 * @sk: connection
 *
 * To be called when the connection is established and whenever one of the
 * two lists of endpoints has changed.
 *
 * Context: socket lock, any context.
 */
void mrc_paths_sync(struct sock *sk)
{
	struct mrc_sock *msk = mrc_sk(sk);
	struct mrc_pairs pr;
	u32 gen;

	/* Before the list is read: a change in between causes another call. */
	gen = smp_load_acquire(&mrc_sknet(sk)->ep_gen);
	rcu_read_lock();
	mrc_pairs_choose(sk, &pr);
	mrc_pairs_apply(sk, &pr);
	rcu_read_unlock();

	if (gen != msk->ep_gen && ((1 << sk->sk_state) & MRC_SF_CONNECTED)) {
		msk->ep_gen = gen;
		mrc_cm_send_lap(sk);
	}
	mrc_push(sk);
	mrc_timer_update(sk);
}

/* -------------------------------------------------------- all connections */

/**
 * mrc_conns_next() - the next connections of a namespace
 * @mn: network namespace
 * @c: batch, with n = 0 in the first call; the references in it are given back
 * @after: id of the last connection that was dealt with, 0 to begin
 *
 * Socket locks cannot be taken under conn_lock, so a walk over all connections
 * takes references of a few, drops the lock and works on them.  The list is in
 * order of id, connections that come and go meanwhile do no harm.
 *
 * Context: any; giving back a reference may destroy a socket.
 * Return: number of connections in @c; 0 at the end, with nothing to put.
 */
unsigned int mrc_conns_next(struct mrc_net *mn, struct mrc_conns *c, u32 after)
{
	struct mrc_sock *msk = NULL;
	struct mrc_conns old = *c;

	c->n = 0;
	spin_lock_bh(&mn->conn_lock);
	/* Usually the last one is still there and says where to go on. */
	if (old.n && old.id[old.n - 1] == after)
		msk = mrc_sk(old.sk[old.n - 1]);
	if (msk && (list_empty(&msk->conn_node) || msk->id != after))
		msk = NULL;
	msk = list_prepare_entry(msk, &mn->conns, conn_node);
	list_for_each_entry_continue(msk, &mn->conns, conn_node) {
		if (msk->id <= after ||
		    !refcount_inc_not_zero(&mrc_to_sk(msk)->sk_refcnt))
			continue;
		c->sk[c->n] = mrc_to_sk(msk);
		c->id[c->n] = msk->id;
		if (++c->n == MRC_CONNS_BATCH)
			break;
	}
	spin_unlock_bh(&mn->conn_lock);
	mrc_conns_put(&old);
	return c->n;
}

/**
 * mrc_conns_put() - end a walk before its end
 * @c: batch
 */
void mrc_conns_put(struct mrc_conns *c)
{
	while (c->n)
		sock_put(c->sk[--c->n]);
}

/**
 * mrc_pm_notify_all() - tell every connection that something has changed
 * @mn: network namespace
 * @what: work for mrc_defer()
 *
 * Context: any but hard interrupts, no socket lock.
 */
void mrc_pm_notify_all(struct mrc_net *mn, enum mrc_deferred what)
{
	struct mrc_conns c = {};
	unsigned int i;
	u32 last = 0;

	if (list_empty(&mn->conns))
		return;
	while (mrc_conns_next(mn, &c, last)) {
		for (i = 0; i < c.n; i++)
			mrc_defer(c.sk[i], what);
		last = c.id[c.n - 1];
	}
}

static void mrc_links_work(struct work_struct *work)
{
	struct mrc_net *mn = container_of(to_delayed_work(work),
					  struct mrc_net, links_work);

	mrc_pm_notify_all(mn, MRC_DEFER_LINKS);
}

/* --------------------------------------------------- devices, addresses */

static void mrc_links_changed(const struct net_device *dev)
{
	mrc_pm_notify_all(mrc_pernet(dev_net(dev)), MRC_DEFER_LINKS);
}

/* GOING_DOWN is of no use: the device still looks as if it were up. */
static int mrc_netdev_event(struct notifier_block *nb, unsigned long event,
			    void *ptr)
{
	switch (event) {
	case NETDEV_UP:
	case NETDEV_DOWN:
	case NETDEV_CHANGE:
	case NETDEV_CHANGEMTU:
	case NETDEV_UNREGISTER:
		mrc_links_changed(netdev_notifier_info_to_dev(ptr));
		break;
	}
	return NOTIFY_DONE;
}

static int mrc_inetaddr_event(struct notifier_block *nb, unsigned long event,
			      void *ptr)
{
	const struct in_ifaddr *ifa = ptr;

	mrc_links_changed(ifa->ifa_dev->dev);
	return NOTIFY_DONE;
}

static struct notifier_block mrc_netdev_nb = {
	.notifier_call = mrc_netdev_event,
};

static struct notifier_block mrc_inetaddr_nb = {
	.notifier_call = mrc_inetaddr_event,
};

#if IS_ENABLED(CONFIG_IPV6)
/*
 * Atomic context.  A new address is announced before its prefix has a route:
 * paths that find none now are tried again by links_work.
 */
static int mrc_inet6addr_event(struct notifier_block *nb, unsigned long event,
			       void *ptr)
{
	const struct inet6_ifaddr *ifp = ptr;

	mrc_links_changed(ifp->idev->dev);
	return NOTIFY_DONE;
}

static struct notifier_block mrc_inet6addr_nb = {
	.notifier_call = mrc_inet6addr_event,
};
#endif

/* --------------------------------------------------------- init and exit */

int mrc_pm_net_init(struct mrc_net *mn)
{
	spin_lock_init(&mn->ep_lock);
	INIT_LIST_HEAD(&mn->endpoints);
	INIT_DELAYED_WORK(&mn->links_work, mrc_links_work);
	return 0;
}

/* No connection is left that could look at endpoints or queue the work. */
void mrc_pm_net_exit(struct mrc_net *mn)
{
	struct mrc_endpoint *ep, *next;

	cancel_delayed_work_sync(&mn->links_work);
	list_for_each_entry_safe(ep, next, &mn->endpoints, list) {
		list_del_rcu(&ep->list);
		kfree_rcu(ep, rcu);
	}
	mn->n_endpoints = 0;
}

/**
 * mrc_pm_init() - begin to listen to devices and addresses
 *
 * Return: 0 or a negative errno.
 */
int mrc_pm_init(void)
{
	int err;

	err = register_netdevice_notifier(&mrc_netdev_nb);
	if (err)
		return err;
	err = register_inetaddr_notifier(&mrc_inetaddr_nb);
	if (err)
		goto err_netdev;
#if IS_ENABLED(CONFIG_IPV6)
	err = register_inet6addr_notifier(&mrc_inet6addr_nb);
	if (err)
		goto err_inetaddr;
#endif
	return 0;

#if IS_ENABLED(CONFIG_IPV6)
err_inetaddr:
	unregister_inetaddr_notifier(&mrc_inetaddr_nb);
#endif
err_netdev:
	unregister_netdevice_notifier(&mrc_netdev_nb);
	return err;
}

void mrc_pm_exit(void)
{
#if IS_ENABLED(CONFIG_IPV6)
	unregister_inet6addr_notifier(&mrc_inet6addr_nb);
#endif
	unregister_inetaddr_notifier(&mrc_inetaddr_nb);
	unregister_netdevice_notifier(&mrc_netdev_nb);
}
