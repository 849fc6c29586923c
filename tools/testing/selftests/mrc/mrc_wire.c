// SPDX-License-Identifier: GPL-2.0
/*
 * Packets that nobody should send, thrown at a connection that is in use:
 * they are dropped and counted, and the connection does not notice.
 *
 * An attacker here sees everything (it reads the packets of a real connection
 * from the loopback device), so that each packet is right but for the one
 * thing that is tested.  What goes on the wire is described in
 * Documentation/networking/mrc-protocol.rst; nothing is shared with net/mrc.
 *
 * The fuzzing cases take their seed from MRC_SEED.
 */
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <strings.h>

#include "mrc_util.h"

#define UDP_PORT	4791
#define EV_BASE		0xc000
#define BTH_LEN		12
#define ICRC_LEN	4
#define QPN_CM		1
#define ROUNDS		50

#define OP_WRITE_FIRST	0xc6
#define OP_ONLY_IMM	0xcb
#define OP_TACK		0xd1
#define OP_EP_REQ	0xd8
#define OP_EP_RESP	0xd9
#define OP_SACK		0xdc
#define OP_NACK		0xdd
#define OP_PROBE	0xde
#define OP_REQ		0xe0
#define OP_REP		0xe1
#define OP_RTU		0xe2
#define OP_REJ		0xe3
#define OP_DREQ		0xe4
#define OP_DREP		0xe5
#define OP_APR		0xe8

/* Offset of the R_Key in a data packet: BTH, METH, TSETH, RETH.va */
#define OFF_RKEY	(BTH_LEN + 4 + 4 + 8)
/* Offsets of the verification tag */
#define OFF_TAG_SACK	(BTH_LEN + 8)
#define OFF_TAG_NACK	(BTH_LEN + 8)
#define OFF_TAG_PROBE	(BTH_LEN + 8)

struct packet {
	uint8_t b[2048];	/* from the BTH to the ICRC */
	int len;
	uint8_t src;		/* last byte of the source address */
};

static struct packet seen[256];
static int n_seen;
static int sniffer = -1;
static uint32_t server_qpn, client_qpn;
static uint64_t seed;

/* ------------------------------------------------------------- packets */

static uint32_t be24(const uint8_t *p)
{
	return p[0] << 16 | p[1] << 8 | p[2];
}

static uint32_t be32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | be24(p + 1);
}

static void put24(uint8_t *p, uint32_t v)
{
	p[0] = v >> 16;
	p[1] = v >> 8;
	p[2] = v;
}

static void put32(uint8_t *p, uint32_t v)
{
	p[0] = v >> 24;
	put24(p + 1, v);
}

static uint32_t crc_add(uint32_t crc, uint8_t byte)
{
	int i;

	crc ^= byte;
	for (i = 0; i < 8; i++)
		crc = crc & 1 ? crc >> 1 ^ 0xedb88320 : crc >> 1;
	return crc;
}

/* CRC-32 from the BTH to the payload, byte 4 of the BTH taken as ones. */
static uint32_t icrc(const uint8_t *b, int len)
{
	uint32_t crc = ~0U;
	int i;

	for (i = 0; i < len; i++)
		crc = crc_add(crc, i == 4 ? 0xff : b[i]);
	return ~crc;
}

static void icrc_store(uint8_t *b, int len)
{
	uint32_t crc = icrc(b, len);

	b[len] = crc;
	b[len + 1] = crc >> 8;
	b[len + 2] = crc >> 16;
	b[len + 3] = crc >> 24;
}

static uint32_t dqpn(const struct packet *p)
{
	return be24(p->b + 5);
}

static bool is_write(const struct packet *p)
{
	return p->b[0] >= OP_WRITE_FIRST && p->b[0] <= OP_ONLY_IMM;
}

/* -------------------------------------------------------------- network */

