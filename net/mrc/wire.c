// SPDX-License-Identifier: GPL-2.0
/*
 * MRC wire format: encode, decode and check packets.
 *
 * Layouts of MRC 1.0 section 7.5 as publicly known; connection management
 * (opcodes 0xe0 and up) is private and described in wire.h and below.
 * Nothing of a packet is read before it is known to be there: a decoder gets
 * what anyone may have sent.
 */
#include <linux/crc32.h>

#include "wire.h"

/* Fields of the BTH. */
#define BTH_PAD_SHIFT	4
#define BTH_PAD_MASK	0x30
#define BTH_TVER_MASK	0x0f
#define BTH_A		0x80
#define BTH_RTX		0x20
#define BTH_TS		0x10
/* The byte that the network may change; the ICRC takes it as all ones. */
#define BTH_VARIANT	4

/* TSETH and PETH: 128 ns ticks, format 1. */
#define TS_FORMAT	0x0001
/* SETH, first 16 bits. */
#define SETH_TYPE_MASK	0xf000
#define SETH_M_SHIFT	5
#define SETH_PR		0x0002
/* AETH: there are no end-to-end credits. */
#define AETH_NO_CREDIT	0x1f
/* NETH: congestion control type of what follows. */
#define NETH_CC_TYPE	0x20

/* TLVs of connection management messages. */
#define TLV_HDR_LEN	4
#define TLV_MUST	0x8000
#define TLV_PADDING	0
#define TLV_ENDPOINT	1
#define TLV_EP_FIXED	4

static u16 get16(const u8 *b)
{
	return b[0] << 8 | b[1];
}

static u32 get24(const u8 *b)
{
	return (u32)b[0] << 16 | b[1] << 8 | b[2];
}

static u32 get32(const u8 *b)
{
	return (u32)get16(b) << 16 | get16(b + 2);
}

static u64 get64(const u8 *b)
{
	return (u64)get32(b) << 32 | get32(b + 4);
}

static void put16(u8 *b, u16 v)
{
	b[0] = v >> 8;
	b[1] = v;
}

static void put24(u8 *b, u32 v)
{
	b[0] = v >> 16;
	put16(b + 1, v);
}

static void put32(u8 *b, u32 v)
{
	put16(b, v >> 16);
	put16(b + 2, v);
}

static void put64(u8 *b, u64 v)
{
	put32(b, v >> 32);
	put32(b + 4, v);
}

/**
 * mrc_opcode_name() - name of an opcode for people
 * @opcode: enum mrc_opcode
 *
 * Context: any.
 * Return: a name, "unknown" for other numbers.
 */
const char *mrc_opcode_name(u8 opcode)
{
	switch (opcode) {
	case MRC_OP_WRITE_FIRST:	return "WRITE_FIRST";
	case MRC_OP_WRITE_MIDDLE:	return "WRITE_MIDDLE";
	case MRC_OP_WRITE_LAST:		return "WRITE_LAST";
	case MRC_OP_WRITE_LAST_IMM:	return "WRITE_LAST_IMM";
	case MRC_OP_WRITE_ONLY:		return "WRITE_ONLY";
	case MRC_OP_WRITE_ONLY_IMM:	return "WRITE_ONLY_IMM";
	case MRC_OP_TACK:		return "TACK";
	case MRC_OP_EP_REQ:		return "EP_REQ";
	case MRC_OP_EP_RESP:		return "EP_RESP";
	case MRC_OP_SACK:		return "SACK";
	case MRC_OP_NACK:		return "NACK";
	case MRC_OP_PROBE:		return "PROBE";
	case MRC_OP_CM_REQ:		return "CM_REQ";
	case MRC_OP_CM_REP:		return "CM_REP";
	case MRC_OP_CM_RTU:		return "CM_RTU";
	case MRC_OP_CM_REJ:		return "CM_REJ";
	case MRC_OP_CM_DREQ:		return "CM_DREQ";
	case MRC_OP_CM_DREP:		return "CM_DREP";
	case MRC_OP_CM_COOKIE:		return "CM_COOKIE";
	case MRC_OP_CM_LAP:		return "CM_LAP";
	case MRC_OP_CM_APR:		return "CM_APR";
	default:			return "unknown";
	}
}

