// SPDX-License-Identifier: GPL-2.0
/* What the user-space stand-ins of kernel headers need beyond inline code. */
#include <stdlib.h>
#include <string.h>

#include <linux/crc32.h>
#include <linux/slab.h>

long shim_alloc_fail;
unsigned long shim_alloc_calls;
long shim_alloc_live;

void *shim_alloc(size_t n, size_t size, bool zero)
{
	void *p;

	shim_alloc_calls++;
	if (shim_alloc_fail < 0 || (shim_alloc_fail && !--shim_alloc_fail))
		return NULL;
	p = calloc(n, size);
	if (!p)
		abort();
	/* What the kernel would give is not zero either. */
	if (!zero)
		memset(p, 0xa5, n * size);
	shim_alloc_live++;
	return p;
}

void shim_free(const void *p)
{
	if (!p)
		return;
	shim_alloc_live--;
	free((void *)p);
}

u32 crc32_le(u32 crc, const u8 *p, size_t len)
{
	static u32 table[256];
	u32 i, k, c;

	if (!table[1]) {
		for (i = 0; i < 256; i++) {
			for (c = i, k = 0; k < 8; k++)
				c = c & 1 ? c >> 1 ^ 0xedb88320U : c >> 1;
			table[i] = c;
		}
	}
	while (len--)
		crc = table[(crc ^ *p++) & 0xff] ^ crc >> 8;
	return crc;
}
