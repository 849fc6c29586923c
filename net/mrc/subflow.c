// SPDX-License-Identifier: GPL-2.0
/*
 * MRC subflow: state machine, round trip time, probes.
 *
 *	 CLOSED --ADD--> JOINING --PROVED--> ACTIVE <----------------.
 *	                    |                  |                     |
 *	                    |                SILENT                PROVED
 *	                    |                  v                     |
 *	                    |               SUSPECT -----------------+
 *	                    |                  |                     |
 *	                    '---PROBES_LOST----+---------> FAILED ---'
 *
 *	 any but CLOSED --LINK_DOWN--> DOWN --LINK_UP--> JOINING
 *	 any --CLOSE--> CLOSED
 *
 * Data flows in ACTIVE only; JOINING, SUSPECT and FAILED are probed.
 */
#include "subflow.h"

static const char *const mrc_subflow_state_names[__MRC_SF_STATES] = {
	[MRC_SF_CLOSED]		= "closed",
	[MRC_SF_JOINING]	= "joining",
	[MRC_SF_ACTIVE]		= "active",
	[MRC_SF_SUSPECT]	= "suspect",
	[MRC_SF_FAILED]		= "failed",
	[MRC_SF_DOWN]		= "down",
};

/* The event has no meaning in this state. */
#define STAY	0
#define TO(s)	(MRC_SF_##s + 1)

static const u8 mrc_subflow_table[__MRC_SF_STATES][__MRC_SF_EVENTS] = {
	[MRC_SF_CLOSED] = {
		[MRC_SF_EV_ADD]		= TO(JOINING),
	},
	[MRC_SF_JOINING] = {
		[MRC_SF_EV_PROVED]	= TO(ACTIVE),
		[MRC_SF_EV_PROBES_LOST]	= TO(FAILED),
		[MRC_SF_EV_LINK_DOWN]	= TO(DOWN),
		[MRC_SF_EV_CLOSE]	= TO(CLOSED),
	},
	[MRC_SF_ACTIVE] = {
		[MRC_SF_EV_SILENT]	= TO(SUSPECT),
		[MRC_SF_EV_LINK_DOWN]	= TO(DOWN),
		[MRC_SF_EV_CLOSE]	= TO(CLOSED),
	},
	[MRC_SF_SUSPECT] = {
		[MRC_SF_EV_PROVED]	= TO(ACTIVE),
		[MRC_SF_EV_PROBES_LOST]	= TO(FAILED),
		[MRC_SF_EV_LINK_DOWN]	= TO(DOWN),
		[MRC_SF_EV_CLOSE]	= TO(CLOSED),
	},
	[MRC_SF_FAILED] = {
		[MRC_SF_EV_PROVED]	= TO(ACTIVE),
		[MRC_SF_EV_LINK_DOWN]	= TO(DOWN),
		[MRC_SF_EV_CLOSE]	= TO(CLOSED),
	},
	[MRC_SF_DOWN] = {
		[MRC_SF_EV_LINK_UP]	= TO(JOINING),
		[MRC_SF_EV_CLOSE]	= TO(CLOSED),
	},
};

/**
 * mrc_subflow_state_name() - name of a state for people
 * @state: enum mrc_subflow_state
 *
 * Context: any.
 * Return: a name, "unknown" for other numbers.
 */
const char *mrc_subflow_state_name(u8 state)
{
	if (state >= __MRC_SF_STATES)
		return "unknown";
	return mrc_subflow_state_names[state];
}

/* No probe planned and none remembered. */
static void mrc_subflow_probe_reset(struct mrc_subflow *sf)
{
	sf->probe_pending = false;
	sf->probe_lost = 0;
	sf->probe_interval = MRC_PROBE_FIRST;
	sf->probe_next_ns = MRC_NEVER;
}

