SHELL := bash
.SHELLFLAGS := -o pipefail -ec
.DEFAULT_GOAL := help

CORE := ./engine/... ./grading/...
# Every binary that is shipped is built with it: what is hot in a run is inlined.
PROFILE := cmd/squall/default.pgo
WASM := GOOS=js GOARCH=wasm
# WebAssembly is tested as it is shipped: with its jumps straightened.
WASM_EXEC := -exec $(CURDIR)/.ci/wasm-exec
TALLY := go run ./.ci/tally

##@ Use it

.PHONY: play
play: build ## build the playground, serve it on this machine and print its address
	go run ./cmd/squall serve

.PHONY: build
build: ## build everything that a person opens: dist/
	./build.sh

.PHONY: install
install: ## install the command squall
	go install ./cmd/squall

##@ Check it

.PHONY: test
test: lint fma test-native test-wasm test-module test-browser edge-test size ## everything: gates, native, WebAssembly and browser tests

.PHONY: lint
lint: ## layout, vet, staticcheck, stale generated code, names
	.ci/lint

.PHONY: fma
fma: ## no fused multiply-add in the deterministic packages, on any processor
	.ci/fma --self-test
	.ci/fma

.PHONY: test-native
test-native: ## the Go tests on this machine
	go test -json $$(go list ./... | grep -vE '/(e2e|edge/workerd)$$') ./.ci/tally | $(TALLY) build/tests/native

.PHONY: test-wasm
test-wasm: build/straighten ## engine and grader as WebAssembly, in Node
	$(WASM) go test $(WASM_EXEC) -json $(CORE) | $(TALLY) build/tests/wasm

.PHONY: test-module
test-module: build ## the module for other pages and programs, in Node
	node --test --test-reporter=tap wasm/test/*.test.mjs | $(TALLY) build/tests/module

.PHONY: test-browser
test-browser: build ## the flows of a person, in Chromium
	CI=true go test -json -count=1 ./e2e/... | $(TALLY) build/tests/browser

build/straighten: $(wildcard wasm/straighten/*.go)
	go build -o $@ ./wasm/straighten

.PHONY: size
size: build ## weight of the page and of the modules
	.ci/size

.PHONY: golden
golden: build/straighten ## the published results, natively and as WebAssembly
	go test -run 'Golden' $(CORE) ./cmd/...
	$(WASM) go test $(WASM_EXEC) -run 'Golden' $(CORE)

.PHONY: test-arch
test-arch: build/straighten ## the same reports on arm64, s390x, riscv64, amd64 v3 and WebAssembly (installs qemu-user)
	.ci/arch

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME (20s)
	.ci/fuzz $(or $(FUZZTIME),20s)

.PHONY: bench
bench: build/straighten ## speed and allocations, natively and as WebAssembly
	go test -pgo=$(PROFILE) -run '^$$' -bench . -benchmem $(CORE)
	$(WASM) go test $(WASM_EXEC) -pgo=$(PROFILE) -run '^$$' -bench . -benchmem $(CORE)

.PHONY: profile
profile: ## measure anew what the compiler should inline (cmd/squall/default.pgo)
	go test -pgo=off -c -o build/engine.test ./engine
	build/engine.test -test.run '^$$' -test.bench 'Brownout' -test.benchtime 600x -test.cpuprofile build/most.prof
	build/engine.test -test.run '^$$' -test.bench 'BreakerHedge|Graph' -test.benchtime 60x -test.cpuprofile build/other.prof
	go tool pprof -proto -output $(PROFILE) build/most.prof build/other.prof

##@ The Worker (docs/worker.md)

.PHONY: edge-build
edge-build: edge/node_modules/.package-lock.json ## build the Worker into edge/build/ and weigh it
	[ -e dist/index.html ] || ./build.sh
	edge/build.sh

.PHONY: edge-dev
edge-dev: edge-build ## run the Worker on this machine, on port PORT (8787), without account or network
	cd edge && node workerd/serve.mjs $(or $(PORT),8787) .wrangler/kv

.PHONY: edge-test
edge-test: edge-build ## the built Worker in workerd: digests, limits, links, a band over two of them
	CI=true go test -json -count=1 ./edge/workerd | $(TALLY) build/tests/edge

edge/node_modules/.package-lock.json: edge/package-lock.json
	cd edge && npm ci --silent
	touch $@

##@ Other

.PHONY: clean
clean: ## remove what was built
	rm -rf build dist

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^##@/ { printf "\n%s\n", substr($$0, 5) } /^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile
