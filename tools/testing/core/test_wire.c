// SPDX-License-Identifier: GPL-2.0
/* MRC wire format: against bytes written by hand, truncation, fuzz. */
#include <errno.h>

#include <linux/crc32.h>

#include "harness.h"
#include "wire.h"

/* Every packet is looked at in a block of exactly its size, for ASAN. */
static int parse_exact(const u8 *b, u32 avail, u32 pkt_len, struct mrc_pkt *p)
{
	u8 *copy = malloc(avail ? avail : 1);
	int err;

	memcpy(copy, b, avail);
	err = mrc_wire_parse(copy, avail, pkt_len, p);
	free(copy);
	return err;
}

/* Build must give these bytes, and all shorter buffers must be refused. */
static void check_build(const struct mrc_pkt *p, const u8 *want, u32 len)
{
	u8 buf[MRC_HDR_PULL_MAX + 8];
	u32 i, n;

	memset(buf, 0xee, sizeof(buf));
	n = mrc_wire_build(buf, len, p);
	CHECK_EQ(n, len);
	for (i = 0; i < len; i++) {
		if (buf[i] == want[i])
			continue;
		printf("# byte %u is %02x, not %02x\n", i, buf[i], want[i]);
		harness_bad++;
	}
	CHECK_EQ(buf[len], 0xee);
	for (i = 0; i < len; i++) {
		u8 *small = malloc(i ? i : 1);

		CHECK_EQ(mrc_wire_build(small, i, p), 0);
		free(small);
	}
}

/* Too short in either sense is an error at every length. */
static void check_truncated(const u8 *b, u32 hdr_len)
{
	struct mrc_pkt p;
	u32 i;

	for (i = 0; i < hdr_len; i++) {
		CHECK(parse_exact(b, i, hdr_len + 4, &p) < 0);
		CHECK(parse_exact(b, i, i, &p) < 0);
	}
	for (i = 0; i < 4; i++)
		CHECK(parse_exact(b, hdr_len, hdr_len + i, &p) < 0);
}

static const u8 write_first[] = {
	0xc6, 0x00, 0xff, 0xff, 0x00, 0x12, 0x34, 0x56,	/* BTH */
	0x90, 0xab, 0xcd, 0xef,
	0x01, 0x02, 0x03, 0x04,				/* METH */
	0xbe, 0xef, 0x00, 0x01,				/* TSETH */
	0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88,	/* RETH */
	0xde, 0xad, 0xbe, 0xef, 0x00, 0x01, 0x00, 0x00,
};

static void data_first(void)
{
	struct mrc_pkt p, b = {
		.opcode = MRC_OP_WRITE_FIRST, .ack_req = true, .ts = true,
		.dqpn = 0x123456, .psn = 0xabcdef,
		.write = { .rqmsn = 0x0102, .msn = 0x0304, .tstamp = 0xbeef,
			   .va = 0x1122334455667788ULL, .rkey = 0xdeadbeef,
			   .msg_len = 65536 },
	};

	CHECK_EQ(sizeof(write_first), mrc_wire_hdr_len(0xc6, true));
	check_build(&b, write_first, sizeof(write_first));
	check_truncated(write_first, sizeof(write_first));
	CHECK_EQ(parse_exact(write_first, sizeof(write_first),
			     sizeof(write_first) + 1400 + 4, &p), 0);
	CHECK_EQ(p.opcode, MRC_OP_WRITE_FIRST);
	CHECK(p.ack_req && !p.rtx && p.ts);
	CHECK_EQ(p.dqpn, 0x123456);
	CHECK_EQ(p.psn, 0xabcdef);
	CHECK_EQ(p.pad, 0);
	CHECK_EQ(p.hdr_len, 36);
	CHECK_EQ(p.len, 1400);
	CHECK_EQ(p.write.rqmsn, 0x0102);
	CHECK_EQ(p.write.msn, 0x0304);
	CHECK_EQ(p.write.tstamp, 0xbeef);
	CHECK_EQ(p.write.va, 0x1122334455667788LL);
	CHECK_EQ(p.write.rkey, 0xdeadbeef);
	CHECK_EQ(p.write.msg_len, 65536);
}

