package data

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/dualgap/dualgap/dataset"
	"github.com/dualgap/dualgap/vec"
)

// siftColumns is how many numbers a descriptor has.
const siftColumns = 128

// writeSIFT writes a table of text as NPY of bytes: the first 128 numbers of each line, which tabs part. What follows
// them, the number of the vector, is left out.
func writeSIFT(w io.Writer, in io.Reader) error {
	x := &dataset.Dense[float32]{}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), "\t")
		if len(fields) < siftColumns {
			return fmt.Errorf("line %d: %d numbers, want %d", x.Rows+1, len(fields), siftColumns)
		}
		for _, field := range fields[:siftColumns] {
			v, err := strconv.ParseUint(field, 10, 8)
			if err != nil {
				return fmt.Errorf("line %d: %w", x.Rows+1, err)
			}
			x.Data = append(x.Data, float32(v))
		}
		x.Rows++
	}
	if err := lines.Err(); err != nil {
		return err
	}
	x.Matrix = vec.MatrixOf(x.Rows, siftColumns, x.Data)
	return dataset.WriteNPY(w, x, dataset.NPYOptions{Type: "u1"})
}
