package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/dualgap/dualgap/cmd/dualgap/internal/data"
)

// given are the flags that stand on the command line, by their long names: those that are at their defaults are none.
type given map[string]*kong.Flag

func givenIn(k *kong.Context) given {
	g := given{}
	for _, p := range k.Path {
		if p.Flag != nil && !p.Resolved {
			g[p.Flag.Name] = p.Flag
		}
	}
	return g
}

// name returns a flag as a user writes it: -c, -cv, --lambda.
func (g given) name(flag string) string {
	switch f := g[flag]; {
	case f != nil && f.Short != 0:
		return "-" + string(f.Short)
	case flag == "cv":
		return "-cv"
	}
	return "--" + flag
}

// said returns a flag with its value, as it stands on the command line or nearly so.
func (g given) said(flag string) string {
	v := g[flag].Target
	switch v.Kind() {
	case reflect.Bool:
		return g.name(flag)
	case reflect.Slice:
		var words []string
		for i := range v.Len() {
			words = append(words, fmt.Sprint(v.Index(i)))
		}
		return g.name(flag) + " " + strings.Join(words, ",")
	}
	return fmt.Sprintf("%s %v", g.name(flag), v)
}

// rule is two flags that do not go together, and why.
type rule struct{ a, b, why string }

// apart returns an error if both flags of a rule are given.
func (g given) apart(rules ...rule) error {
	for _, r := range rules {
		if g[r.a] != nil && g[r.b] != nil {
			return usage("%s and %s: %s", g.said(r.a), g.said(r.b), r.why)
		}
	}
	return nil
}

// need returns an error if any of the flags is given though what it is for is not.
func (g given) need(is bool, what string, flags ...string) error {
	for _, flag := range flags {
		if g[flag] != nil && !is {
			return usage("%s without %s", g.said(flag), what)
		}
	}
	return nil
}

// above0 returns an error if any of the flags is given as 0, which stands for a default where it is not given.
func (g given) above0(flags ...string) error {
	for _, flag := range flags {
		if f := g[flag]; f != nil && f.Target.IsZero() {
			return usage("%s: want a number above 0, or leave it out", g.said(flag))
		}
	}
	return nil
}

// first returns the first error.
func first(all ...error) error {
	if i := slices.IndexFunc(all, func(err error) bool { return err != nil }); i >= 0 {
		return all[i]
	}
	return nil
}

// ownCosts is why a cost does not go with -cv.
const ownCosts = "-cv tries costs of its own: name them by --grid-c, or leave out one of the two"

// formatsOf are the formats of data that flags are for.
var formatsOf = map[string][]string{
	"labels": {"npy", "idx"}, "multiply": {"npy", "idx", "fvecs", "bvecs", "ivecs"}, "unlabeled": {"csv", "npy", "idx"},
	"multi-label": {"libsvm"}, "zero-based": {"libsvm"}, "features": {"libsvm"},
	"label-column": {"csv"}, "group-column": {"csv"}, "fold-column": {"csv"}, "header": {"csv"},
}

// fit returns an error if a flag is of another format than the data of the file, of which --format says format.
func (g given) fit(path, format string) error {
	format = data.FormatOf(path, format)
	for _, flag := range slices.Sorted(maps.Keys(formatsOf)) {
		if formats := formatsOf[flag]; g[flag] != nil && !slices.Contains(formats, format) {
			return usage("%s is for %s, and %s is read as %s: leave it out, or say by --format what it is",
				g.said(flag),
				strings.Join(formats, ", "), path, format)
		}
	}
	return nil
}

// noData returns an error if a flag of data is given, or one of the others, though the file is a model.
func (g given) noData(path string, others ...string) error {
	flags := slices.Sorted(maps.Keys(formatsOf))
	for _, flag := range append(append(flags, "format", "group-file", "fold-file", "max-rows"), others...) {
		if g[flag] != nil {
			return usage("%s is for data, and %s is none: leave it out", g.said(flag), path)
		}
	}
	return nil
}