/* Behind the BTH: fixed part of a connection management message. */
static u32 mrc_cm_fixed_len(u8 opcode)
{
	switch (opcode) {
	case MRC_OP_CM_REQ:
	case MRC_OP_CM_REP:
		return MRC_CM_REQ_LEN;
	case MRC_OP_CM_DREQ:
	case MRC_OP_CM_DREP:
		return MRC_CM_HDR_LEN + 8;
	case MRC_OP_CM_REJ:
	case MRC_OP_CM_LAP:
	case MRC_OP_CM_APR:
		return MRC_CM_HDR_LEN + 4;
	default:
		return MRC_CM_HDR_LEN;
	}
}

/**
 * mrc_wire_hdr_len() - bytes of headers
 * @opcode: enum mrc_opcode
 * @ts: TSETH present; data packets only
 *
 * Context: any.
 * Return: bytes from the BTH to the last extension header; for connection
 * management without the TLVs; 0 if the opcode is unknown.
 */
u32 mrc_wire_hdr_len(u8 opcode, bool ts)
{
	if (mrc_op_is_write(opcode))
		return MRC_BTH_LEN + MRC_METH_LEN + (ts ? MRC_TSETH_LEN : 0) +
		       MRC_RETH_LEN +
		       (mrc_op_has_imm(opcode) ? MRC_IMM_LEN : 0);
	if (mrc_op_is_cm(opcode))
		return MRC_BTH_LEN + mrc_cm_fixed_len(opcode);
	switch (opcode) {
	case MRC_OP_TACK:
		return MRC_BTH_LEN + MRC_AETH_LEN;
	case MRC_OP_EP_REQ:
		return MRC_BTH_LEN + MRC_ERTH_LEN;
	case MRC_OP_EP_RESP:
		return MRC_BTH_LEN + MRC_EETH_LEN;
	case MRC_OP_SACK:
		return MRC_BTH_LEN + MRC_SETH_LEN + MRC_CCSTATE_LEN;
	case MRC_OP_NACK:
		return MRC_BTH_LEN + MRC_NETH_LEN;
	case MRC_OP_PROBE:
		return MRC_BTH_LEN + MRC_PETH_LEN;
	default:
		return 0;
	}
}

/* --------------------------------------------------------------- decoding */

static int mrc_parse_write(const u8 *b, u32 pkt_len, struct mrc_pkt *p)
{
	struct mrc_write *w = &p->write;
	u32 rest = pkt_len - p->hdr_len - MRC_ICRC_LEN;

	/* Padding makes the payload a multiple of four and never more. */
	if (rest & 3 || rest < p->pad || (!rest && p->pad))
		return -EINVAL;
	p->len = rest - p->pad;
	if (p->pad && p->len < 1)
		return -EINVAL;
	w->rqmsn = get16(b);
	w->msn = get16(b + 2);
	b += MRC_METH_LEN;
	if (p->ts) {
		/* Only echoed, so its unit is the sender's affair. */
		w->tstamp = get16(b);
		b += MRC_TSETH_LEN;
	}
	w->va = get64(b);
	w->rkey = get32(b + 8);
	w->msg_len = get32(b + 12);
	if (mrc_op_has_imm(p->opcode))
		w->imm = get32(b + MRC_RETH_LEN);
	return 0;
}

