# Everything that a person does with this project. A fresh machine needs Python >= 3.11, Node >= 20 and make.
SHELL := /bin/bash
.DEFAULT_GOAL := help
PYTHON ?= python3
BIN := .venv/bin
DATA ?= .bookbound
HOST ?= 127.0.0.1
PORT ?= 8000
# CDK still runs on Node 20; its banner about it would bury what a command has to say.
export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION ?= 20

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
	@$(BIN)/python -m local.auditing.schema --check
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
	@$(BIN)/python -m benchmarks.ingest_scale

.PHONY: synth
synth: setup ## synthesise the cloud templates into cdk.out
	@$(BIN)/python -m infra.app

CDK := npx --yes aws-cdk@2.1148.1
SAM := uvx --from aws-sam-cli==1.170.0 sam
APPROVAL ?= broadening
need_stage = $(if $(STAGE),,$(error $@ needs a stage, such as: make $@ STAGE=dev))

.PHONY: layers
layers: setup ## build what Lambda runs, from uv.lock, into build/lambda
	@$(BIN)/python -m layers.deps

.PHONY: diff
diff: setup ## what a deploy would change: STAGE=dev|staging|prod
	@$(need_stage)BOOKBOUND_STAGE=$(STAGE) $(CDK) diff 'bookbound-$(STAGE)-*'

.PHONY: deploy
deploy: setup ## deploy a stage: STAGE=dev|staging|prod; docs/deploy.md has the first one step by step
	@$(need_stage)BOOKBOUND_STAGE=$(STAGE) $(CDK) deploy 'bookbound-$(STAGE)-*' --require-approval $(APPROVAL) || \
		{ echo "the first time in an account and region: $(CDK) bootstrap; see docs/deploy.md" >&2; exit 1; }

.PHONY: destroy
destroy: setup ## take a stage down: STAGE=dev|staging; prod keeps its data, and is protected
	@$(need_stage)echo "dev and staging lose their books and records. prod keeps them, and refuses until docs/deploy.md#destroy"
	@read -r -p "type the stage's name to destroy it: " answer && [ "$$answer" = "$(STAGE)" ] || \
		{ echo "nothing was destroyed" >&2; exit 1; }
	@BOOKBOUND_STAGE=$(STAGE) $(CDK) destroy 'bookbound-$(STAGE)-*' --force

.PHONY: ingest
ingest: setup ## send a book to a stage, follow its ingest, and print the report: STAGE=… DOCS=… [BOOK=id]
	@$(need_stage)$(BIN)/bookbound --data $(DATA) publish $(or $(DOCS),sample_book/docs) --stage $(STAGE) $(if $(BOOK),--book-id $(BOOK))

.PHONY: doctor
doctor: setup ## check keys, models and the live index: [STAGE=…], else of this machine
	@$(BIN)/bookbound --data $(DATA) doctor $(if $(STAGE),--stage $(STAGE))

.PHONY: smoke
smoke: setup ## ask a running service two questions: STAGE=… or URL=…; a key in BOOKBOUND_KEY
	@$(BIN)/bookbound --data $(DATA) smoke $(URL) $(if $(STAGE),--stage $(STAGE))

.PHONY: lambda
lambda: setup ## the API in Lambda's own runtime on this machine, with its demo page
	@$(BIN)/python -m tests.runtime

.PHONY: sam-validate
sam-validate: setup ## check the API's template with AWS SAM's tools, and build it with them
	@CDK_CONTEXT_JSON='{"aws:cdk:enable-asset-metadata":true}' BOOKBOUND_STAGE=dev CDK_OUTDIR=build/sam $(BIN)/python -m infra.app
	@printf 'ignore_checks: [W3005, W7001]\n' > build/sam/.cfnlintrc
	@cd build/sam && export PATH="$$PATH:$(CURDIR)/.uv/bin" SAM_CLI_TELEMETRY=0 AWS_DEFAULT_REGION=us-east-1 && \
		$(SAM) validate --lint --template bookbound-dev-api.template.json && \
		$(SAM) build --template bookbound-dev-api.template.json --build-dir built

.PHONY: asl-validate
asl-validate: ## check the state machine of the ingest against the language that it is written in
	@npx --yes asl-validator@4.0.0 --json-path ingest_job/state_machine.asl.json

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