static void sniffer_open(void)
{
	int proto = mrc_fam == FAM_V6 ? ETH_P_IPV6 : ETH_P_IP;

	sniffer = socket(AF_PACKET, SOCK_DGRAM, htons(proto));
	if (sniffer < 0)
		FAIL("packet socket: %s", strerror(errno));
	set_int(sniffer, SOL_SOCKET, SO_RCVBUF, 4 << 20);
}

/* The next packet to the MRC port, or false; each is seen once. */
static bool sniff(struct packet *p)
{
	struct sockaddr_ll from;
	socklen_t len;
	uint8_t buf[4096];
	int ip, n;

	for (;;) {
		len = sizeof(from);
		n = recvfrom(sniffer, buf, sizeof(buf), MSG_DONTWAIT | MSG_TRUNC,
			     (struct sockaddr *)&from, &len);
		if (n < 0)
			return false;
		ip = mrc_fam == FAM_V6 ? 40 : 20;
		if (from.sll_pkttype != PACKET_HOST || n > 1500 || n < ip + 8 + BTH_LEN ||
		    buf[mrc_fam == FAM_V6 ? 6 : 9] != IPPROTO_UDP ||
		    (buf[ip + 2] << 8 | buf[ip + 3]) != UDP_PORT)
			continue;
		p->len = n - ip - 8;
		memcpy(p->b, buf + ip + 8, p->len);
		p->src = buf[mrc_fam == FAM_V6 ? 23 : 15];
		return true;
	}
}

static void sniff_all(void)
{
	while (n_seen < (int)ARRAY_SIZE(seen) && sniff(&seen[n_seen]))
		n_seen++;
}

/* A socket that sends to the MRC port: from the loopback address or another. */
static int injector(bool other_address)
{
	int fd = socket(fam_af(), SOCK_DGRAM, 0);
	struct sockaddr_storage ss;
	socklen_t len;

	CHECK(fd >= 0);
	if (other_address)
		len = addr_make(&ss, "10.77.0.1", "fd00:77::1", EV_BASE + 0x777);
	else
		len = addr_loop(&ss, EV_BASE + 0x777);
	set_int(fd, SOL_SOCKET, SO_REUSEADDR, 1);
	if (bind(fd, (struct sockaddr *)&ss, len))
		FAIL("bind: %s", strerror(errno));
	len = addr_loop(&ss, UDP_PORT);
	CHECK_EQ(connect(fd, (struct sockaddr *)&ss, len), 0);
	return fd;
}

static void inject_raw(int fd, const uint8_t *b, int len)
{
	if (send(fd, b, len, 0) != len)
		FAIL("inject: %s", strerror(errno));
}

/* @len bytes and the right ICRC behind them. */
static void inject(int fd, uint8_t *b, int len)
{
	icrc_store(b, len);
	inject_raw(fd, b, len + ICRC_LEN);
}

static unsigned long long counter(const char *name)
{
	FILE *f = fopen("/proc/net/mrc_snmp", "r");
	char key[64], want[64];
	unsigned long long v;

	if (!f)
		FAIL("/proc/net/mrc_snmp: %s", strerror(errno));
	snprintf(want, sizeof(want), "Mrc%s", name);
	while (fscanf(f, "%63s %llu", key, &v) == 2) {
		if (!strcasecmp(key, want)) {
			fclose(f);
			return v;
		}
	}
	FAIL("there is no %s", want);
}

/* @name has grown by @n at least since it was @before. */
static void counted(const char *name, unsigned long long before, unsigned int n)
{
	int i;

	for (i = 0; i < 500 && counter(name) - before < n; i++)
		usleep(10000);
	if (i == 500)
		FAIL("%s went from %llu to %llu, expected %u more", name, before, counter(name), n);
}

/* ----------------------------------------------------- the live connection */

static int live_pipe[2];
static pid_t live_pid;

