package container

import "fmt"

// Fields writes a section of integers, *int and *bool, or of numbers, *float64 and []float64: what of points to, in
// this order. A state that is written by one list of such sections is read by the same list: see Reader.Fields.
func (w *Writer) Fields(tag string, of ...any) {
	var ints []int
	var numbers []float64
	for _, v := range of {
		switch v := v.(type) {
		case *int:
			ints = append(ints, *v)
		case *bool:
			n := 0
			if *v {
				n = 1
			}
			ints = append(ints, n)
		case *float64:
			numbers = append(numbers, *v)
		case []float64:
			numbers = append(numbers, v...)
		default:
			panic(fmt.Sprintf("container: a field of type %T", v))
		}
	}
	if ints != nil {
		w.Ints(tag, ints...)
	} else {
		Floats(w, tag, numbers)
	}
}

// Fields reads what Writer.Fields wrote, into what of points to. An integer that is negative is an error that wraps
// ErrCorrupt. With an error nothing is changed.
func (r *Reader) Fields(tag string, of ...any) { r.fields(tag, false, of) }

// FiniteFields is Fields where numbers that are not finite are errors, too.
func (r *Reader) FiniteFields(tag string, of ...any) { r.fields(tag, true, of) }

func (r *Reader) fields(tag string, finite bool, of []any) {
	count, whole := 0, false
	for _, v := range of {
		v, several := v.([]float64)
		if !several {
			count++
		}
		count += len(v)
	}
	if len(of) > 0 {
		switch of[0].(type) {
		case *int, *bool:
			whole = true
		}
	}
	var ints []int
	var numbers []float64
	if whole {
		ints = r.Ints(tag, count)
	} else {
		numbers = ReadFloats[float64](r, tag, count)
	}
	for _, v := range ints {
		if v < 0 {
			r.Corrupt("section %q holds %d, want at least 0", tag, v)
		}
	}
	for _, v := range numbers {
		if finite && v-v != 0 {
			r.Corrupt("section %q holds %v, want finite numbers", tag, v)
		}
	}
	if r.err != nil {
		return
	}
	for _, v := range of {
		switch v := v.(type) {
		case *int:
			*v, ints = ints[0], ints[1:]
		case *bool:
			*v, ints = ints[0] > 0, ints[1:]
		case *float64:
			*v, numbers = numbers[0], numbers[1:]
		case []float64:
			numbers = numbers[copy(v, numbers):]
		}
	}
}
