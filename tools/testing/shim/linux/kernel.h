/* SPDX-License-Identifier: GPL-2.0 */
/* User-space stand-in, see types.h. */
#ifndef _SHIM_LINUX_KERNEL_H
#define _SHIM_LINUX_KERNEL_H

#include_next <linux/kernel.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <linux/types.h>
#include <linux/minmax.h>

#ifndef ARRAY_SIZE
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#endif
#ifndef __always_unused
#define __always_unused __attribute__((unused))
#endif
#ifndef fallthrough
#define fallthrough __attribute__((fallthrough))
#endif

#ifndef likely
#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#endif

#ifndef container_of
#define container_of(ptr, type, member) \
	((type *)((char *)(ptr) - offsetof(type, member)))
#endif

/* A broken assumption ends the test; nothing to continue for. */
#define WARN_ON_ONCE(cond) ({					\
	bool __warn = !!(cond);					\
	if (__warn) {						\
		fprintf(stderr, "WARNING: %s:%d: %s\n",		\
			__FILE__, __LINE__, #cond);		\
		abort();					\
	}							\
	__warn; })
#define WARN_ON(cond) WARN_ON_ONCE(cond)

static inline __attribute__((format(printf, 3, 4)))
int scnprintf(char *buf, size_t size, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(buf, size, fmt, args);
	va_end(args);
	if (!size || n < 0)
		return 0;
	return (size_t)n < size ? n : (int)size - 1;
}

#endif /* _SHIM_LINUX_KERNEL_H */
