/* SPDX-License-Identifier: GPL-2.0 */
/* User-space stand-in, see types.h.  As strict about types as the kernel's. */
#ifndef _SHIM_LINUX_MINMAX_H
#define _SHIM_LINUX_MINMAX_H

#define __shim_typecheck(x, y) \
	((void)sizeof((typeof(x) *)1 == (typeof(y) *)1))

#define min(x, y) ({				\
	typeof(x) __x = (x);			\
	typeof(y) __y = (y);			\
	__shim_typecheck(__x, __y);		\
	__x < __y ? __x : __y; })
#define max(x, y) ({				\
	typeof(x) __x = (x);			\
	typeof(y) __y = (y);			\
	__shim_typecheck(__x, __y);		\
	__x > __y ? __x : __y; })
#define min_t(type, x, y) ({			\
	type __x = (x);				\
	type __y = (y);				\
	__x < __y ? __x : __y; })
#define max_t(type, x, y) ({			\
	type __x = (x);				\
	type __y = (y);				\
	__x > __y ? __x : __y; })
#define clamp_t(type, v, lo, hi) min_t(type, max_t(type, v, lo), hi)
#define clamp(v, lo, hi) min(max(v, lo), hi)

#endif /* _SHIM_LINUX_MINMAX_H */
