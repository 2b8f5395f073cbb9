package rcv1

import (
	"reflect"
	"testing"
)

func TestRenumber(t *testing.T) {
	draw := func(last int) [][]int {
		sets := make([][]int, 3004)
		sets[0], sets[2999] = []int{0, 9}, []int{3}
		sets[3000], sets[3001], sets[3003] = []int{0, 4}, []int{last}, []int{}
		return sets
	}
	sets := draw(8)
	Renumber(sets, 10)
	want := draw(9)
	want[3000] = []int{1, 5}
	if !reflect.DeepEqual(sets, want) {
		t.Errorf("%v and so on", sets[2999:])
	}
	for name, sound := range map[string][][]int{"the last label on both sides": draw(9),
		"few examples": draw(8)[:3000]} {
		was := append([][]int(nil), sound...)
		Renumber(sound, 10)
		if !reflect.DeepEqual(sound, was) {
			t.Errorf("%s: changed", name)
		}
	}
}
