# Everything a person needs: `make run`, `make test`. `make help` lists the rest.
# PYTHON chooses the interpreter (3.11 or newer); HOST and PORT where `make run` serves.

HOST ?= 127.0.0.1
PORT ?= 8000
export HOST PORT
# Where it is set, each of the many processes that tests and pages start would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

# Tests share the processors, but for those that kill servers or measure memory. Handed out in order: a process that has
# begun with browser tests gets no others any more (tests/conftest.py says why they are last).
PARALLEL := -n auto --dist load

# The bundle in static/dist is made by the install, so its sources are set-up's sources too.
ASSETS := $(wildcard static/src/*.js static/src/*.json static/src/*.mjs static/src/*.css static/js/*.js static/js/*/*.js)

.DELETE_ON_ERROR:
.PHONY: help setup run test test-all format lint types walls audit check bench pictures wheel clean

help: ## list these
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12

setup: $(READY) ## the environment in .venv, with everything installed

# Made once. The interpreter is checked first, because what venv itself says does not help.
$(BIN)/python:
	@PYTHON="$(PYTHON)" sh .ci/make-venv $(VENV)

# uv when pip can fetch it (seconds), pip when not. Neither removes what else is in the environment.
$(READY): pyproject.toml hatch_build.py $(ASSETS) | $(BIN)/python
	@echo "setting up $(VENV) ..."
	@$(BIN)/python -c 'import uv' 2>/dev/null || $(BIN)/python -m pip install -qq uv || true
	@$(BIN)/python -m uv pip install --quiet --python $(BIN)/python -e '.[test]' \
	  || { echo "uv could not; once more with pip"; $(BIN)/python -m pip install --quiet -e '.[test]'; }
	@touch $@

run: $(READY) ## serve on http://HOST:PORT (127.0.0.1:8000)
	@exec $(BIN)/gradflow serve --host "$(HOST)" --port "$(PORT)"

test: $(READY) ## the tests, a browser's among them (minutes)
	@$(BIN)/python -m pytest -m "not slow" $(PARALLEL) $(ARGS)

test-all: $(READY) ## the same and all that is long or needs more
	@$(BIN)/python -m pytest -m "not alone" $(PARALLEL) $(ARGS)
	@$(BIN)/python -m pytest -m alone $(ARGS)

check: format lint types walls audit ## all that can be said without running the tests

format: $(READY)
	@$(BIN)/ruff format --check .

lint: $(READY)
	@$(BIN)/ruff check .

types: $(READY)
	@$(BIN)/mypy

walls: $(READY)
	@$(BIN)/python -m pytest -q tests/test_imports.py tests/test_docs.py

audit: $(READY) ## known vulnerabilities in what is installed
	@$(BIN)/pip-audit --skip-editable --progress-spinner off

bench: ## measure against the alternatives, in an environment of its own: benchmarks/report.md
	@PYTHON="$(PYTHON)" sh benchmarks/run

pictures: $(READY) ## docs/images, from the server that `make run` started
	@$(BIN)/python -m tests.browser.pictures http://$(HOST):$(PORT)

wheel: $(READY) ## dist/*.whl and dist/*.tar.gz
	@$(BIN)/python -m uv build --quiet --out-dir dist

clean: ## what set-up and tests made
	rm -rf $(VENV) .venv-bench static/dist static/src/node_modules dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
