package main

import (
	"strings"

	"github.com/dualgap/dualgap/solvers"
)

// ended is an outcome in the words of the command, where 64 bits are a flag, unless they are what it was trained in.
func ended(o solvers.Outcome, wide bool) string {
	instead := " or take --float64"
	if wide {
		instead = ""
	}
	return strings.Replace(o.String(), " or use float64", instead, 1)
}

// inWords puts the flags of the command in place of the library's options, which errors of readers name.
func inWords(message string) string { return flagsOf.Replace(message) }

var flagsOf = strings.NewReplacer(
	"dataset: option MaxRows is", "--max-rows",
	"dataset: option Cols is", "--features",
	"the option ZeroBased", "the flag --zero-based",
	"the option Sets", "the flag --multi-label",
	"the option Cols", "the flag --features",
	"dataset: ", "",
)
