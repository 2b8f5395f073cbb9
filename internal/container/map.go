package container

import (
	"maps"
	"slices"
)

// Map writes a section of strings: keys, ascending, each before its value.
func (w *Writer) Map(tag string, m map[string]string) {
	pairs := make([]string, 0, 2*len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		pairs = append(pairs, key, m[key])
	}
	w.Strings(tag, pairs)
}

// Map reads what Map wrote: nil where that was empty.
func (r *Reader) Map(tag string) map[string]string {
	pairs := r.Strings(tag, Any)
	if len(pairs)%2 != 0 {
		r.Corrupt("section %q has %d strings, want a value for each key", tag, len(pairs))
	}
	if len(pairs) == 0 || r.err != nil {
		return nil
	}
	m := make(map[string]string, len(pairs)/2)
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 && pairs[i] <= pairs[i-2] {
			r.Corrupt("section %q has the key %q after %q", tag, pairs[i], pairs[i-2])
			return nil
		}
		m[pairs[i]] = pairs[i+1]
	}
	return m
}
