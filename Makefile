# Everything a fresh machine needs: Go, make, Node with npm, and a C compiler for
# the race detector. The tests need nothing from the network but the Go modules
# and the published plugins, which npm gets once.

# Static binaries start in three quarters of the CPU time of linked ones.
GO      ?= go
BUILD   := CGO_ENABLED=0 $(GO) build -trimpath -ldflags='-s -w'
FUZZTIME ?= 20s

NPM := testdata/oracle/mnemon testdata/reference

.PHONY: all build demo plugins test test-fast e2e bench torture endurance lint fuzz gen clean

all: build

build: ## the binaries, into bin/
	$(BUILD) -o bin/ ./cmd/...

demo: build plugins ## a session goes by, something is learned, the next one knows it; two plugins compose a View; a plugin runs, breaks and rolls back
	$(GO) run ./scripts/demo -selfip bin/selfip -mnemon bin/dsh-mnemon -cordis bin/cordis

# The race detector makes every process wait a second at its end, which the
# scripts of the tests start by the thousand; that is switched off. A process
# with the detector does not fit into the memory of a Host half, so what bounds
# that memory is tested without it.
test: plugins ## every test, with the race detector
	$(GO) vet ./...
	GORACE=atexit_sleep_ms=0 $(GO) test -race -timeout 20m ./...
	$(GO) test ./internal/cordis/child
	$(GO) run ./scripts/check

# The published packages that ours has to run unmodified, and those that it is
# compared with, as the lock files pin them; their install scripts do not run.
# The lock file of the one knows nothing of peers, that of the other does.
plugins: $(NPM:=/node_modules/.installed)

testdata/oracle/%/node_modules/.installed: testdata/oracle/%/package-lock.json
	cd $(<D) && npm ci --ignore-scripts --legacy-peer-deps --no-audit --no-fund && cp $(<F) node_modules/.installed

testdata/reference/node_modules/.installed: testdata/reference/package-lock.json
	cd $(<D) && npm ci --ignore-scripts --no-audit --no-fund && cp $(<F) node_modules/.installed

test-fast: plugins ## what a change should pass before it is committed: without what waits for limits or starts many processes
	$(GO) test -short ./...

e2e: build ## the harnesses themselves, from npm, with a stand-in for a model
	$(GO) run ./scripts/e2e -selfip bin/selfip

torture: build ## two minutes of sessions, workers, sleep, compaction and SIGKILL in one library
	$(GO) run ./scripts/torture -selfip bin/selfip

endurance: build ## a host that goes through 10,000 cycles and 200 plugins at once with random SIGKILL, isolated and trusted
	$(GO) run ./scripts/endurance -cordis bin/cordis
	$(GO) run ./scripts/endurance -cordis bin/cordis -trusted

bench: build ## figures beside an empty Go program, a plain locked append and Node
	$(GO) run ./scripts/bench -selfip bin/selfip -mnemon bin/dsh-mnemon -cordis bin/cordis

lint:
	@test -z "$$($(GO) tool gofumpt -l cmd internal pkg scripts)" || { $(GO) tool gofumpt -l cmd internal pkg scripts; exit 1; }
	$(GO) vet ./...
	$(GO) tool staticcheck ./...

fuzz: ## each fuzz target for FUZZTIME
	$(GO) run ./scripts/fuzz -time $(FUZZTIME)

gen: ## everything that is generated: completions, reference, tables
	UPDATE=1 $(GO) test ./... >/dev/null
	$(GO) run ./scripts/gen

clean:
	rm -rf bin
