package pq

import (
	"errors"
	"fmt"
	"math"
	"slices"

	kernel "github.com/dualgap/dualgap/asm/pq"
	"github.com/dualgap/dualgap/vec"
)

// Add adds the rows of x, n-by-d, under the next ids: one more than the largest so far, from 0 on. It fails where
// Encode does, and then the index is as before. workers is the number of goroutines that encode; 0 stands for one for
// each core. With bounds it costs about d operations a row more, and d² with a rotation; with lists, as many
// multiplications as the lists' centres have numbers.
//
// A call copies up to 255 codes beside its own, and 1/32 byte for each vector of the index, so that 256 vectors at once
// cost less than one by one.
func (ix *Index) Add(x vec.Matrix[float32], workers int) error {
	v, err := ix.encode(x, workers)
	if err != nil {
		return err
	}
	return ix.add(nil, v, false)
}

// AddIDs is Add under ids of the caller's own, as many as x has rows. An id that the index has, or that comes twice, is
// an error, and then the index is as before.
func (ix *Index) AddIDs(ids []uint64, x vec.Matrix[float32], workers int) error {
	return ix.addIDs(ids, x, workers, false)
}

// Update is AddIDs, but the rows of ids that the index has take the place of their vectors. A search sees all of this
// or nothing.
func (ix *Index) Update(ids []uint64, x vec.Matrix[float32], workers int) error {
	return ix.addIDs(ids, x, workers, true)
}

func (ix *Index) addIDs(ids []uint64, x vec.Matrix[float32], workers int, update bool) error {
	if len(ids) != x.Rows {
		return fmt.Errorf("pq: %d ids for %d vectors", len(ids), x.Rows)
	}
	v, err := ix.encode(x, workers)
	if err != nil || x.Rows == 0 {
		return err
	}
	return ix.add(ids, v, update)
}

// AddCodes is Add of vectors by their codes, as Encode wrote them. Bytes that are no multiple of CodeSize are an error,
// and so is an index with bounds, lists or vectors, which need the vectors.
func (ix *Index) AddCodes(codes []byte) error {
	if err := ix.needs(); err != nil {
		return err
	}
	if size := ix.codec.CodeSize(); len(codes)%size != 0 {
		return fmt.Errorf("pq: %d bytes of codes are no multiple of %d", len(codes), size)
	}
	return ix.add(nil, encoded{n: len(codes) / ix.codec.CodeSize(), codes: codes}, false)
}

// needs returns an error if codes alone are not enough.
func (ix *Index) needs() error {
	switch {
	case ix.c.Bounds:
		return errors.New("pq: codes alone have no bounds: Add the vectors")
	case ix.c.Vectors:
		return errors.New("pq: the index keeps vectors: Add them")
	case ix.c.Metric == CosineSimilarity:
		return errors.New("pq: codes of vectors of any length have no cosines: Add the vectors")
	case ix.centres != nil:
		return errors.New("pq: codes alone belong to no list: Add the vectors")
	}
	return nil
}

// encoded are vectors as an index keeps them.
type encoded struct {
	n      int
	codes  []byte
	floats []float32
	lists  []int32   // of each its list, where there are lists
	far    []float64 // and how far it is from the list's centre
	rows   []float32 // the vectors themselves, if the index keeps them

	frame   frame         // that floats belong to, where they were measured
	measure func(f frame) // makes them floats of another frame
}

func (ix *Index) encode(x vec.Matrix[float32], workers int) (encoded, error) {
	v := encoded{n: x.Rows}
	d, size := ix.codec.D(), ix.codec.CodeSize()
	if err := checkRows(x, d); err != nil {
		return v, err
	}
	given := x
	if ix.c.Metric == CosineSimilarity {
		var err error
		if x, err = Normalized(x); err != nil {
			return v, err
		}
	}
	v.codes = make([]byte, x.Rows*size)
	if err := ix.codec.Encode(v.codes, x, workers); err != nil {
		return v, err
	}
	workers, err := workersOf("workers", workers)
	if err != nil || x.Rows == 0 {
		return v, err
	}
	if ix.c.Bounds {
		floats, codes := make([]float32, x.Rows*ix.floats()), v.codes
		v.floats, v.frame = floats, ix.frameFor(x)
		v.measure = func(f frame) { f.measure(floats, x, codes, workers) }
		v.measure(v.frame)
	}
	if ix.centres != nil {
		v.lists, v.far = ix.centres.assign(x, workers)
	}
	if ix.c.Vectors {
		v.rows = make([]float32, 0, x.Rows*d)
		for i := range x.Rows {
			v.rows = append(v.rows, given.Row(i)...)
		}
	}
	return v, nil
}

