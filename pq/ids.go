package pq

import "math/bits"

// ids finds the slot of an id: a hash table of slots, which know their ids. It takes 5 to 11 bytes a vector. Its
// places are tried one after the other from the id's own on.
type ids struct {
	places []uint32 // 1 + slot, or 0
	n      int
}

// home is the place at which an id is looked for first.
func (t *ids) home(id uint64) int {
	high, _ := bits.Mul64(id*0x9E3779B97F4A7C15, uint64(len(t.places)))
	return int(high)
}

func (t *ids) after(place int) int {
	if place++; place < len(t.places) {
		return place
	}
	return 0
}

// find returns the slot of an id, if there is one; of tells the id of a slot.
func (t *ids) find(id uint64, of func(slot uint32) uint64) (slot uint32, ok bool) {
	place, ok := t.place(id, of)
	if !ok {
		return 0, false
	}
	return t.places[place] - 1, true
}

func (t *ids) place(id uint64, of func(slot uint32) uint64) (int, bool) {
	if t.n == 0 {
		return 0, false
	}
	for p := t.home(id); t.places[p] != 0; p = t.after(p) {
		if of(t.places[p]-1) == id {
			return p, true
		}
	}
	return 0, false
}

// add notes the slot of an id that is not there.
func (t *ids) add(id uint64, slot uint32, of func(slot uint32) uint64) {
	if 4*(t.n+1) > 3*len(t.places) {
		old := t.places
		t.places = make([]uint32, max(16, 2*len(old)))
		for _, s := range old {
			if s != 0 {
				t.set(of(s-1), s)
			}
		}
	}
	t.set(id, slot+1)
	t.n++
}

func (t *ids) set(id uint64, value uint32) {
	p := t.home(id)
	for t.places[p] != 0 {
		p = t.after(p)
	}
	t.places[p] = value
}

// remove forgets an id, and moves up those that were pushed behind it.
func (t *ids) remove(id uint64, of func(slot uint32) uint64) {
	hole, ok := t.place(id, of)
	if !ok {
		return
	}
	t.n--
	for p := t.after(hole); t.places[p] != 0; p = t.after(p) {
		if t.steps(t.home(of(t.places[p]-1)), p) >= t.steps(hole, p) {
			t.places[hole], hole = t.places[p], p
		}
	}
	t.places[hole] = 0
}

// steps is how many places after from a place is.
func (t *ids) steps(from, to int) int {
	if to < from {
		to += len(t.places)
	}
	return to - from
}
