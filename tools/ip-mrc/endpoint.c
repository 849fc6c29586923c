// SPDX-License-Identifier: GPL-2.0
/* ip mrc endpoint: the local addresses that MRC may use. */
#include <errno.h>
#include <string.h>

#include "ip-mrc.h"

static void text_endpoint(const struct attrs *at)
{
	struct address addr;

	if (attr_address(at, MRC_A_ENDPOINT_ADDRESS, &addr))
		text_address(&addr);
	text_device(at, MRC_A_ENDPOINT_IFINDEX);
	text_u32(at, MRC_A_ENDPOINT_PLANE, "plane");
	text_u32(at, MRC_A_ENDPOINT_ID, "id");
	text_u32(at, MRC_A_ENDPOINT_EVS, "ev");
	text_flags(at, MRC_A_ENDPOINT_FLAGS, &endpoint_set);
}

static uint32_t id_parse(struct args *a)
{
	return number_parse(args_value(a, "id"), "id", 1, 255);
}

/* The one word that needs no keyword. */
static void take_address(struct address *addr, const char *arg)
{
	struct address second;

	if (!addr->len) {
		if (!address_parse(addr, arg))
			die("Error: any valid address is expected rather than \"%s\".", arg);
		return;
	}
	if (address_parse(&second, arg))
		die("Error: duplicate \"ADDRESS\": \"%s\" is the second value.", arg);
	die("Error: argument \"%s\" is wrong: unknown keyword, try \"ip mrc endpoint help\".", arg);
}

static int endpoint_add(struct args *a)
{
	bool dev = false, plane = false, id = false, ev = false, backup = false, fullmesh = false;
	uint32_t v_dev = 0, v_plane = 0, v_id = 0, v_ev = 0, flags = 0;
	struct address addr = {};
	struct replies rep = {};
	struct request req;
	int error;

	for (; a->n; args_next(a)) {
		const char *word = a->v[0];

		if (matches(word, "dev")) {
			const char *name = args_value(a, "dev");

			once(&dev, "dev", name);
			v_dev = device_parse(name);
		} else if (matches(word, "plane")) {
			once(&plane, "plane", args_value(a, "plane"));
			v_plane = number_parse(a->v[0], "plane", 0, MRC_PLANE_MAX);
		} else if (matches(word, "id")) {
			v_id = id_parse(a);
			once(&id, "id", a->v[0]);
		} else if (matches(word, "ev")) {
			once(&ev, "ev", args_value(a, "ev"));
			v_ev = number_parse(a->v[0], "ev", 1, MRC_EVS_MAX);
		} else if (matches(word, "backup")) {
			once(&backup, "backup", word);
			flags |= MRC_ENDPOINT_F_BACKUP;
		} else if (matches(word, "fullmesh")) {
			once(&fullmesh, "fullmesh", word);
			flags |= MRC_ENDPOINT_F_FULLMESH;
		} else {
			take_address(&addr, word);
		}
	}
	if (!addr.len)
		die("Error: argument \"ADDRESS\" is required.");

	genl_request(&req, &endpoint_set, MRC_CMD_ENDPOINT_ADD, 0);
	mnl_attr_put(req.nlh, MRC_A_ENDPOINT_ADDRESS, addr.len, addr.bytes);
	if (dev)
		mnl_attr_put_u32(req.nlh, MRC_A_ENDPOINT_IFINDEX, v_dev);
	if (plane)
		mnl_attr_put_u32(req.nlh, MRC_A_ENDPOINT_PLANE, v_plane);
	if (id)
		mnl_attr_put_u32(req.nlh, MRC_A_ENDPOINT_ID, v_id);
	if (ev)
		mnl_attr_put_u32(req.nlh, MRC_A_ENDPOINT_EVS, v_ev);
	if (flags)
		mnl_attr_put_u32(req.nlh, MRC_A_ENDPOINT_FLAGS, flags);
	error = genl_talk(&req, &rep);
	replies_free(&rep);
	return error ? EXIT_KERNEL : 0;
}

static int endpoint_delete(struct args *a)
{
	struct address addr = {};
	struct replies rep = {};
	struct request req;
	uint32_t v_id = 0;
	bool id = false;
	int error;

	for (; a->n; args_next(a)) {
		if (matches(a->v[0], "id")) {
			v_id = id_parse(a);
			once(&id, "id", a->v[0]);
		} else {
			take_address(&addr, a->v[0]);
		}
	}
	if (!addr.len && !id)
		die("Error: argument \"ADDRESS\" or \"id\" is required.");
	if (addr.len && id)
		die("Error: \"ADDRESS\" and \"id\" cannot be given together.");

	genl_request(&req, &endpoint_set, MRC_CMD_ENDPOINT_DEL, 0);
	if (id)
		mnl_attr_put_u32(req.nlh, MRC_A_ENDPOINT_ID, v_id);
	else
		mnl_attr_put(req.nlh, MRC_A_ENDPOINT_ADDRESS, addr.len, addr.bytes);
	error = genl_talk(&req, &rep);
	replies_free(&rep);
	return error ? EXIT_KERNEL : 0;
}

static int endpoint_show(struct args *a)
{
	struct request req;
	uint32_t v_id = 0;
	bool id = false;

	for (; a->n; args_next(a)) {
		if (!matches(a->v[0], "id"))
			break;
		v_id = id_parse(a);
		once(&id, "id", a->v[0]);
	}
	args_end(a, "endpoint");

	genl_request(&req, &endpoint_set, MRC_CMD_ENDPOINT_GET, id ? 0 : NLM_F_DUMP);
	if (id)
		mnl_attr_put_u32(req.nlh, MRC_A_ENDPOINT_ID, v_id);
	return show(&req, text_endpoint);
}

static int endpoint_flush(struct args *a)
{
	struct replies rep = {}, none = {};
	struct nlmsghdr *nlh;
	struct request req;
	struct attrs at;
	int status = 0;
	uint32_t id;

	args_end(a, "endpoint");
	genl_request(&req, &endpoint_set, MRC_CMD_ENDPOINT_GET, NLM_F_DUMP);
	if (genl_talk(&req, &rep))
		status = EXIT_KERNEL;
	/* Without the right to delete one endpoint there is none for the next. */
	for (nlh = NULL; (nlh = replies_next(&rep, nlh));) {
		int error;

		attrs_parse(&at, &endpoint_set, nlh);
		if (status || !attr_u32(&at, MRC_A_ENDPOINT_ID, &id))
			continue;
		genl_request(&req, &endpoint_set, MRC_CMD_ENDPOINT_DEL, 0);
		mnl_attr_put_u32(req.nlh, MRC_A_ENDPOINT_ID, id);
		error = genl_talk(&req, &none);
		if (error)
			status = EXIT_KERNEL;
	}
	replies_free(&rep);
	replies_free(&none);
	return status;
}

int do_endpoint(struct args *a)
{
	static const struct {
		const char *name;
		int (*run)(struct args *a);
	} commands[] = {
		{ "add",	endpoint_add },
		{ "delete",	endpoint_delete },
		{ "show",	endpoint_show },
		{ "list",	endpoint_show },
		{ "lst",	endpoint_show },
		{ "flush",	endpoint_flush },
	};

	if (!a->n)
		return endpoint_show(a);
	for (size_t i = 0; i < ARRAY_SIZE(commands); i++) {
		if (!matches(a->v[0], commands[i].name))
			continue;
		args_next(a);
		return commands[i].run(a);
	}
	die("Command \"%s\" is unknown, try \"ip mrc endpoint help\".", a->v[0]);
}