/**
 * mrc_subflow_init() - prepare a subflow, state CLOSED
 * @sf: to be initialised
 * @id: index in the connection's array, 0..MRC_SUBFLOWS_MAX - 1
 * @plane: plane number
 * @mss: payload bytes of a full packet, not 0
 * @n_evs: entropy values, 1..MRC_EVS_MAX
 * @seed: start of its random numbers
 * @now: ns
 * @gfp: for the entropy values
 *
 * Context: any; caller serialises.
 * Return: 0, -EINVAL (@id, @mss or @n_evs out of range) or -ENOMEM.
 */
int mrc_subflow_init(struct mrc_subflow *sf, u8 id, u8 plane, u32 mss,
		     u16 n_evs, u64 seed, u64 now, gfp_t gfp)
{
	memset(sf, 0, sizeof(*sf));
	if (id >= MRC_SUBFLOWS_MAX || !mss)
		return -EINVAL;
	sf->id = id;
	sf->plane = plane;
	sf->mss = mss;
	sf->min_rtt = MRC_NEVER;
	sf->head = U32_MAX;
	sf->tail = U32_MAX;
	sf->heard_ns = now;
	sf->owes_ns = MRC_NEVER;
	sf->changed_ns = now;
	/* Old answers must not fit a new subflow with the same number. */
	sf->probe_id = seed >> 16;
	mrc_subflow_probe_reset(sf);
	return mrc_evset_init(&sf->evs, n_evs, seed, gfp);
}

/**
 * mrc_subflow_destroy() - give back what a subflow owns
 * @sf: subflow without outstanding packets
 *
 * Context: any; caller serialises.
 */
void mrc_subflow_destroy(struct mrc_subflow *sf)
{
	mrc_evset_destroy(&sf->evs);
}

/* What a state brings with it. */
static void mrc_subflow_enter(struct mrc_subflow *sf, u8 state, u64 now)
{
	switch (state) {
	case MRC_SF_JOINING:
	case MRC_SF_SUSPECT:
		mrc_subflow_probe_reset(sf);
		sf->probe_next_ns = now;
		break;
	case MRC_SF_FAILED:
		/* Looked at once, then as rarely as it has come to be. */
		sf->probe_next_ns = now;
		break;
	case MRC_SF_ACTIVE:
		mrc_subflow_probe_reset(sf);
		sf->heard_ns = now;
		sf->owes_ns = MRC_NEVER;
		sf->backoff = 0;
		break;
	default:
		mrc_subflow_probe_reset(sf);
		sf->owes_ns = MRC_NEVER;
		break;
	}
}

/**
 * mrc_subflow_event() - something happened to a subflow
 * @sf: subflow
 * @ev: what
 * @now: ns
 *
 * The one place that writes its state.  Packets in flight are not touched:
 * mrc_req_subflow_event() is for subflows of a requestor.
 *
 * Context: any; caller serialises.
 * Return: true if the state changed.
 */
bool mrc_subflow_event(struct mrc_subflow *sf, enum mrc_subflow_event ev,
		       u64 now)
{
	u8 old = sf->state, to;

	if (old >= __MRC_SF_STATES || ev >= __MRC_SF_EVENTS)
		return false;
	to = mrc_subflow_table[old][ev];
	if (to == STAY)
		return false;
	sf->state = to - 1;
	sf->changes++;
	sf->changed_ns = now;
	mrc_subflow_enter(sf, sf->state, now);
	if (old == MRC_SF_DOWN) {
		/* Whatever path it is now, its round trip time is not known. */
		sf->srtt = 0;
		sf->rttvar = 0;
	}
	if (sf->notify)
		sf->notify(sf, old, sf->state);
	return true;
}

/**
 * mrc_subflow_rtt_sample() - a round trip time was measured
 * @sf: subflow
 * @rtt: ns; 0 and more than a minute are ignored
 *
 * RFC 6298 section 2, in nanoseconds.
 *
 * Context: any; caller serialises.
 */
void mrc_subflow_rtt_sample(struct mrc_subflow *sf, u64 rtt)
{
	u64 dev;

	if (!rtt || rtt > 60 * MRC_NSEC_PER_SEC)
		return;
	if (rtt < sf->min_rtt)
		sf->min_rtt = rtt;
	if (!sf->srtt) {
		sf->srtt = rtt;
		sf->rttvar = rtt / 2;
		return;
	}
	dev = rtt > sf->srtt ? rtt - sf->srtt : sf->srtt - rtt;
	sf->rttvar = sf->rttvar - sf->rttvar / 4 + dev / 4;
	sf->srtt = sf->srtt - sf->srtt / 8 + rtt / 8;
	if (!sf->srtt)
		sf->srtt = 1;
}

