package main

import "testing"

// TestEncoded: LLVM's assembler makes the same bytes.
func TestEncoded(t *testing.T) {
	for _, c := range [][2]string{
		{"VDPBF16PS Z17, Z1, Z2",
			"BYTE $0x62; BYTE $0xb2; BYTE $0x76; BYTE $0x48; BYTE $0x52; BYTE $0xd1"},
		{"VDPBF16PS Z0, Z0, Z0",
			"BYTE $0x62; BYTE $0xf2; BYTE $0x7e; BYTE $0x48; BYTE $0x52; BYTE $0xc0"},
		{"VDPBF16PS Z31, Z31, Z31",
			"BYTE $0x62; BYTE $0x02; BYTE $0x06; BYTE $0x40; BYTE $0x52; BYTE $0xff"},
		{"VDPBF16PS Z8, Z16, Z24",
			"BYTE $0x62; BYTE $0x42; BYTE $0x7e; BYTE $0x40; BYTE $0x52; BYTE $0xc0"},
		{"VDPBF16PS Z3, Z12, Z21",
			"BYTE $0x62; BYTE $0xe2; BYTE $0x1e; BYTE $0x48; BYTE $0x52; BYTE $0xeb"},
		{"VDPBF16PS Z30, Z7, Z9",
			"BYTE $0x62; BYTE $0x12; BYTE $0x46; BYTE $0x48; BYTE $0x52; BYTE $0xce"},
	} {
		if got, want := string(encoded([]byte("\t"+c[0]+"\n"))), "\t"+c[1]+" // "+c[0]+"\n"; got != want {
			t.Errorf("%s is %q, want %q", c[0], got, want)
		}
	}
}