static const u8 write_only_imm[] = {
	0xcb, 0x30, 0xff, 0xff, 0x00, 0x00, 0x00, 0x10,	/* BTH, pad 3 */
	0x20, 0x00, 0x00, 0x07,
	0x00, 0x09, 0x00, 0x09,				/* METH */
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x2a,	/* RETH, no TSETH */
	0x00, 0x00, 0x00, 0x05, 0x00, 0x00, 0x00, 0x01,
	0xca, 0xfe, 0xba, 0xbe,				/* ImmDt */
};

static void data_only_imm(void)
{
	struct mrc_pkt p, b = {
		.opcode = MRC_OP_WRITE_ONLY_IMM, .rtx = true, .pad = 3,
		.dqpn = 16, .psn = 7,
		.write = { .rqmsn = 9, .msn = 9, .va = 42, .rkey = 5,
			   .msg_len = 1, .imm = 0xcafebabe },
	};
	u32 n = sizeof(write_only_imm);

	CHECK_EQ(n, 36);
	check_build(&b, write_only_imm, n);
	check_truncated(write_only_imm, n);
	CHECK_EQ(parse_exact(write_only_imm, n, n + 4 + 4, &p), 0);
	CHECK_EQ(p.len, 1);
	CHECK_EQ(p.pad, 3);
	CHECK(p.rtx && !p.ack_req && !p.ts);
	CHECK_EQ(p.write.va, 42);
	CHECK_EQ(p.write.imm, 0xcafebabe);
	/* Padding without payload, with a whole word too much, or too little. */
	CHECK_EQ(parse_exact(write_only_imm, n, n + 4, &p), -EINVAL);
	CHECK_EQ(parse_exact(write_only_imm, n, n + 4 + 3, &p), -EINVAL);
	CHECK_EQ(parse_exact(write_only_imm, n, n + 4 + 2, &p), -EINVAL);
	CHECK_EQ(parse_exact(write_only_imm, n, n + 4 + 5, &p), -EINVAL);
}

/* The other data opcodes: which headers they have. */
static void data_others(void)
{
	static const struct { u8 op; u32 len; bool first, last; } ops[] = {
		{ 0xc6, 36, true, false }, { 0xc7, 36, false, false },
		{ 0xc8, 36, false, true }, { 0xc9, 40, false, true },
		{ 0xca, 36, true, true }, { 0xcb, 40, true, true },
	};
	u8 buf[64];
	unsigned int i;
	struct mrc_pkt p;

	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		struct mrc_pkt b = { .opcode = ops[i].op, .ts = true,
				     .write.va = 77, .write.imm = i };

		CHECK_EQ(mrc_wire_hdr_len(ops[i].op, true), ops[i].len);
		CHECK_EQ(mrc_wire_hdr_len(ops[i].op, false), ops[i].len - 4);
		CHECK_EQ(mrc_wire_build(buf, sizeof(buf), &b), ops[i].len);
		CHECK_EQ(parse_exact(buf, ops[i].len, ops[i].len + 4, &p), 0);
		CHECK_EQ(p.len, 0);
		CHECK_EQ(p.write.va, 77);
		CHECK_EQ(mrc_op_is_first(p.opcode), ops[i].first);
		CHECK_EQ(mrc_op_is_last(p.opcode), ops[i].last);
	}
}

static const u8 sack[] = {
	0xdc, 0x00, 0xff, 0xff, 0x00, 0x00, 0x01, 0x02,	/* BTH */
	0x20, 0x00, 0x10, 0x00,
	0x00, 0x20, 0xff, 0xfe,				/* SETH: m 1, off -2 */
	0x00, 0x00, 0xc1, 0x23,				/* entropy */
	0xaa, 0xbb, 0xcc, 0xdd,				/* spdcid, dpdcid */
	0x00, 0x00, 0x10, 0x00,				/* cack */
	0x00, 0x08, 0x00, 0x01,				/* cc, mpr, sack_off */
	0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x05,	/* bitmap */
	0x12, 0x34, 0x00, 0x21,				/* CC_STATE */
	0x8f, 0x01, 0x02, 0x03,
};

