# SPDX-License-Identifier: GPL-2.0
#
# MRC for Linux.  `make help` says what there is.

# dkms.conf is where the version is written
VERSION := $(shell sed -n 's/^PACKAGE_VERSION="\(.*\)"/\1/p' dkms.conf)

PREFIX ?= /usr/local
# The running kernel if its headers are there, else the one of the VM
KVER ?= $(shell test -d /lib/modules/$$(uname -r)/build && uname -r)
DKMS := $(shell command -v dkms 2>/dev/null)
MODDIR = $(DESTDIR)/lib/modules/$(KVER)/extra
DKMSDIR = $(DESTDIR)/usr/src/mrc-$(VERSION)
TOOLS := ip-mrc mrcat

.PHONY: all modules tools check demo install install-module install-dkms \
	uninstall clean help

all: modules tools	## build module and tools

modules:	## build the module for KVER (default: running kernel, else that of the VM)
	@test -n "$(KVER)" || scripts/deps build
	@scripts/build-module $(KVER)

tools:		## build ip-mrc and mrcat
	@for t in $(TOOLS); do \
		$(MAKE) -s -C tools/$$t OUT=$(CURDIR)/build/tools || exit; \
	done

check:		## install what is needed, build, run all tests (T="mrc_api.sh ..." for some)
	@scripts/check $(T)

demo:		## a file over four planes, one of which is cut, in a VM
	@scripts/deps && scripts/demo

install: tools	## install module (by DKMS if present), header, tools, manual pages
ifneq ($(DKMS),)
	@$(MAKE) -s install-dkms
else
	@$(MAKE) -s install-module
endif
	install -D -m 644 include/uapi/linux/mrc.h $(DESTDIR)/usr/include/linux/mrc.h
	@for t in $(TOOLS); do \
		$(MAKE) -s -C tools/$$t OUT=$(CURDIR)/build/tools \
			DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) install || exit; \
	done

install-module:	modules	## install the module for KVER without DKMS
	@test -n "$(KVER)" || { echo "give KVER=: no headers of the running kernel" >&2; exit 1; }
	install -D -m 644 build/$(KVER)/net/mrc/mrc.ko $(MODDIR)/mrc.ko
	$(if $(DESTDIR),,depmod $(KVER))

# What DKMS has of this version goes first: it would not build it again.
DKMS_REMOVE = test -z "$$(dkms status mrc/$(VERSION))" || \
	dkms remove mrc/$(VERSION) --all >/dev/null

install-dkms:	## install the sources for DKMS and build them
	@test -n "$(DESTDIR)$(KVER)" || { echo "give KVER=: no headers of the running kernel" >&2; exit 1; }
	$(if $(DESTDIR),,@$(DKMS_REMOVE))
	install -d $(DKMSDIR)/net/mrc $(DKMSDIR)/include/uapi/linux
	install -m 644 Kbuild dkms.conf $(DKMSDIR)
	install -m 644 net/mrc/*.[ch] net/mrc/Makefile net/mrc/Kconfig $(DKMSDIR)/net/mrc
	install -m 644 include/uapi/linux/mrc.h $(DKMSDIR)/include/uapi/linux
	$(if $(DESTDIR),,dkms add mrc/$(VERSION))
	$(if $(DESTDIR),,dkms install --force mrc/$(VERSION) -k $(KVER))

uninstall:	## remove what install put there
	$(if $(DESTDIR)$(if $(DKMS),,n),,@$(DKMS_REMOVE))
	rm -rf $(DKMSDIR)
	rm -f $(if $(KVER),$(MODDIR)/mrc.ko) $(DESTDIR)/usr/include/linux/mrc.h
	@for t in $(TOOLS); do \
		$(MAKE) -s -C tools/$$t OUT=$(CURDIR)/build/tools \
			DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) uninstall || exit; \
	done
	$(if $(DESTDIR),,-test -z "$(KVER)" || depmod $(KVER))

clean:		## remove everything that was built
	rm -rf build

help:		## this list
	@sed -n 's/^\([a-z][a-z-]*\):[^#]*## */\1\t/p' $(MAKEFILE_LIST) | \
		awk -F'\t' '{ printf "make %-16s %s\n", $$1, $$2 }'