static int mrc_parse_sack(const u8 *b, struct mrc_pkt *p)
{
	struct mrc_sack *s = &p->sack;
	u16 bits = get16(b);

	s->cack = get24(b + 13);
	if ((bits & SETH_TYPE_MASK) || s->cack != p->psn)
		return -EINVAL;
	s->m = bits >> SETH_M_SHIFT & 3;
	s->probe = bits & SETH_PR;
	if (s->probe)
		s->probe_id = get16(b + 2);
	else
		s->trigger_off = (s16)get16(b + 2);
	s->rtx = p->rtx;
	s->entropy = get32(b + 4);
	s->spdcid = get16(b + 8);
	s->dpdcid = get16(b + 10);
	s->mpr = b[17];
	s->sack_off = (s16)get16(b + 18);
	s->bitmap = get64(b + 20);
	b += MRC_SETH_LEN;
	s->tstamp = get16(b);
	s->ooo = get16(b + 2) & 0x7fff;
	s->restore_cwnd = b[4] & 0x80;
	s->rcv_cwnd_pen = b[4] & 0x7f;
	s->rcvd_bytes = get24(b + 5);
	return 0;
}

static int mrc_parse_nack(const u8 *b, struct mrc_pkt *p)
{
	struct mrc_nack *n = &p->nack;

	n->reason = b[2];
	n->entropy = get32(b + 4);
	n->spdcid = get16(b + 8);
	n->dpdcid = get16(b + 10);
	n->psn = get24(b + 13);
	n->tstamp = get16(b + 18);
	return n->psn == p->psn ? 0 : -EINVAL;
}

static int mrc_parse_probe(const u8 *b, struct mrc_pkt *p)
{
	p->probe.probe_id = get16(b + 4);
	p->probe.spdcid = get16(b + 8);
	p->probe.dpdcid = get16(b + 10);
	p->probe.tstamp = get16(b + 12);
	return 0;
}

static int mrc_parse_tack(const u8 *b, struct mrc_pkt *p)
{
	/* Anything else would be a NAK, which MRC sockets do not send. */
	if (b[0] != AETH_NO_CREDIT)
		return -EINVAL;
	p->tack.msn = get24(b + 1);
	return 0;
}

static int mrc_parse_endpoint(const u8 *b, u32 len, struct mrc_cm *cm)
{
	struct mrc_wire_ep *ep;

	if (len != TLV_EP_FIXED + 4 && len != TLV_EP_FIXED + 16)
		return -EINVAL;
	if (cm->n_eps == MRC_ENDPOINTS_MAX)
		return -EINVAL;
	ep = &cm->eps[cm->n_eps++];
	ep->plane = b[0];
	ep->flags = b[1];
	ep->id = b[2];
	ep->len = len - TLV_EP_FIXED;
	memcpy(ep->addr, b + TLV_EP_FIXED, ep->len);
	return 0;
}

/* type(16) length(16) value, padded to four bytes; @len is a multiple of 4 */
static int mrc_parse_tlvs(const u8 *b, u32 len, struct mrc_cm *cm)
{
	u32 type, vlen, padded;
	int err;

	while (len) {
		if (len < TLV_HDR_LEN)
			return -EINVAL;
		type = get16(b);
		vlen = get16(b + 2);
		padded = (vlen + 3) & ~3U;
		b += TLV_HDR_LEN;
		len -= TLV_HDR_LEN;
		if (padded > len)
			return -EINVAL;
		switch (type & ~TLV_MUST) {
		case TLV_PADDING:
			break;
		case TLV_ENDPOINT:
			err = mrc_parse_endpoint(b, vlen, cm);
			if (err)
				return err;
			break;
		default:
			if (type & TLV_MUST)
				return -EPROTO;
		}
		b += padded;
		len -= padded;
	}
	return 0;
}

static int mrc_parse_req(const u8 *b, struct mrc_cm *cm)
{
	cm->caps = get32(b + 20);
	cm->sport = get16(b + 24);
	cm->dport = get16(b + 26);
	cm->psn = get32(b + 28) & MRC_PSN_MASK;
	cm->rkey = get32(b + 32);
	cm->mtu = get16(b + 36);
	cm->mpr = b[38];
	cm->mpr_shift = b[39];
	cm->credits = get16(b + 40);
	cm->sock_type = b[42];
	return cm->mpr_shift <= 15 ? 0 : -EINVAL;
}

