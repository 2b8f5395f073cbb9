package damage

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/dualgap/dualgap/internal/prove"
)

// goldenFile has a line for each reader: the name of its test, and a digest of what it says of damaged files. The first
// line has the version of Go: errors have words of its own packages.
const goldenFile = "testdata/damaged.txt"

// golden fails where a reader says something else of the files of places than what is committed: a bound that moves by
// one, or a check that goes, is seen here. DUALGAP_DIGESTS=write writes the line anew. Elsewhere than on amd64, whose
// integers have 64 bits, it is skipped, and by other versions of Go, and where everything is slow.
func (r Reader) golden(t *testing.T) {
	t.Helper()
	if prove.Platform() != "amd64" || prove.Slow() {
		return
	}
	const goKey = " Go"
	version := strings.Join(strings.SplitN(runtime.Version(), ".", 3)[:2], ".")
	digest, err := r.said(t)
	if err != nil {
		t.Error(err)
	}
	lines := map[string]string{}
	if text, err := os.ReadFile(goldenFile); err == nil {
		for line := range strings.Lines(string(text)) {
			name, digest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
			lines[name] = digest
		}
	}
	want := lines[t.Name()]
	if os.Getenv("DUALGAP_DIGESTS") != "write" {
		if digest != want && version == lines[goKey] {
			t.Errorf("damaged files are told of with digest %s, want %q: see %s", digest, want, goldenFile)
		}
		return
	}
	lines[t.Name()], lines[goKey] = digest, version
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(lines)) {
		fmt.Fprintf(&text, "%s: %s\n", name, lines[name])
	}
	if err := os.MkdirAll("testdata", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(goldenFile, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
}

// said is the digest of the reader's errors.
func (r Reader) said(t testing.TB) (digest string, err error) {
	h := sha256.New()
	for what, bad := range places(r.File, r.Form) {
		if r.Seal != nil {
			bad = r.Seal(bad)
		}
		panicked, told := try(func() error { return r.Read(t, bad) })
		if panicked != nil {
			return "", fmt.Errorf("a panic (%s): %v", what, panicked)
		}
		fmt.Fprintln(h, what, told)
	}
	return hex.EncodeToString(h.Sum(nil)[:6]), nil
}
