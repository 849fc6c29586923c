/* SPDX-License-Identifier: GPL-2.0 */
/* User-space stand-in, see types.h. */
#ifndef _SHIM_LINUX_CRC32_H
#define _SHIM_LINUX_CRC32_H

#include <linux/types.h>

/* CRC-32 of IEEE 802.3, reflected, no inversion before or after. */
u32 crc32_le(u32 crc, const u8 *p, size_t len);

#endif /* _SHIM_LINUX_CRC32_H */
