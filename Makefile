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
# CDK reads the first, boto3 the second alone.
ifdef AWS_REGION
export AWS_DEFAULT_REGION ?= $(AWS_REGION)
endif
# Without bytecode on disk every process compiles all that it imports again: half of the time of a test run.
unexport PYTHONDONTWRITEBYTECODE

.venv/.synced: pyproject.toml uv.lock
	@command -v uv >/dev/null || test -x .uv/bin/uv || { $(PYTHON) -m venv .uv && .uv/bin/pip install --quiet uv; }
	@PATH="$$PATH:$(CURDIR)/.uv/bin" uv sync --locked --all-extras --quiet
	@touch $@

.PHONY: setup
setup: .venv/.synced ## install everything into .venv, from uv.lock

.PHONY: run
run: setup ## ingest the sample book and serve API and demo page
	@$(BIN)/bookbound --data $(DATA) ingest sample_book/docs
	@$(BIN)/bookbound --data $(DATA) serve --host $(HOST) --port $(PORT)

# A process per processor; tests/conftest.py says which tests stay together.
PYTEST := $(BIN)/pytest -n auto

.PHONY: test
test: setup site/plugin/node_modules/.built ## the fast tests, all that a change needs while it is made; says how long they took
	@begun=$$(date +%s) && (cd site/plugin && npm test --silent) && $(PYTEST) -m "not long" && echo "make test: $$(($$(date +%s) - begun)) s"

.PHONY: test-long
test-long: setup site/plugin/node_modules/.built ## the long tests: Lambda's runtime, fault schedules, whole ingests, installed packages
	@begun=$$(date +%s) && $(PYTEST) -m long && echo "make test-long: $$(($$(date +%s) - begun)) s"

.PHONY: test-all
test-all: setup site/plugin/node_modules/.built ## every test
	@begun=$$(date +%s) && (cd site/plugin && npm test --silent) && $(PYTEST) && echo "make test-all: $$(($$(date +%s) - begun)) s"

.PHONY: package
package: setup site/plugin/node_modules/.built ## wheel, sdist and npm tarball into build/packages
	@rm -rf build/packages && mkdir -p build/packages
	@PATH="$$PATH:$(CURDIR)/.uv/bin" uv build --quiet --out-dir build/packages
	@cd site/plugin && npm pack --silent --pack-destination ../../build/packages

.PHONY: check
check: setup site/plugin/node_modules/.built ## lint, types, layering, dependencies, generated files, and that no answer got worse
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/deptry .
	@PATH="$$PATH:$(CURDIR)/.uv/bin"; for each in . benchmarks training; do uv lock --quiet --check --project $$each || { echo "$$each/uv.lock is behind its pyproject.toml, or the product's: run uv lock --project $$each"; exit 1; }; done
	@$(BIN)/python -m bookbound.api.openapi --check
	@$(BIN)/python -m tests.audit_schema --check
	@$(BIN)/python -m tests.requirements_table --check
	@$(BIN)/python -m evaluation.gate
	@cd site/plugin && npm run --silent check && npm run --silent size && npm run --silent embed -- --check $(CURDIR)/$(PAGE)

.PHONY: evaluate
evaluate: setup ## measure the answers to the sample book's questions; DOCS=… QUESTIONS=… BOOK=… for another book
	@$(BIN)/bookbound --data $(DATA) ingest $(or $(DOCS),sample_book/docs)
	@mkdir -p build
	@BOOKBOUND_BOOK=$(or $(BOOK),$(if $(DOCS),,sample-book)) $(BIN)/bookbound --data $(DATA) evaluate \
		$(or $(QUESTIONS),sample_book/questions.jsonl) \
		--html build/evaluation.html --json build/evaluation.json --answers build/answers.jsonl \
		$(if $(DOCS),,--baseline evaluation/baseline.json)

.PHONY: baseline
baseline: setup ## take what the sample book's questions come to now as what `make check` holds changes against
	@$(BIN)/python -m evaluation.gate --write

