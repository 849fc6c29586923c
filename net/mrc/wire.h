/* SPDX-License-Identifier: GPL-2.0 */
/*
 * MRC wire format: encode, decode and check packets.
 *
 * Everything between the UDP header and the end of the packet.  Layouts and
 * opcodes follow MRC 1.0 sections 7.3 to 7.5 as publicly known; opcodes from
 * 0xe0 on are private (connection management) and marked so.  Documented for
 * users in Documentation/networking/mrc-protocol.rst.
 */
#ifndef _MRC_WIRE_H
#define _MRC_WIRE_H

#include "core.h"

#define MRC_BTH_LEN	12
#define MRC_METH_LEN	4
#define MRC_TSETH_LEN	4
#define MRC_RETH_LEN	16
#define MRC_IMM_LEN	4
#define MRC_AETH_LEN	4
#define MRC_SETH_LEN	28
#define MRC_CCSTATE_LEN	8
#define MRC_NETH_LEN	20
#define MRC_PETH_LEN	16
#define MRC_ERTH_LEN	16
#define MRC_EETH_LEN	36
#define MRC_ICRC_LEN	4

/* Headers of the longest data packet: BTH METH TSETH RETH ImmDt. */
#define MRC_DATA_HDR_MAX	(MRC_BTH_LEN + MRC_METH_LEN + MRC_TSETH_LEN + \
				 MRC_RETH_LEN + MRC_IMM_LEN)
/* What follows the payload at most: 3 bytes of padding and the ICRC. */
#define MRC_DATA_TRAILER_MAX	(3 + MRC_ICRC_LEN)

/* Fixed part of a connection management message, behind the BTH. */
#define MRC_CM_HDR_LEN		20
/* REQ and REP: fixed part including the header, before the TLVs. */
#define MRC_CM_REQ_LEN		44
/*
 * A REQ is padded to this many bytes behind the BTH, so that no REP, which
 * may list 16 IPv6 endpoints, is larger than the REQ that caused it.
 */
#define MRC_CM_REQ_PADDED	432
#define MRC_CM_MAX		512

/* Header bytes that must be in the linear buffer to parse any packet. */
#define MRC_HDR_PULL_MAX	(MRC_BTH_LEN + MRC_CM_MAX)

/* Queue pair numbers with a meaning of their own. */
#define MRC_QPN_CM	1	/* connection management (private) */
#define MRC_QPN_EP	2	/* endpoint operations */
#define MRC_QPN_MIN	16	/* connections use MRC_QPN_MIN..2^24-1 */

#define MRC_VERSION	1	/* of the private connection management */

enum mrc_opcode {
	MRC_OP_WRITE_FIRST	= 0xc6,
	MRC_OP_WRITE_MIDDLE	= 0xc7,
	MRC_OP_WRITE_LAST	= 0xc8,
	MRC_OP_WRITE_LAST_IMM	= 0xc9,
	MRC_OP_WRITE_ONLY	= 0xca,
	MRC_OP_WRITE_ONLY_IMM	= 0xcb,
	MRC_OP_TACK		= 0xd1,	/* Transport ACK */
	MRC_OP_EP_REQ		= 0xd8,
	MRC_OP_EP_RESP		= 0xd9,
	MRC_OP_SACK		= 0xdc,
	MRC_OP_NACK		= 0xdd,
	MRC_OP_PROBE		= 0xde,
	/* private: connection management on MRC_QPN_CM */
	MRC_OP_CM_REQ		= 0xe0,
	MRC_OP_CM_REP		= 0xe1,
	MRC_OP_CM_RTU		= 0xe2,
	MRC_OP_CM_REJ		= 0xe3,
	MRC_OP_CM_DREQ		= 0xe4,
	MRC_OP_CM_DREP		= 0xe5,
	MRC_OP_CM_COOKIE	= 0xe6,	/* reserved for the stateless listener */
	MRC_OP_CM_LAP		= 0xe7,	/* my endpoint list is now this */
	MRC_OP_CM_APR		= 0xe8,	/* list received */
};

