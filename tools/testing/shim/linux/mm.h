/* SPDX-License-Identifier: GPL-2.0 */
/* User-space stand-in, see types.h. */
#ifndef _SHIM_LINUX_MM_H
#define _SHIM_LINUX_MM_H

#include <linux/slab.h>

#endif /* _SHIM_LINUX_MM_H */