static void sack_bytes(void)
{
	struct mrc_pkt p, b = {
		.opcode = MRC_OP_SACK, .dqpn = 0x102, .psn = 0x1000, .rtx = true,
		.sack = { .cack = 0x1000, .trigger_off = -2, .m = 1,
			  .entropy = 0xc123, .spdcid = 0xaabb, .dpdcid = 0xccdd,
			  .mpr = 8, .sack_off = 1, .rtx = true,
			  .bitmap = 0x8000000000000005ULL, .tstamp = 0x1234,
			  .ooo = 0x21, .restore_cwnd = true, .rcv_cwnd_pen = 15,
			  .rcvd_bytes = 0x010203 },
	};
	u8 bad[sizeof(sack)];

	CHECK_EQ(sizeof(sack), 48);
	check_build(&b, sack, sizeof(sack));
	check_truncated(sack, sizeof(sack));
	CHECK_EQ(parse_exact(sack, 48, 52, &p), 0);
	CHECK_EQ(p.sack.cack, 0x1000);
	CHECK_EQ(p.sack.trigger_off, -2);
	CHECK_EQ(p.sack.m, MRC_M_SKIP_ONCE);
	CHECK(p.sack.rtx && !p.sack.probe && p.sack.restore_cwnd);
	CHECK_EQ(p.sack.entropy, 0xc123);
	CHECK_EQ(p.sack.spdcid, 0xaabb);
	CHECK_EQ(p.sack.dpdcid, 0xccdd);
	CHECK_EQ(p.sack.mpr, 8);
	CHECK_EQ(p.sack.sack_off, 1);
	CHECK(p.sack.bitmap == 0x8000000000000005ULL);
	CHECK_EQ(p.sack.tstamp, 0x1234);
	CHECK_EQ(p.sack.ooo, 0x21);
	CHECK_EQ(p.sack.rcv_cwnd_pen, 15);
	CHECK_EQ(p.sack.rcvd_bytes, 0x010203);
	/* Both copies of the CACK must agree. */
	memcpy(bad, sack, sizeof(sack));
	bad[11] ^= 1;
	CHECK_EQ(parse_exact(bad, 48, 52, &p), -EINVAL);
	/* Nothing may follow, nor pretend to be padding. */
	CHECK_EQ(parse_exact(sack, 48, 56, &p), -EINVAL);
	memcpy(bad, sack, sizeof(sack));
	bad[1] = 0x10;
	CHECK_EQ(parse_exact(bad, 48, 52, &p), -EINVAL);
}

static void sack_probe_reply(void)
{
	struct mrc_pkt p, b = {
		.opcode = MRC_OP_SACK,
		.sack = { .probe = true, .probe_id = 0xfedc, .trigger_off = 5 },
	};
	u8 buf[48];

	CHECK_EQ(mrc_wire_build(buf, sizeof(buf), &b), 48);
	CHECK_EQ(buf[12], 0x00);
	CHECK_EQ(buf[13], 0x02);
	CHECK_EQ(buf[14], 0xfe);
	CHECK_EQ(buf[15], 0xdc);
	CHECK_EQ(parse_exact(buf, 48, 52, &p), 0);
	CHECK(p.sack.probe);
	CHECK_EQ(p.sack.probe_id, 0xfedc);
	CHECK_EQ(p.sack.trigger_off, 0);
}

static const u8 nack[] = {
	0xdd, 0x00, 0xff, 0xff, 0x00, 0x00, 0x00, 0x11,	/* BTH */
	0x00, 0xff, 0xff, 0xff,
	0x00, 0x00, 0x07, 0x00, 0x00, 0x00, 0xd0, 0x01,	/* NETH */
	0x00, 0x01, 0x00, 0x02, 0x00, 0xff, 0xff, 0xff,
	0x20, 0x00, 0x56, 0x78,
};

