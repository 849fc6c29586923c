/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	Documentation/netlink/specs/mrc.yaml */
/* ynl-policy kernel header */

#ifndef _LINUX_MRC_GEN_H
#define _LINUX_MRC_GEN_H

#include <net/netlink.h>
#include <net/genetlink.h>

#include <uapi/linux/mrc.h>

/* Ops table for mrc */
extern const struct genl_ops mrc_nl_ops[5];

int mrc_nl_endpoint_add_doit(struct sk_buff *skb, struct genl_info *info);
int mrc_nl_endpoint_del_doit(struct sk_buff *skb, struct genl_info *info);
int mrc_nl_endpoint_get_doit(struct sk_buff *skb, struct genl_info *info);
int mrc_nl_endpoint_get_dumpit(struct sk_buff *skb,
			       struct netlink_callback *cb);
int mrc_nl_connection_get_doit(struct sk_buff *skb, struct genl_info *info);
int mrc_nl_connection_get_dumpit(struct sk_buff *skb,
				 struct netlink_callback *cb);
int mrc_nl_subflow_get_dumpit(struct sk_buff *skb, struct netlink_callback *cb);

#endif /* _LINUX_MRC_GEN_H */
