package family

import (
	"strings"
	"testing"
)

// TestCheckSizes: blocks of 2^27 numbers are allowed, of features or of a kernel's rows, and no more; a block has no
// more examples than there are.
func TestCheckSizes(t *testing.T) {
	for _, c := range []struct {
		n, d, block int
		want        string
	}{
		{1 << 13, 1 << 14, 1 << 13, ""},
		{1 << 20, 1 << 14, 1 << 13, ""},
		{1 << 13, 1<<14 + 1, 1 << 13, "blocks of 8192 examples, with rows of 16385 numbers"},
		{1<<13 + 1, 1 << 14, 1<<13 + 1, "blocks of 8193 examples"},
		{1 << 13, 1 << 14, 1 << 30, ""},
		{1 << 15, 0, 1 << 12, ""},
		{1 << 15, 0, 1<<12 + 1, "blocks of 4097 examples, with rows of 32768 numbers"},
		{1 << 15, 1, 11585, ""}, // the square is 2^27 less 9503
		{1 << 15, 1, 11586, "blocks of 11586 examples"},
		{10, 1 << 14, 0, ""},
		{10, 1 << 14, -1, "BlockSize = -1, want at least 1"},
	} {
		err := CheckSizes(c.n, c.d, 1, c.block)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%d examples of %d features in blocks of %d: %v, want %q", c.n, c.d, c.block, err, c.want)
		}
	}
}