// frameFor returns the frame or, if there is none, one about the codec's origin of x. It becomes the index's with x.
func (ix *Index) frameFor(x vec.Matrix[float32]) frame {
	if f := ix.held.Load().frame; f != nil {
		return f
	}
	return ix.codec.about(ix.codec.origin(x))
}

// add adds vectors, under the next ids where there are no others.
func (ix *Index) add(own []uint64, v encoded, update bool) error {
	ix.changing.Lock()
	defer ix.changing.Unlock()
	e := ix.edit(v.n)
	if e.closed {
		return errClosed
	}
	if lists := len(e.lists); len(e.blocks)+lists+v.n/kernel.Block+1 > math.MaxUint32/kernel.Block {
		return fmt.Errorf("pq: an index of %d slots cannot take %d vectors", e.used, v.n)
	}
	if own == nil && v.n > 0 && e.next+uint64(v.n) < e.next {
		return fmt.Errorf("pq: no %d ids are left behind %d: AddIDs", v.n, e.next-1)
	}
	if err := ix.fit(e, own, update); err != nil {
		return err
	}
	if !e.plain || e.n != e.used {
		ix.open(&e.contents)
	}
	switch {
	case v.frame == nil || v.frame == e.frame:
	case e.frame == nil:
		e.frame = v.frame
	default: // another call was the first
		v.measure(e.frame)
	}
	for i := range v.n {
		one, list := v.entry(i, ix.codec, e.floats), 0
		one.id = e.next
		if own != nil {
			one.id = own[i]
		}
		if v.lists != nil {
			list = int(v.lists[i])
			e.radius[list] = math.Max(e.radius[list], v.far[i])
		}
		ix.place(e, list, one)
		e.next = max(e.next, one.id+1)
	}
	ix.held.Store(e.done())
	return nil
}

// entry is vector i.
func (v *encoded) entry(i int, codec Codec, floats int) entry {
	size, e := codec.CodeSize(), entry{}
	e.code = v.codes[i*size:][:size]
	e.floats = v.floats[i*floats:][:floats]
	if v.rows != nil {
		e.row = &v.rows[i*codec.D()]
	}
	return e
}

// fit refuses ids that cannot be added. It takes those out that are to be updated.
func (ix *Index) fit(e *edit, own []uint64, update bool) error {
	sorted := slices.Clone(own)
	slices.Sort(sorted)
	for i, id := range sorted {
		switch _, there := ix.find(&e.contents, id); {
		case id == math.MaxUint64:
			return fmt.Errorf("pq: id %d, want at most %d", id, uint64(math.MaxUint64-1))
		case i > 0 && id == sorted[i-1]:
			return fmt.Errorf("pq: id %d comes twice", id)
		case there && !update:
			return fmt.Errorf("pq: id %d is in the index: Update replaces its vector", id)
		}
	}
	if update {
		for _, id := range own {
			ix.take(e, id)
		}
	}
	return nil
}

// place puts a vector where there is room in its list, or behind its end.
func (ix *Index) place(e *edit, list int, v entry) {
	if ix.writing == nil {
		e.push(list, v)
		return
	}
	w, slot := ix.writing, uint32(0)
	if free := w.free[list]; len(free) > 0 {
		slot, w.free[list] = free[len(free)-1], free[:len(free)-1]
		e.put(slot, v)
	} else {
		slot = e.push(list, v)
	}
	w.ids.add(v.id, slot, e.id)
}

// take removes the vector of an id, if it is there.
func (ix *Index) take(e *edit, id uint64) bool {
	slot, ok := ix.find(&e.contents, id)
	if !ok {
		return false
	}
	if w := ix.writing; w != nil {
		w.ids.remove(id, e.id)
		list := e.blocks[slot/kernel.Block].list
		w.free[list] = append(w.free[list], slot)
	}
	e.drop(slot)
	return true
}

// Remove removes vectors and returns how many there were: ids that the index does not have count as none. The room of
// a removed vector is used again; Compact gives it back.
func (ix *Index) Remove(own ...uint64) (removed int) {
	ix.changing.Lock()
	defer ix.changing.Unlock()
	e := ix.edit(0)
	for _, id := range own {
		if ix.take(e, id) {
			removed++
		}
	}
	if removed > 0 {
		ix.held.Store(e.done())
	}
	return removed
}
