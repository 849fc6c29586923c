/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MRC congestion control: keeps mrc_subflow.cwnd.
 */
#ifndef _MRC_CONG_H
#define _MRC_CONG_H

#include "subflow.h"

/**
 * struct mrc_cong_ops - a congestion control
 * @name: as in MRC_CONGESTION.
 * @init: set cwnd and ssthresh of a new or revived subflow.
 * @on_ack: @bytes sent over @sf were acknowledged; @rtt is a sample in ns or
 *	0; @ce tells that the SACK reported a CE mark.
 * @on_loss: @bytes were declared lost; the packet had number @send_seq.
 * @on_timeout: the RTO expired with nothing heard.
 */
struct mrc_cong_ops {
	const char *name;
	void (*init)(struct mrc_subflow *sf);
	void (*on_ack)(struct mrc_subflow *sf, u32 bytes, u64 rtt, bool ce,
		       u64 now);
	void (*on_loss)(struct mrc_subflow *sf, u32 bytes, u64 send_seq,
			u64 now);
	void (*on_timeout)(struct mrc_subflow *sf, u64 now);
};

extern const struct mrc_cong_ops mrc_cong_aimd;
extern const struct mrc_cong_ops mrc_cong_null;

const struct mrc_cong_ops *mrc_cong_find(const char *name);
int mrc_cong_names(char *buf, size_t size);

#endif /* _MRC_CONG_H */
