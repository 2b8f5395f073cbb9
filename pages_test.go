package dualgap_test

import (
	"path"
	"regexp"
	"testing"
)

// qualified is what begins with a package's name, a dot and what the package exports, with a field or method perhaps.
var qualified = regexp.MustCompile(`^([a-z][a-z0-9]*)\.([A-Z]\w*(?:\.[A-Z]\w*)?)`)

// TestPages: what README and the pages name of packages is declared there: where a span in backquotes begins with a
// package's name and a dot, the package has the name behind it. docs/papers.md names folders, for TestPapers.
func TestPages(t *testing.T) {
	folders := map[string]string{}
	for _, dir := range []string{"vec", "vec/low", "vec/gonumblas", "project", "pq", "dataset", "dataset/samples",
		"solvers", "solvers/design", "solvers/model", "solvers/linear", "solvers/kernel", "solvers/kernel/bundle",
		"solvers/loss", "solvers/metrics", "solvers/topk", "solvers/m3l", "solvers/toprank", "solvers/tracenorm",
		"solvers/mkl", "solvers/svm", "solvers/l1", "solvers/predictor", "exchange"} {
		folders[path.Base(dir)] = dir
	}
	found, count := map[string]map[string]bool{}, 0
	for _, page := range append(pages(t), "SECURITY.md", "CONTRIBUTING.md") {
		if page == "docs/papers.md" {
			continue
		}
		for _, span := range regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(read(t, page), -1) {
			name := qualified.FindStringSubmatch(span[1])
			if name == nil || folders[name[1]] == "" {
				continue
			}
			if count++; !declares(t, found, folders[name[1]]+"."+name[2]) {
				t.Errorf("%s: there is no %s", page, name[0])
			}
		}
	}
	if count < 80 {
		t.Errorf("the pages name %d, want 80 at least: are they in backquotes?", count)
	}
}
