/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ip-mrc: administration of MRC, with the grammar and the habits of iproute2.
 *
 *	main.c		options, objects, usage
 *	util.c		what the arguments are made of: words, numbers, addresses
 *	genl.c		generic netlink: requests, dumps, errors of the kernel
 *	attr.c		tables of the attributes: their names and how to show them
 *	print.c		text with colours and JSON
 *	endpoint.c connection.c subflow.c	the objects
 */
#ifndef IP_MRC_H
#define IP_MRC_H

#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libmnl/libmnl.h>
#include <linux/mrc.h>

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))
/* The kernel's names for what the compiler should know of a function. */
#define __attr(a)	__attribute__((a))
#define __printf(a, b)	__attr(__format__(__printf__, a, b))
#define __noreturn	__attr(__noreturn__)

/* Exit status, as in iproute2: our own complaint, or the kernel's. */
#define EXIT_LOCAL	1
#define EXIT_KERNEL	2

struct options {
	bool json;
	bool pretty;
	bool details;
	bool stats;
	bool color;
};

extern struct options opt;

/* A list of arguments that is eaten from the left. */
struct args {
	int n;
	char **v;
};

/* An address as it goes into an attribute. */
struct address {
	uint8_t bytes[16];
	uint16_t len;		/* 4, 16, or 0 if there is none */
};

/* util.c */
__noreturn __printf(1, 2) void die(const char *fmt, ...);
bool matches(const char *word, const char *keyword);
void args_next(struct args *a);
const char *args_value(struct args *a, const char *keyword);
void args_end(const struct args *a, const char *object);
void once(bool *seen, const char *keyword, const char *value);
bool address_parse(struct address *addr, const char *arg);
uint32_t number_parse(const char *arg, const char *what, uint32_t min, uint32_t max);
uint32_t device_parse(const char *arg);

/*
 * attr.c: one table for each attribute set, indexed by the attribute.  It
 * serves three times: names of attributes in the kernel's errors, JSON, and
 * the counters of -s.
 */
enum attr_kind {
	ATTR_NONE,		/* not shown: padding */
	ATTR_U32,
	ATTR_U64,
	ATTR_STRING,
	ATTR_ADDRESS,
	ATTR_DEVICE,		/* an interface index; its name is shown as well */
	ATTR_STATE,
	ATTR_FLAGS,
};

struct attr_desc {
	const char *name;	/* snake_case, as JSON key */
	enum attr_kind kind;
	const char *const *words;	/* names of states or flags */
	unsigned int n_words;
};

struct attr_set {
	const struct attr_desc *desc;
	unsigned int max;	/* last attribute */
};

extern const struct attr_set endpoint_set;
extern const struct attr_set connection_set;
extern const struct attr_set subflow_set;

/* The attributes of one message; absent ones are NULL. */
#define ATTRS_MAX	64
struct attrs {
	const struct nlattr *tb[ATTRS_MAX];
};

void attrs_parse(struct attrs *at, const struct attr_set *set, const struct nlmsghdr *nlh);
bool attr_u32(const struct attrs *at, unsigned int type, uint32_t *value);
bool attr_u64(const struct attrs *at, unsigned int type, uint64_t *value);
bool attr_string(const struct attrs *at, unsigned int type, char *buf, size_t size);
bool attr_address(const struct attrs *at, unsigned int type, struct address *addr);

/* genl.c */
#define REQUEST_SIZE	512

struct request {
	const struct attr_set *set;	/* to name attributes in errors */
	struct nlmsghdr *nlh;
	char buf[REQUEST_SIZE];
};

/* The answers to a request, one netlink message after the other. */
struct replies {
	char *buf;
	size_t len;
	size_t size;
};

void genl_open(void);
void genl_request(struct request *req, const struct attr_set *set, uint8_t cmd, uint16_t flags);
int genl_talk(struct request *req, struct replies *rep);
void replies_free(struct replies *rep);
struct nlmsghdr *replies_next(const struct replies *rep, struct nlmsghdr *nlh);

/* print.c */
enum color { COLOR_NONE, COLOR_ADDRESS, COLOR_DEVICE, COLOR_GOOD, COLOR_WARN, COLOR_BAD };

void json_open(char bracket);
void json_close(char bracket);
void json_key(const char *key);
void json_string(const char *s);
void json_u64(uint64_t value);
void json_attrs(const struct attrs *at, const struct attr_set *set);

void show_begin(void);
void show_end(void);
int finish_output(int status);

__printf(2, 3) void text(enum color color, const char *fmt, ...);
void text_end(void);
void text_u32(const struct attrs *at, unsigned int type, const char *label);
void text_state(const struct attrs *at, unsigned int type, const struct attr_set *set);
void text_flags(const struct attrs *at, unsigned int type, const struct attr_set *set);
void text_device(const struct attrs *at, unsigned int type);
void text_address(const struct address *addr);
void text_address_port(const struct address *addr, uint32_t port);
void text_counters(const struct attrs *at, const struct attr_set *set);

int show(struct request *req, void (*text_one)(const struct attrs *at));

/* endpoint.c, connection.c, subflow.c */
int do_endpoint(struct args *a);
int do_connection(struct args *a);
int do_subflow(struct args *a);

#endif /* IP_MRC_H */
