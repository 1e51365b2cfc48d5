# One definition of every routine; CI, pre-commit and people call these.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SETUP := $(VENV)/.set-up
WEB := web/dist/index.html
JOBS ?= 2

.DEFAULT_GOAL := help
.PHONY: help setup run demo test check bench lock clean

help: ## list what there is
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

setup: $(SETUP) $(WEB) ## make .venv and build the web client (a second call does nothing)

$(SETUP): requirements-dev.txt infra/local/setup.py
	@$(PYTHON) infra/local/setup.py venv $(VENV)
	@touch $@

$(WEB): $(SETUP) web/package-lock.json $(shell find web/src web/public web/index.html -type f 2>/dev/null)
	@$(BIN)/python infra/local/setup.py web

run: setup ## start the product on this machine (PORT, DATA); prints the address with the key
	@$(BIN)/memex serve $(if $(PORT),--port $(PORT)) $(if $(DATA),--data "$(DATA)")

demo: setup ## the main job from end to end on an empty temporary store
	@$(BIN)/memex demo $(if $(PORT),--port $(PORT))

test: setup ## all tests, JOBS of them at once
	@$(BIN)/python -m pytest -n $(JOBS) --dist loadfile

check: setup ## format, lint, types, workflows, web
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy .
	@$(BIN)/yamllint --strict workflows cloudbuild.yaml .yamllint.yaml .pre-commit-config.yaml
	@$(BIN)/python -m infra.local.workflow.check workflows/*.yaml
	@$(BIN)/python -m infra.gcp.check
	@$(BIN)/python infra/local/setup.py web-check

bench: setup ## benchmarks beside a bare floor in the same run
	@$(BIN)/python -m tests.bench

lock: $(SETUP) ## pin the dependencies again
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header pyproject.toml -o requirements.txt
	@$(BIN)/uv pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-header --extra dev -c requirements.txt pyproject.toml -o requirements-dev.txt

clean: ## remove everything that was made here; the data in .memex stays
	rm -rf $(VENV) web/node_modules web/dist .bench .pytest_cache .mypy_cache .ruff_cache .hypothesis