static void ping_pong(int c, int s, uint32_t n, uint8_t *buf)
{
	uint32_t size = 1 + n * 37 % 4000;

	pattern_fill(buf, n, 0, size);
	CHECK_EQ(send(c, buf, size, MSG_NOSIGNAL), size);
	CHECK_EQ(recv(s, buf, 5000, 0), size);
	CHECK_EQ(pattern_check(buf, n, 0, size), size);
	CHECK_EQ(send(s, buf, size, MSG_NOSIGNAL), size);
	CHECK_EQ(recv(c, buf, 5000, 0), size);
	CHECK_EQ(pattern_check(buf, n, 0, size), size);
}

/* Traffic in both directions, every byte checked, until the pipe closes. */
static void live_run(int c, int s)
{
	static uint8_t buf[5000];
	uint32_t n = 0, last = 0;
	struct pollfd pfd = { .fd = live_pipe[0], .events = POLLIN };

	close(live_pipe[1]);
	while (!last || n < last) {
		ping_pong(c, s, n++, buf);
		if (!last && poll(&pfd, 1, 0))
			last = n + 20;
	}
	CHECK_EQ(sock_error(c), 0);
	CHECK_EQ(sock_error(s), 0);
	shutdown(c, SHUT_WR);
	recv_eof(s);
	shutdown(s, SHUT_WR);
	recv_eof(c);
}

/* The first packet with this opcode for this queue pair (0: any). */
static struct packet *find(int op, uint32_t qpn)
{
	int i;

	for (i = 0; i < n_seen; i++)
		if ((op == OP_ONLY_IMM ? is_write(&seen[i]) : seen[i].b[0] == op) &&
		    (!qpn || dqpn(&seen[i]) == qpn))
			return &seen[i];
	return NULL;
}

static struct packet get(int op, uint32_t qpn)
{
	struct packet *p = find(op, qpn);

	if (!p)
		FAIL("no packet with opcode %#x was seen", op);
	return *p;
}

/* A connection, its first packets, and a child that keeps it busy. */
static void live_start(void)
{
	static uint8_t buf[5000];
	const char *s_env = getenv("MRC_SEED");
	int c, s, i;

	seed = s_env ? strtoull(s_env, NULL, 0) : 1;
	sniffer_open();
	/* Keeps the UDP port open when the connection has died. */
	sock_new();
	pair_new(&c, &s);
	CHECK_EQ(send(c, buf, 1000, 0), 1000);
	CHECK_EQ(recv(s, buf, sizeof(buf), 0), 1000);
	for (i = 0; i < 20; i++) {
		usleep(10000);
		sniff_all();
	}
	server_qpn = dqpn(find(OP_ONLY_IMM, 0) ? find(OP_ONLY_IMM, 0) : &seen[0]);
	for (i = 0; i < 50; i++)
		ping_pong(c, s, i, buf);
	usleep(50000);
	sniff_all();
	for (i = 0; i < n_seen; i++)
		if (is_write(&seen[i]) && dqpn(&seen[i]) != server_qpn)
			client_qpn = dqpn(&seen[i]);
	CHECK(server_qpn > 2);
	CHECK(client_qpn > 2);
	CHECK_EQ(pipe(live_pipe), 0);
	live_pid = fork_child();
	if (!live_pid) {
		close(sniffer);
		live_run(c, s);
		_exit(0);
	}
	close(live_pipe[0]);
	close(c);
	close(s);
}

static void live_end(void)
{
	close(live_pipe[1]);
	wait_child(live_pid);
}

/* ----------------------------------------------------------------- cases */

