package data

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
)

// writeSilhouettes writes the examples of a part, train, val or test, of a MAT file of Caltech-101 Silhouettes as
// LIBSVM text: the class, and the pixels that are 1.
func writeSilhouettes(w io.Writer, all map[string]array, part string) error {
	x, y := all[part+"_data"], all[part+"_labels"]
	if x.rows == 0 || x.cols == 0 || len(y.at) != x.rows {
		return fmt.Errorf("%s_data is %d-by-%d and %s_labels has %d numbers, want a label for each row", part, x.rows,
			x.cols, part, len(y.at))
	}
	out := bufio.NewWriter(w)
	for i := range x.rows {
		out.WriteString(strconv.FormatFloat(y.at[i], 'g', -1, 64))
		for j := range x.cols {
			if v := x.at[j*x.rows+i]; v != 0 {
				out.WriteString(" " + strconv.Itoa(j+1) + ":" + strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
		out.WriteByte('\n')
	}
	return out.Flush()
}
