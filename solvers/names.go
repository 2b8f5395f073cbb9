package solvers

import (
	"fmt"
	"unicode/utf8"
)

// CheckNames returns an error unless names are nil or one for each of the outputs of a model, all different and UTF-8.
func CheckNames(names []string, outputs int) error {
	if names == nil {
		return nil
	}
	if len(names) != outputs {
		return fmt.Errorf("solvers: %d names for %d outputs", len(names), outputs)
	}
	place := make(map[string]int, len(names))
	for c, name := range names {
		if !utf8.ValidString(name) {
			return fmt.Errorf("solvers: name %q of output %d is not UTF-8", name, c)
		}
		if first, twice := place[name]; twice {
			return fmt.Errorf("solvers: outputs %d and %d have the same name %q", first, c, name)
		}
		place[name] = c
	}
	return nil
}
