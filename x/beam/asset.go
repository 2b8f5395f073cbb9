package beam

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
)

// Asset is a file that every worker needs whole: a model, a codebook, weights. A process loads it once, however many
// pipelines it runs.
type Asset struct {
	Path   string
	SHA256 string // of its bytes, in hexadecimal
}

// AssetOf returns the asset of a file. O(size).
func AssetOf(ctx context.Context, path string) (Asset, error) {
	b, err := readFile(ctx, path)
	if err != nil {
		return Asset{}, err
	}
	return Asset{path, digest(b)}, nil
}

// digest returns the SHA-256 of b in hexadecimal.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// kept is how many loaded assets a process keeps: the model, or the weights of a pass and of the pass before.
const kept = 4

// assets are what the process has loaded, the latest used last. What an asset becomes depends on the type that is asked
// for and on its bytes: these are the key.
var assets struct {
	sync.Mutex
	loaded []*loading
}

// loads counts what has been read and parsed.
var loads atomic.Int64

type loading struct {
	kind   reflect.Type
	digest string

	once  sync.Once
	value any
	err   error
}

// load returns what parse makes of the bytes of an asset. A type V has one parse function.
func load[V any](ctx context.Context, a Asset, parse func([]byte) (V, error)) (V, error) {
	v, err := cached(a.SHA256, func() (V, error) { return parsed(ctx, a, parse) })
	if err != nil {
		return v, fmt.Errorf("beam: %s: %w", a.Path, err)
	}
	return v, nil
}

// cached returns what get has returned for a type and a digest, of all that its result depends on. What fails is not
// kept.
func cached[V any](digest string, get func() (V, error)) (V, error) {
	l := find(reflect.TypeFor[V](), digest)
	l.once.Do(func() {
		loads.Add(1)
		l.err = errors.New("loading it did not end") // until it has: get may panic
		l.value, l.err = get()
	})
	if l.err != nil {
		forget(func(other *loading) bool { return other == l })
		var none V
		return none, l.err
	}
	return l.value.(V), nil
}

func parsed[V any](ctx context.Context, a Asset, parse func([]byte) (V, error)) (v V, err error) {
	b, err := readFile(ctx, a.Path)
	if err != nil {
		return v, err
	}
	if sum := digest(b); sum != a.SHA256 {
		return v, fmt.Errorf("its SHA-256 is %s, want %s", sum, a.SHA256)
	}
	return parse(b)
}

// find returns the loading of a key, begun or not, and drops the one that was not used for longest.
func find(kind reflect.Type, digest string) *loading {
	assets.Lock()
	defer assets.Unlock()
	for i, l := range assets.loaded {
		if l.kind == kind && l.digest == digest {
			assets.loaded = append(append(assets.loaded[:i:i], assets.loaded[i+1:]...), l)
			return l
		}
	}
	l := &loading{kind: kind, digest: digest}
	assets.loaded = append(assets.loaded, l)
	if len(assets.loaded) > kept {
		assets.loaded = append([]*loading(nil), assets.loaded[1:]...)
	}
	return l
}

// forget drops loadings: one that failed, so that the next attempt reads again, or one that is not needed any more.
func forget(which func(*loading) bool) {
	assets.Lock()
	defer assets.Unlock()
	assets.loaded = slices.DeleteFunc(assets.loaded, which)
}