/* What follows the common header of a connection management message. */
static int mrc_parse_cm_fixed(const u8 *b, struct mrc_pkt *p)
{
	struct mrc_cm *cm = &p->cm;

	switch (p->opcode) {
	case MRC_OP_CM_REQ:
	case MRC_OP_CM_REP:
		return mrc_parse_req(b, cm);
	case MRC_OP_CM_REJ:
		cm->reason = get32(b + 20);
		return 0;
	case MRC_OP_CM_DREQ:
	case MRC_OP_CM_DREP:
		cm->psn = get32(b + 20) & MRC_PSN_MASK;
		cm->flags = get32(b + 24);
		return 0;
	case MRC_OP_CM_LAP:
	case MRC_OP_CM_APR:
		cm->gen = get32(b + 20);
		return 0;
	default:
		return 0;
	}
}

static bool mrc_cm_has_tlvs(u8 opcode)
{
	return opcode == MRC_OP_CM_REQ || opcode == MRC_OP_CM_REP ||
	       opcode == MRC_OP_CM_LAP;
}

/*
 * @b is behind the BTH, @avail bytes are there, of which the fixed part is
 * known to be; @len bytes are there up to the ICRC.
 */
static int mrc_parse_cm(const u8 *b, u32 avail, u32 len, struct mrc_pkt *p)
{
	u32 fixed = mrc_cm_fixed_len(p->opcode);
	struct mrc_cm *cm = &p->cm;
	int err;

	cm->version = b[0];
	if (!cm->version)
		return -EPROTO;
	if (get16(b + 2) != len || len > avail || len > MRC_CM_MAX || len & 3)
		return -EINVAL;
	if (len != fixed && !mrc_cm_has_tlvs(p->opcode))
		return -EINVAL;
	p->hdr_len = MRC_BTH_LEN + len;
	cm->src_qpn = get32(b + 4) & 0xffffff;
	cm->dst_qpn = get32(b + 8) & 0xffffff;
	cm->src_tag = get32(b + 12);
	cm->dst_tag = get32(b + 16);
	err = mrc_parse_cm_fixed(b, p);
	if (err)
		return err;
	return mrc_parse_tlvs(b + fixed, len - fixed, cm);
}

static int mrc_parse_bth(const u8 *b, struct mrc_pkt *p)
{
	p->opcode = b[0];
	p->pad = (b[1] & BTH_PAD_MASK) >> BTH_PAD_SHIFT;
	p->dqpn = get24(b + 5);
	p->ack_req = b[8] & BTH_A;
	p->rtx = b[8] & BTH_RTX;
	p->ts = b[8] & BTH_TS;
	p->psn = get24(b + 9);
	p->hdr_len = mrc_wire_hdr_len(p->opcode, p->ts);
	if (b[1] & BTH_TVER_MASK)
		return -EINVAL;
	if (!p->hdr_len || p->opcode == MRC_OP_EP_REQ ||
	    p->opcode == MRC_OP_EP_RESP || p->opcode == MRC_OP_CM_COOKIE)
		return -EOPNOTSUPP;
	return 0;
}

/**
 * mrc_wire_parse() - decode a packet
 * @buf: the packet from the BTH on
 * @avail: bytes that can be read at @buf; all headers must be among them
 * @pkt_len: bytes of the packet from the BTH to the end of the ICRC
 * @p: out: the packet; contents are undefined unless 0 is returned
 *
 * Never reads beyond the smaller of @avail and @pkt_len.  Values are not
 * judged, only their form; the ICRC is not looked at.
 *
 * Context: any.
 * Return: 0, -EINVAL (malformed or too short), -EOPNOTSUPP (unknown opcode),
 * -EPROTO (version 0, or something that must be understood is not).
 */
