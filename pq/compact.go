package pq

import kernel "github.com/dualgap/dualgap/asm/pq"

// Compact gives back the room of removed vectors. It copies what is left, CodeSize bytes a vector and what belongs to
// it, but for vectors in the file of OpenIndex; searches go on meanwhile, changes wait.
func (ix *Index) Compact() {
	ix.changing.Lock()
	defer ix.changing.Unlock()
	old := ix.held.Load()
	if old.n == old.used {
		return
	}
	e := ix.edit(old.n)
	e.blocks, e.own, e.n, e.used = nil, nil, 0, 0
	for list := range e.lists {
		e.lists[list], e.mine[list] = nil, true
	}
	code, floats := make([]byte, ix.codec.CodeSize()), make([]float32, e.floats)
	rows := rowRoom{d: ix.codec.D(), file: old.file}
	for _, b := range old.blocks {
		for i := range b.n {
			if b.holds(i) {
				ix.codec.get(code, b.codes, i)
				b.own(floats, i)
				e.push(int(b.list), entry{id: b.id(i), code: code, floats: floats, row: rows.copied(b.row(i))})
			}
		}
	}
	if !ix.c.Vectors {
		e.file = nil
	}
	ix.writing = nil
	ix.held.Store(e.done())
}

// rowRoom copies vectors, so that what they shared memory with can go, but for those in a file.
type rowRoom struct {
	file *opened
	d    int
	room []float32
}

func (r *rowRoom) copied(row *float32) *float32 {
	if row == nil || r.file.has(row) {
		return row
	}
	if len(r.room) < r.d {
		r.room = make([]float32, r.d*kernel.Block)
	}
	to := r.room[:r.d]
	r.room = r.room[r.d:]
	copy(to, numbers(row, r.d))
	return &to[0]
}
