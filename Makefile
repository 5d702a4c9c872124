# Two commands: `make bench` runs the benchmark with the oracle, no-op and echo solvers; `make test` runs all tests.
# Both set up what they need: a virtual environment, the packages, and bubblewrap through the system's package manager.

VENV := .venv
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11; do \
  $$name -c "import sys; sys.exit(sys.version_info < (3, 11))" 2>/dev/null && echo $$name && break; done)
BIN := $(VENV)/bin
LOGS ?= logs
JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# What installs and builds packages; CI has uv do it.
PIP ?= $(BIN)/python -m pip
BUILD ?= $(BIN)/python -m build
STAMP := $(VENV)/.installed

.PHONY: setup environment bubblewrap test bench prove lint wheel clean

setup: environment $(STAMP)

environment: bubblewrap
	@test -n "$(PYTHON)" || { echo "no Python 3.11 or newer was found; install one or pass PYTHON=path" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)

$(STAMP): pyproject.toml hatch_build.py | environment
	$(PIP) install --quiet --editable '.[dev]'
	touch $@

bubblewrap:
	@PYTHON="$(PYTHON)" ./scripts/install-bubblewrap

# One worker a file: the tests of a file share what is costly.
test: setup
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

bench: setup
	$(BIN)/clawgym doctor
	rm -rf $(LOGS)/bench
	for solver in oracle noop echo; do \
	  $(BIN)/inspect eval clawgym_bench -T solver=$$solver --model none --log-dir $(LOGS)/bench --display plain || exit 1; \
	done
	$(BIN)/clawgym bench table $(LOGS)/bench
	@echo "logs: $(LOGS)/bench    viewer: $(BIN)/inspect view --log-dir $(LOGS)/bench"

prove: setup
	$(BIN)/clawgym prove task_specs/bench --json proof.json

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

wheel: setup
	rm -rf dist
	$(BUILD) --wheel -o dist .

clean:
	rm -rf $(VENV) dist build $(LOGS) proof.json
