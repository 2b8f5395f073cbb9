#!/usr/bin/env bash
# Builds every fuzz target of the library for OSS-Fuzz, which runs this in the clone. The targets are those that
# .ci/run fuzz runs, but for other modules and the bench: all that follow the pattern func FuzzNAME(f *testing.F).
#
# compile_native_go_fuzzer_v2 finds a target by its name in the files in and below its directory, and leaves out one
# that it finds twice. So no target's name begins with another's there: TestFuzzNames.
set -euo pipefail

# The builder compiles a package's test files as if they were none: files of PACKAGE_test cannot stand beside those of
# PACKAGE.
grep -rlE --include='*_test.go' '^package [a-z0-9]+_test$' . | xargs rm

# It lays a file of its own over the standard library's package testing. Go does not allow that where it has fetched
# the toolchain that go.mod asks for into the cache of modules: there it takes a copy. And the builder reads source by
# the packages of the Go that compiled it, which has to be the same one.
if [[ $(go env GOROOT) == "$(go env GOMODCACHE)"* ]]; then
  tools=$(mktemp -d)
  cp -R "$(go env GOROOT)" "$tools/go"
  chmod -R u+w "$tools/go"
  export GOROOT=$tools/go GOTOOLCHAIN=local PATH=$tools/bin:$tools/go/bin:$PATH
  git clone https://github.com/AdamKorcz/go-118-fuzz-build "$tools/builder"
  (
    cd "$tools/builder"
    git fetch --depth 1 origin "${FUZZ_BUILDER:-fc5dc53b9db8a38c394c53d6e439a1410cf8fc19}"
    git checkout -q FETCH_HEAD
    GOFLAGS=-mod=mod go build -o "$tools/bin/go-118-fuzz-build_v2" .
  )
fi

go get github.com/AdamKorcz/go-118-fuzz-build/testing

module=$(go list -m)
grep -rnoE --include='*_test.go' '^func Fuzz[A-Za-z0-9]+\(' asm vec project pq dataset exchange solvers internal cmd |
  sed -E 's|^(.*)/[^/]+:[0-9]+:func (Fuzz[A-Za-z0-9]+)\($|\1 \2|' | sort |
  while read -r dir target; do
    case $dir in internal/gen*) continue ;; esac
    compile_native_go_fuzzer_v2 "$module/$dir" "$target" "$(tr / _ <<<"$dir")_$target"
  done
