//go:build !(amd64 || arm64) || purego

package cpu

func detect() (t []Tier, missing string) {
	return nil, "built without assembly: this architecture has none, or the tag purego is set"
}

func splitStores() bool { return false }

func extensions() extension { return extension{} }