/* SETH.m: what the responder advises about the EV. */
enum mrc_sack_m {
	MRC_M_NONE		= 0,
	MRC_M_SKIP_ONCE		= 1,
	MRC_M_ALWAYS_SKIP	= 2,
};

enum mrc_nack_reason {
	MRC_NACK_TRIMMED		= 0x01,
	MRC_NACK_TRIMMED_LASTHOP	= 0x02,
	MRC_NACK_NO_BITMAP		= 0x06,
	MRC_NACK_NO_PKT_BUFFER		= 0x07,
	MRC_NACK_NO_RESOURCE		= 0x0a,
	MRC_NACK_PSN_OOR_WINDOW		= 0x0b,
	MRC_NACK_UNEXP_EVENT		= 0x19,
};

/* Why a REJ was sent. */
enum mrc_rej_reason {
	MRC_REJ_NONE		= 0,
	MRC_REJ_NO_LISTENER	= 1,	/* nobody listens: ECONNREFUSED */
	MRC_REJ_BACKLOG		= 2,	/* accept queue is full: REQ is retried */
	MRC_REJ_VERSION		= 3,	/* EPROTO */
	MRC_REJ_NO_RESOURCE	= 4,	/* REQ is retried */
	MRC_REJ_NO_CONNECTION	= 5,	/* QPN unknown: ECONNRESET */
	MRC_REJ_TYPE		= 6,	/* other socket type: ECONNREFUSED */
};

#define MRC_CM_CAP_ICRC		(1U << 0) /* packets carry a valid ICRC */
#define MRC_CM_CAP_DYN_MPR	(1U << 1) /* SETH.mpr is meaningful */

/* DREQ flags */
#define MRC_DREQ_FIN		(1U << 0) /* no data behind final_psn */
#define MRC_DREQ_ABORT		(1U << 1) /* connection is gone: ECONNRESET */

/**
 * struct mrc_write - headers of a data packet (METH, TSETH, RETH, ImmDt)
 * @rqmsn: counts WRITEs with immediate, 16 bits; equals @msn here since every
 *	message is one WRITE with immediate.
 * @msn: message number, 16 bits.
 * @tstamp: transmission time, 128 ns ticks, 16 bits.
 * @va: byte offset of the payload in the connection's byte sequence.
 * @rkey: the responder's token.
 * @msg_len: length of the whole message; MRC_LEN_OPEN while it is still
 *	being written with MSG_MORE.
 * @imm: immediate data; 0.
 */
struct mrc_write {
	u16 rqmsn;
	u16 msn;
	u16 tstamp;
	u64 va;
	u32 rkey;
	u32 msg_len;
	u32 imm;
};

#define MRC_LEN_OPEN	0xffffffffU

/**
 * struct mrc_sack - Reliability SACK (SETH and CC_STATE)
 * @cack: everything up to and including it was received; 24 bits on the wire.
 * @trigger_off: PSN of the packet that caused it, relative to @cack.
 * @probe: this answers a probe; @probe_id is valid, @trigger_off is not.
 * @probe_id: identifier of the probe.
 * @m: enum mrc_sack_m.
 * @rtx: the packet that caused it was a retransmission (BTH.rtx).
 * @entropy: EV of the packet that caused it.
 * @spdcid: sender's tag, high half of a verification tag.
 * @dpdcid: low half; together (spdcid << 16 | dpdcid) the receiver's tag.
 * @mpr: packets allowed beyond @cack, in units agreed at set-up.
 * @sack_off: PSN of bit 0 of @bitmap, relative to @cack.
 * @bitmap: received packets from that PSN on; a clear bit means nothing.
 * @tstamp: echoed transmission time.
 * @ooo: packets received out of order, 15 bits.
 * @restore_cwnd: see NSCC.
 * @rcv_cwnd_pen: see NSCC, 7 bits.
 * @rcvd_bytes: bytes received in all, units of 256, 24 bits.
 */
