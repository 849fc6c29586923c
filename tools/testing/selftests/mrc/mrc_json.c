// SPDX-License-Identifier: GPL-2.0
/*
 * Is standard input JSON?  With arguments: print the values of these members
 * of the top-level object, or of each object in the top-level array, one
 * object in a line, "-" for what is missing.
 *
 *	ip -j mrc subflow show | mrc_json plane state bytes_sent
 *
 * Status 0, or 1 with a line on standard error if it is no JSON.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX	32
#define TEXT_MAX	(4 << 20)

static char *text, *at;
static char **keys, **values;
static int n_keys;

static void bad(const char *what)
{
	fprintf(stderr, "not JSON: %s at byte %td: %.20s\n", what, at - text, at);
	exit(1);
}

static void space(void)
{
	while (*at == ' ' || *at == '\t' || *at == '\n' || *at == '\r')
		at++;
}

static void string(void)
{
	int i;

	if (*at++ != '"')
		bad("quote expected");
	for (; *at != '"'; at++) {
		if ((unsigned char)*at < ' ')
			bad("control character in quotes");
		if (*at != '\\')
			continue;
		at++;
		if (*at == 'u') {
			for (i = 1; i <= 4; i++)
				if (!isxdigit((unsigned char)at[i]))
					bad("\\u");
			at += 4;
		} else if (!*at || !strchr("\"\\/bfnrt", *at)) {
			bad("escape");
		}
	}
	at++;
}

static void digits(void)
{
	if (!isdigit((unsigned char)*at))
		bad("digit expected");
	while (isdigit((unsigned char)*at))
		at++;
}

static void number(void)
{
	if (*at == '-')
		at++;
	if (*at == '0')
		at++;
	else
		digits();
	if (*at == '.') {
		at++;
		digits();
	}
	if (*at == 'e' || *at == 'E') {
		at++;
		if (*at == '+' || *at == '-')
			at++;
		digits();
	}
}

static void value(int depth, int object_depth);

/* Remember the value if its name is asked for; strings without quotes. */
static void remember(const char *name, size_t len, const char *v, size_t v_len)
{
	int i;

	for (i = 0; i < n_keys; i++) {
		if (strlen(keys[i]) != len || memcmp(keys[i], name, len))
			continue;
		if (*v == '"') {
			v++;
			v_len -= 2;
		}
		free(values[i]);
		values[i] = strndup(v, v_len);
	}
}

static void print_object(void)
{
	int i;

	for (i = 0; i < n_keys; i++) {
		printf("%s%s", i ? " " : "", values[i] ? values[i] : "-");
		free(values[i]);
		values[i] = NULL;
	}
	if (n_keys)
		putchar('\n');
}

static void object(int depth, bool wanted)
{
	char *name, *end, *v;

	at++;
	space();
	if (*at == '}') {
		at++;
		return;
	}
	for (;;) {
		space();
		name = at + 1;
		string();
		end = at - 1;
		space();
		if (*at++ != ':')
			bad("colon expected");
		space();
		v = at;
		value(depth, -1);
		if (wanted)
			remember(name, end - name, v, at - v);
		space();
		if (*at == '}')
			break;
		if (*at++ != ',')
			bad("comma or } expected");
	}
	at++;
	if (wanted)
		print_object();
}

static void array(int depth, int object_depth)
{
	at++;
	space();
	if (*at == ']') {
		at++;
		return;
	}
	for (;;) {
		value(depth, object_depth);
		space();
		if (*at == ']')
			break;
		if (*at++ != ',')
			bad("comma or ] expected");
	}
	at++;
}

static bool word(const char *w)
{
	if (strncmp(at, w, strlen(w)))
		return false;
	at += strlen(w);
	return true;
}

/* @object_depth: objects here are wanted while it is not negative */
static void value(int depth, int object_depth)
{
	if (depth > DEPTH_MAX)
		bad("too deep");
	space();
	if (*at == '{')
		object(depth + 1, object_depth >= 0);
	else if (*at == '[')
		array(depth + 1, object_depth - 1);
	else if (*at == '"')
		string();
	else if (*at == '-' || isdigit((unsigned char)*at))
		number();
	else if (!word("true") && !word("false") && !word("null"))
		bad("neither object nor array nor anything");
}

int main(int argc, char **argv)
{
	size_t len;

	text = malloc(TEXT_MAX);
	keys = argv + 1;
	n_keys = argc - 1;
	values = calloc(n_keys + 1, sizeof(*values));
	if (!text || !values)
		return 2;
	len = fread(text, 1, TEXT_MAX - 1, stdin);
	text[len] = 0;
	if (strlen(text) != len || len == TEXT_MAX - 1) {
		fprintf(stderr, "not JSON: null byte or too long\n");
		return 1;
	}
	at = text;
	value(0, 1);
	space();
	if (*at)
		bad("something behind the end");
	return 0;
}
