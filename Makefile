# Chronicle: everything a person or a build machine does here. `make` alone lists it.

PYTHON ?= python3
VENV := .venv
PY := $(VENV)/bin/python
# What an installer has to say is of interest only where it fails.
define PIP
said=$$($(PY) -m pip --disable-pip-version-check install --quiet $(1) 2>&1) || \
	{ echo "$$said"; echo "Installing failed: see above."; exit 1; }
endef
INSTALL = $(call PIP,--constraint constraints.txt $(1))
# Debian and Ubuntu keep what makes an environment in a package of its own.
define MAKE_VENV
$(PY) -m pip --version >/dev/null 2>&1 || { \
	$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
		{ echo "$(PYTHON) cannot make a virtual environment. Install what it lacks (Debian, Ubuntu: apt install python3-venv) and run make again."; exit 1; }; \
	$(PYTHON) -m venv $(VENV); }
endef
CHROMIUM := $(or $(CHRONICLE_CHROMIUM),$(shell command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome))
PYTEST := $(PY) -m pytest $(PYTEST_ARGS)
SPREAD := --numprocesses=auto --dist=loadfile --no-loadscope-reorder

# Material for MkDocs prints a long notice about MkDocs 2, which pyproject.toml rules out anyway.
export NO_MKDOCS_2_WARNING := 1

.DEFAULT_GOAL := help
.PHONY: help install site serve test lint types unit slow pyodide browser fuzz soak operators bench golden coverage desk device vscode lock locked clean
.SILENT:

help: ## List what there is to do
	echo "Chronicle: make TARGET, where TARGET is one of"
	sed -n 's/^\([a-z]*\):.*## \(.*\)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 12

# Reading and building need the plain install; only the tests need the rest. What packs Chronicle is installed
# first, in the version that is pinned: pip would fetch the newest.
$(VENV)/.plain: pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Chronicle needs Python 3.11 or newer; %s is %s. Try: make PYTHON=python3.12" % (sys.executable, sys.version.split()[0]))'
	echo "Installing Chronicle into $(VENV) ..."
	$(MAKE_VENV)
	$(call INSTALL,hatchling editables)
	$(call INSTALL,--no-build-isolation --editable .)
	touch $@

$(VENV)/.tools: $(VENV)/.plain
	echo "Installing the test tools into $(VENV) ..."
	$(call INSTALL,--no-build-isolation --editable '.[test]')
	touch $@

install: $(VENV)/.tools ## Install Chronicle and its test tools into .venv
	echo "Ready: $(VENV)/bin/chronicle"

site: $(VENV)/.plain ## Check the play examples and build the site into site/
	echo "Checking the play examples ..."
	found=$$($(VENV)/bin/chronicle check sessions) || { echo "$$found"; exit 1; }; \
	test -z "$$found" || { echo "$$found" | tail -n 1; \
	echo "(logged sparsely on purpose; see them with: $(VENV)/bin/chronicle check sessions)"; }
	if command -v node >/dev/null && command -v npm >/dev/null; then \
		$(MAKE) --no-print-directory device 2>&1 || echo "The site is built without a desk in it."; \
	else echo "The site is built without a desk in it: node and npm, which pack one, are not installed."; fi
	echo "Building the site ..."
	$(PY) -m mkdocs build --quiet --strict
	echo "Done. Open    file://$(CURDIR)/site/index.html"
	echo "or run 'make serve' to have it rebuilt while you write."

serve: $(VENV)/.plain ## Serve the site at http://127.0.0.1:8000 and rebuild it on every change
	$(VENV)/bin/chronicle serve

test: $(VENV)/.tools ## Run every check and test that this machine can run, but for what takes long and repeats
	begun=$$(date +%s); \
	$(MAKE) --no-print-directory lint types && \
	echo "Tests ..." && \
	$(PYTEST) -q -m "not browser and not slow" $(SPREAD) && \
	took=$$(($$(date +%s) - begun)) && \
	echo "Style, types and tests took $$((took / 60)) min $$((took % 60)) s. What takes long and repeats: make slow"
ifneq ($(CHROMIUM),)
	$(MAKE) --no-print-directory browser
else
	echo "Skipped: the browser tests (no Chromium found; set CHRONICLE_CHROMIUM to its path)."
endif

# What a build machine has: nothing is chosen while it installs, and every file is the one that was chosen here.
locked: ## Install what lock.txt names, each file checked by its hash, as CI and releases do
	$(MAKE_VENV)
	$(call PIP,--require-hashes --requirement lock.txt)
	$(call PIP,--no-deps --no-build-isolation --editable . --editable packages/desk-data)
	touch $(VENV)/.plain $(VENV)/.tools $(VENV)/.device