int mrc_wire_parse(const u8 *buf, u32 avail, u32 pkt_len, struct mrc_pkt *p)
{
	const u8 *b = buf + MRC_BTH_LEN;
	int err;

	memset(p, 0, sizeof(*p));
	avail = min(avail, pkt_len);
	if (avail < MRC_BTH_LEN)
		return -EINVAL;
	err = mrc_parse_bth(buf, p);
	if (err)
		return err;
	if (avail < p->hdr_len || pkt_len - p->hdr_len < MRC_ICRC_LEN)
		return -EINVAL;
	if (mrc_op_is_write(p->opcode))
		return mrc_parse_write(b, pkt_len, p);
	if (p->pad)
		return -EINVAL;
	if (mrc_op_is_cm(p->opcode))
		return mrc_parse_cm(b, avail - MRC_BTH_LEN,
				    pkt_len - MRC_BTH_LEN - MRC_ICRC_LEN, p);
	if (pkt_len != p->hdr_len + MRC_ICRC_LEN)
		return -EINVAL;
	switch (p->opcode) {
	case MRC_OP_SACK:
		return mrc_parse_sack(b, p);
	case MRC_OP_NACK:
		return mrc_parse_nack(b, p);
	case MRC_OP_PROBE:
		return mrc_parse_probe(b, p);
	default:
		return mrc_parse_tack(b, p);
	}
}

/* --------------------------------------------------------------- encoding */

static void mrc_build_write(u8 *b, const struct mrc_pkt *p)
{
	const struct mrc_write *w = &p->write;

	put16(b, w->rqmsn);
	put16(b + 2, w->msn);
	b += MRC_METH_LEN;
	if (p->ts) {
		put16(b, w->tstamp);
		put16(b + 2, TS_FORMAT);
		b += MRC_TSETH_LEN;
	}
	put64(b, w->va);
	put32(b + 8, w->rkey);
	put32(b + 12, w->msg_len);
	if (mrc_op_has_imm(p->opcode))
		put32(b + MRC_RETH_LEN, w->imm);
}

static void mrc_build_sack(u8 *b, const struct mrc_sack *s)
{
	put16(b, (s->m & 3) << SETH_M_SHIFT | (s->probe ? SETH_PR : 0));
	put16(b + 2, s->probe ? s->probe_id : (u16)s->trigger_off);
	put32(b + 4, s->entropy);
	put16(b + 8, s->spdcid);
	put16(b + 10, s->dpdcid);
	put24(b + 13, s->cack);
	b[17] = s->mpr;
	put16(b + 18, (u16)s->sack_off);
	put64(b + 20, s->bitmap);
	b += MRC_SETH_LEN;
	put16(b, s->tstamp);
	put16(b + 2, s->ooo & 0x7fff);
	b[4] = (s->restore_cwnd ? 0x80 : 0) | (s->rcv_cwnd_pen & 0x7f);
	put24(b + 5, s->rcvd_bytes);
}

static void mrc_build_nack(u8 *b, const struct mrc_nack *n)
{
	b[2] = n->reason;
	put32(b + 4, n->entropy);
	put16(b + 8, n->spdcid);
	put16(b + 10, n->dpdcid);
	put24(b + 13, n->psn);
	b[16] = NETH_CC_TYPE;
	put16(b + 18, n->tstamp);
}

static void mrc_build_probe(u8 *b, const struct mrc_probe *pr)
{
	put16(b + 4, pr->probe_id);
	put16(b + 8, pr->spdcid);
	put16(b + 10, pr->dpdcid);
	put16(b + 12, pr->tstamp);
	put16(b + 14, TS_FORMAT);
}

