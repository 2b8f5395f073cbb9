// Package text spells what the comments in generated assembly have in common.
package text

import "fmt"

// Counted spells a number of things: 1 vector, 4 vectors.
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
