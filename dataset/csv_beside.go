package dataset

import "strings"

// distinct numbers the texts of a column in the order of their first appearance.
type distinct struct {
	column int // from 0; -1: none
	number map[string]int
	of     []int // each example's number
}

func (p *csvParser[T]) distinct(header []string, at int, name, what string) (distinct, error) {
	column, err := p.column(header, at, name, what)
	return distinct{column: column, number: map[string]int{}}, err
}

// add takes the text of an example.
func (d *distinct) add(record []string) {
	if d.column < 0 {
		return
	}
	s := strings.TrimSpace(record[d.column])
	k, known := d.number[s]
	if !known {
		k = len(d.number)
		d.number[strings.Clone(s)] = k // it is a window of the record
	}
	d.of = append(d.of, k)
}

// dropFirst takes back the text of the first example.
func (d *distinct) dropFirst() {
	if d.column < 0 {
		return
	}
	d.of = d.of[1:]
	to := map[int]int{} // of a number: that without the first
	for i, k := range d.of {
		if _, known := to[k]; !known {
			to[k] = len(to)
		}
		d.of[i] = to[k]
	}
	for s, k := range d.number {
		if now, known := to[k]; known {
			d.number[s] = now
		} else {
			delete(d.number, s)
		}
	}
}
