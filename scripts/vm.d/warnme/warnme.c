// SPDX-License-Identifier: GPL-2.0
/* Makes the kernel WARN, so that scripts/vm-selftest sees it noticed. */
#include <linux/module.h>

static int __init warnme_init(void)
{
	WARN(1, "warnme: this is a test\n");
	return 0;
}

static void __exit warnme_exit(void)
{
}

module_init(warnme_init);
module_exit(warnme_exit);
MODULE_DESCRIPTION("A warning on purpose");
MODULE_LICENSE("GPL");