static void mrc_build_req(u8 *b, const struct mrc_cm *cm)
{
	put32(b + 20, cm->caps);
	put16(b + 24, cm->sport);
	put16(b + 26, cm->dport);
	put32(b + 28, cm->psn & MRC_PSN_MASK);
	put32(b + 32, cm->rkey);
	put16(b + 36, cm->mtu);
	b[38] = cm->mpr;
	b[39] = cm->mpr_shift;
	put16(b + 40, cm->credits);
	b[42] = cm->sock_type;
}

static void mrc_build_endpoint(u8 *b, const struct mrc_wire_ep *ep)
{
	put16(b, TLV_ENDPOINT);
	put16(b + 2, TLV_EP_FIXED + ep->len);
	b += TLV_HDR_LEN;
	b[0] = ep->plane;
	b[1] = ep->flags;
	b[2] = ep->id;
	memcpy(b + TLV_EP_FIXED, ep->addr, ep->len);
}

/* Bytes behind the BTH, or 0 if the message cannot be expressed. */
static u32 mrc_cm_body_len(const struct mrc_pkt *p)
{
	u32 len = mrc_cm_fixed_len(p->opcode), i;

	if (p->opcode == MRC_OP_CM_COOKIE)
		return 0;
	if (!mrc_cm_has_tlvs(p->opcode))
		return len;
	if (p->cm.n_eps > MRC_ENDPOINTS_MAX)
		return 0;
	for (i = 0; i < p->cm.n_eps; i++) {
		if (p->cm.eps[i].len != 4 && p->cm.eps[i].len != 16)
			return 0;
		len += TLV_HDR_LEN + TLV_EP_FIXED + p->cm.eps[i].len;
	}
	/* All lengths are multiples of four: what is missing holds a TLV. */
	return p->opcode == MRC_OP_CM_REQ ? max_t(u32, len, MRC_CM_REQ_PADDED) :
					    len;
}

static void mrc_build_cm(u8 *b, u32 len, const struct mrc_pkt *p)
{
	u32 at = mrc_cm_fixed_len(p->opcode), i;
	const struct mrc_cm *cm = &p->cm;

	b[0] = cm->version;
	put16(b + 2, len);
	put32(b + 4, cm->src_qpn & 0xffffff);
	put32(b + 8, cm->dst_qpn & 0xffffff);
	put32(b + 12, cm->src_tag);
	put32(b + 16, cm->dst_tag);
	if (p->opcode == MRC_OP_CM_REQ || p->opcode == MRC_OP_CM_REP) {
		mrc_build_req(b, cm);
	} else if (p->opcode == MRC_OP_CM_REJ) {
		put32(b + 20, cm->reason);
	} else if (p->opcode == MRC_OP_CM_DREQ || p->opcode == MRC_OP_CM_DREP) {
		put32(b + 20, cm->psn & MRC_PSN_MASK);
		put32(b + 24, cm->flags);
	} else if (p->opcode == MRC_OP_CM_LAP || p->opcode == MRC_OP_CM_APR) {
		put32(b + 20, cm->gen);
	}
	for (i = 0; at < len && i < cm->n_eps; i++) {
		mrc_build_endpoint(b + at, &cm->eps[i]);
		at += TLV_HDR_LEN + TLV_EP_FIXED + cm->eps[i].len;
	}
	if (at < len) {
		put16(b + at, TLV_PADDING);
		put16(b + at + 2, len - at - TLV_HDR_LEN);
	}
}

static void mrc_build_bth(u8 *b, const struct mrc_pkt *p)
{
	u32 psn = p->psn;

	/* Both places of the same number can only agree. */
	if (p->opcode == MRC_OP_SACK)
		psn = p->sack.cack;
	else if (p->opcode == MRC_OP_NACK)
		psn = p->nack.psn;
	b[0] = p->opcode;
	b[1] = mrc_op_is_write(p->opcode) ? (p->pad & 3) << BTH_PAD_SHIFT : 0;
	put16(b + 2, 0xffff);
	put24(b + 5, p->dqpn);
	b[8] = (p->ack_req ? BTH_A : 0) | (p->ts ? BTH_TS : 0) |
	       (p->rtx || (p->opcode == MRC_OP_SACK && p->sack.rtx) ?
		BTH_RTX : 0);
	put24(b + 9, psn);
}

