# Everything here is a short form; .ci/run is the full set of checks.

BENCH ?= .
COUNT ?= 10
OUT ?= new.txt
OLD ?= old.txt
NEW ?= new.txt
benchstat = golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da

.PHONY: test purego race generate-check fuzz-short bench benchcmp cover

test: ## all tests, best tier
	go test ./...

purego: ## without assembly
	go test -tags=purego ./...

race: ## the detector does not see assembly, so once more without it
	go test -race ./...
	go test -race -tags=purego ./...

generate-check: ## is every generated file what its generator writes?
	.ci/run generate

fuzz-short: ## each fuzz target for five seconds
	.ci/run fuzz

bench: ## go benchmarks that match BENCH, COUNT times, into OUT
	go test -run='^$$' -bench='$(BENCH)' -count=$(COUNT) ./asm/... ./vec/... | tee $(OUT)

benchcmp: ## compares OLD with NEW
	go run $(benchstat) $(OLD) $(NEW)

cover: ## coverage of Go code, by function
	go test -coverprofile=cover.out ./... && go tool cover -func=cover.out
