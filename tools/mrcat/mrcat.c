// SPDX-License-Identifier: GPL-2.0
/*
 * mrcat: netcat for MRC
 *
 *	mrcat -l [ADDRESS] PORT > file
 *	mrcat ADDRESS PORT < file
 *
 * mrcat.1 is the manual.
 */

#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "mrcat.h"

#define MESSAGE_DEFAULT		(64U << 10)
#define INTERVAL_TTY		200	/* milliseconds */
#define INTERVAL		1000
#define INTERRUPT_NS		50000000

enum {
	EXIT_USAGE = 2,
};

static bool quiet;

void say(const char *fmt, ...)
{
	char text[512];
	va_list ap;

	if (quiet)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	fprintf(stderr, "mrcat: %s\n", text);
}

static const char usage[] =
	"usage: mrcat [OPTIONS] ADDRESS PORT        connect, send standard input\n"
	"       mrcat -l [OPTIONS] [ADDRESS] PORT   accept, write to standard output\n"
	"\n"
	"  -4, -6          IPv4 or IPv6 only\n"
	"  -d              do not read standard input\n"
	"  -g              print the longest gap between deliveries at the end\n"
	"  -h              print this help\n"
	"  -i MS           interval of -p and -P in milliseconds\n"
	"  -k              keep listening after a connection has ended\n"
	"  -l              listen\n"
	"  -m SIZE         message size in bytes, k, M or G appended (64k)\n"
	"  -n COUNT        send the input COUNT times (it must be a file)\n"
	"  -p              show progress on standard error\n"
	"  -P FILE         write progress as JSON lines to FILE (-: standard error)\n"
	"  -q              print no messages, the exit status tells\n"
	"  -s ADDR[:PORT]  connect from this address ([ADDR]:PORT for IPv6)\n"
	"  -u              unordered: messages in the order of their arrival\n"
	"  -w SECONDS      give up connecting after this time\n";

__printf(1, 2) noreturn static void usage_error(const char *fmt, ...)
{
	va_list ap;

	fputs("mrcat: ", stderr);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputs(" (mrcat -h for help)\n", stderr);
	exit(EXIT_USAGE);
}

/* A decimal number and nothing else; *end is left behind it if not NULL. */
static bool parse_number(const char *text, __u64 min, __u64 max, __u64 *value,
			 char **end)
{
	unsigned long long n;
	char *stop;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoull(text, &stop, 10);
	if (errno || n < min || n > max || (!end && *stop))
		return false;
	*value = n;
	if (end)
		*end = stop;
	return true;
}

static __u64 get_number(char option, const char *text, __u64 min, __u64 max)
{
	__u64 n;

	if (!parse_number(text, min, max, &n, NULL))
		usage_error("-%c: '%s' is not a number from %llu to %llu", option, text,
			    (unsigned long long)min, (unsigned long long)max);
	return n;
}

static __u16 get_port(const char *text)
{
	__u64 n;

	if (!parse_number(text, 1, 65535, &n, NULL))
		usage_error("'%s' is not a port from 1 to 65535", text);
	return n;
}

static size_t get_size(const char *text)
{
	static const char suffix[] = "kMG";
	const __u64 max = MRC_MSG_MAX - UNORDERED_HEADER;
	unsigned int shift = 0;
	const char *s;
	__u64 n;
	char *end;

	if (!parse_number(text, 1, max, &n, &end))
		goto bad;
	if (*end) {
		s = strchr(suffix, *end == 'K' ? 'k' : *end);
		if (!s || end[1])
			goto bad;
		shift = 10 * (s - suffix + 1);
	}
	if (n > max >> shift)
		goto bad;
	return n << shift;
bad:
	usage_error("-m: '%s' is not a size from 1 to %llu", text, (unsigned long long)max);
}

static int get_seconds(const char *text)
{
	double value;
	char *end;

	value = strtod(text, &end);
	if (end == text || *end || !(value > 0) || value > 1e6)
		usage_error("-w: '%s' is not a number of seconds", text);
	return value < 0.001 ? 1 : (int)(value * 1000);
}

/* ADDR, ADDR:PORT, an IPv6 address, [ADDR] or [ADDR]:PORT. */
static void get_source(struct options *opt, char *text)
{
	char *colon = strchr(text, ':');
	char *end;

	if (*text == '[') {
		end = strchr(text, ']');
		if (!end || (end[1] && end[1] != ':'))
			usage_error("-s: '%s' is not an address", text);
		*end = '\0';
		opt->source = text + 1;
		colon = end[1] ? end + 1 : NULL;
	} else {
		opt->source = text;
		if (colon && strchr(colon + 1, ':'))
			colon = NULL;
	}
	if (colon) {
		*colon = '\0';
		opt->source_port = get_port(colon + 1);
	}
	if (!*opt->source)
		usage_error("-s: the address is missing");
}

