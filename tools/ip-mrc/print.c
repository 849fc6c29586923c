// SPDX-License-Identifier: GPL-2.0
/*
 * Output: one line of text or one JSON object for each object.
 *
 * JSON is written from the attribute tables alone: every attribute that the
 * kernel sent and no other.  Text is for people and chooses; its words stand
 * in one order for ever, because scripts read it all the same.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ip-mrc.h"

#define JSON_DEPTH	8

static struct {
	int depth;
	bool started[JSON_DEPTH];	/* something stands in this array or object */
	bool after_key;
} json;

static void json_newline(void)
{
	if (!opt.pretty)
		return;
	putchar('\n');
	for (int i = 0; i < json.depth; i++)
		fputs("    ", stdout);
}

/* What must stand before a key, or before a value in an array. */
static void json_separate(void)
{
	if (json.after_key) {
		json.after_key = false;
		return;
	}
	if (json.started[json.depth])
		putchar(',');
	json.started[json.depth] = true;
	if (json.depth)
		json_newline();
}

void json_open(char bracket)
{
	json_separate();
	putchar(bracket);
	json.started[++json.depth] = false;
}

void json_close(char bracket)
{
	bool started = json.started[json.depth--];

	if (started)
		json_newline();
	putchar(bracket);
}

/* Length of the UTF-8 character at @s, 0 if it is none. */
static int utf8_len(const unsigned char *s)
{
	int len = *s < 0x80 ? 1 : *s < 0xc2 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : *s < 0xf5 ? 4 : 0;

	for (int i = 1; i < len; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return len;
}

/* Names of devices may hold any byte but '/' and white space. */
static void json_quote(const char *str)
{
	const unsigned char *s = (const unsigned char *)str;

	putchar('"');
	while (*s) {
		int len = utf8_len(s);

		if (!len) {
			fputs("\\ufffd", stdout);
			len = 1;
		} else if (*s == '"' || *s == '\\') {
			printf("\\%c", *s);
		} else if (*s < 0x20 || *s == 0x7f) {
			printf("\\u%04x", *s);
		} else {
			fwrite(s, 1, len, stdout);
		}
		s += len;
	}
	putchar('"');
}

void json_key(const char *key)
{
	json_separate();
	json_quote(key);
	fputs(opt.pretty ? ": " : ":", stdout);
	json.after_key = true;
}

void json_string(const char *s)
{
	json_separate();
	json_quote(s);
}

void json_u64(uint64_t value)
{
	json_separate();
	printf("%llu", (unsigned long long)value);
}

static void address_string(const struct address *addr, char *buf)
{
	inet_ntop(addr->len == 4 ? AF_INET : AF_INET6, addr->bytes, buf, INET6_ADDRSTRLEN);
}

static const char *state_word(const struct attr_desc *desc, uint32_t state, char *buf, size_t size)
{
	if (state < desc->n_words && desc->words[state])
		return desc->words[state];
	/* A newer kernel: better a number than nothing. */
	snprintf(buf, size, "%u", state);
	return buf;
}

static void json_flags(const struct attr_desc *desc, uint32_t flags)
{
	char buf[16];

	json_open('[');
	for (unsigned int i = 0; i < desc->n_words; i++)
		if (flags & (1U << i))
			json_string(desc->words[i]);
	flags &= ~((1U << desc->n_words) - 1);
	if (flags) {
		snprintf(buf, sizeof(buf), "0x%x", flags);
		json_string(buf);
	}
	json_close(']');
}

static void json_attr(const struct attrs *at, unsigned int type, const struct attr_desc *desc)
{
	char buf[256];
	struct address addr;
	uint32_t u32;
	uint64_t u64;

	switch (desc->kind) {
	case ATTR_NONE:
		break;
	case ATTR_U32:
		if (!attr_u32(at, type, &u32))
			break;
		json_key(desc->name);
		json_u64(u32);
		break;
	case ATTR_U64:
		if (!attr_u64(at, type, &u64))
			break;
		json_key(desc->name);
		json_u64(u64);
		break;
	case ATTR_STRING:
		if (!attr_string(at, type, buf, sizeof(buf)))
			break;
		json_key(desc->name);
		json_string(buf);
		break;
	case ATTR_ADDRESS:
		if (!attr_address(at, type, &addr))
			break;
		address_string(&addr, buf);
		json_key(desc->name);
		json_string(buf);
		break;
	case ATTR_DEVICE:
		if (!attr_u32(at, type, &u32))
			break;
		json_key(desc->name);
		json_u64(u32);
		if (if_indextoname(u32, buf)) {
			json_key("dev");
			json_string(buf);
		}
		break;
	case ATTR_STATE:
		if (!attr_u32(at, type, &u32))
			break;
		json_key(desc->name);
		json_string(state_word(desc, u32, buf, sizeof(buf)));
		break;
	case ATTR_FLAGS:
		if (!attr_u32(at, type, &u32))
			break;
		json_key(desc->name);
		json_flags(desc, u32);
		break;
	}
}

void json_attrs(const struct attrs *at, const struct attr_set *set)
{
	json_open('{');
	for (unsigned int i = 1; i <= set->max; i++)
		json_attr(at, i, &set->desc[i]);
	json_close('}');
}

void show_begin(void)
{
	if (opt.json)
		json_open('[');
}

void show_end(void)
{
	if (opt.json) {
		json_close(']');
		putchar('\n');
	}
}

/* A full disk must not look like success. */
int finish_output(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		fprintf(stderr, "Error: cannot write: %s.\n", strerror(errno));
		return status ?: EXIT_LOCAL;
	}
	return status;
}