static void nack_bytes(void)
{
	struct mrc_pkt p, b = {
		.opcode = MRC_OP_NACK, .dqpn = 0x11, .psn = 0xffffff,
		.nack = { .reason = 7, .entropy = 0xd001, .spdcid = 1,
			  .dpdcid = 2, .psn = 0xffffff, .tstamp = 0x5678 },
	};

	check_build(&b, nack, sizeof(nack));
	check_truncated(nack, sizeof(nack));
	CHECK_EQ(parse_exact(nack, 32, 36, &p), 0);
	CHECK_EQ(p.nack.reason, MRC_NACK_NO_PKT_BUFFER);
	CHECK_EQ(p.nack.entropy, 0xd001);
	CHECK_EQ(p.nack.psn, 0xffffff);
	CHECK_EQ(p.nack.tstamp, 0x5678);
}

static const u8 probe[] = {
	0xde, 0x00, 0xff, 0xff, 0x00, 0x00, 0x00, 0x12,	/* BTH */
	0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x12, 0x34, 0x00, 0x00,	/* PETH */
	0x00, 0x03, 0x00, 0x04, 0xab, 0xcd, 0x00, 0x01,
};

static void probe_bytes(void)
{
	struct mrc_pkt p, b = {
		.opcode = MRC_OP_PROBE, .dqpn = 0x12,
		.probe = { .probe_id = 0x1234, .spdcid = 3, .dpdcid = 4,
			   .tstamp = 0xabcd },
	};

	check_build(&b, probe, sizeof(probe));
	check_truncated(probe, sizeof(probe));
	CHECK_EQ(parse_exact(probe, 28, 32, &p), 0);
	CHECK_EQ(p.probe.probe_id, 0x1234);
	CHECK_EQ(p.probe.spdcid, 3);
	CHECK_EQ(p.probe.dpdcid, 4);
	CHECK_EQ(p.probe.tstamp, 0xabcd);
}

static const u8 tack[] = {
	0xd1, 0x00, 0xff, 0xff, 0x00, 0x00, 0x00, 0x13,	/* BTH */
	0x00, 0x00, 0x00, 0x05,
	0x1f, 0x00, 0x80, 0x01,				/* AETH */
};

static void tack_bytes(void)
{
	struct mrc_pkt p, b = {
		.opcode = MRC_OP_TACK, .dqpn = 0x13, .psn = 5,
		.tack = { .msn = 0x8001 },
	};
	u8 bad[16];

	check_build(&b, tack, sizeof(tack));
	check_truncated(tack, sizeof(tack));
	CHECK_EQ(parse_exact(tack, 16, 20, &p), 0);
	CHECK_EQ(p.tack.msn, 0x8001);
	/* A NAK is no ACK. */
	memcpy(bad, tack, 16);
	bad[12] = 0x64;
	CHECK_EQ(parse_exact(bad, 16, 20, &p), -EINVAL);
}

static const u8 rep[] = {
	0xe1, 0x00, 0xff, 0xff, 0x00, 0x00, 0x00, 0x01,	/* BTH, QPN 1 */
	0x00, 0x00, 0x00, 0x00,
	0x01, 0x00, 0x00, 0x50, 0x00, 0x12, 0x34, 0x56,	/* 80 bytes */
	0x00, 0x65, 0x43, 0x21, 0xa1, 0xa2, 0xa3, 0xa4,
	0xb1, 0xb2, 0xb3, 0xb4,
	0x00, 0x00, 0x00, 0x03, 0x1f, 0x90, 0x00, 0x16,	/* caps, ports */
	0x00, 0xab, 0xcd, 0xef, 0xc1, 0xc2, 0xc3, 0xc4,	/* psn, rkey */
	0x05, 0xb4, 0x40, 0x03, 0x00, 0x80, 0x05, 0x00,	/* mtu .. type */
	0x00, 0x01, 0x00, 0x08, 0x02, 0x01, 0x07, 0x00,	/* endpoint v4 */
	0x0a, 0x00, 0x00, 0x01,
	0x00, 0x01, 0x00, 0x14, 0x03, 0x00, 0x08, 0x00,	/* endpoint v6 */
	0xfd, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
	0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02,
};