/**
 * mrc_subflow_rto() - retransmission timeout
 * @sf: subflow
 *
 * Context: any; caller serialises.
 * Return: ns, MRC_RTO_MIN..MRC_RTO_MAX.
 */
u64 mrc_subflow_rto(const struct mrc_subflow *sf)
{
	u64 rto = MRC_RTO_INIT;

	if (sf->srtt)
		rto = clamp_t(u64, sf->srtt + 4 * sf->rttvar, MRC_RTO_MIN,
			      MRC_RTO_MAX);
	return min_t(u64, rto << sf->backoff, MRC_RTO_MAX);
}

/**
 * mrc_subflow_silence() - how long it may owe a SACK before it is SUSPECT
 * @sf: subflow
 *
 * Context: any; caller serialises.
 * Return: ns, at least MRC_SILENT_MIN.
 */
u64 mrc_subflow_silence(const struct mrc_subflow *sf)
{
	return max_t(u64, 3 * sf->srtt, MRC_SILENT_MIN);
}

/**
 * mrc_subflow_heard() - something sent over it has arrived
 * @sf: subflow
 * @now: ns
 *
 * Context: any; caller serialises, and has taken what was acknowledged off
 * the list of outstanding packets.
 */
void mrc_subflow_heard(struct mrc_subflow *sf, u64 now)
{
	sf->heard_ns = now;
	sf->backoff = 0;
	sf->owes_ns = sf->head != U32_MAX ? now : MRC_NEVER;
}

/**
 * mrc_subflow_probe_due() - must a probe be sent now?
 * @sf: subflow
 * @now: ns
 *
 * Context: any; caller serialises.
 * Return: true if so.
 */
bool mrc_subflow_probe_due(const struct mrc_subflow *sf, u64 now)
{
	return sf->probe_next_ns <= now;
}

/**
 * mrc_subflow_probe_sent() - a probe goes out
 * @sf: subflow
 * @now: ns
 *
 * If the one before is unanswered it counts as lost, and the interval
 * doubles up to MRC_PROBE_MAX.
 *
 * Context: any; caller serialises.
 * Return: the identifier that the probe must carry.
 */
u16 mrc_subflow_probe_sent(struct mrc_subflow *sf, u64 now)
{
	if (sf->probe_pending) {
		if (sf->probe_lost < U8_MAX)
			sf->probe_lost++;
		sf->probe_interval = min_t(u64, 2 * sf->probe_interval,
					   MRC_PROBE_MAX);
	}
	sf->probe_id++;
	sf->probe_pending = true;
	sf->probe_sent_ns = now;
	sf->probe_next_ns = now + sf->probe_interval;
	return sf->probe_id;
}

/**
 * mrc_subflow_probe_answered() - a SACK answers a probe
 * @sf: subflow over which it came
 * @probe_id: its probe identifier
 * @now: ns
 *
 * Changes no state: the caller sends MRC_SF_EV_PROVED if this returns true.
 *
 * Context: any; caller serialises.
 * Return: true if it answers the last probe; false for old or made up ones.
 */
bool mrc_subflow_probe_answered(struct mrc_subflow *sf, u16 probe_id, u64 now)
{
	if (!sf->probe_pending || probe_id != sf->probe_id)
		return false;
	mrc_subflow_rtt_sample(sf, now - sf->probe_sent_ns);
	sf->probe_pending = false;
	sf->probe_lost = 0;
	sf->probe_interval = MRC_PROBE_FIRST;
	/* It was a probe of a closed window; the others go on until PROVED. */
	if (sf->state == MRC_SF_ACTIVE)
		sf->probe_next_ns = MRC_NEVER;
	mrc_subflow_heard(sf, now);
	return true;
}
