/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MRC protocol core: what all its files share.
 *
 * The core (wire, txwin, rxwin, recovery, subflow, ev, sched, cong) is pure:
 * no skb, no socket, no lock and no clock of its own.  Time comes in as an
 * argument in nanoseconds of a monotonic clock, packets are descriptors,
 * randomness comes from a seed.  It compiles unchanged into the module and,
 * with tools/testing/shim, into user-space tests and simulators.  Callers
 * serialise all calls on one connection (the module: by the socket lock).
 */
#ifndef _MRC_CORE_H
#define _MRC_CORE_H

#include <linux/types.h>
#include <linux/kernel.h>
#include <linux/errno.h>
#include <linux/string.h>
#include <linux/bitops.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <uapi/linux/mrc.h>

#define MRC_PSN_BITS	24
#define MRC_PSN_MASK	((1U << MRC_PSN_BITS) - 1)

#define MRC_NSEC_PER_USEC	1000ULL
#define MRC_NSEC_PER_MSEC	1000000ULL
#define MRC_NSEC_PER_SEC	1000000000ULL

/* "No deadline" and "no PSN"; larger than anything that occurs. */
#define MRC_NEVER	(~0ULL)

/**
 * mrc_expand() - full sequence number of a truncated one
 * @ref: a full number known to be near
 * @wire: the low @bits bits as received
 * @bits: 1..32
 *
 * Inside, PSNs and MSNs are 64 bits wide and never wrap; the wire carries
 * the low 24 and 16 bits.  Choosing the value nearest to @ref is the serial
 * arithmetic of MRC section 6.3, done once at the border.
 *
 * Return: the number nearest to @ref whose low bits equal @wire.
 */
static inline u64 mrc_expand(u64 ref, u32 wire, unsigned int bits)
{
	u64 span = 1ULL << bits;
	u64 full = (ref & ~(span - 1)) | (wire & (span - 1));

	if (full > ref && full - ref > span / 2 && full >= span)
		full -= span;
	else if (full < ref && ref - full >= span / 2)
		full += span;
	return full;
}

/* Full PSN of the 24 bits on the wire, see mrc_expand(). */
static inline u64 mrc_psn_expand(u64 ref, u32 wire)
{
	return mrc_expand(ref, wire, MRC_PSN_BITS);
}

/* The first PSN of a connection starts one span up, so nothing underflows. */
static inline u64 mrc_psn_first(u32 wire)
{
	return (1ULL << MRC_PSN_BITS) | (wire & MRC_PSN_MASK);
}

/**
 * mrc_rand() - next number of a seeded generator (xorshift64*)
 * @state: generator state, must not be 0
 *
 * Spreading needs numbers that differ between connections, not secrets;
 * everything that must not be guessed is drawn outside the core.
 */
static inline u32 mrc_rand(u64 *state)
{
	u64 x = *state;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	*state = x;
	return (u32)((x * 0x2545f4914f6cdd1dULL) >> 32);
}

#endif /* _MRC_CORE_H */
