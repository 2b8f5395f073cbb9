package toprank

import "fmt"

// queries returns the examples of each query that has positive and negative ones, in the order of their first
// examples, and the number of all queries; nil where there are no Groups.
func (p Problem[T]) queries(n int) (some [][]int, all int, err error) {
	if p.Groups == nil {
		return nil, 0, nil
	}
	if len(p.Groups) != n {
		return nil, 0, fmt.Errorf("Groups of %d examples, but there are %d", len(p.Groups), n)
	}
	rows := [][]int{}
	for i, q := range p.numbered() {
		if q == len(rows) {
			rows = append(rows, nil)
		}
		rows[q] = append(rows[q], i)
	}
	for _, of := range rows {
		positives := 0
		for _, i := range of {
			if p.Positive[i] {
				positives++
			}
		}
		if positives > 0 && positives < len(of) {
			some = append(some, of)
		}
	}
	if len(some) == 0 {
		return nil, 0, fmt.Errorf("none of %d groups has a positive and a negative example, want one", len(rows))
	}
	return some, len(rows), nil
}

// labels are what a training's state is of: whether examples are positive, and their queries, numbered as they come.
func (p Problem[T]) labels() []int {
	y := classes(p.Positive)
	for i, q := range p.numbered() {
		y[i] += 2 * q
	}
	return y
}

// numbered returns the Groups, numbered as they come.
func (p Problem[T]) numbered() []int {
	numbers, place := make([]int, len(p.Groups)), map[int]int{}
	for i, g := range p.Groups {
		if _, known := place[g]; !known {
			place[g] = len(place)
		}
		numbers[i] = place[g]
	}
	return numbers
}
