package main

import "strings"

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
