// SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause)
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/mrc.yaml */
/* ynl-policy kernel source */

#include <net/netlink.h>
#include <net/genetlink.h>

#include "netlink_gen.h"

#include <uapi/linux/mrc.h>

/* MRC_CMD_ENDPOINT_ADD - do */
static const struct nla_policy mrc_endpoint_add_nl_policy[MRC_A_ENDPOINT_FLAGS + 1] = {
	[MRC_A_ENDPOINT_ID] = NLA_POLICY_RANGE(NLA_U32, 1, 255),
	[MRC_A_ENDPOINT_ADDRESS] = NLA_POLICY_RANGE(NLA_BINARY, 4, 16),
	[MRC_A_ENDPOINT_IFINDEX] = { .type = NLA_U32, },
	[MRC_A_ENDPOINT_PLANE] = NLA_POLICY_MAX(NLA_U32, 255),
	[MRC_A_ENDPOINT_EVS] = NLA_POLICY_RANGE(NLA_U32, 1, 256),
	[MRC_A_ENDPOINT_FLAGS] = NLA_POLICY_MASK(NLA_U32, 0x3),
};

/* MRC_CMD_ENDPOINT_DEL - do */
static const struct nla_policy mrc_endpoint_del_nl_policy[MRC_A_ENDPOINT_ADDRESS + 1] = {
	[MRC_A_ENDPOINT_ID] = NLA_POLICY_RANGE(NLA_U32, 1, 255),
	[MRC_A_ENDPOINT_ADDRESS] = NLA_POLICY_RANGE(NLA_BINARY, 4, 16),
};

/* MRC_CMD_ENDPOINT_GET - do and dump */
static const struct nla_policy mrc_endpoint_get_nl_policy[MRC_A_ENDPOINT_ADDRESS + 1] = {
	[MRC_A_ENDPOINT_ID] = NLA_POLICY_RANGE(NLA_U32, 1, 255),
	[MRC_A_ENDPOINT_ADDRESS] = NLA_POLICY_RANGE(NLA_BINARY, 4, 16),
};

/* MRC_CMD_CONNECTION_GET - do and dump */
static const struct nla_policy mrc_connection_get_nl_policy[MRC_A_CONNECTION_ID + 1] = {
	[MRC_A_CONNECTION_ID] = { .type = NLA_U32, },
};

/* MRC_CMD_SUBFLOW_GET - dump */
static const struct nla_policy mrc_subflow_get_nl_policy[MRC_A_SUBFLOW_CONNECTION + 1] = {
	[MRC_A_SUBFLOW_CONNECTION] = { .type = NLA_U32, },
};

/* Ops table for mrc */
const struct genl_ops mrc_nl_ops[5] = {
	{
		.cmd		= MRC_CMD_ENDPOINT_ADD,
		.doit		= mrc_nl_endpoint_add_doit,
		.policy		= mrc_endpoint_add_nl_policy,
		.maxattr	= MRC_A_ENDPOINT_FLAGS,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= MRC_CMD_ENDPOINT_DEL,
		.doit		= mrc_nl_endpoint_del_doit,
		.policy		= mrc_endpoint_del_nl_policy,
		.maxattr	= MRC_A_ENDPOINT_ADDRESS,
		.flags		= GENL_UNS_ADMIN_PERM,
	},
	{
		.cmd		= MRC_CMD_ENDPOINT_GET,
		.doit		= mrc_nl_endpoint_get_doit,
		.dumpit		= mrc_nl_endpoint_get_dumpit,
		.policy		= mrc_endpoint_get_nl_policy,
		.maxattr	= MRC_A_ENDPOINT_ADDRESS,
	},
	{
		.cmd		= MRC_CMD_CONNECTION_GET,
		.doit		= mrc_nl_connection_get_doit,
		.dumpit		= mrc_nl_connection_get_dumpit,
		.policy		= mrc_connection_get_nl_policy,
		.maxattr	= MRC_A_CONNECTION_ID,
	},
	{
		.cmd		= MRC_CMD_SUBFLOW_GET,
		.dumpit		= mrc_nl_subflow_get_dumpit,
		.policy		= mrc_subflow_get_nl_policy,
		.maxattr	= MRC_A_SUBFLOW_CONNECTION,
	},
};