static struct mrc_pkt rep_pkt(void)
{
	return (struct mrc_pkt) {
		.opcode = MRC_OP_CM_REP, .dqpn = 1,
		.cm = { .version = 1, .src_qpn = 0x123456, .dst_qpn = 0x654321,
			.src_tag = 0xa1a2a3a4, .dst_tag = 0xb1b2b3b4, .caps = 3,
			.sport = 8080, .dport = 22, .psn = 0xabcdef,
			.rkey = 0xc1c2c3c4, .mtu = 1460, .mpr = 64,
			.mpr_shift = 3, .credits = 128, .sock_type = 5,
			.n_eps = 2,
			.eps = {
				{ .plane = 2, .flags = 1, .id = 7, .len = 4,
				  .addr = { 10, 0, 0, 1 } },
				{ .plane = 3, .id = 8, .len = 16,
				  .addr = { 0xfd, [15] = 2 } },
			} },
	};
}

static void rep_build_parse(void)
{
	struct mrc_pkt p, b = rep_pkt();
	u32 n = sizeof(rep), i;

	CHECK_EQ(n, 12 + 44 + 12 + 24);
	check_build(&b, rep, n);
	check_truncated(rep, n);
	CHECK_EQ(parse_exact(rep, n, n + 4, &p), 0);
	CHECK_EQ(p.hdr_len, n);
	CHECK_EQ(p.len, 0);
	CHECK_EQ(p.cm.src_qpn, 0x123456);
	CHECK_EQ(p.cm.dst_qpn, 0x654321);
	CHECK_EQ(p.cm.src_tag, 0xa1a2a3a4);
	CHECK_EQ(p.cm.dst_tag, 0xb1b2b3b4);
	CHECK_EQ(p.cm.sport, 8080);
	CHECK_EQ(p.cm.dport, 22);
	CHECK_EQ(p.cm.psn, 0xabcdef);
	CHECK_EQ(p.cm.rkey, 0xc1c2c3c4);
	CHECK_EQ(p.cm.mtu, 1460);
	CHECK_EQ(p.cm.mpr, 64);
	CHECK_EQ(p.cm.mpr_shift, 3);
	CHECK_EQ(p.cm.credits, 128);
	CHECK_EQ(p.cm.sock_type, 5);
	CHECK_EQ(p.cm.n_eps, 2);
	for (i = 0; i < 2; i++)
		CHECK(!memcmp(&p.cm.eps[i], &b.cm.eps[i], sizeof(b.cm.eps[i])));
}

static int rep_changed(u32 at, u8 value)
{
	u8 b[sizeof(rep)];
	struct mrc_pkt p;

	memcpy(b, rep, sizeof(b));
	b[at] = value;
	return parse_exact(b, sizeof(b), sizeof(b) + 4, &p);
}

static void rep_malformed(void)
{
	CHECK_EQ(rep_changed(12, 0), -EPROTO);		/* version 0 */
	CHECK_EQ(rep_changed(12, 2), 0);		/* the caller's decision */
	CHECK_EQ(rep_changed(1, 1), -EINVAL);		/* tver */
	CHECK_EQ(rep_changed(1, 0x10), -EINVAL);	/* pad */
	CHECK_EQ(rep_changed(15, 76), -EINVAL);		/* total length */
	CHECK_EQ(rep_changed(15, 84), -EINVAL);
	CHECK_EQ(rep_changed(51, 16), -EINVAL);		/* mpr_shift */
	CHECK_EQ(rep_changed(51, 15), 0);
	CHECK_EQ(rep_changed(59, 9), -EINVAL);		/* address length */
	CHECK_EQ(rep_changed(59, 0), -EINVAL);
	CHECK_EQ(rep_changed(71, 0x18), -EINVAL);	/* beyond the end */
	CHECK_EQ(rep_changed(70, 0xff), -EINVAL);
	CHECK_EQ(rep_changed(56, 0x7f), 0);		/* unknown: skipped */
	CHECK_EQ(rep_changed(56, 0x80), 0);		/* known and a must */
	CHECK_EQ(rep_changed(56, 0xff), -EPROTO);	/* unknown and a must */
}

