/* SPDX-License-Identifier: GPL-2.0 */
/* User-space stand-in, see types.h. */
#ifndef _SHIM_LINUX_STRING_H
#define _SHIM_LINUX_STRING_H

#include <string.h>

#endif /* _SHIM_LINUX_STRING_H */
