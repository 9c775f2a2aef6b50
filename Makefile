# Everything that a person does with this project. A fresh machine needs Python >= 3.11, Node >= 20 and make.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
DATA ?= .bookbound
HOST ?= 127.0.0.1
PORT ?= 8000

.venv/.synced: pyproject.toml uv.lock
	@command -v uv >/dev/null || test -x .uv/bin/uv || { $(PYTHON) -m venv .uv && .uv/bin/pip install --quiet uv; }
	@PATH="$$PATH:$(CURDIR)/.uv/bin" uv sync --locked --quiet
	@touch $@

.PHONY: setup
setup: .venv/.synced ## install everything into .venv, from uv.lock

.PHONY: run
run: setup ## ingest the sample book and serve API and demo page
	@$(BIN)/bookbound --data $(DATA) ingest sample_book/docs
	@$(BIN)/bookbound --data $(DATA) serve --host $(HOST) --port $(PORT)

.PHONY: test
test: setup ## every test that passes on a fresh machine
	@$(BIN)/pytest

.PHONY: check
check: setup ## lint, formatting, types, layering, dependencies, generated files
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/deptry .
	@$(BIN)/python -m functions.api.openapi --check
	@$(BIN)/python -m tests.requirements_table --check

.PHONY: evaluate
evaluate: setup ## measure the answers to the sample book's questions; DOCS=… QUESTIONS=… BOOK=… for another book
	@$(BIN)/bookbound --data $(DATA) ingest $(or $(DOCS),sample_book/docs)
	@mkdir -p build
	@BOOKBOUND_BOOK=$(or $(BOOK),$(if $(DOCS),,sample-book)) $(BIN)/bookbound --data $(DATA) evaluate \
		$(or $(QUESTIONS),sample_book/questions.jsonl) \
		--html build/evaluation.html --json build/evaluation.json --answers build/answers.jsonl
	@$(if $(DOCS),,$(BIN)/python -m evaluation.baseline build/evaluation.json)

.PHONY: fit
fit: setup ## fit score map and sufficiency model anew on the sample book's questions
	@$(BIN)/python -m evaluation.fit

.PHONY: bench
bench: setup ## what a question and an ingest cost, part by part
	@$(BIN)/python -m benchmarks.question
	@$(BIN)/python -m benchmarks.ingest

.PHONY: synth
synth: setup ## synthesise the cloud templates into cdk.out
	@$(BIN)/python -m infra.app

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile
