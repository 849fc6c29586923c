// SPDX-License-Identifier: GPL-2.0
/*
 * init of the test VM: run one command, tell how it ended, switch off.
 *
 * ttyS0 is the kernel's console, hvc0 the command's input and output, ttyS1
 * takes its exit status.  The command is in /run-argv, its arguments ended
 * by NULs, so that no shell ever has to quote them.  A serial line would do
 * for hvc0, but each byte of it is a trap into QEMU.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#define ARGS_MAX 1024

static void mount_all(void)
{
	static const char * const mounts[][3] = {
		{ "proc", "/proc", "proc" },
		{ "sysfs", "/sys", "sysfs" },
		{ "devtmpfs", "/dev", "devtmpfs" },
		{ "tmpfs", "/tmp", "tmpfs" },
		{ "tmpfs", "/run", "tmpfs" },
		{ "debugfs", "/sys/kernel/debug", "debugfs" },
		{ "tracefs", "/sys/kernel/tracing", "tracefs" },
	};
	size_t i;

	for (i = 0; i < sizeof(mounts) / sizeof(mounts[0]); i++)
		mount(mounts[i][0], mounts[i][1], mounts[i][2], 0, NULL);
	mkdir("/dev/pts", 0755);
	mount("devpts", "/dev/pts", "devpts", 0, NULL);
	mkdir("/dev/shm", 01777);
	mount("tmpfs", "/dev/shm", "tmpfs", 0, NULL);
	mkdir("/run/netns", 0755);
	symlink("/proc/self/fd", "/dev/fd");
	symlink("/proc/self/fd/0", "/dev/stdin");
	symlink("/proc/self/fd/1", "/dev/stdout");
	symlink("/proc/self/fd/2", "/dev/stderr");
}

/* Bytes go through as they are; with @cooked, as a person types them. */
static int open_tty(const char *name, int cooked)
{
	struct termios t;
	int fd = open(name, O_RDWR | O_NOCTTY);

	if (fd < 0 || tcgetattr(fd, &t))
		return fd;
	if (!cooked)
		cfmakeraw(&t);
	cfsetspeed(&t, B115200);
	tcsetattr(fd, TCSANOW, &t);
	return fd;
}

/* As large as the terminal that scripts/vm was started in */
static void set_size(int tty)
{
	const char *rows = getenv("VM_ROWS"), *columns = getenv("VM_COLUMNS");
	struct winsize w = { 0 };

	if (!rows || !columns)
		return;
	w.ws_row = atoi(rows);
	w.ws_col = atoi(columns);
	ioctl(tty, TIOCSWINSZ, &w);
}

static int read_args(char **argv)
{
	static char buf[1 << 18];
	int fd = open("/run-argv", O_RDONLY), n = 0;
	ssize_t len, got;
	char *p;

	if (fd < 0)
		return 0;
	for (len = 0; (got = read(fd, buf + len, sizeof(buf) - 1 - len)) > 0;)
		len += got;
	close(fd);
	for (p = buf; p < buf + len && n < ARGS_MAX; p += strlen(p) + 1)
		argv[n++] = p;
	argv[n] = NULL;
	return n;
}

static void child(char **argv, int tty, int interactive)
{
	int null = open("/dev/null", O_RDWR);

	setsid();
	if (interactive)
		ioctl(tty, TIOCSCTTY, 0);
	dup2(interactive ? tty : null, 0);
	dup2(tty, 1);
	dup2(tty, 2);
	if (tty > 2)
		close(tty);
	if (null > 2)
		close(null);
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	setenv("HOME", "/root", 1);
	setenv("TERM", getenv("VM_TERM") ? getenv("VM_TERM") : "linux", 1);
	setenv("LANG", "C.UTF-8", 1);
	if (chdir("/root"))
		_exit(126);
	execvp(argv[0], argv);
	fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Wait for the command, and for whatever loses its parent meanwhile. */
static int wait_for(pid_t pid)
{
	int status;
	pid_t p;

	for (;;) {
		p = wait(&status);
		if (p == pid)
			break;
		if (p < 0 && errno == ECHILD)
			return 1;
	}
	if (WIFSIGNALED(status))
		return 128 + WTERMSIG(status);
	return WEXITSTATUS(status);
}

int main(void)
{
	static char *shell[] = { "/bin/bash", "-l", NULL };
	static char *argv[ARGS_MAX + 1];
	int tty, st, interactive, status;
	char text[16];
	pid_t pid;

	mount_all();
	sethostname("mrc-vm", 6);
	interactive = !read_args(argv);
	st = open_tty("/dev/ttyS1", 0);
	if (system("/sbin/modprobe -a virtio_pci virtio_console"))
		fprintf(stderr, "init: no virtio console\n");
	tty = open_tty("/dev/hvc0", interactive);
	if (interactive)
		set_size(tty);
	if (system("/sbin/ip link set lo up"))
		fprintf(stderr, "init: no loopback device\n");
	pid = fork();
	if (!pid)
		child(interactive ? shell : argv, tty, interactive);
	status = wait_for(pid);
	tcdrain(tty);
	snprintf(text, sizeof(text), "%d\n", status);
	if (write(st, text, strlen(text)) > 0)
		tcdrain(st);
	sync();
	reboot(RB_POWER_OFF);
	return 0;
}
