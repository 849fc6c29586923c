// SPDX-License-Identifier: GPL-2.0
/*
 * MRC: Multipath Reliable Connection sockets.
 *
 * Module start and end: protocol tables, network namespaces.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <net/genetlink.h>
#include <net/protocol.h>

#include "mrc.h"

unsigned int mrc_net_id __read_mostly;

static struct inet_protosw mrc_protosw = {
	.type = SOCK_SEQPACKET,
	.protocol = IPPROTO_MRC,
	.prot = &mrc_prot,
	.ops = &mrc_proto_ops,
};

#if IS_ENABLED(CONFIG_IPV6)
static struct inet_protosw mrcv6_protosw = {
	.type = SOCK_SEQPACKET,
	.protocol = IPPROTO_MRC,
	.prot = &mrcv6_prot,
	.ops = &mrcv6_proto_ops,
};
#endif

/* ---------------------------------------------------- network namespaces */

static int mrc_tables_net_init(struct mrc_net *mn)
{
	spin_lock_init(&mn->conn_lock);
	spin_lock_init(&mn->bind_lock);
	INIT_LIST_HEAD(&mn->conns);
	INIT_LIST_HEAD(&mn->tw_lru);
	mn->rmem_def = mrc_sysctl_rmem[1];
	mn->wmem_def = mrc_sysctl_wmem[1];
	mn->user_timeout_ms = div_u64(MRC_USER_TIMEOUT_DEF, MRC_NSEC_PER_MSEC);
	mn->mib = alloc_percpu(struct mrc_mib_cpu);
	if (!mn->mib)
		return -ENOMEM;
	return rhashtable_init(&mn->qpn_hash, mrc_qpn_params());
}

static void mrc_tables_net_exit(struct mrc_net *mn)
{
	mrc_tw_purge(mn);
	rhashtable_destroy(&mn->qpn_hash);
	free_percpu(mn->mib);
}

static int __net_init mrc_net_init(struct net *net)
{
	struct mrc_net *mn = mrc_pernet(net);
	int err;

	mn->net = net;
	err = mrc_tables_net_init(mn);
	if (err)
		goto err_mib;
	err = mrc_encap_net_init(mn);
	if (err)
		goto err_tables;
	err = mrc_pm_net_init(mn);
	if (err)
		goto err_encap;
	err = mrc_proc_net_init(mn);
	if (err)
		goto err_pm;
	err = mrc_sysctl_net_init(mn);
	if (err)
		goto err_proc;
	return 0;

err_proc:
	mrc_proc_net_exit(mn);
err_pm:
	mrc_pm_net_exit(mn);
err_encap:
	mrc_encap_net_exit(mn);
err_tables:
	mrc_tables_net_exit(mn);
	return err;
err_mib:
	free_percpu(mn->mib);
	return err;
}

static void __net_exit mrc_net_exit(struct net *net)
{
	struct mrc_net *mn = mrc_pernet(net);

	mrc_sysctl_net_exit(mn);
	mrc_proc_net_exit(mn);
	mrc_encap_net_exit(mn);
	mrc_pm_net_exit(mn);
	mrc_tables_net_exit(mn);
}

static struct pernet_operations mrc_net_ops = {
	.init = mrc_net_init,
	.exit = mrc_net_exit,
	.id = &mrc_net_id,
	.size = sizeof(struct mrc_net),
};

/* -------------------------------------------------------------- protocol */

static int __init mrc_proto_init(void)
{
	int err;

	err = proto_register(&mrc_prot, 1);
	if (err)
		return err;
#if IS_ENABLED(CONFIG_IPV6)
	err = proto_register(&mrcv6_prot, 1);
	if (err) {
		proto_unregister(&mrc_prot);
		return err;
	}
	inet6_register_protosw(&mrcv6_protosw);
#endif
	inet_register_protosw(&mrc_protosw);
	return 0;
}

static void mrc_proto_exit(void)
{
	inet_unregister_protosw(&mrc_protosw);
#if IS_ENABLED(CONFIG_IPV6)
	inet6_unregister_protosw(&mrcv6_protosw);
	proto_unregister(&mrcv6_prot);
#endif
	proto_unregister(&mrc_prot);
}

/*
 * Sockets may be created the instant the protocol is visible, so it comes
 * last, and goes first.
 */
static int __init mrc_init(void)
{
	int err;

	BUILD_BUG_ON(sizeof(struct mrc_skb_cb) > sizeof_field(struct sk_buff, cb));
	BUILD_BUG_ON(sizeof(struct mrc_info) != 120);
	BUILD_BUG_ON(sizeof(struct mrc_subflow_info) != 136);

	err = mrc_mem_init();
	if (err)
		return err;
	err = register_pernet_subsys(&mrc_net_ops);
	if (err)
		goto err_mem;
	err = mrc_pm_init();
	if (err)
		goto err_net;
	err = mrc_netlink_init();
	if (err)
		goto err_pm;
	err = mrc_proto_init();
	if (err)
		goto err_netlink;
	return 0;

err_netlink:
	mrc_netlink_exit();
err_pm:
	mrc_pm_exit();
err_net:
	unregister_pernet_subsys(&mrc_net_ops);
err_mem:
	mrc_mem_exit();
	return err;
}

static void __exit mrc_exit(void)
{
	mrc_proto_exit();
	mrc_netlink_exit();
	mrc_pm_exit();
	unregister_pernet_subsys(&mrc_net_ops);
	/* Endpoints and TIME_WAIT records are freed by RCU callbacks. */
	rcu_barrier();
	mrc_mem_exit();
}

module_init(mrc_init);
module_exit(mrc_exit);

MODULE_DESCRIPTION("Multipath Reliable Connection (MRC) sockets");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1.0");
/* The macro pastes its argument into a string: it must be a literal number. */
MODULE_ALIAS_NET_PF_PROTO(PF_INET, 260);
MODULE_ALIAS_NET_PF_PROTO(PF_INET6, 260);
MODULE_ALIAS_GENL_FAMILY("mrc");
