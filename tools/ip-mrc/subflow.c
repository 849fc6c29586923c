// SPDX-License-Identifier: GPL-2.0
/* ip mrc subflow: the paths of connections. */
#include "ip-mrc.h"

static void text_subflow(const struct attrs *at)
{
	uint32_t srtt, rttvar, min_rtt;
	struct address addr;

	text_u32(at, MRC_A_SUBFLOW_CONNECTION, "conn");
	text_u32(at, MRC_A_SUBFLOW_ID, "id");
	text_state(at, MRC_A_SUBFLOW_STATE, &subflow_set);
	text_u32(at, MRC_A_SUBFLOW_PLANE, "plane");
	if (attr_address(at, MRC_A_SUBFLOW_LOCAL_ADDRESS, &addr))
		text_address(&addr);
	if (attr_address(at, MRC_A_SUBFLOW_REMOTE_ADDRESS, &addr)) {
		text(COLOR_NONE, "->");
		text_address(&addr);
	}
	text_device(at, MRC_A_SUBFLOW_IFINDEX);
	/* Zero means that nothing was measured yet. */
	if (attr_u32(at, MRC_A_SUBFLOW_SRTT, &srtt) && srtt &&
	    attr_u32(at, MRC_A_SUBFLOW_RTTVAR, &rttvar))
		text(COLOR_NONE, "rtt %u.%03u/%u.%03ums", srtt / 1000, srtt % 1000,
		     rttvar / 1000, rttvar % 1000);
	if (opt.details && attr_u32(at, MRC_A_SUBFLOW_MIN_RTT, &min_rtt) && min_rtt)
		text(COLOR_NONE, "minrtt %u.%03ums", min_rtt / 1000, min_rtt % 1000);
	text_u32(at, MRC_A_SUBFLOW_CWND, "cwnd");
	text_u32(at, MRC_A_SUBFLOW_INFLIGHT, "inflight");
	text_u32(at, MRC_A_SUBFLOW_EVS, "ev");
	text_flags(at, MRC_A_SUBFLOW_FLAGS, &subflow_set);
	text_counters(at, &subflow_set);
}

int do_subflow(struct args *a)
{
	struct request req;
	uint32_t v_conn = 0;
	bool conn = false;

	if (a->n) {
		if (!matches(a->v[0], "show") && !matches(a->v[0], "list") &&
		    !matches(a->v[0], "lst"))
			die("Command \"%s\" is unknown, try \"ip mrc subflow help\".", a->v[0]);
		args_next(a);
	}
	for (; a->n; args_next(a)) {
		if (!matches(a->v[0], "conn"))
			break;
		v_conn = number_parse(args_value(a, "conn"), "conn", 0, UINT32_MAX);
		once(&conn, "conn", a->v[0]);
	}
	args_end(a, "subflow");

	genl_request(&req, &subflow_set, MRC_CMD_SUBFLOW_GET, NLM_F_DUMP);
	if (conn)
		mnl_attr_put_u32(req.nlh, MRC_A_SUBFLOW_CONNECTION, v_conn);
	return show(&req, text_subflow);
}
