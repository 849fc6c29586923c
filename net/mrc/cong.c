// SPDX-License-Identifier: GPL-2.0
/*
 * MRC congestion control: the list of what there is, and the null control.
 */
#include "cong.h"

/* Largest window, bytes; what the null control always gives. */
#define MRC_CWND_MAX	(16U << 20)

static const struct mrc_cong_ops *const mrc_congs[] = {
	&mrc_cong_aimd,
	&mrc_cong_null,
};

/**
 * mrc_cong_find() - congestion control of a name
 * @name: as in MRC_CONGESTION
 *
 * Context: any.
 * Return: its operations, or NULL.
 */
const struct mrc_cong_ops *mrc_cong_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(mrc_congs); i++)
		if (!strcmp(mrc_congs[i]->name, name))
			return mrc_congs[i];
	return NULL;
}

/**
 * mrc_cong_names() - all names, separated by spaces
 * @buf: where to write them, always terminated
 * @size: bytes in @buf, not 0
 *
 * Context: any.
 * Return: characters written without the final NUL.
 */
int mrc_cong_names(char *buf, size_t size)
{
	unsigned int i;
	int n = 0;

	for (i = 0; i < ARRAY_SIZE(mrc_congs); i++)
		n += scnprintf(buf + n, size - n, "%s%s", i ? " " : "",
			       mrc_congs[i]->name);
	return n;
}

/* For benchmarks and fabrics that cannot congest: a constant window. */
static void mrc_null_init(struct mrc_subflow *sf)
{
	sf->cwnd = MRC_CWND_MAX;
	sf->ssthresh = MRC_CWND_MAX;
	sf->cwnd_acc = 0;
}

static void mrc_null_on_ack(struct mrc_subflow *sf, u32 bytes, u64 rtt, bool ce,
			    u64 now)
{
}

static void mrc_null_on_loss(struct mrc_subflow *sf, u32 bytes, u64 send_seq,
			     u64 now)
{
}

static void mrc_null_on_timeout(struct mrc_subflow *sf, u64 now)
{
}

const struct mrc_cong_ops mrc_cong_null = {
	.name		= "null",
	.init		= mrc_null_init,
	.on_ack		= mrc_null_on_ack,
	.on_loss	= mrc_null_on_loss,
	.on_timeout	= mrc_null_on_timeout,
};