benchmarks/.venv/.synced: benchmarks/pyproject.toml benchmarks/uv.lock pyproject.toml
	@PATH="$$PATH:$(CURDIR)/.uv/bin" uv sync --project benchmarks --locked --quiet
	@touch $@

.PHONY: bench
bench: setup benchmarks/.venv/.synced ## beside peers, under load, over time: build/bench.html; [PARTS="answers load"] [BENCH_DOCS=… BENCH_QUESTIONS=…]
	@benchmarks/.venv/bin/python -m benchmarks $(PARTS)

training/.venv/.synced: training/pyproject.toml training/uv.lock pyproject.toml
	@PATH="$$PATH:$(CURDIR)/.uv/bin" uv sync --project training --locked --quiet
	@touch $@

need_books = $(if $(BOOKS),,$(error $@ needs the folder with the open books: make $@ BOOKS=path))

.PHONY: questions-check
questions-check: setup training/.venv/.synced ## check the questions and claims in training/ against the open books: BOOKS=… [NEAR=folder] [COUNTS=1]
	@$(need_books)training/.venv/bin/python -m training.check $(BOOKS) $(if $(NEAR),--near $(NEAR)) $(if $(COUNTS),--counts)

.PHONY: reader
reader: setup ## train, fit, measure and export the reader; hours, with a GPU, and a stopped run goes on: BOOKS=… READING=…
	@$(need_books)$(if $(READING),,$(error $@ needs the folder with public reading data: make $@ BOOKS=path READING=path))PATH="$$PATH:$(CURDIR)/.uv/bin" uv sync --project training --locked --group weights --quiet
	@training/.venv/bin/python -m training.reader $(BOOKS) $(READING)
	@training/.venv/bin/python -m training.reader.adapt $(BOOKS) $(READING)
	@training/.venv/bin/python -m training.reader.second_look $(BOOKS)
	@training/.venv/bin/python -m training.reader.follow_ups $(BOOKS)
	@training/.venv/bin/python -m training.reader.tables $(BOOKS)

.PHONY: embedder
embedder: setup ## train the bundled embedder; half an hour, then ingest every book again: BOOKS=… READING=…
	@$(need_books)$(if $(READING),,$(error $@ needs the folder with public reading data: make $@ BOOKS=path READING=path))PATH="$$PATH:$(CURDIR)/.uv/bin" uv sync --project training --locked --group weights --quiet
	@training/.venv/bin/python -m training.embedder $(BOOKS) $(READING)
	@training/.venv/bin/python -m training.embedder.places $(BOOKS) --write
	@training/.venv/bin/python -m training.reader.second_look $(BOOKS)

.PHONY: questions-release
questions-release: ## the questions and claims as one file, to be released by itself: build/bookbound-questions.tar.gz
	@mkdir -p build && tar -czf build/bookbound-questions.tar.gz --sort=name --owner=0 --group=0 --mtime=@0 \
		training/README.md training/GUIDE.md training/LICENSE training/counts.txt \
		training/second-reading.jsonl training/questions training/claims training/pairs

.PHONY: books
books: setup benchmarks/.venv/.synced ## ask the product and its peers the questions of the open books; hours: BOOKS=… [WRITE=1 makes it the baseline]
	@$(need_books)benchmarks/.venv/bin/python -m benchmarks.books $(BOOKS)
	@$(BIN)/python -m evaluation.books $(BOOKS) $(if $(WRITE),--write)

FUZZ_SECONDS ?= 600

.PHONY: fuzz
fuzz: setup ## look for input that breaks what reads it, ten minutes a target: [TARGETS=…] [FUZZ_SECONDS=…]
	@$(BIN)/python -m tests.fuzz $(TARGETS) --seconds $(FUZZ_SECONDS)

.PHONY: api-fuzz
api-fuzz: setup ## thousands of requests drawn from the OpenAPI document, to the served API
	@$(BIN)/python -m tests.api_fuzz