static FILE *open_report(const char *path)
{
	FILE *f;

	if (!strcmp(path, "-"))
		return stderr;
	f = fopen(path, "we");
	if (!f) {
		say("%s: %s", path, strerror(errno));
		exit(EXIT_FAILURE);
	}
	return f;
}

static void parse(struct options *opt, int argc, char **argv)
{
	const char *report = NULL;
	int c;

	opt->timeout = -1;
	opt->message = MESSAGE_DEFAULT;
	opterr = 0;
	while ((c = getopt(argc, argv, ":46dghi:klm:n:pP:qs:uw:")) != -1) {
		switch (c) {
		case '4':
		case '6':
			if (opt->family)
				usage_error("-4 and -6 are given more than once");
			opt->family = c == '4' ? AF_INET : AF_INET6;
			break;
		case 'd':
			opt->no_input = true;
			break;
		case 'g':
			opt->gap = true;
			break;
		case 'h':
			fputs(usage, stdout);
			exit(fflush(stdout) ? EXIT_FAILURE : EXIT_SUCCESS);
		case 'i':
			opt->interval = get_number('i', optarg, 1, 3600000);
			break;
		case 'k':
			opt->keep = true;
			break;
		case 'l':
			opt->listen = true;
			break;
		case 'm':
			opt->message = get_size(optarg);
			break;
		case 'n':
			opt->count = get_number('n', optarg, 1, 1000000000);
			break;
		case 'p':
			opt->progress = true;
			break;
		case 'P':
			report = optarg;
			break;
		case 'q':
			quiet = true;
			break;
		case 's':
			get_source(opt, optarg);
			break;
		case 'u':
			opt->unordered = true;
			break;
		case 'w':
			opt->timeout = get_seconds(optarg);
			break;
		case ':':
			usage_error("-%c needs a value", optopt);
		default:
			usage_error("-%c is not an option", optopt);
		}
	}
	argc -= optind;
	argv += optind;

	if (opt->listen && (opt->source || opt->timeout >= 0))
		usage_error("-s and -w do not go with -l");
	if (opt->keep && !opt->listen)
		usage_error("-k needs -l");
	if (opt->count && opt->no_input)
		usage_error("-n does not go with -d");
	if (argc < (opt->listen ? 1 : 2))
		usage_error(opt->listen ? "the port is missing" :
			    "the address or the port is missing");
	if (argc > 2)
		usage_error("'%s' is one argument too many", argv[2]);
	if (argc == 2)
		opt->host = argv[0];
	opt->port = get_port(argv[argc - 1]);
	if (opt->host && !*opt->host)
		usage_error("the address is empty");
	if (report)
		opt->report = open_report(report);
	if (!opt->interval)
		opt->interval = !opt->report && isatty(STDERR_FILENO) ? INTERVAL_TTY : INTERVAL;
}

static void nothing(int sig)
{
	(void)sig;
}

