# SPDX-License-Identifier: Apache-2.0
# What a developer types. `make demo` and `make test` do everything from a fresh clone; both set up first.

PYTHON ?= python3
BIN    := .venv/bin

.PHONY: help setup setup-docs setup-dev demo docs page test check lint soak prove gen asserted documents lock clean

help:
	@echo 'make demo   FreeRTOS and three kernels, one benchmark, a table and report.html'
	@echo 'make docs   the manual as a site: build/manual/index.html'
	@echo 'make page   simulations that run in the browser: build/page/index.html'
	@echo 'make test   everything that CI runs'
	@echo 'make check  after an edit: lint of the changed files and the tests nearest to them (a minute)'
	@echo 'make lint   the static checks of it'
	@echo 'make soak   the long campaigns'
	@echo 'make prove  all proofs of the hardware (minutes)'
	@echo 'make setup  tools only: system packages, .venv, locked Python packages'
	@echo 'make gen    write what is made from spec/'
	@echo 'make asserted  measure anew the rows that tests assert (about an hour), then make documents'
	@echo 'make documents  measure anew and write the figures of README.md and docs/'
	@echo 'make lock   resolve the Python packages anew and write requirements*.txt'
	@echo 'make clean  remove build/ and caches (not .venv)'

setup:
	@$(PYTHON) scripts/setup.py

setup-docs:
	@$(PYTHON) scripts/setup.py --docs

setup-dev:
	@$(PYTHON) scripts/setup.py --dev

demo: setup
	@$(BIN)/melanion demo
	@echo 'next: $(BIN)/melanion new myapp'

docs: setup-docs
	@$(BIN)/python -m melanion.docs manual

page: setup-dev
	@$(BIN)/melanion page

test: setup-dev
	@$(BIN)/python scripts/checks.py

check: setup-dev
	@$(BIN)/python scripts/changed.py

lint: setup-dev
	@$(BIN)/python scripts/checks.py --lint

soak: setup-dev
	@$(BIN)/python scripts/checks.py --soak

prove: setup-dev
	@$(BIN)/melanion prove

gen: setup
	@$(BIN)/melanion gen

asserted: setup
	@$(BIN)/python -m melanion.docs asserted

documents: setup
	@$(BIN)/python -m melanion.docs

# pip-compile lives in a folder of its own: it is no part of the project.
COMPILE := build/lock/bin/pip-compile --quiet --generate-hashes --strip-extras --no-header --no-annotate \
           --no-emit-index-url --no-emit-trusted-host --no-emit-find-links --no-emit-options --allow-unsafe \
           --build-deps-for editable
lock:
	@$(PYTHON) -m venv build/lock
	@build/lock/bin/pip install --quiet pip-tools
	@$(COMPILE) --upgrade --output-file build/lock/runtime.txt pyproject.toml
	@$(COMPILE) --extra docs --constraint build/lock/runtime.txt --output-file build/lock/docs.txt pyproject.toml
	@$(COMPILE) --extra dev --extra docs --extra sweep --extra studio --constraint build/lock/docs.txt --output-file build/lock/dev.txt pyproject.toml
	@$(COMPILE) --upgrade --output-file build/lock/litex.txt litex/pyproject.toml
	@for file in requirements:runtime requirements-docs:docs requirements-dev:dev; do \
	  { echo "# Locked by version and hash from pyproject.toml; \`make lock\` writes this file."; \
	    cat build/lock/$${file#*:}.txt; } > $${file%:*}.txt; done
	@{ echo "# Locked by version and hash from litex/pyproject.toml; \`make lock\` writes this file."; \
	  cat build/lock/litex.txt; } > litex/requirements.txt

clean:
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