static void packets_as_documented(void)
{
	static const int ops[] = { OP_ONLY_IMM, OP_SACK, OP_REQ, OP_REP, OP_RTU };
	struct packet p;
	unsigned int i;
	uint32_t crc;

	live_start();
	for (i = 0; i < ARRAY_SIZE(ops); i++) {
		p = get(ops[i], 0);
		crc = icrc(p.b, p.len - ICRC_LEN);
		crc = crc >> 24 | (crc >> 8 & 0xff00) | (crc << 8 & 0xff0000) | crc << 24;
		if (be32(p.b + p.len - ICRC_LEN) != crc)
			FAIL("opcode %#x: ICRC is %08x, expected %08x", p.b[0],
			     be32(p.b + p.len - ICRC_LEN), crc);
		CHECK_EQ(p.b[1] & 0x0f, 0);
	}
	CHECK_EQ(dqpn(find(OP_REQ, 0)), QPN_CM);
	CHECK_EQ(get(OP_SACK, 0).len, BTH_LEN + 28 + 8 + ICRC_LEN);
	/* No answer is larger than the request that caused it. */
	CHECK(get(OP_REP, 0).len <= get(OP_REQ, 0).len);
	/* The two directions carry different secrets. */
	CHECK(be32(get(OP_ONLY_IMM, server_qpn).b + OFF_RKEY) !=
	      be32(get(OP_ONLY_IMM, client_qpn).b + OFF_RKEY));
	CHECK(be32(get(OP_SACK, server_qpn).b + OFF_TAG_SACK) !=
	      be32(get(OP_SACK, client_qpn).b + OFF_TAG_SACK));
	live_end();
}

static void wrong_icrc(void)
{
	unsigned long long before;
	struct packet p;
	int fd, i;

	live_start();
	fd = injector(false);
	before = counter("RxBadIcrc");
	for (i = 0; i < ROUNDS; i++) {
		p = get(i & 1 ? OP_ONLY_IMM : OP_SACK, i & 2 ? server_qpn : client_qpn);
		p.b[p.len - 1 - i % ICRC_LEN] ^= 1 << i % 8;
		inject_raw(fd, p.b, p.len);
	}
	counted("RxBadIcrc", before, ROUNDS);
	live_end();
}

static void wrong_qpn(void)
{
	unsigned long long before;
	struct packet p;
	int fd, i;

	live_start();
	fd = injector(false);
	before = counter("RxNoQpn");
	for (i = 0; i < ROUNDS; i++) {
		p = get(i & 1 ? OP_ONLY_IMM : OP_SACK, server_qpn);
		put24(p.b + 5, server_qpn ^ (1 + i));
		inject(fd, p.b, p.len - ICRC_LEN);
	}
	counted("RxNoQpn", before, ROUNDS);
	live_end();
}

static void wrong_rkey(void)
{
	unsigned long long before;
	struct packet p;
	int fd, i;

	live_start();
	fd = injector(false);
	before = counter("RxBadRkey");
	for (i = 0; i < ROUNDS; i++) {
		p = get(OP_ONLY_IMM, i & 1 ? server_qpn : client_qpn);
		p.b[OFF_RKEY + i % 4] ^= 1 << i % 8;
		/* Also where it would be the next one. */
		put24(p.b + 9, be24(p.b + 9) + i * 7);
		inject(fd, p.b, p.len - ICRC_LEN);
	}
	counted("RxBadRkey", before, ROUNDS);
	live_end();
}

static void build_ctrl(struct packet *p, uint8_t op, uint32_t qpn, int len)
{
	memset(p->b, 0, sizeof(p->b));
	p->b[0] = op;
	put24(p->b + 5, qpn);
	p->len = BTH_LEN + len + ICRC_LEN;
}

static void wrong_tag(void)
{
	unsigned long long before;
	struct packet p;
	uint32_t tag;
	int fd, i;

	live_start();
	fd = injector(false);
	before = counter("RxBadTag");
	tag = be32(get(OP_SACK, server_qpn).b + OFF_TAG_SACK);
	for (i = 0; i < ROUNDS; i++) {
		p = get(OP_SACK, server_qpn);
		put32(p.b + OFF_TAG_SACK, tag ^ 1U << i % 32);
		inject(fd, p.b, p.len - ICRC_LEN);
		/* A fatal NACK, and a probe */
		build_ctrl(&p, OP_NACK, server_qpn, 20);
		p.b[BTH_LEN + 2] = 0x19;
		put32(p.b + OFF_TAG_NACK, tag ^ 1U << i % 32);
		p.b[BTH_LEN + 16] = 0x20;
		inject(fd, p.b, p.len - ICRC_LEN);
		build_ctrl(&p, OP_PROBE, server_qpn, 16);
		put32(p.b + OFF_TAG_PROBE, tag ^ 1U << i % 32);
		p.b[BTH_LEN + 15] = 1;
		inject(fd, p.b, p.len - ICRC_LEN);
	}
	/* NACKs and probes may be found malformed before that. */
	counted("RxBadTag", before, ROUNDS);
	live_end();
}