/**
 * mrc_wire_build() - encode the headers of a packet
 * @buf: where to write them
 * @size: bytes at @buf
 * @p: the packet; hdr_len and len are not looked at
 *
 * A REQ is padded to MRC_CM_REQ_PADDED bytes behind the BTH.
 *
 * Context: any.
 * Return: bytes written (everything but payload, its padding and the ICRC),
 * or 0: @size is too small, or the packet cannot be expressed.
 */
u32 mrc_wire_build(u8 *buf, u32 size, const struct mrc_pkt *p)
{
	u32 len = mrc_wire_hdr_len(p->opcode, p->ts);
	u8 *b = buf + MRC_BTH_LEN;

	if (mrc_op_is_cm(p->opcode)) {
		len = mrc_cm_body_len(p);
		len += len ? MRC_BTH_LEN : 0;
	}
	if (!len || len > size || p->opcode == MRC_OP_EP_REQ ||
	    p->opcode == MRC_OP_EP_RESP)
		return 0;
	memset(buf, 0, len);
	mrc_build_bth(buf, p);
	if (mrc_op_is_write(p->opcode)) {
		mrc_build_write(b, p);
	} else if (mrc_op_is_cm(p->opcode)) {
		mrc_build_cm(b, len - MRC_BTH_LEN, p);
	} else if (p->opcode == MRC_OP_SACK) {
		mrc_build_sack(b, &p->sack);
	} else if (p->opcode == MRC_OP_NACK) {
		mrc_build_nack(b, &p->nack);
	} else if (p->opcode == MRC_OP_PROBE) {
		mrc_build_probe(b, &p->probe);
	} else {
		b[0] = AETH_NO_CREDIT;
		put24(b + 1, p->tack.msn);
	}
	return len;
}

/* ------------------------------------------------------------------- ICRC */

/**
 * mrc_icrc_header() - begin the ICRC with the headers
 * @buf: packet from the BTH on
 * @len: bytes of it to take, at least MRC_BTH_LEN
 *
 * Context: any.
 * Return: value for mrc_icrc_update() and mrc_icrc_store().
 */
u32 mrc_icrc_header(const u8 *buf, u32 len)
{
	static const u8 variant = 0xff;
	u32 crc = crc32_le(~0U, buf, BTH_VARIANT);

	crc = crc32_le(crc, &variant, 1);
	return crc32_le(crc, buf + BTH_VARIANT + 1, len - BTH_VARIANT - 1);
}

/**
 * mrc_icrc_update() - continue the ICRC
 * @crc: value so far
 * @data: payload or padding
 * @len: bytes, may be 0
 *
 * Context: any.
 * Return: new value.
 */
u32 mrc_icrc_update(u32 crc, const void *data, size_t len)
{
	return len ? crc32_le(crc, data, len) : crc;
}

/**
 * mrc_icrc_store() - write the ICRC, little endian as in InfiniBand
 * @at: MRC_ICRC_LEN bytes behind the padding
 * @crc: value over everything in front of it
 *
 * Context: any.
 */
void mrc_icrc_store(u8 *at, u32 crc)
{
	crc = ~crc;
	at[0] = crc;
	at[1] = crc >> 8;
	at[2] = crc >> 16;
	at[3] = crc >> 24;
}

/**
 * mrc_icrc_equal() - is the ICRC of a packet right?
 * @at: MRC_ICRC_LEN bytes as received
 * @crc: value over everything in front of it
 *
 * Context: any.
 * Return: true if so.
 */
bool mrc_icrc_equal(const u8 *at, u32 crc)
{
	u8 want[MRC_ICRC_LEN];

	mrc_icrc_store(want, crc);
	return !memcmp(at, want, sizeof(want));
}