.PHONY: red-team
red-team: setup ## attacks on prompt, pages and selection, before models that obey and invent: ATTACKS='FILE.json …'
	@$(BIN)/python -m trials.red_team $(or $(ATTACKS),$(error red-team needs lists of attacks: make red-team ATTACKS='FILE.json …'))

.PHONY: secrets
secrets: setup ## look for secrets in the repository, in the templates, and in all that a stage at work writes
	@$(BIN)/python -m tests.secrets_scan

.PHONY: audit-deps
audit-deps: setup ## ask the databases of known faults about every locked package; fails where none can be reached
	@mkdir -p build && PATH="$$PATH:$(CURDIR)/.uv/bin" uv export --locked --all-groups --all-extras --no-emit-project --quiet -o build/requirements.txt
	@PATH="$$PATH:$(CURDIR)/.uv/bin" uvx pip-audit --strict --disable-pip --require-hashes --progress-spinner off -r build/requirements.txt
	@cd site/plugin && npm audit --package-lock-only
	@cd sample_book && npm audit --package-lock-only

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

.PHONY: bootstrap
bootstrap: setup ## prepare an AWS account and region for deploys, once for all stages
	@$(CDK) bootstrap

.PHONY: github
github: setup ## let GitHub's workflows into an AWS account, once, before a stage names a repository
	@$(CDK) deploy bookbound-github --require-approval $(APPROVAL)

.PHONY: diff
diff: setup ## what a deploy would change: STAGE=dev|staging|prod
	@$(need_stage)BOOKBOUND_STAGE=$(STAGE) $(CDK) diff 'bookbound-$(STAGE)-*'

.PHONY: deploy
deploy: setup ## deploy a stage: STAGE=dev|staging|prod [FORCE=1 skips check and alarm of a release]; docs/deploy.md has the first one
	@$(need_stage)BOOKBOUND_STAGE=$(STAGE) BOOKBOUND_FORCE=$(FORCE) $(CDK) deploy 'bookbound-$(STAGE)-*' --require-approval $(APPROVAL) || \
		{ echo "the first time in an account and region: make bootstrap; see docs/deploy.md" >&2; exit 1; }

.PHONY: destroy
destroy: setup ## take a stage down: STAGE=dev|staging; prod keeps its data, and is protected
	@$(need_stage)echo "dev and staging lose their books and records. prod keeps them, and refuses until docs/deploy.md#destroy"
	@read -r -p "type the stage's name to destroy it: " answer && [ "$$answer" = "$(STAGE)" ] || \
		{ echo "nothing was destroyed" >&2; exit 1; }
	@BOOKBOUND_STAGE=$(STAGE) $(CDK) destroy 'bookbound-$(STAGE)-*' --force

.PHONY: trial
trial: setup ## try a whole stage in your account, an hour from nothing to nothing: STAGE=trial [YES=1 destroys it unasked]; docs/deploy.md
	@$(need_stage)$(BIN)/python -m trials.whole_stage $(STAGE) $(if $(YES),--yes)

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
	@$(BIN)/python -m testing.runtime

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

SITE_PORT ?= 3000
PROJECTS ?= plugin script plugin-firefox script-firefox mkdocs
SITE := build/site
SITE_TEST := build/site-test
API_URL := http://$(HOST):$(PORT)
NPM_CI := npm ci --no-audit --no-fund --loglevel=error
files_in = $(shell find $(1) -type f -not -path '*/node_modules/*' -not -path '*/lib/*' -not -path '*/.docusaurus/*')

PAGE := layers/core/python/bookbound/api/page

.PHONY: panel
panel: site/plugin/node_modules/.built ## build the panel of site/plugin into the demo page
	@cd site/plugin && npm run --silent embed $(CURDIR)/$(PAGE)

site/plugin/node_modules/.built: $(call files_in,site/plugin)
	@cd site/plugin && $(NPM_CI)
	@touch $@

# The demo gets the plugin as its users do, packed, without the plugin's own React beside the site's.
sample_book/node_modules/.installed: site/plugin/node_modules/.built sample_book/package-lock.json
	@cd sample_book && $(NPM_CI)
	@touch $@

