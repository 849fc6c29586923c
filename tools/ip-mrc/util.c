// SPDX-License-Identifier: GPL-2.0
/*
 * What arguments are made of.  Everything here complains in one line and ends
 * the program: the whole command line is read before anything is asked of the
 * kernel, so nothing has been changed when a complaint comes.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ip-mrc.h"

void die(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	exit(EXIT_LOCAL);
}

/* True if @word is @keyword or its beginning. */
bool matches(const char *word, const char *keyword)
{
	return *word && !strncmp(word, keyword, strlen(word));
}

void args_next(struct args *a)
{
	a->n--;
	a->v++;
}

/* The value after a keyword; @a stands on the keyword and then on the value. */
const char *args_value(struct args *a, const char *keyword)
{
	if (a->n < 2)
		die("Error: argument \"%s\" needs a value, try \"ip mrc help\".", keyword);
	args_next(a);
	return a->v[0];
}

/* Nothing may follow. */
void args_end(const struct args *a, const char *object)
{
	if (a->n)
		die("Error: argument \"%s\" is wrong: unknown keyword, try \"ip mrc %s help\".",
		    a->v[0], object);
}

void once(bool *seen, const char *keyword, const char *value)
{
	if (*seen)
		die("Error: duplicate \"%s\": \"%s\" is the second value.", keyword, value);
	*seen = true;
}

bool address_parse(struct address *addr, const char *arg)
{
	if (inet_pton(AF_INET, arg, addr->bytes) == 1)
		addr->len = 4;
	else if (inet_pton(AF_INET6, arg, addr->bytes) == 1)
		addr->len = 16;
	else
		return false;
	return true;
}

/*
 * Digits, or 0x and hexadecimal digits, and nothing else.  strtoul() alone
 * would take "-1", " 1", "+1" and read "010" as eight.
 */
uint32_t number_parse(const char *arg, const char *what, uint32_t min, uint32_t max)
{
	bool hex = !strncmp(arg, "0x", 2) || !strncmp(arg, "0X", 2);
	const char *digits = hex ? arg + 2 : arg;
	size_t len = strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");
	unsigned long long value;

	if (len && !digits[len]) {
		errno = 0;
		value = strtoull(digits, NULL, hex ? 16 : 10);
		if (!errno && value >= min && value <= max)
			return value;
	}
	die("Error: argument \"%s\" is wrong: %s is a number from %u to %u.", arg, what, min, max);
}

uint32_t device_parse(const char *arg)
{
	uint32_t ifindex = 0;

	if (strlen(arg) < IFNAMSIZ)
		ifindex = if_nametoindex(arg);
	if (!ifindex)
		die("Cannot find device \"%s\"", arg);
	return ifindex;
}