struct mrc_sack {
	u32 cack;
	s16 trigger_off;
	bool probe;
	u16 probe_id;
	u8 m;
	bool rtx;
	u32 entropy;
	u16 spdcid;
	u16 dpdcid;
	u8 mpr;
	s16 sack_off;
	u64 bitmap;
	u16 tstamp;
	u16 ooo;
	bool restore_cwnd;
	u8 rcv_cwnd_pen;
	u32 rcvd_bytes;
};

/**
 * struct mrc_nack - Reliability NACK (NETH)
 * @reason: enum mrc_nack_reason.
 * @entropy: EV of the packet that caused it.
 * @spdcid: as in struct mrc_sack.
 * @dpdcid: as in struct mrc_sack.
 * @psn: the packet that must be sent again, 24 bits.
 * @tstamp: echoed transmission time.
 */
struct mrc_nack {
	u8 reason;
	u32 entropy;
	u16 spdcid;
	u16 dpdcid;
	u32 psn;
	u16 tstamp;
};

/**
 * struct mrc_probe - Reliability Probe Request (PETH)
 * @probe_id: chosen by the sender, returned in the SACK.
 * @spdcid: as in struct mrc_sack.
 * @dpdcid: as in struct mrc_sack.
 * @tstamp: transmission time, 128 ns ticks.
 */
struct mrc_probe {
	u16 probe_id;
	u16 spdcid;
	u16 dpdcid;
	u16 tstamp;
};

/**
 * struct mrc_tack - Transport ACK (AETH)
 * @msn: number of messages that the application has taken, 16 bits; AETH
 *	has 24 bits for it, the high 8 are 0.
 */
struct mrc_tack {
	u16 msn;
};

/**
 * struct mrc_wire_ep - an endpoint in REQ, REP and LAP
 * @plane: 0..MRC_PLANE_MAX.
 * @flags: MRC_ENDPOINT_F_*.
 * @id: endpoint id at its owner.
 * @len: length of @addr: 4 (IPv4) or 16 (IPv6).
 * @addr: network byte order.
 */
struct mrc_wire_ep {
	u8 plane;
	u8 flags;
	u8 id;
	u8 len;
	u8 addr[16];
};

/**
 * struct mrc_cm - connection management message
 * @version: MRC_VERSION.
 * @src_qpn: sender's QPN; 0 in a REJ without connection.
 * @dst_qpn: receiver's QPN; 0 in a REQ.
 * @src_tag: tag that packets to the sender must carry (REQ, REP), else echoed.
 * @dst_tag: the receiver's tag; 0 in a REQ.
 * @caps: REQ, REP: MRC_CM_CAP_*.
 * @sport: REQ, REP: service port of the sender.
 * @dport: REQ, REP: service port of the receiver.
 * @psn: REQ, REP: first PSN the sender will use, 24 bits.
 *	DREQ, DREP: PSN of the last packet the DREQ's sender has sent.
 * @rkey: REQ, REP: token that data to the sender must carry.
 * @mtu: REQ, REP: largest payload of one packet, bytes.
 * @mpr: REQ, REP: packets that may be in flight to the sender, in units.
 * @mpr_shift: REQ, REP: the unit is 1 << mpr_shift packets, 0..15.
 * @credits: REQ, REP: messages that may wait unread at the sender.
 * @sock_type: REQ, REP: SOCK_SEQPACKET or SOCK_STREAM.
 * @reason: REJ: enum mrc_rej_reason.
 * @flags: DREQ: MRC_DREQ_*.
 * @gen: LAP, APR: number of the list, grows by one with each.
 * @n_eps: REQ, REP, LAP: entries in @eps.
 * @eps: the sender's endpoints.
 */