# The API's address is part of what the browser loads, so a site is built for one address.
$(SITE)/.for-$(HOST)-$(PORT): sample_book/node_modules/.installed $(call files_in,sample_book)
	@mkdir -p $(SITE) && rm -rf $(SITE)/.for-* $(SITE)/html $(SITE)/book
	@cd sample_book && BOOKBOUND_API=$(API_URL) npx docusaurus build --out-dir ../$(SITE)/html
	@mkdir $(SITE)/book
	@cp -R sample_book/docs sample_book/static sample_book/bookbound.yaml $(SITE)/html/bookbound-pages.json $(SITE)/book
	@touch $@

.PHONY: site
site: setup $(SITE)/.for-$(HOST)-$(PORT) ## build the sample book as a site, and serve it beside the API: [PORT=…] [SITE_PORT=…]
	@$(BIN)/bookbound --data $(SITE)/data ingest $(SITE)/book/docs --book-id sample-book
	@node site/demo/serve.mjs $(SITE)/html $(SITE_PORT) $(API_URL) & trap "kill $$! 2>/dev/null" EXIT; \
		BOOKBOUND_ORIGINS='["http://127.0.0.1:$(SITE_PORT)"]' \
		$(BIN)/bookbound --data $(SITE)/data serve --host $(HOST) --port $(PORT)

site/e2e/node_modules/.installed: site/e2e/package-lock.json
	@cd site/e2e && $(NPM_CI)
	@touch $@

$(SITE_TEST)/fixture/build/bookbound-pages.json: sample_book/node_modules/.installed site/e2e/fixture/docusaurus.config.js
	@rm -rf $(SITE_TEST)/fixture && mkdir -p $(SITE_TEST)/fixture && echo '{}' > $(SITE_TEST)/fixture/package.json
	@cp -R site/e2e/fixture/docusaurus.config.js tests/fixtures/docusaurus/docs $(SITE_TEST)/fixture
	@ln -s $(CURDIR)/sample_book/node_modules $(SITE_TEST)/fixture/node_modules
	@cd $(SITE_TEST)/fixture && npx docusaurus build

.PHONY: site-test
site-test: setup $(SITE)/.for-$(HOST)-$(PORT) $(SITE_TEST)/without-plugin/.built $(SITE_TEST)/fixture/build/bookbound-pages.json site/e2e/node_modules/.installed ## test the panel in its three homes, with the real API, in Chromium and Firefox: [CHROMIUM=…] [FIREFOX=…] [PROJECTS=…] [ATTACKS=payloads.json]
	@$(BIN)/pytest tests/end_to_end/built_site.py tests/end_to_end/built_llms.py
	@cd site/e2e && npx tsc && BOOKBOUND_API=$(API_URL) npx playwright test $(foreach one,$(PROJECTS),--project=$(one))

.PHONY: site-fresh
site-fresh: setup site/plugin/node_modules/.built site/e2e/node_modules/.installed ## test the plugin in a site that is made for it
	@cd site/e2e && BOOKBOUND_API=$(API_URL) npx playwright test --project=fresh

.PHONY: author-test
author-test: setup site/e2e/node_modules/.installed ## test the author's page in Chromium, with a separate server
	@cd site/e2e && npx tsc && npx playwright test --project=author

.PHONY: tutorial
tutorial: setup ## type docs/tutorial.md word by word, in a folder of its own, with a site that is made for it
	@$(BIN)/python -m tests.tutorial

$(SITE_TEST)/without-plugin/.built: sample_book/node_modules/.installed site/e2e/without-plugin.config.js
	@cp site/e2e/without-plugin.config.js sample_book/node_modules
	@cd sample_book && npx docusaurus build --config node_modules/without-plugin.config.js --out-dir ../$(@D)
	@touch $@

.PHONY: site-size
site-size: $(SITE)/.for-$(HOST)-$(PORT) $(SITE_TEST)/without-plugin/.built site/e2e/node_modules/.installed ## what the plugin adds to a page, and how soon its panel is there
	@node site/e2e/measure.mjs

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
