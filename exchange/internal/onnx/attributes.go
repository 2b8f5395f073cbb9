package onnx

import "fmt"

// Find returns an attribute of a kind, which may be absent. One of another kind is an error; files of the first
// version of the format have no kinds.
func (n *Node) Find(name string, kind Kind) (Attribute, error) {
	for _, a := range n.Attributes {
		if a.Name != name {
			continue
		}
		if a.Kind != kind && a.Kind != 0 {
			return a, fmt.Errorf("%s: the attribute %s is %v, want %v", n.Op, name, a.Kind, kind)
		}
		return a, nil
	}
	return Attribute{}, nil
}

// Attrs reads attributes one after another: the first error stays in Err.
type Attrs struct {
	*Node
	Err error
}

func (a *Attrs) find(name string, kind Kind) Attribute {
	found, err := a.Find(name, kind)
	if a.Err == nil {
		a.Err = err
	}
	return found
}

// Floats returns numbers, which are finite, nil where there are none.
func (a *Attrs) Floats(name string) []float32 {
	all := a.find(name, KindFloats).Floats
	for i, v := range all {
		if v-v != 0 && a.Err == nil {
			a.Err = fmt.Errorf("%s: number %d of %s is %v, want a finite one", a.Op, i, name, v)
		}
	}
	return all
}

// Ints returns integers, nil where there are none.
func (a *Attrs) Ints(name string) []int64 { return a.find(name, KindInts).Ints }

// Int returns an integer, or what stands for it where there is none.
func (a *Attrs) Int(name string, absent int64) int64 {
	if found := a.find(name, KindInt); found.Name != "" {
		return found.Int
	}
	return absent
}

// Strings returns texts, nil where there are none.
func (a *Attrs) Strings(name string) []string { return a.find(name, KindStrings).Strings }

// String returns a text, or what stands for it where there is none.
func (a *Attrs) String(name, absent string) string {
	if found := a.find(name, KindString); found.Name != "" {
		return found.String
	}
	return absent
}
