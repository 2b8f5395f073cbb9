package a64

import "fmt"

// The methods here multiply and add bytes. They are encoded as the methods of encode.go are.

// SDOT adds to each int32 of d the products of four int8 of n and m, UDOT of four uint8. They are an extension.
func (f *File) SDOT(d, n, m V) { f.bytes("sdot", 0x4e809400, "4s", "16b", d, n, m) }
func (f *File) UDOT(d, n, m V) { f.bytes("udot", 0x6e809400, "4s", "16b", d, n, m) }

// SABD is d = |n - m|, the sixteen differences of int8 as uint8, UABD of uint8.
func (f *File) SABD(d, n, m V) { f.bytes("sabd", 0x4e207400, "16b", "16b", d, n, m) }
func (f *File) UABD(d, n, m V) { f.bytes("uabd", 0x6e207400, "16b", "16b", d, n, m) }

// SMULL is d = n * m, eight int16 of the lower eight int8; SMULL2 takes the upper eight, UMULL and UMULL2 uint8.
func (f *File) SMULL(d, n, m V)  { f.bytes("smull", 0x0e20c000, "8h", "8b", d, n, m) }
func (f *File) SMULL2(d, n, m V) { f.bytes("smull2", 0x4e20c000, "8h", "16b", d, n, m) }
func (f *File) UMULL(d, n, m V)  { f.bytes("umull", 0x2e20c000, "8h", "8b", d, n, m) }
func (f *File) UMULL2(d, n, m V) { f.bytes("umull2", 0x6e20c000, "8h", "16b", d, n, m) }

// SMLAL is d += n * m, products as SMULL has them, SMLAL2 as SMULL2.
func (f *File) SMLAL(d, n, m V)  { f.bytes("smlal", 0x0e208000, "8h", "8b", d, n, m) }
func (f *File) SMLAL2(d, n, m V) { f.bytes("smlal2", 0x4e208000, "8h", "16b", d, n, m) }

// SADALP adds neighbours of eight int16 of n to the four int32 of d, UADALP of uint16.
func (f *File) SADALP(d, n V) { f.neighbours("sadalp", 0x4e606800, "4s", "8h", d, n) }
func (f *File) UADALP(d, n V) { f.neighbours("uadalp", 0x6e606800, "4s", "8h", d, n) }

// SADDLP is the four sums of neighbours of eight int16.
func (f *File) SADDLP(d, n V) { f.neighbours("saddlp", 0x4e602800, "4s", "8h", d, n) }

// UADDLP is the eight sums of neighbours of sixteen uint8, UADALPBytes adds them to the eight uint16 of d.
func (f *File) UADDLP(d, n V) { f.neighbours("uaddlp", 0x6e202800, "8h", "16b", d, n) }

func (f *File) UADALPBytes(d, n V) { f.neighbours("uadalp", 0x6e206800, "8h", "16b", d, n) }

func (f *File) bytes(name string, base uint32, to, from string, d, n, m V) {
	f.word(base|m.bits()<<16|n.bits()<<5|d.bits(), name, fmt.Sprintf("v%d.%s, v%d.%s, v%d.%s", d, to, n, from, m, from))
}

func (f *File) neighbours(name string, base uint32, to, from string, d, n V) {
	f.word(base|n.bits()<<5|d.bits(), name, fmt.Sprintf("v%d.%s, v%d.%s", d, to, n, from))
}
