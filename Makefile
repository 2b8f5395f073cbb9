# Short forms for daily work; .ci/run is the full set of checks.

DIR ?= .
BENCH ?= .
COUNT ?= 10
OUT ?= new.out
OLD ?= old.out
NEW ?= new.out
benchstat = golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da

.PHONY: test purego race generate-check fuzz-short bench benchcmp cover

test: # every test, on the best tier
	go test ./...

purego: # without assembly
	go test -tags=purego ./...

race: # the detector does not see what assembly does, so once more without it
	go test -race ./...
	go test -race -tags=purego ./...

generate-check: # is every generated file what its generator writes?
	.ci/run generate

fuzz-short: # each fuzz target for some seconds
	.ci/run fuzz

bench: # the benchmarks that match BENCH, COUNT times, into OUT; DIR=bench/peers for the kernels and their rivals
	go -C $(DIR) test -run='^$$' -bench='$(BENCH)' -count=$(COUNT) ./... | tee $(OUT)

benchcmp: # OLD against NEW
	go run $(benchstat) $(OLD) $(NEW)

cover: # coverage of the Go code, function by function
	go test -coverprofile=cover.out ./... && go tool cover -func=cover.out
