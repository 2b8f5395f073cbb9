package prove

import (
	"bytes"
	"fmt"
	"unsafe"
)

const (
	margin  = 64  // elements of poison on either side, several vectors, and a multiple of aligned
	aligned = 128 // bytes: 16 elements of 8
)

// Memory is the memory of one argument of a kernel: rows of elements at a chosen alignment, with poison before, behind
// and between them. It keeps what the memory should hold after the call. The zero value is ready; Place reuses its
// room.
type Memory[T Float] struct {
	Data               []T // from the first element of the first row to the last of the last
	rows, cols, stride int
	all, start, want   []T // with margins: as it is, as it was, as it should become
	from               int // index of Data in those
	room               [3][]T
}

// Poison is a signaling NaN: it spoils every sum that it enters, and arithmetic changes its bits, so that a kernel that
// updates poison in place is found out too; a quiet NaN plus a multiple of it keeps its bits.
func Poison[T Float]() T {
	if IsF32[T]() {
		return FromBits[T](0x7fa0dead)
	}
	return FromBits[T](0x7ff4dead0000beef)
}

// Place lays out rows of cols elements, stride apart, the first of them offset elements behind a boundary of 128 bytes.
// fill gives the elements in order. Until Want is written to, the memory is expected to stay as it is.
func (m *Memory[T]) Place(offset, rows, cols, stride int, fill func(i int) T) {
	m.rows, m.cols, m.stride = rows, cols, stride
	size := 0
	if rows > 0 && cols > 0 {
		size = (rows-1)*stride + cols
	}
	m.from = margin + offset
	total := margin + offset + size + margin
	for i, p := range []*[]T{&m.all, &m.start, &m.want} {
		if len(m.room[i]) < total+aligned {
			m.room[i] = make([]T, 2*(total+aligned))
		}
		*p = m.room[i][:total]
	}
	// Only the memory that the kernel sees needs the alignment.
	elem := unsafe.Sizeof(*new(T))
	skip := -uintptr(unsafe.Pointer(&m.room[0][0])) % aligned / elem
	m.all = m.room[0][skip:][:total]
	m.Data = m.all[m.from:][:size:size]

	poison := Poison[T]()
	for i := range m.start {
		m.start[i] = poison
	}
	if size > 0 {
		for i, k := 0, 0; i < rows; i++ {
			row := m.start[m.from+i*stride:][:cols]
			for j := range row {
				row[j] = fill(k)
				k++
			}
		}
	}
	copy(m.want, m.start)
	copy(m.all, m.start)
}

// Want is the memory that Data should become; a test writes to it.
func (m *Memory[T]) Want() []T { return m.want[m.from:][:len(m.Data)] }

// Elements yields the index in Data of each element, row by row, without what lies between rows.
func (m *Memory[T]) Elements(yield func(i int) bool) {
	if len(m.Data) == 0 {
		return
	}
	for r := range m.rows {
		for j := range m.cols {
			if !yield(r*m.stride + j) {
				return
			}
		}
	}
}

// Reset brings the memory back to what it was after Place.
func (m *Memory[T]) Reset() { copy(m.all, m.start) }

// Diff compares every element, poison included, with what it should be, and describes the first that differs. NaNs
// outside the rows must keep their bits; within them any NaN equals any other. With anyZero 0 equals -0.
func (m *Memory[T]) Diff(anyZero bool) error {
	if bytes.Equal(raw(m.all), raw(m.want)) {
		return nil
	}
	for i, got := range m.all {
		want := m.want[i]
		if Bits(got) == Bits(want) {
			continue
		}
		at := i - m.from
		if at < 0 || at >= len(m.Data) || at%max(m.stride, 1) >= m.cols {
			return fmt.Errorf("memory outside the argument changed: element %d of %d rows of %d, stride %d: %v (%#x)",
				at, m.rows, m.cols, m.stride, got, Bits(got))
		}
		if Same(got, want) || anyZero && got == 0 && want == 0 {
			continue
		}
		return fmt.Errorf("element (%d, %d) of %dx%d, stride %d: got %v (%#x), want %v (%#x)", at/max(m.stride, 1),
			at%max(m.stride, 1), m.rows, m.cols, m.stride, got, Bits(got), want, Bits(want))
	}
	return nil
}

func raw[T Float](x []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*int(unsafe.Sizeof(*new(T))))
}
