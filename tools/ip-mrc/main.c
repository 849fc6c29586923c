// SPDX-License-Identifier: GPL-2.0
/* ip-mrc: options, objects and usage. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE		/* setns() */
#endif
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ip-mrc.h"

#define NETNS_DIR	"/run/netns"
#define VERSION		"0.1"

struct options opt;

/* The options, in the order in which abbreviations are tried. */
enum opt_id {
	OPT_STATS, OPT_DETAILS, OPT_ONELINE, OPT_TIMESTAMP, OPT_TSHORT, OPT_VERSION,
	OPT_BATCH, OPT_JSON, OPT_COLOR, OPT_HELP, OPT_NETNS, OPT_PRETTY,
};

static const struct {
	const char *name;
	enum opt_id id;
} options[] = {
	{ "statistics",	OPT_STATS },
	{ "stats",	OPT_STATS },
	{ "details",	OPT_DETAILS },
	{ "oneline",	OPT_ONELINE },
	{ "timestamp",	OPT_TIMESTAMP },
	{ "tshort",	OPT_TSHORT },
	{ "Version",	OPT_VERSION },
	{ "batch",	OPT_BATCH },
	{ "json",	OPT_JSON },
	{ "color",	OPT_COLOR },
	{ "colour",	OPT_COLOR },
	{ "help",	OPT_HELP },
	{ "netns",	OPT_NETNS },
	{ "pretty",	OPT_PRETTY },
};

static void usage(FILE *out)
{
	fputs("Usage: ip [ OPTIONS ] mrc OBJECT { COMMAND | help }\n"
	      "       ip [ OPTIONS ] mrc endpoint add ADDRESS [ dev NAME ] [ plane N ] [ id ID ]\n"
	      "                                   [ ev N ] [ backup ] [ fullmesh ]\n"
	      "       ip [ OPTIONS ] mrc endpoint delete { ADDRESS | id ID }\n"
	      "       ip [ OPTIONS ] mrc endpoint [ show [ id ID ] ]\n"
	      "       ip [ OPTIONS ] mrc endpoint flush\n"
	      "       ip [ OPTIONS ] mrc connection [ show [ id ID ] ]\n"
	      "       ip [ OPTIONS ] mrc subflow [ show [ conn ID ] ]\n"
	      "where  OBJECT := { endpoint | connection | subflow }\n"
	      "       OPTIONS := { -s[tatistics] | -d[etails] | -j[son] | -p[retty] | -o[neline] |\n"
	      "                    -n[etns] NAME | -c[olor][={always|auto|never}] | -t[imestamp] |\n"
	      "                    -ts[hort] | -V[ersion] | -h[elp] }\n", out);
}

/* All that follows, names of devices too, is meant in this namespace. */
static void enter_netns(const char *name)
{
	char path[512];
	int fd;

	if (!*name || strchr(name, '/') || !strcmp(name, ".") || !strcmp(name, "..") ||
	    snprintf(path, sizeof(path), NETNS_DIR "/%s", name) >= (int)sizeof(path))
		die("Invalid network namespace name \"%s\".", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		die("Cannot open network namespace \"%s\": %s", name, strerror(errno));
	if (setns(fd, CLONE_NEWNET) < 0)
		die("setting the network namespace \"%s\" failed: %s", name, strerror(errno));
	close(fd);
}

static void set_color(const char *when)
{
	if (!when || !strcmp(when, "auto"))
		opt.color = isatty(STDOUT_FILENO);
	else if (!strcmp(when, "always"))
		opt.color = true;
	else if (!strcmp(when, "never"))
		opt.color = false;
	else
		die("Error: argument \"%s\" is wrong: color is always, auto or never.", when);
}

/* One option; @a stands on it.  Returns the namespace if it names one. */
static const char *do_option(struct args *a)
{
	const char *arg = a->v[0], *word = arg + 1, *netns = NULL;
	char *when = NULL, *name;
	size_t i;

	if (*word == '-')	/* --json is -json */
		word++;
	name = strdup(word);
	if (!name)
		die("Error: out of memory.");
	when = strchr(name, '=');
	if (when)
		*when++ = '\0';
	for (i = 0; i < ARRAY_SIZE(options); i++)
		if (matches(name, options[i].name))
			break;
	if (i == ARRAY_SIZE(options) || (when && options[i].id != OPT_COLOR))
		die("Option \"%s\" is unknown, try \"ip mrc help\".", arg);

	switch (options[i].id) {
	case OPT_STATS:
		opt.stats = true;
		break;
	case OPT_DETAILS:
		opt.details = true;
		break;
	case OPT_JSON:
		opt.json = true;
		break;
	case OPT_PRETTY:
		opt.pretty = true;
		break;
	case OPT_COLOR:
		set_color(when);
		break;
	case OPT_NETNS:
		netns = args_value(a, arg);
		break;
	case OPT_ONELINE:	/* there is one line for each object anyway */
	case OPT_TIMESTAMP:	/* nothing here has a time yet */
	case OPT_TSHORT:
		break;
	case OPT_BATCH:
		die("Option \"%s\" is not supported by ip mrc.", arg);
	case OPT_VERSION:
		printf("ip-mrc utility, ip-mrc-%s\n", VERSION);
		exit(finish_output(0));
	case OPT_HELP:
		usage(stderr);
		exit(0);
	}
	free(name);
	args_next(a);
	return netns;
}

/* `help` may stand wherever a command or a keyword may. */
static bool wants_help(const struct args *a)
{
	for (int i = 0; i < a->n; i++)
		if (!strcmp(a->v[i], "help") && (i == 0 || strcmp(a->v[i - 1], "dev")))
			return true;
	return false;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(struct args *a);
	} objects[] = {
		{ "endpoint",	do_endpoint },
		{ "connection",	do_connection },
		{ "subflow",	do_subflow },
	};
	struct args a = { argc - 1, argv + 1 };
	const char *netns = NULL;

	while (a.n && a.v[0][0] == '-') {
		const char *name;

		if (!strcmp(a.v[0], "--")) {
			args_next(&a);
			break;
		}
		name = do_option(&a);
		if (name)
			netns = name;
	}
	/* JSON is for programs, whatever the terminal is. */
	if (opt.json)
		opt.color = false;

	if (!a.n) {
		usage(stderr);
		return EXIT_LOCAL;
	}
	if (matches(a.v[0], "help") || wants_help(&a)) {
		usage(stderr);
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(objects); i++) {
		if (!matches(a.v[0], objects[i].name))
			continue;
		if (netns)
			enter_netns(netns);
		args_next(&a);
		return finish_output(objects[i].run(&a));
	}
	die("Object \"%s\" is unknown, try \"ip mrc help\".", a.v[0]);
}