static void req_padded(void)
{
	struct mrc_pkt p, b = rep_pkt();
	u8 buf[MRC_HDR_PULL_MAX];
	u32 i, n, rep_len;

	b.opcode = MRC_OP_CM_REQ;
	for (n = 0; n <= MRC_ENDPOINTS_MAX; n++) {
		b.cm.n_eps = n;
		for (i = 0; i < n; i++)
			b.cm.eps[i] = (struct mrc_wire_ep) {
				.plane = i, .id = i + 1, .len = 16,
				.addr = { 0xfe, i } };
		CHECK_EQ(mrc_wire_build(buf, sizeof(buf), &b), 12 + 432);
		CHECK_EQ(parse_exact(buf, 444, 448, &p), 0);
		CHECK_EQ(p.cm.n_eps, n);
		CHECK(!memcmp(p.cm.eps, b.cm.eps, n * sizeof(b.cm.eps[0])));
	}
	/* No REP is larger than the REQ that caused it. */
	b.opcode = MRC_OP_CM_REP;
	rep_len = mrc_wire_build(buf, sizeof(buf), &b);
	CHECK(rep_len > 0 && rep_len <= 444);
	/* One endpoint more than there may be. */
	CHECK_EQ(rep_len, 12 + 44 + 16 * 24);
	memcpy(buf + rep_len, buf + rep_len - 24, 24);
	buf[14] = (rep_len + 24 - 12) >> 8;
	buf[15] = (u8)(rep_len + 24 - 12);
	CHECK_EQ(parse_exact(buf, rep_len + 24, rep_len + 28, &p), -EINVAL);
	b.cm.n_eps = 17;
	CHECK_EQ(mrc_wire_build(buf, sizeof(buf), &b), 0);
	b.cm.n_eps = 1;
	b.cm.eps[0].len = 5;
	CHECK_EQ(mrc_wire_build(buf, sizeof(buf), &b), 0);
}

/* The small connection management messages, written by hand. */
static void cm_small(void)
{
	static const struct { u8 op; u32 len; u8 tail[8]; } m[] = {
		{ MRC_OP_CM_RTU, 20, { 0 } },
		{ MRC_OP_CM_REJ, 24, { 0, 0, 0, 1 } },
		{ MRC_OP_CM_DREQ, 28, { 0, 0xff, 0xff, 0xff, 0, 0, 0, 2 } },
		{ MRC_OP_CM_DREP, 28, { 0, 0xff, 0xff, 0xff, 0, 0, 0, 2 } },
		{ MRC_OP_CM_LAP, 24, { 0, 0, 0, 9 } },
		{ MRC_OP_CM_APR, 24, { 0, 0, 0, 9 } },
	};
	struct mrc_pkt p;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(m); i++) {
		struct mrc_pkt b = {
			.opcode = m[i].op, .dqpn = 1,
			.cm = { .version = 1, .src_qpn = 2, .dst_qpn = 3,
				.src_tag = 4, .dst_tag = 5, .reason = 1,
				.psn = 0xffffff, .flags = 2, .gen = 9 },
		};
		u8 want[12 + 28] = {
			m[i].op, 0, 0xff, 0xff, 0, 0, 0, 1, 0, 0, 0, 0,
			1, 0, 0, m[i].len, 0, 0, 0, 2, 0, 0, 0, 3,
			0, 0, 0, 4, 0, 0, 0, 5,
		};

		memcpy(want + 32, m[i].tail, m[i].len - 20);
		check_build(&b, want, 12 + m[i].len);
		check_truncated(want, 12 + m[i].len);
		CHECK_EQ(parse_exact(want, 12 + m[i].len, 16 + m[i].len, &p), 0);
		CHECK_EQ(p.cm.src_tag, 4);
		CHECK_EQ(p.cm.dst_tag, 5);
		if (m[i].op == MRC_OP_CM_REJ)
			CHECK_EQ(p.cm.reason, 1);
		if (m[i].op == MRC_OP_CM_DREQ || m[i].op == MRC_OP_CM_DREP) {
			CHECK_EQ(p.cm.psn, 0xffffff);
			CHECK_EQ(p.cm.flags, 2);
		}
		if (m[i].op == MRC_OP_CM_LAP || m[i].op == MRC_OP_CM_APR)
			CHECK_EQ(p.cm.gen, 9);
	}
}

