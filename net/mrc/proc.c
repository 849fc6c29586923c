// SPDX-License-Identifier: GPL-2.0
/*
 * MRC counters: /proc/net/mrc_snmp, one "name value" line for each.
 */
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

#include "mrc.h"

/* In the order of enum mrc_mib, whose comments say what each counts. */
static const char *const mrc_mib_names[] = {
	[MRC_MIB_RX_PKTS]	= "MrcRxPkts",
	[MRC_MIB_RX_SHORT]	= "MrcRxShort",
	[MRC_MIB_RX_BAD_OPCODE]	= "MrcRxBadOpcode",
	[MRC_MIB_RX_BAD_ICRC]	= "MrcRxBadIcrc",
	[MRC_MIB_RX_NO_QPN]	= "MrcRxNoQpn",
	[MRC_MIB_RX_BAD_RKEY]	= "MrcRxBadRkey",
	[MRC_MIB_RX_BAD_TAG]	= "MrcRxBadTag",
	[MRC_MIB_RX_BAD_ADDRESS] = "MrcRxBadAddress",
	[MRC_MIB_RX_BAD_STATE]	= "MrcRxBadState",
	[MRC_MIB_RX_BAD_SACK]	= "MrcRxBadSack",
	[MRC_MIB_RX_DUP]	= "MrcRxDup",
	[MRC_MIB_RX_WINDOW]	= "MrcRxWindow",
	[MRC_MIB_RX_INVALID]	= "MrcRxInvalid",
	[MRC_MIB_RX_NO_MEMORY]	= "MrcRxNoMemory",
	[MRC_MIB_RX_BACKLOG]	= "MrcRxBacklog",
	[MRC_MIB_RX_DATA]	= "MrcRxData",
	[MRC_MIB_RX_SACKS]	= "MrcRxSacks",
	[MRC_MIB_RX_PROBES]	= "MrcRxProbes",
	[MRC_MIB_RX_CE]		= "MrcRxCe",
	[MRC_MIB_TX_DATA]	= "MrcTxData",
	[MRC_MIB_TX_RETRANS]	= "MrcTxRetrans",
	[MRC_MIB_TX_SACKS]	= "MrcTxSacks",
	[MRC_MIB_TX_PROBES]	= "MrcTxProbes",
	[MRC_MIB_TX_NO_ROUTE]	= "MrcTxNoRoute",
	[MRC_MIB_TX_NO_MEMORY]	= "MrcTxNoMemory",
	[MRC_MIB_CM_ACTIVE]	= "MrcCmActive",
	[MRC_MIB_CM_PASSIVE]	= "MrcCmPassive",
	[MRC_MIB_CM_REJECTED]	= "MrcCmRejected",
	[MRC_MIB_CM_OVERFLOW]	= "MrcCmOverflow",
	[MRC_MIB_CM_RESETS]	= "MrcCmResets",
	[MRC_MIB_CM_TIMEOUTS]	= "MrcCmTimeouts",
	[MRC_MIB_SF_SUSPECT]	= "MrcSfSuspect",
	[MRC_MIB_SF_DOWN]	= "MrcSfDown",
	[MRC_MIB_SF_REVIVED]	= "MrcSfRevived",
};

static u64 mrc_mib_sum(const struct mrc_net *mn, int i)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu_ptr(mn->mib, cpu)->v[i]);
	return sum;
}

static int mrc_snmp_show(struct seq_file *seq, void *v)
{
	const struct mrc_net *mn = mrc_pernet(seq_file_single_net(seq));
	int i;

	for (i = 0; i < __MRC_MIB_MAX; i++)
		seq_printf(seq, "%-24s %llu\n", mrc_mib_names[i],
			   mrc_mib_sum(mn, i));
	return 0;
}

/**
 * mrc_proc_net_init() - create the file of a namespace
 * @mn: network namespace
 *
 * Return: 0 or -ENOMEM.
 */
int mrc_proc_net_init(struct mrc_net *mn)
{
	BUILD_BUG_ON(ARRAY_SIZE(mrc_mib_names) != __MRC_MIB_MAX);

	mn->proc = proc_create_net_single("mrc_snmp", 0444, mn->net->proc_net,
					  mrc_snmp_show, NULL);
	if (!mn->proc && IS_ENABLED(CONFIG_PROC_FS))
		return -ENOMEM;
	return 0;
}

/**
 * mrc_proc_net_exit() - remove it; waits for readers
 * @mn: network namespace
 */
void mrc_proc_net_exit(struct mrc_net *mn)
{
	if (mn->proc)
		proc_remove(mn->proc);
	mn->proc = NULL;
}
