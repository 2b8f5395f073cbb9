package data

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// The columns of RCV1 subset 1.
const rcv1Words, rcv1Labels = 47236, 101

// writeRCV1 writes the data set of R's package mldr.datasets as multi-label LIBSVM text. A column holds numbers of all
// documents: the first ones a word, the next ones a label. A number 1 in the last word is a label that was shifted
// there, and is left out.
func writeRCV1(w io.Writer, in io.Reader) error {
	root, err := readR(in)
	if err != nil {
		return err
	}
	if len(root.items) != 1 {
		return fmt.Errorf("%d values, want 1", len(root.items))
	}
	columns := root.items[0].named("dataset").items
	if len(columns) < rcv1Words+rcv1Labels {
		return fmt.Errorf("%d columns, want %d words and %d labels", len(columns), rcv1Words, rcv1Labels)
	}
	n := columns[0].n
	labels, words := make([][]string, n), make([]strings.Builder, n)
	for j, c := range columns[:rcv1Words+rcv1Labels] {
		if c.n != n {
			return fmt.Errorf("column %d has %d numbers, the first %d", j+1, c.n, n)
		}
		for k, i := range c.at {
			switch v := c.numbers[k]; {
			case j >= rcv1Words:
				labels[i] = append(labels[i], strconv.Itoa(j-rcv1Words+1))
			case j < rcv1Words-1 || v != 1:
				words[i].WriteString(" " + strconv.Itoa(j+1) + ":" + strconv.FormatFloat(v, 'g', 6, 64))
			}
		}
	}
	out := bufio.NewWriter(w)
	for i := range n {
		out.WriteString(strings.Join(labels[i], ",") + words[i].String() + "\n")
	}
	return out.Flush()
}