static void unknown_opcodes(void)
{
	u8 buf[64] = { 0 };
	struct mrc_pkt p;
	unsigned int op, known = 0;

	for (op = 0; op < 256; op++) {
		buf[0] = op;
		if (parse_exact(buf, sizeof(buf), sizeof(buf), &p) != -EOPNOTSUPP)
			known++;
		else
			CHECK(!strcmp(mrc_opcode_name(op), "unknown") ||
			      op == MRC_OP_EP_REQ || op == MRC_OP_EP_RESP ||
			      op == MRC_OP_CM_COOKIE);
	}
	CHECK_EQ(known, 6 + 4 + 8);
}

/* Random bytes, and random changes of good packets. */
static void fuzz(void)
{
	static const struct { const u8 *b; u32 len; } good[] = {
		{ write_first, sizeof(write_first) },
		{ write_only_imm, sizeof(write_only_imm) },
		{ sack, sizeof(sack) }, { nack, sizeof(nack) },
		{ probe, sizeof(probe) }, { tack, sizeof(tack) },
		{ rep, sizeof(rep) },
	};
	u8 buf[600], out[600];
	struct mrc_pkt p;
	u32 i, k, len, avail, pkt_len;

	for (i = 0; i < 200000; i++) {
		if (i & 1) {
			k = rnd_below(ARRAY_SIZE(good));
			len = good[k].len;
			memcpy(buf, good[k].b, len);
			for (k = rnd_below(4); k; k--)
				buf[rnd_below(len)] = rnd();
		} else {
			len = rnd_below(sizeof(buf));
			for (k = 0; k < len; k++)
				buf[k] = rnd();
			buf[0] = 0xc0 + rnd_below(48);
		}
		avail = rnd_chance(300) ? rnd_below(len + 1) : len;
		pkt_len = rnd_chance(300) ? rnd_below(2 * len + 8) : len + 4;
		if (parse_exact(buf, avail, pkt_len, &p))
			continue;
		/* What is accepted fits in the packet and can be built again. */
		CHECK(p.hdr_len + p.len + p.pad + 4 == pkt_len);
		CHECK(p.hdr_len <= avail);
		CHECK(mrc_wire_build(out, sizeof(out), &p) ||
		      mrc_op_is_cm(p.opcode));
	}
}

/* Values that go in come out again. */
static void roundtrip(void)
{
	u8 buf[64];
	struct mrc_pkt p, q;
	int i;

	for (i = 0; i < 20000; i++) {
		memset(&p, 0, sizeof(p));
		p.opcode = MRC_OP_SACK;
		p.dqpn = rnd() & 0xffffff;
		p.psn = rnd() & 0xffffff;
		p.rtx = rnd() & 1;
		p.sack = (struct mrc_sack) {
			.cack = p.psn, .m = rnd_below(3), .rtx = p.rtx,
			.entropy = rnd(), .spdcid = rnd(), .dpdcid = rnd(),
			.mpr = rnd(), .sack_off = rnd(), .tstamp = rnd(),
			.bitmap = (u64)rnd() << 32 | rnd(),
			.ooo = rnd() & 0x7fff, .rcv_cwnd_pen = rnd() & 0x7f,
			.rcvd_bytes = rnd() & 0xffffff,
		};
		p.sack.probe = rnd() & 1;
		if (p.sack.probe)
			p.sack.probe_id = rnd();
		else
			p.sack.trigger_off = rnd();
		CHECK_EQ(mrc_wire_build(buf, sizeof(buf), &p), 48);
		CHECK_EQ(parse_exact(buf, 48, 52, &q), 0);
		p.hdr_len = 48;
		CHECK(!memcmp(&p.sack, &q.sack, sizeof(p.sack)));
		CHECK_EQ(p.dqpn, q.dqpn);
		CHECK_EQ(p.psn, q.psn);
	}
}