lock: ## Write lock.txt anew from pyproject.toml and constraints.txt
	$(PYTHON) -m venv .cache/uv
	.cache/uv/bin/python -m pip install --quiet uv==0.13.9
	.cache/uv/bin/uv pip compile --quiet pyproject.toml --extra test --group build --constraint constraints.txt \
		--universal --python-version 3.11 --generate-hashes --no-strip-extras --no-annotate \
		--custom-compile-command "make lock" --output-file lock.txt

lint: $(VENV)/.tools ## Check style and format (ruff)
	echo "Style ..."
	$(PY) -m ruff check --quiet .
	$(PY) -m ruff format --quiet --check --diff .

types: $(VENV)/.tools ## Check types (mypy --strict)
	echo "Types ..."
	$(PY) -m mypy

unit: $(VENV)/.tools ## Run the quick tests alone: those that start no program, build no site and play no whole campaign
	$(PYTEST) -q -m "not browser and not integration and not slow" $(SPREAD)

slow: $(VENV)/.tools ## Run the tests that take long and repeat what shorter ones try, as .ci/run does
	$(PYTEST) -q -m "slow and not browser" $(SPREAD)

pyodide: $(VENV)/.tools ## Run the core's tests in Pyodide, as a browser runs them (needs npm and node)
	$(PY) -m tests.pyodide

# These first: whoever begins a long one last goes on alone.
LONGEST := desk narrow reading device wide line

browser: $(VENV)/.tools ## Run the browser tests (needs Chromium; npm for the accessibility checks)
	command -v npm >/dev/null && $(MAKE) --no-print-directory device $(DESK) || true
	$(PYTEST) -q -m browser $(SPREAD) $(LONGEST:%=tests/browser/test_%.py) tests/browser

SEED ?= 1
COUNT ?= 10000
JOBS := $(shell $(PYTHON) -c "import os; print(os.cpu_count())")

fuzz: $(VENV)/.tools ## Try COUNT more mutated logs of SEED, through everything; print the sums of all runs
	$(PY) -m tests.fuzz --seed $(SEED) --count $(COUNT) --jobs $(JOBS)

soak: $(VENV)/.tools ## The longer trials: 100,000 mutated logs, as many legal entries a game, made-up input, whole evenings by the dozen, 100 killed tabs and servers, every page
	$(PYTEST) -q -m hypothesis --hypothesis-profile=search
	$(PY) -m tests.legal --seed $(SEED) --count 100000
	$(PY) -m tests.fuzz --seed $(SEED) --count 100000 --jobs $(JOBS)
	$(call INSTALL,--no-build-isolation --editable '.[soak]')
	CHRONICLE_SOAK=1 $(PYTEST) -q -m soak $(SPREAD)
	CHRONICLE_LAID=5000 $(PYTEST) -q -k whatever_is_typed tests/syntax/test_layout.py
	CHRONICLE_KILLED=100 $(PYTEST) -q -s -k "killed or lost" tests/browser/test_desk.py tests/browser/test_device.py tests/door/test_killed.py

operators: $(VENV)/.tools ## Change 200 operators in handlers, one at a time: which of them no test notices
	$(PY) -m tests.operators

DESK := page/node_modules/.package-lock.json

desk: $(DESK) ## Build the desk page from page/src into chronicle/site/assets/desk (needs npm)
	node page/build.mjs
	node page/search.mjs
	node page/device.mjs

$(DESK): page/package-lock.json
	echo "Fetching what the desk page is built and tested with ..."
	npm ci --silent --no-audit --no-fund --ignore-scripts --prefix page
	test -s $@

VSCODE := editors/vscode/node_modules/.package-lock.json

vscode: $(VSCODE) ## Pack the extension for VS Code into dist/ (needs npm)
	mkdir -p dist
	cd editors/vscode && npm test --silent && npx vsce package --no-dependencies --allow-missing-repository --out ../../dist/chronicle-tabletop.vsix

$(VSCODE): editors/vscode/package-lock.json
	echo "Fetching what the extension is packed with ..."
	npm ci --silent --no-audit --no-fund --ignore-scripts --prefix editors/vscode
	test -s $@

device: $(VENV)/.device ## Pack Chronicle for browsers, which the desk on the site runs on (needs npm and node)
	$(PY) packages/desk-data/build.py .cache

$(VENV)/.device: $(VENV)/.plain packages/desk-data/pyproject.toml
	$(call INSTALL,--no-build-isolation --editable packages/desk-data)
	touch $@

bench: $(VENV)/.tools ## Measure speed and memory at real sizes
	$(PY) -m benchmarks

golden: $(VENV)/.tools ## Rewrite the golden records; read the diff before you commit it
	$(PY) -m tests.golden

coverage: $(VENV)/.tools ## Show which branches the tests miss
	$(PYTEST) -q -m "not browser" --cov --cov-report=term-missing:skip-covered

clean: ## Remove everything that was built or installed here
	rm -rf $(VENV) .cache site dist build .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
