/* SPDX-License-Identifier: GPL-2.0 */
/* User-space stand-in, see types.h. */
#ifndef _SHIM_LINUX_ERRNO_H
#define _SHIM_LINUX_ERRNO_H

#include_next <linux/errno.h>

#endif /* _SHIM_LINUX_ERRNO_H */
