// SPDX-License-Identifier: GPL-2.0
/*
 * MRC sysctls: net.mrc.*, each network namespace has its own.
 *
 * Documented for users in Documentation/networking/mrc-sysctl.rst.
 */
#include <linux/slab.h>
#include <linux/sysctl.h>

#include "mrc.h"

/* Least buffer: a few packets of any size with their metadata; bytes. */
#define MRC_BUF_MIN	(16 * 1024)
#define MRC_BUF_MAX	(1024 * 1024 * 1024)

static unsigned int mrc_port_min = 1;
static unsigned int mrc_port_max = 65535;
static unsigned int mrc_buf_min = MRC_BUF_MIN;
static unsigned int mrc_buf_max = MRC_BUF_MAX;
static unsigned int mrc_timeout_min = 1000;
static unsigned int mrc_timeout_max = 86400000;

/*
 * A template: @data is an offset in struct mrc_net until the copy of a
 * namespace is made, so handlers never need to ask whose table it is.
 */
static const struct ctl_table mrc_sysctls[] = {
	{
		.procname	= "udp_port",
		.data		= (void *)offsetof(struct mrc_net, udp_port),
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= &mrc_port_min,
		.extra2		= &mrc_port_max,
	},
	{
		.procname	= "rmem_default",
		.data		= (void *)offsetof(struct mrc_net, rmem_def),
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= &mrc_buf_min,
		.extra2		= &mrc_buf_max,
	},
	{
		.procname	= "wmem_default",
		.data		= (void *)offsetof(struct mrc_net, wmem_def),
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= &mrc_buf_min,
		.extra2		= &mrc_buf_max,
	},
	{
		.procname	= "user_timeout",
		.data		= (void *)offsetof(struct mrc_net, user_timeout_ms),
		.maxlen		= sizeof(unsigned int),
		.mode		= 0644,
		.proc_handler	= proc_douintvec_minmax,
		.extra1		= &mrc_timeout_min,
		.extra2		= &mrc_timeout_max,
	},
};

/**
 * mrc_sysctl_net_init() - register the sysctls of a namespace
 * @mn: network namespace, its values have their defaults already
 *
 * Return: 0 or -ENOMEM.
 */
int mrc_sysctl_net_init(struct mrc_net *mn)
{
	size_t i, n = ARRAY_SIZE(mrc_sysctls);
	struct ctl_table *table;

	table = kcalloc(n + MRC_SYSCTL_SENTINELS, sizeof(*table), GFP_KERNEL);
	if (!table)
		return -ENOMEM;
	memcpy(table, mrc_sysctls, sizeof(mrc_sysctls));
	for (i = 0; i < n; i++)
		table[i].data = (char *)mn + (size_t)table[i].data;

	mn->sysctl_hdr = mrc_register_net_sysctl(mn->net, "net/mrc", table, n);
	if (!mn->sysctl_hdr) {
		kfree(table);
		return -ENOMEM;
	}
	return 0;
}

/**
 * mrc_sysctl_net_exit() - unregister them; waits for readers and writers
 * @mn: network namespace
 */
void mrc_sysctl_net_exit(struct mrc_net *mn)
{
	const struct ctl_table *table = mn->sysctl_hdr->ctl_table_arg;

	unregister_net_sysctl_table(mn->sysctl_hdr);
	mn->sysctl_hdr = NULL;
	kfree(table);
}