struct mrc_cm {
	u8 version;
	u32 src_qpn;
	u32 dst_qpn;
	u32 src_tag;
	u32 dst_tag;
	u32 caps;
	u16 sport;
	u16 dport;
	u32 psn;
	u32 rkey;
	u16 mtu;
	u8 mpr;
	u8 mpr_shift;
	u16 credits;
	u8 sock_type;
	u32 reason;
	u32 flags;
	u32 gen;
	u8 n_eps;
	struct mrc_wire_ep eps[MRC_ENDPOINTS_MAX];
};

/**
 * struct mrc_pkt - one packet, decoded, host byte order
 * @opcode: enum mrc_opcode.
 * @pad: bytes of padding behind the payload, 0..3.
 * @ack_req: BTH.A: answer at once.
 * @rtx: BTH.rtx: this PSN was sent before.
 * @ts: BTH.ts: TSETH present (data packets).
 * @dqpn: destination queue pair, 24 bits.
 * @psn: BTH.PSN, 24 bits; what it means depends on the opcode.
 * @hdr_len: bytes from the BTH to the payload (out of mrc_wire_parse()).
 * @len: bytes of payload without padding (out of mrc_wire_parse()).
 * @write: data packets.
 * @sack: MRC_OP_SACK.
 * @nack: MRC_OP_NACK.
 * @probe: MRC_OP_PROBE.
 * @tack: MRC_OP_TACK.
 * @cm: MRC_OP_CM_*.
 */
struct mrc_pkt {
	u8 opcode;
	u8 pad;
	bool ack_req;
	bool rtx;
	bool ts;
	u32 dqpn;
	u32 psn;
	u32 hdr_len;
	u32 len;
	union {
		struct mrc_write write;
		struct mrc_sack sack;
		struct mrc_nack nack;
		struct mrc_probe probe;
		struct mrc_tack tack;
		struct mrc_cm cm;
	};
};

static inline bool mrc_op_is_write(u8 op)
{
	return op >= MRC_OP_WRITE_FIRST && op <= MRC_OP_WRITE_ONLY_IMM;
}

static inline bool mrc_op_is_cm(u8 op)
{
	return op >= MRC_OP_CM_REQ && op <= MRC_OP_CM_APR;
}

static inline bool mrc_op_has_imm(u8 op)
{
	return op == MRC_OP_WRITE_LAST_IMM || op == MRC_OP_WRITE_ONLY_IMM;
}

static inline bool mrc_op_is_first(u8 op)
{
	return op == MRC_OP_WRITE_FIRST || op == MRC_OP_WRITE_ONLY ||
	       op == MRC_OP_WRITE_ONLY_IMM;
}

static inline bool mrc_op_is_last(u8 op)
{
	return op >= MRC_OP_WRITE_LAST && op <= MRC_OP_WRITE_ONLY_IMM;
}

/* Opcode of a data packet of a message; messages carry an immediate at the end. */
static inline u8 mrc_op_write(bool first, bool last)
{
	if (last)
		return first ? MRC_OP_WRITE_ONLY_IMM : MRC_OP_WRITE_LAST_IMM;
	return first ? MRC_OP_WRITE_FIRST : MRC_OP_WRITE_MIDDLE;
}

const char *mrc_opcode_name(u8 opcode);
u32 mrc_wire_hdr_len(u8 opcode, bool ts);
int mrc_wire_parse(const u8 *buf, u32 avail, u32 pkt_len, struct mrc_pkt *p);
u32 mrc_wire_build(u8 *buf, u32 size, const struct mrc_pkt *p);
u32 mrc_icrc_header(const u8 *buf, u32 len);
u32 mrc_icrc_update(u32 crc, const void *data, size_t len);
void mrc_icrc_store(u8 *at, u32 crc);
bool mrc_icrc_equal(const u8 *at, u32 crc);

#endif /* _MRC_WIRE_H */
