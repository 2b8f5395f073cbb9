#!/usr/bin/env bash
# Builds every fuzz target of the library for OSS-Fuzz, which runs this in the clone. The targets are those that
# .ci/run fuzz runs, but for other modules and the bench: all that follow the pattern func FuzzNAME(f *testing.F).
set -euo pipefail

# The builder compiles test files as if they were none: files of PACKAGE_test cannot stand beside those of PACKAGE.
grep -rlE --include='*_test.go' '^package [a-z0-9]+_test$' . | xargs rm

go get github.com/AdamKorcz/go-118-fuzz-build/testing

module=$(go list -m)
grep -rnoE --include='*_test.go' '^func Fuzz[A-Za-z0-9]+\(' asm vec project pq dataset exchange solvers internal cmd |
  sed -E 's|^(.*)/[^/]+:[0-9]+:func (Fuzz[A-Za-z0-9]+)\($|\1 \2|' | sort |
  while read -r dir target; do
    case $dir in internal/gen*) continue ;; esac
    compile_native_go_fuzzer_v2 "$module/$dir" "$target" "$(tr / _ <<<"$dir")_$target"
  done