/* CRC-32 of "123456789" is 0xcbf43926; an ICRC is one of the same kind. */
static void icrc(void)
{
	u8 hdr[12] = { 0xdc, 0, 0xff, 0xff, 0x00, 1, 2, 3, 4, 5, 6, 7 };
	u8 at[4], at2[4];
	u32 crc = mrc_icrc_update(~0U, "123456789", 9);

	mrc_icrc_store(at, crc);
	CHECK_EQ(at[0], 0x26);
	CHECK_EQ(at[1], 0x39);
	CHECK_EQ(at[2], 0xf4);
	CHECK_EQ(at[3], 0xcb);
	CHECK(mrc_icrc_equal(at, crc));
	at[3] ^= 1;
	CHECK(!mrc_icrc_equal(at, crc));
	/* The variant byte may change on the way, nothing else. */
	crc = mrc_icrc_header(hdr, 12);
	hdr[4] = 0x80;
	CHECK_EQ(crc, mrc_icrc_header(hdr, 12));
	hdr[4] = 0xff;
	CHECK_EQ(crc, crc32_le(~0U, hdr, 12));
	hdr[5] ^= 1;
	CHECK(crc != mrc_icrc_header(hdr, 12));
	/* In pieces or as a whole. */
	crc = mrc_icrc_update(mrc_icrc_update(7, "abc", 3), "defg", 4);
	mrc_icrc_store(at, crc);
	mrc_icrc_store(at2, mrc_icrc_update(7, "abcdefg", 7));
	CHECK(!memcmp(at, at2, 4));
	CHECK_EQ(mrc_icrc_update(crc, NULL, 0), crc);
}

static void expand(void)
{
	u64 ref = (5ULL << 24) - 1;

	CHECK_EQ(mrc_psn_expand(ref, 0xffffff), ref);
	CHECK_EQ(mrc_psn_expand(ref, 0), ref + 1);
	CHECK_EQ(mrc_psn_expand(ref + 1, 0xffffff), ref);
	CHECK_EQ(mrc_psn_expand(5ULL << 24, 0x7fffff), (5ULL << 24) + 0x7fffff);
	CHECK_EQ(mrc_psn_expand(5ULL << 24, 0x800001), (4ULL << 24) + 0x800001);
	CHECK_EQ(mrc_expand(0, 0xffff, 16), 0xffff);
	CHECK_EQ(mrc_psn_first(0x1234567), (1 << 24) + 0x234567);
}

static const struct test tests[] = {
	TEST(expand, "truncated numbers are not expanded to the nearest"),
	TEST(data_first, "WRITE FIRST differs from the specification"),
	TEST(data_only_imm, "WRITE ONLY with immediate or padding is wrong"),
	TEST(data_others, "a data opcode has wrong headers"),
	TEST(sack_bytes, "SACK differs from the specification"),
	TEST(sack_probe_reply, "the answer to a probe is not told apart"),
	TEST(nack_bytes, "NACK differs from the specification"),
	TEST(probe_bytes, "probe differs from the specification"),
	TEST(tack_bytes, "Transport ACK differs from the specification"),
	TEST(rep_build_parse, "REP differs from its description"),
	TEST(rep_malformed, "a malformed REP is accepted"),
	TEST(req_padded, "REQ is smaller than the largest REP"),
	TEST(cm_small, "a connection management message is wrong"),
	TEST(unknown_opcodes, "an unknown opcode is not refused as such"),
	TEST(fuzz, "the parser believes or reads what is not there"),
	TEST(roundtrip, "a SACK changes on its way"),
	TEST(icrc, "the ICRC is wrong"),
};

HARNESS_MAIN(tests)