/* SIGUSR1 interrupts a blocking call and does nothing else, see watch(). */
static void setup_signals(void)
{
	struct sigaction sa = { .sa_handler = nothing };

	sigaction(SIGUSR1, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* A socket must not become descriptor 0, 1 or 2: closed ones are filled. */
static void fill_descriptors(void)
{
	int fd;

	for (fd = 0; fd <= 2; fd++) {
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
			open("/dev/null", fd ? O_RDONLY : O_RDWR);
	}
}

static void input_setup(struct conn *c, off_t in_base)
{
	struct stat st;

	c->in_base = in_base;
	if (c->sends && in_base >= 0 && !fstat(STDIN_FILENO, &st) && S_ISREG(st.st_mode) &&
	    st.st_size > in_base)
		c->total = (__u64)(st.st_size - in_base) * (c->opt->count ? c->opt->count : 1);
}

static void output_setup(struct conn *c)
{
	int flags = fcntl(STDOUT_FILENO, F_GETFL);

	c->out_base = -1;
	if (c->opt->unordered && flags >= 0 && !(flags & O_APPEND))
		c->out_base = lseek(STDOUT_FILENO, 0, SEEK_CUR);
	c->out_end = c->out_base;
}

/*
 * Until both threads have ended: a progress line at every interval, and once
 * one has failed, signals that take the other out of its blocking call.
 */
static void watch(struct conn *c)
{
	bool show = c->opt->progress || c->opt->report;
	__u64 next = c->start + c->opt->interval * 1000000ULL;
	struct timespec ts;
	struct snapshot s;
	__u64 until;

	pthread_mutex_lock(&c->lock);
	while (c->running) {
		if (atomic_load(&c->failed)) {
			until = now_ns() + INTERRUPT_NS;
		} else if (show) {
			until = next;
		} else {
			pthread_cond_wait(&c->changed, &c->lock);
			continue;
		}
		ts.tv_sec = until / 1000000000;
		ts.tv_nsec = until % 1000000000;
		if (pthread_cond_timedwait(&c->changed, &c->lock, &ts) != ETIMEDOUT)
			continue;
		pthread_mutex_unlock(&c->lock);
		if (atomic_load(&c->failed)) {
			pthread_kill(c->sender, SIGUSR1);
			pthread_kill(c->receiver, SIGUSR1);
		} else {
			progress_take(c, &s);
			progress_show(c, &s);
			while (next <= s.time)
				next += c->opt->interval * 1000000ULL;
		}
		pthread_mutex_lock(&c->lock);
	}
	pthread_mutex_unlock(&c->lock);
}

/* Wait until the peer has acknowledged all that was sent. */
static void drain(struct conn *c)
{
	struct timespec pause = { .tv_nsec = 1000000 };
	struct mrc_info info;
	socklen_t len;
	int error;

	for (;;) {
		len = sizeof(error);
		if (!getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &len) && error) {
			conn_fail(c, "connection: %s", strerror(error));
			return;
		}
		memset(&info, 0, sizeof(info));
		len = sizeof(info);
		if (getsockopt(c->fd, SOL_MRC, MRC_INFO, &info, &len) < 0 ||
		    info.state == MRC_CONN_CLOSED ||
		    (!info.snd_packets && !info.snd_queued))
			return;
		nanosleep(&pause, NULL);
		if (pause.tv_nsec < 50000000)
			pause.tv_nsec *= 2;
	}
}

static bool start_threads(struct conn *c)
{
	int rc;

	c->running = 2;
	rc = pthread_create(&c->receiver, NULL, copy_receive, c);
	if (rc) {
		say("thread: %s", strerror(rc));
		return false;
	}
	rc = pthread_create(&c->sender, NULL, copy_send, c);
	if (!rc)
		return true;
	conn_fail(c, "thread: %s", strerror(rc));
	shutdown(c->fd, SHUT_RDWR);
	pthread_join(c->receiver, NULL);
	return false;
}

/* Both directions of one connection; closes @fd. */
static bool run(const struct options *opt, int fd, bool sends, off_t in_base)
{
	struct conn c = { .opt = opt, .fd = fd, .sends = sends };
	pthread_condattr_t attr;
	bool ok = false;

	input_setup(&c, in_base);
	output_setup(&c);
	pthread_mutex_init(&c.lock, NULL);
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&c.changed, &attr);
	c.start = now_ns();
	c.prev.time = c.start;
	net_abort_on_close(fd, true);
	if (start_threads(&c)) {
		watch(&c);
		pthread_join(c.sender, NULL);
		pthread_join(c.receiver, NULL);
		if (!atomic_load(&c.failed))
			drain(&c);
		progress_end(&c);
		ok = !atomic_load(&c.failed);
	}
	if (!ok)
		net_abort_on_close(fd, true);
	if (c.out_base >= 0)
		lseek(STDOUT_FILENO, c.out_end, SEEK_SET);
	close(fd);
	pthread_cond_destroy(&c.changed);
	pthread_condattr_destroy(&attr);
	pthread_mutex_destroy(&c.lock);
	return ok;
}

/*
 * With -k an input that is a file goes to every connection from its start,
 * any other to the first connection only.
 */
static bool serve(const struct options *opt, bool sends, off_t in_base)
{
	int lfd, fd;
	bool ok;

	lfd = net_listen(opt);
	if (lfd < 0)
		return false;
	do {
		fd = net_accept(lfd);
		if (fd < 0)
			return false;
		if (!opt->keep)
			close(lfd);
		ok = run(opt, fd, sends, in_base);
		if (in_base < 0)
			sends = false;
		else if (opt->keep && sends && lseek(STDIN_FILENO, in_base, SEEK_SET) < 0)
			sends = false;
	} while (opt->keep);
	return ok;
}

int main(int argc, char **argv)
{
	struct options opt = { 0 };
	off_t in_base = -1;
	struct stat st;
	bool sends, ok;
	int fd;

	fill_descriptors();
	setup_signals();
	parse(&opt, argc, argv);

	sends = !opt.no_input && (!opt.listen || copy_input_usable());
	if (sends && !fstat(STDIN_FILENO, &st) && S_ISREG(st.st_mode))
		in_base = lseek(STDIN_FILENO, 0, SEEK_CUR);
	if (opt.count > 1 && in_base < 0) {
		say("-n needs a file as standard input");
		return EXIT_FAILURE;
	}
	if (opt.listen) {
		ok = serve(&opt, sends, in_base);
	} else {
		fd = net_connect(&opt);
		ok = fd >= 0 && run(&opt, fd, sends, in_base);
	}
	return ok ? EXIT_SUCCESS : EXIT_FAILURE;
}
