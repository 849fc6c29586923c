// SPDX-License-Identifier: GPL-2.0
/* ip mrc connection: connections and listeners of the network namespace. */
#include "ip-mrc.h"

static void text_connection(const struct attrs *at)
{
	uint32_t active, subflows, port, state = MRC_CONN_CLOSED;
	struct address addr;
	char name[64];

	text_u32(at, MRC_A_CONNECTION_ID, "id");
	attr_u32(at, MRC_A_CONNECTION_STATE, &state);
	text_state(at, MRC_A_CONNECTION_STATE, &connection_set);
	if (attr_address(at, MRC_A_CONNECTION_LOCAL_ADDRESS, &addr) &&
	    attr_u32(at, MRC_A_CONNECTION_LOCAL_PORT, &port))
		text_address_port(&addr, port);
	if (state != MRC_CONN_LISTEN &&
	    attr_address(at, MRC_A_CONNECTION_REMOTE_ADDRESS, &addr) &&
	    attr_u32(at, MRC_A_CONNECTION_REMOTE_PORT, &port)) {
		text(COLOR_NONE, "->");
		text_address_port(&addr, port);
	}
	if (state != MRC_CONN_LISTEN) {
		if (attr_u32(at, MRC_A_CONNECTION_SUBFLOWS_ACTIVE, &active) &&
		    attr_u32(at, MRC_A_CONNECTION_SUBFLOWS, &subflows))
			text(COLOR_NONE, "subflows %u/%u", active, subflows);
		text_u32(at, MRC_A_CONNECTION_SND_PACKETS, "inflight");
		text_u32(at, MRC_A_CONNECTION_SND_QUEUED, "queued");
		text_u32(at, MRC_A_CONNECTION_RCV_OOO, "ooo");
		text_u32(at, MRC_A_CONNECTION_MPR, "mpr");
	}
	if (opt.details) {
		if (attr_string(at, MRC_A_CONNECTION_SCHEDULER, name, sizeof(name)))
			text(COLOR_NONE, "scheduler %s", name);
		if (attr_string(at, MRC_A_CONNECTION_CONGESTION, name, sizeof(name)))
			text(COLOR_NONE, "congestion %s", name);
		text_u32(at, MRC_A_CONNECTION_UID, "uid");
		text_u32(at, MRC_A_CONNECTION_INODE, "inode");
	}
	text_counters(at, &connection_set);
}

int do_connection(struct args *a)
{
	struct request req;
	uint32_t v_id = 0;
	bool id = false;

	if (a->n) {
		if (!matches(a->v[0], "show") && !matches(a->v[0], "list") &&
		    !matches(a->v[0], "lst"))
			die("Command \"%s\" is unknown, try \"ip mrc connection help\".", a->v[0]);
		args_next(a);
	}
	for (; a->n; args_next(a)) {
		if (!matches(a->v[0], "id"))
			break;
		v_id = number_parse(args_value(a, "id"), "id", 0, UINT32_MAX);
		once(&id, "id", a->v[0]);
	}
	args_end(a, "connection");

	genl_request(&req, &connection_set, MRC_CMD_CONNECTION_GET, id ? 0 : NLM_F_DUMP);
	if (id)
		mnl_attr_put_u32(req.nlh, MRC_A_CONNECTION_ID, v_id);
	return show(&req, text_connection);
}
