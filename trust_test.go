package dualgap_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTrust: the tests that docs/trust.md names are where its links lead.
func TestTrust(t *testing.T) {
	links := regexp.MustCompile("\\[`(\\w+)`\\]\\((\\.\\./[^)]*\\.go)\\)").FindAllStringSubmatch(
		read(t, "docs/trust.md"), -1)
	for _, l := range links {
		text, err := os.ReadFile(filepath.Join("docs", l[2]))
		if err != nil {
			t.Error(err)
		} else if strings.HasPrefix(l[1], "Test") && !strings.Contains(string(text), "func "+l[1]+"(t *testing.T)") {
			t.Errorf("%s has no test %s", l[2], l[1])
		}
	}
	if len(links) < 20 {
		t.Errorf("%d links to tests, want 20 at least", len(links))
	}
}
