package a64

import "fmt"

// Operand is an argument of an instruction in the syntax of Go's assembler.
type Operand interface{ operand() string }

// X is a general register.
type X uint8

// operand refuses what Go keeps for itself: R16 and R17 (veneers), R18 (platform), R26 (closure), R27 (assembler), R28
// (g), R29 and R30 (frame pointer, link).
func (x X) operand() string {
	if x > 25 || 16 <= x && x <= 18 {
		panic(fmt.Sprintf("a64: R%d is not ours", uint8(x)))
	}
	return fmt.Sprintf("R%d", uint8(x))
}

// Shifted is x shifted left, as the first operand of an ADD.
func Shifted(x X, by int) Operand { return text(fmt.Sprintf("%s<<%d", x.operand(), by)) }

// V is a vector register. As an operand by itself it is the scalar in its lowest lane, or all of it for loads and
// stores.
type V uint8

func (v V) operand() string { return fmt.Sprintf("F%d", v.bits()) }

// bits is the register's number as a field of an instruction.
func (v V) bits() uint32 {
	if v > 31 {
		panic(fmt.Sprintf("a64: there is no V%d", uint8(v)))
	}
	return uint32(v)
}

// Arr is an arrangement: number and type of the lanes of a vector.
type Arr uint8

const (
	S2 Arr = iota // 2 float32, half a register
	S4            // 4 float32
	D2            // 2 float64
)

var arrs = [...]struct {
	goName, gnuName string
	lane            string // the register's name as a scalar, GNU
	bits            uint32 // Q (bit 30): all of the register; sz (bit 22): float64
	lanes           int
}{
	S2: {"S2", "2s", "s", 0, 2},
	S4: {"S4", "4s", "s", 1 << 30, 4},
	D2: {"D2", "2d", "d", 1<<30 | 1<<22, 2},
}

// As is the vector v in an arrangement.
func (v V) As(t Arr) Operand { return text(fmt.Sprintf("V%d.%s", v.bits(), arrs[t].goName)) }

// Lane is one lane of v.
func (v V) Lane(t Arr, i int) Operand {
	t.check(i)
	return text(fmt.Sprintf("V%d.%s[%d]", v.bits(), arrs[t].goName[:1], i))
}

func (t Arr) check(lane int) {
	if lane < 0 || lane >= arrs[t].lanes {
		panic(fmt.Sprintf("a64: %s has no lane %d", arrs[t].goName, lane))
	}
}

// Bits is v as 16 bytes, for logic, LowBytes as the lower 8; Words, LowWords and Ints are v as 8 or 4 integers of 16
// bits, and as 4 of 32.
func (v V) Bits() Operand     { return text(fmt.Sprintf("V%d.B16", v.bits())) }
func (v V) LowBytes() Operand { return text(fmt.Sprintf("V%d.B8", v.bits())) }
func (v V) Words() Operand    { return text(fmt.Sprintf("V%d.H8", v.bits())) }
func (v V) LowWords() Operand { return text(fmt.Sprintf("V%d.H4", v.bits())) }
func (v V) Ints() Operand     { return text(fmt.Sprintf("V%d.S4", v.bits())) }

// Byte is one of v's bytes, Int one of its four integers of 32 bits, Double one half; Doubles are both halves.
func (v V) Byte(i int) Operand   { return text(fmt.Sprintf("V%d.B[%d]", v.bits(), i)) }
func (v V) Int(i int) Operand    { return text(fmt.Sprintf("V%d.S[%d]", v.bits(), i)) }
func (v V) Double(i int) Operand { return text(fmt.Sprintf("V%d.D[%d]", v.bits(), i)) }
func (v V) Doubles() Operand     { return text(fmt.Sprintf("V%d.D2", v.bits())) }

// List is registers in braces, as bytes: the table of a lookup. They follow each other.
func List(v []V) Operand {
	s := "["
	for i, r := range v {
		if r != v[0]+V(i) {
			panic("a64: the registers of a table do not follow each other")
		}
		s += fmt.Sprintf("%sV%d.B16", [...]string{"", ", "}[min(i, 1)], r.bits())
	}
	return text(s + "]")
}

// IntsList is one register in braces, as 4 integers of 32 bits: what a load fills.
func IntsList(v V) Operand { return text(fmt.Sprintf("[V%d.S4]", v.bits())) }

// Pair is the two registers of a pair load or store.
func Pair(v, w V) Operand { return text(fmt.Sprintf("(%s, %s)", v.operand(), w.operand())) }

// PairX is the two general registers of a pair load or store.
func PairX(x, y X) Operand { return text(fmt.Sprintf("(%s, %s)", x.operand(), y.operand())) }

// Imm is a constant.
type Imm int

func (i Imm) operand() string { return fmt.Sprintf("$%d", int(i)) }

// Label is a place in a function; File.NewLabel makes one.
type Label string

func (l Label) operand() string { return string(l) }

// Mem is the memory at an address, off bytes behind a register.
func Mem(x X, off int) Operand {
	if off == 0 {
		return text("(" + x.operand() + ")")
	}
	return text(fmt.Sprintf("%d(%s)", off, x.operand()))
}

// Symbol is memory that has a name, spelt as Go's assembler wants it: name+8(FP), ·name(SB).
func Symbol(name string) Operand { return text(name) }

type text string

func (t text) operand() string { return string(t) }

// Constant is a constant of 64 bits.
func Constant(bits uint64) Operand { return text(fmt.Sprintf("$0x%016x", bits)) }

// Cond is a condition, as Arm writes it.
type Cond string

func (c Cond) operand() string { return string(c) }

// Indexed is the memory at the sum of two registers.
func Indexed(x, index X) Operand { return text(fmt.Sprintf("(%s)(%s)", x.operand(), index.operand())) }