static void wrong_address(void)
{
	unsigned long long before;
	struct packet p;
	int fd, i;

	live_start();
	fd = injector(true);
	before = counter("RxBadAddress");
	for (i = 0; i < ROUNDS; i++) {
		p = get(i & 1 ? OP_ONLY_IMM : OP_SACK, i & 2 ? server_qpn : client_qpn);
		inject(fd, p.b, p.len - ICRC_LEN);
	}
	counted("RxBadAddress", before, ROUNDS);
	live_end();
}

static void ack_of_what_was_never_sent(void)
{
	unsigned long long before;
	struct packet p;
	uint32_t cack;
	int fd, i;

	live_start();
	fd = injector(false);
	before = counter("RxBadSack");
	for (i = 0; i < ROUNDS; i++) {
		p = get(OP_SACK, server_qpn);
		cack = be24(p.b + BTH_LEN + 13) + 0x200000 + i * 1000;
		put24(p.b + BTH_LEN + 13, cack);
		put24(p.b + 9, cack);
		inject(fd, p.b, p.len - ICRC_LEN);
	}
	counted("RxBadSack", before, ROUNDS);
	live_end();
}

/* What came before comes again: data are not delivered twice. */
static void replay(void)
{
	unsigned long long before;
	struct packet p;
	int fd, i, round, n = 0;

	live_start();
	fd = injector(false);
	before = counter("RxDup");
	for (round = 0; round < 5; round++) {
		for (i = 0; i < n_seen; i++) {
			p = seen[i];
			n += is_write(&p);
			inject(fd, p.b, p.len - ICRC_LEN);
		}
	}
	counted("RxDup", before, n);
	live_end();
}

static bool op_known(int op)
{
	return (op >= OP_WRITE_FIRST && op <= OP_ONLY_IMM) || op == OP_TACK ||
	       op == OP_EP_REQ || op == OP_EP_RESP ||
	       (op >= OP_SACK && op <= OP_PROBE) || (op >= OP_REQ && op <= OP_APR);
}

static void unknown_opcodes(void)
{
	unsigned long long before;
	struct packet p;
	int fd, op, n = 0;

	live_start();
	fd = injector(false);
	before = counter("RxBadOpcode");
	for (op = 0; op < 256; op++) {
		if (op_known(op))
			continue;
		p = get(OP_SACK, server_qpn);
		p.b[0] = op;
		inject(fd, p.b, p.len - ICRC_LEN);
		p = get(OP_REQ, 0);
		p.b[0] = op;
		inject(fd, p.b, p.len - ICRC_LEN);
		n += 2;
	}
	counted("RxBadOpcode", before, n);
	live_end();
}

/* Every opcode, cut after every byte of its headers, with a right ICRC. */
static void truncated(void)
{
	unsigned long long before;
	struct packet p;
	int fd, op, len, n = 0;

	live_start();
	fd = injector(false);
	before = counter("RxPkts");
	for (op = 0; op < 256; op++) {
		if (!op_known(op))
			continue;
		for (len = 0; len < 72; len += len < 14 || op >= OP_REQ ? 1 : 2) {
			p = get(op >= OP_REQ ? OP_REQ : OP_ONLY_IMM, 0);
			p.b[0] = op;
			if (op < OP_REQ)
				put32(p.b + OFF_RKEY, 0xdeadbeef);
			inject(fd, p.b, len);
			n++;
		}
	}
	for (len = 0; len < ICRC_LEN; len++, n++)
		inject_raw(fd, p.b, len);
	counted("RxPkts", before, n);
	counted("RxShort", 0, 1);
	live_end();
}

