package beam

import (
	"errors"
	"strings"
	"sync"
	"testing"
)

type text string

func parseText(b []byte) (text, error) { return text(b), nil }

// TestAsset: a process loads an asset once for a type, keeps a few, and none that failed.
func TestAsset(t *testing.T) {
	dir := t.TempDir()
	of := func(name, content string) Asset { return asset(t, raw(t, dir, name, []byte(content))) }
	a, before := of("a", "one"), loads.Load()
	get := func(a Asset, loadings int64) {
		t.Helper()
		v, err := load(t.Context(), a, parseText)
		check(t, err)
		if b, err := readFile(t.Context(), a.Path); err != nil || v != text(b) {
			t.Errorf("%q, want %q", v, b)
		}
		if got := loads.Load() - before; got != loadings {
			t.Errorf("%d loadings, want %d", got, loadings)
		}
	}
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() { load(t.Context(), a, parseText) })
	}
	group.Wait()
	get(a, 1)
	n, err := load(t.Context(), a, func(b []byte) (int, error) { return len(b), nil })
	if err != nil || n != 3 || loads.Load()-before != 2 {
		t.Errorf("another type: %d, %v, %d loadings", n, err, loads.Load()-before)
	}
	for i := range kept {
		get(of("other", strings.Repeat("x", i)), int64(3+i))
	}
	get(a, int64(3+kept)) // it was dropped
	if got := len(assets.loaded); got > kept {
		t.Errorf("%d assets are kept, want %d at most", got, kept)
	}

	bad := Asset{Path: a.Path, SHA256: strings.Repeat("0", 64)}
	for range 2 {
		if _, err := load(t.Context(), bad, parseText); err == nil || !strings.Contains(err.Error(), a.SHA256) {
			t.Errorf("another digest: %v", err)
		}
	}
	b, broken := of("b", "two"), errors.New("broken")
	if _, err := load(t.Context(), b, func([]byte) (text, error) { return "", broken }); !errors.Is(err, broken) {
		t.Errorf("%v, want %v", err, broken)
	}
	if v, err := load(t.Context(), b, parseText); err != nil || v != "two" {
		t.Errorf("the next attempt: %q, %v", v, err)
	}
}