static const char *const color_codes[] = {
	[COLOR_NONE]	= "",
	[COLOR_ADDRESS]	= "\033[35m",
	[COLOR_DEVICE]	= "\033[36m",
	[COLOR_GOOD]	= "\033[32m",
	[COLOR_WARN]	= "\033[33m",
	[COLOR_BAD]	= "\033[31m",
};

/* Whether the line has begun: words are separated by one blank. */
static bool text_started;

/* The next word of the line. */
void text(enum color color, const char *fmt, ...)
{
	bool colored = opt.color && color != COLOR_NONE;
	char buf[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf, sizeof(buf), fmt, ap);
	va_end(ap);
	/* Nothing that came from elsewhere may steer the terminal. */
	for (char *s = buf; *s; s++)
		if ((unsigned char)*s < 0x20 || *s == 0x7f)
			*s = '?';
	if (text_started)
		putchar(' ');
	text_started = true;
	printf("%s%s%s", colored ? color_codes[color] : "", buf, colored ? "\033[0m" : "");
}

void text_end(void)
{
	putchar('\n');
	text_started = false;
}

void text_u32(const struct attrs *at, unsigned int type, const char *label)
{
	uint32_t value;

	if (attr_u32(at, type, &value))
		text(COLOR_NONE, "%s %u", label, value);
}

void text_state(const struct attrs *at, unsigned int type, const struct attr_set *set)
{
	enum color color = COLOR_WARN;
	const char *word;
	char buf[16];
	uint32_t state;

	if (!attr_u32(at, type, &state))
		return;
	word = state_word(&set->desc[type], state, buf, sizeof(buf));
	if (!strcmp(word, "ACTIVE") || !strcmp(word, "ESTABLISHED") || !strcmp(word, "LISTEN"))
		color = COLOR_GOOD;
	else if (!strcmp(word, "FAILED") || !strcmp(word, "DOWN"))
		color = COLOR_BAD;
	text(color, "%s", word);
}

void text_flags(const struct attrs *at, unsigned int type, const struct attr_set *set)
{
	const struct attr_desc *desc = &set->desc[type];
	uint32_t flags;

	if (!attr_u32(at, type, &flags))
		return;
	for (unsigned int i = 0; i < desc->n_words; i++)
		if (flags & (1U << i))
			text(COLOR_NONE, "%s", desc->words[i]);
	flags &= ~((1U << desc->n_words) - 1);
	if (flags)
		text(COLOR_NONE, "rawflags 0x%x", flags);
}

void text_device(const struct attrs *at, unsigned int type)
{
	char name[IF_NAMESIZE];
	uint32_t ifindex;

	if (!attr_u32(at, type, &ifindex) || !ifindex)
		return;
	/* The device may have gone while we were asking. */
	if (!if_indextoname(ifindex, name))
		snprintf(name, sizeof(name), "if%u", ifindex);
	text(COLOR_NONE, "dev");
	text(COLOR_DEVICE, "%s", name);
}

void text_address(const struct address *addr)
{
	char buf[INET6_ADDRSTRLEN];

	address_string(addr, buf);
	text(COLOR_ADDRESS, "%s", buf);
}

void text_address_port(const struct address *addr, uint32_t port)
{
	char buf[INET6_ADDRSTRLEN];

	address_string(addr, buf);
	text(COLOR_ADDRESS, addr->len == 16 ? "[%s]:%u" : "%s:%u", buf, port);
}

/* All counters of the set: what is 64 bits wide is one. */
void text_counters(const struct attrs *at, const struct attr_set *set)
{
	uint64_t value;

	if (!opt.stats)
		return;
	for (unsigned int i = 1; i <= set->max; i++)
		if (set->desc[i].kind == ATTR_U64 && attr_u64(at, i, &value))
			text(COLOR_NONE, "%s %llu", set->desc[i].name, (unsigned long long)value);
}

/* Sends a request and shows what comes back.  Returns the exit status. */
int show(struct request *req, void (*text_one)(const struct attrs *at))
{
	struct replies rep = {};
	struct nlmsghdr *nlh;
	struct attrs at;

	if (genl_talk(req, &rep)) {
		replies_free(&rep);
		return EXIT_KERNEL;
	}
	show_begin();
	for (nlh = NULL; (nlh = replies_next(&rep, nlh));) {
		attrs_parse(&at, req->set, nlh);
		if (opt.json) {
			json_attrs(&at, req->set);
		} else {
			text_one(&at);
			text_end();
		}
	}
	show_end();
	replies_free(&rep);
	return 0;
}