/* Connection management with a wrong tag ends and changes nothing. */
static void forged_cm(void)
{
	struct packet p;
	uint32_t tag;
	int fd, op, off, i;

	live_start();
	fd = injector(false);
	p = get(OP_RTU, 0);
	/* From the client to the server: it names the server's tag. */
	tag = be32(get(OP_SACK, server_qpn).b + OFF_TAG_SACK);
	for (off = BTH_LEN; off + 4 <= p.len - ICRC_LEN && be32(p.b + off) != tag; off++)
		;
	if (off + 4 > p.len - ICRC_LEN)
		FAIL("the tag is not in the RTU");
	for (op = OP_REP; op <= OP_APR; op++) {
		for (i = 0; i < 32; i++) {
			p = get(OP_RTU, 0);
			p.b[0] = op;
			put32(p.b + off, tag ^ 1U << i);
			inject(fd, p.b, p.len - ICRC_LEN);
		}
	}
	live_end();
}

/* REQs to a port where nobody listens: less comes back than was sent. */
static void no_amplification(void)
{
	long sent = 0, got = 0;
	struct packet p;
	int fd, i, n = 0;

	live_start();
	p = get(OP_REQ, 0);
	fd = injector(true);
	sniff_all();
	while (sniff(&seen[0]))
		;
	for (i = 0; i < ROUNDS; i++) {
		/* Another QPN and tag each time, as far as they are where they seem. */
		p.b[BTH_LEN + 4 + i % 4] ^= i;
		p.b[BTH_LEN + 12 + i % 4] ^= i;
		inject(fd, p.b, p.len - ICRC_LEN);
		sent += p.len;
	}
	usleep(300000);
	while (sniff(&p)) {
		if (p.b[0] < OP_REP || p.b[0] > OP_APR)
			continue;
		got += p.len;
		n++;
	}
	say("%d packets, %ld bytes answered by %d, %ld bytes", ROUNDS, sent, n, got);
	CHECK(got <= sent);
	/* They were not established, whatever they were. */
	live_end();
}

/* A REQ that was not padded would draw a REP larger than itself. */
static void short_req_gets_no_answer(void)
{
	enum { BODY = 44 };
	struct packet p;
	int fd, i, n = 0;

	live_start();
	p = get(OP_REQ, 0);
	fd = injector(true);
	sniff_all();
	while (sniff(&seen[0]))
		;
	p.b[BTH_LEN + 2] = 0;
	p.b[BTH_LEN + 3] = BODY;
	for (i = 0; i < ROUNDS; i++) {
		p.b[BTH_LEN + 7] ^= i;
		p.b[BTH_LEN + 15] ^= i;
		inject(fd, p.b, BTH_LEN + BODY);
	}
	usleep(300000);
	while (sniff(&p))
		n += p.b[0] == OP_REP || p.b[0] == OP_REJ;
	CHECK_EQ(n, 0);
	live_end();
}

/* ----------------------------------------------------------------- fuzzing */

static void mutate(struct packet *p)
{
	int n = 1 + rng(&seed) % 6, at;

	while (n--) {
		/* The headers rather than the payload */
		at = rng(&seed) % (rng(&seed) & 3 ? 64 : p->len);
		if (at >= p->len)
			continue;
		switch (rng(&seed) % 4) {
		case 0:
			p->b[at] = rng(&seed);
			break;
		case 1:
			p->b[at] ^= 1 << rng(&seed) % 8;
			break;
		case 2:
			p->b[at] = rng(&seed) & 1 ? 0xff : 0;
			break;
		default:
			p->b[at] += rng(&seed) & 1 ? 1 : -1;
		}
	}
	if (!(rng(&seed) % 8))
		p->len = BTH_LEN + rng(&seed) % (p->len - BTH_LEN);
}

