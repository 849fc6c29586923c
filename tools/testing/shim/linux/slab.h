/* SPDX-License-Identifier: GPL-2.0 */
/*
 * User-space stand-in, see types.h.  Tests can make any allocation fail and
 * count what is still allocated.
 */
#ifndef _SHIM_LINUX_SLAB_H
#define _SHIM_LINUX_SLAB_H

#include <linux/types.h>

#define GFP_KERNEL	1U
#define GFP_ATOMIC	2U
#define __GFP_ZERO	4U
#define __GFP_NOWARN	8U

/*
 * 0: nothing fails.  N > 0: the Nth allocation from now on fails, once.
 * N < 0: all fail.
 */
extern long shim_alloc_fail;
/* Allocations so far, failed ones included. */
extern unsigned long shim_alloc_calls;
/* Blocks that are allocated now. */
extern long shim_alloc_live;

/* Zeroed if asked for, else filled with rubbish; NULL when told to fail. */
void *shim_alloc(size_t n, size_t size, bool zero);
void shim_free(const void *p);

static inline void *kmalloc(size_t size, gfp_t gfp)
{
	return shim_alloc(1, size, gfp & __GFP_ZERO);
}

static inline void *kzalloc(size_t size, gfp_t gfp)
{
	(void)gfp;
	return shim_alloc(1, size, true);
}

static inline void *kcalloc(size_t n, size_t size, gfp_t gfp)
{
	(void)gfp;
	return shim_alloc(n, size, true);
}

static inline void *kvcalloc(size_t n, size_t size, gfp_t gfp)
{
	(void)gfp;
	return shim_alloc(n, size, true);
}

static inline void *kvmalloc(size_t size, gfp_t gfp)
{
	return shim_alloc(1, size, gfp & __GFP_ZERO);
}

static inline void *kvzalloc(size_t size, gfp_t gfp)
{
	(void)gfp;
	return shim_alloc(1, size, true);
}

static inline void *kvmalloc_array(size_t n, size_t size, gfp_t gfp)
{
	return shim_alloc(n, size, gfp & __GFP_ZERO);
}

static inline void kfree(const void *p)
{
	shim_free(p);
}

static inline void kvfree(const void *p)
{
	shim_free(p);
}

#endif /* _SHIM_LINUX_SLAB_H */
