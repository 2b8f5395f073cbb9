package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A pkg is a package of the module, as go list tells.
type pkg struct {
	ImportPath, Dir, Name              string
	GoFiles, TestGoFiles, XTestGoFiles []string
	Imports, TestImports, XTestImports []string
	Module                             struct{ Path string }
}

func (p *pkg) tested() bool { return len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 }

// imports are what p and its tests import, twice where both do.
func (p *pkg) imports() []string { return slices.Concat(p.Imports, p.TestImports, p.XTestImports) }

// list tells of all packages of the module, whose root is the directory at hand.
func list() (map[string]*pkg, error) {
	out, err := exec.Command("go", "list", "-json", "./...").Output()
	if err != nil {
		return nil, err
	}
	all := map[string]*pkg{}
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		p := new(pkg)
		if err := d.Decode(p); errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all[p.ImportPath] = p
	}
}

// judges are the packages whose tests see a change of p: p itself, the ones in folders around it below the module's,
// the innermost first, then its other importers, the nearest first, of those as near the ones beside it in the tree,
// and of these the ones that import least.
func judges(all map[string]*pkg, p *pkg) []*pkg {
	order, seen := []*pkg{p}, map[string]bool{p.ImportPath: true}
	for i := 0; i < len(order); i++ {
		var next []*pkg
		for _, q := range all {
			if !seen[q.ImportPath] && slices.Contains(q.imports(), order[i].ImportPath) {
				next, seen[q.ImportPath] = append(next, q), true
			}
		}
		slices.SortFunc(next, func(a, b *pkg) int {
			return cmp.Or(-cmp.Compare(common(a.ImportPath, p.ImportPath), common(b.ImportPath, p.ImportPath)),
				cmp.Compare(len(a.imports()), len(b.imports())), strings.Compare(a.ImportPath, b.ImportPath))
		})
		order = append(order, next...)
	}
	around := func(q *pkg) int {
		if q.ImportPath != q.Module.Path && strings.HasPrefix(p.ImportPath+"/", q.ImportPath+"/") {
			return len(q.ImportPath)
		}
		return 0
	}
	slices.SortStableFunc(order, func(a, b *pkg) int { return around(b) - around(a) })
	return slices.DeleteFunc(order, func(q *pkg) bool { return !q.tested() })
}

// common is how many elements two paths begin with.
func common(a, b string) (n int) {
	x, y := strings.Split(a, "/"), strings.Split(b, "/")
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	return n
}

func keys(all map[string]*pkg) iter.Seq[string] { return maps.Keys(all) }

// relative is a file's path from the directory at hand.
func relative(file string) (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	return filepath.Rel(here, file)
}