/* Replace each secret of the connection in it. */
static void break_secrets(struct packet *p)
{
	uint32_t secret[4];
	int i, off;

	secret[0] = be32(get(OP_ONLY_IMM, server_qpn).b + OFF_RKEY);
	secret[1] = be32(get(OP_ONLY_IMM, client_qpn).b + OFF_RKEY);
	secret[2] = be32(get(OP_SACK, server_qpn).b + OFF_TAG_SACK);
	secret[3] = be32(get(OP_SACK, client_qpn).b + OFF_TAG_SACK);
	for (off = BTH_LEN; off + 4 <= p->len && off < 100; off++)
		for (i = 0; i < 4; i++)
			if (be32(p->b + off) == secret[i])
				p->b[off] ^= 0x80;
}

/* By somebody who knows all but the secrets: the connection lives on. */
static void fuzz_from_outside(void)
{
	struct packet p;
	int fd, i;

	live_start();
	fd = injector(false);
	for (i = 0; i < 2000; i++) {
		p = seen[rng(&seed) % n_seen];
		mutate(&p);
		break_secrets(&p);
		/* A Transport ACK has no room for a secret. */
		if (p.b[0] == OP_TACK)
			continue;
		if (p.len > (int)sizeof(p.b) - ICRC_LEN)
			p.len = sizeof(p.b) - ICRC_LEN;
		inject(fd, p.b, p.len);
	}
	live_end();
}

/* By the peer itself: it may break its connection, nothing else. */
static void fuzz_from_inside(void)
{
	static uint8_t buf[5000];
	int fd, i, c, s, status;
	struct packet p;

	live_start();
	fd = injector(false);
	for (i = 0; i < 2000; i++) {
		p = seen[rng(&seed) % n_seen];
		mutate(&p);
		inject(fd, p.b, p.len - (p.len > BTH_LEN + ICRC_LEN ? ICRC_LEN : 0));
	}
	close(live_pipe[1]);
	/* It may have lost what it waits for: that is the peer's fault. */
	kill(live_pid, SIGKILL);
	waitpid(live_pid, &status, 0);
	pair_new(&c, &s);
	for (i = 0; i < 20; i++)
		ping_pong(c, s, i, buf);
}

static void fuzz_with_noise(void)
{
	uint8_t b[1400];
	int fd, i, k, len;

	live_start();
	fd = injector(false);
	for (i = 0; i < 1000; i++) {
		len = rng(&seed) % (i & 1 ? 80 : 1390);
		for (k = 0; k < len; k++)
			b[k] = rng(&seed);
		if (len > BTH_LEN && i & 2) {
			b[0] = 0xc0 | (b[0] & 0x3f);
			put24(b + 5, i & 4 ? QPN_CM : 2);
		}
		if (i & 8)
			inject_raw(fd, b, len);
		else
			inject(fd, b, len);
	}
	live_end();
}

static const struct mrc_case cases[] = {
	CASE_IN(packets_as_documented, IN_V4 | IN_V6),
	CASE_IN(wrong_icrc, IN_V4 | IN_V6),
	CASE_IN(wrong_qpn, IN_V4 | IN_V6),
	CASE_IN(wrong_rkey, IN_V4 | IN_V6),
	CASE_IN(wrong_tag, IN_V4 | IN_V6),
	CASE_IN(wrong_address, IN_V4 | IN_V6),
	CASE_IN(ack_of_what_was_never_sent, IN_V4 | IN_V6),
	CASE_IN(replay, IN_V4 | IN_V6),
	CASE_IN(unknown_opcodes, IN_V4 | IN_V6),
	CASE_IN(truncated, IN_V4 | IN_V6),
	CASE_IN(forged_cm, IN_V4 | IN_V6),
	CASE_IN(no_amplification, IN_V4 | IN_V6),
	CASE_IN(short_req_gets_no_answer, IN_V4 | IN_V6),
	CASE_IN(fuzz_from_outside, IN_V4 | IN_V6),
	CASE_IN(fuzz_from_inside, IN_V4 | IN_V6),
	CASE_IN(fuzz_with_noise, IN_V4 | IN_V6),
};

MRC_MAIN(cases)
