package asm

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dualgap/dualgap/asm/cpu"
)

// isa is what the functions of one tier may contain; their names end in its suffix.
type isa struct {
	suffix   string
	tier     cpu.Tier
	flag     string // the byte of package cpu that must be set beside the tier
	allowed  map[string]bool
	requires []string // extensions, as avo names them in the line "// Requires: "
	masks    bool     // may name Z and K registers, the upper 16, and suffixes of mnemonics
}

var isas = []isa{
	{"VBMI", cpu.AVX512, "VBMI", vbmi, strings.Fields(
		"AVX AVX2 FMA3 BMI BMI2 POPCNT CMOV MMX+ AVX512F AVX512BW AVX512DQ AVX512VL AVX512VBMI"), true},
	{"AVX512", cpu.AVX512, "", avx512, strings.Fields(
		"AVX AVX2 FMA3 BMI BMI2 POPCNT CMOV MMX+ AVX512F AVX512BW AVX512DQ AVX512VL"), true},
	{"AVX2", cpu.AVX2, "", avx2, strings.Fields("AVX AVX2 FMA3 BMI BMI2 POPCNT CMOV MMX+"), false},
}

var (
	vector   = regexp.MustCompile(`\b[XYZ]([0-9]|[12][0-9]|3[01])\b`)
	onlyEVEX = regexp.MustCompile(`\b(Z[0-9]+|K[0-7]|[XY](1[6-9]|2[0-9]|3[01]))\b`)
	textLine = regexp.MustCompile(`^TEXT ·(\w+)\(SB\)`)
	target   = regexp.MustCompile(`^·(\w+)\(SB\)$`)
	cpuByte  = regexp.MustCompile(`∕asm∕cpu·(\w+)\+0\(SB\), \$0x([0-9a-f]+)$`)
)

// function is one TEXT: its instructions and labels ("name:") in order.
type function struct {
	name     string
	requires []string
	lines    []string
}

// checker collects the faults of one file.
type checker struct {
	file   string
	faults []string
	tiers  map[string]int // functions of each suffix, entries under ""
}

func (c *checker) fault(f *function, format string, args ...any) {
	c.faults = append(c.faults, fmt.Sprintf("%s: %s: ", c.file, f.name)+fmt.Sprintf(format, args...))
}

// check reads one generated file.
func check(file, source string) *checker {
	c := &checker{file: file, tiers: make(map[string]int)}
	functions := parse(source)
	reached := make(map[string]bool)
	for _, f := range functions {
		if i := slices.IndexFunc(isas, func(i isa) bool { return strings.HasSuffix(f.name, i.suffix) }); i >= 0 {
			c.tiers[isas[i].suffix]++
			c.kernel(f, isas[i])
			continue
		}
		c.tiers[""]++
		c.entry(f, functions, reached)
	}
	for _, f := range functions {
		for _, i := range isas {
			if strings.HasSuffix(f.name, i.suffix) && !reached[f.name] {
				c.fault(f, "no entry jumps here")
			}
		}
	}
	return c
}

// parse splits a file into functions; whatever stands before the first is declarations.
func parse(source string) (all []*function) {
	f, requires := &function{}, []string(nil)
	for line := range strings.Lines(source) {
		if r, ok := strings.CutPrefix(line, "// Requires: "); ok {
			requires = strings.Split(strings.TrimSpace(r), ", ")
		}
		line, _, _ = strings.Cut(line, "//")
		line = strings.Join(strings.Fields(line), " ")
		if m := textLine.FindStringSubmatch(line); m != nil {
			f = &function{name: m[1], requires: requires}
			requires = nil
			all = append(all, f)
			continue
		}
		if line != "" && !strings.HasPrefix(line, "DATA ") && !strings.HasPrefix(line, "GLOBL ") {
			f.lines = append(f.lines, line)
		}
	}
	return all
}

// kernel holds one function to its tier.
func (c *checker) kernel(f *function, may isa) {
	touches := false // vector registers
	for _, line := range f.lines {
		touches = touches || vector.MatchString(line)
	}
	for i, line := range f.lines {
		if strings.HasSuffix(line, ":") {
			continue
		}
		opcode, operands, _ := strings.Cut(line, " ")
		mnemonic, suffix, _ := strings.Cut(opcode, ".")
		switch {
		case vector.MatchString(operands) && !strings.HasPrefix(mnemonic, "V"):
			if !may.masks || !strings.HasPrefix(mnemonic, "K") {
				c.fault(f, "legacy SSE: %s", line)
			}
		case !may.allowed[mnemonic]:
			c.fault(f, "not in %s: %s", may.tier, line)
		case !may.masks && (suffix != "" || onlyEVEX.MatchString(operands)):
			c.fault(f, "wants AVX-512: %s", line)
		case !may.masks && (mnemonic == "VPERMQ" || mnemonic == "VPERMPD") && !strings.HasPrefix(operands, "$"):
			c.fault(f, "wants AVX-512: %s: by a vector of indices", line)
		}
		leaves := mnemonic == "RET" || mnemonic == "JMP" && strings.Contains(operands, "(SB)")
		if leaves && touches && (i == 0 || f.lines[i-1] != "VZEROUPPER") {
			c.fault(f, "no VZEROUPPER before %s", line)
		}
	}
	if n := len(f.lines); n == 0 || f.lines[n-1] != "RET" && !strings.HasPrefix(f.lines[n-1], "JMP ") {
		c.fault(f, "does not end in RET or JMP")
	}
	if touches && len(f.requires) == 0 {
		c.fault(f, "no line of what it requires")
	}
	for _, r := range f.requires {
		if !slices.Contains(may.requires, r) {
			c.fault(f, "requires %s, which %s has not", r, may.tier)
		}
	}
}

// entry runs an entry for each tier and each state of the other bytes of package cpu. It must reach the function for
// that very tier, or the twin. Two things excuse a lower tier: SplitStores is set, or VBMI is clear and the kernel's
// widest form wants it.
func (c *checker) entry(f *function, functions []*function, reached map[string]bool) {
	here := func(name string) bool {
		return slices.ContainsFunc(functions, func(g *function) bool { return g.name == name })
	}
	base := strings.ToLower(f.name[:1]) + f.name[1:]
	for tier := cpu.Generic; tier <= cpu.AVX512; tier++ {
		for state := range 4 {
			flags := map[string]int{"Level": int(tier), "SplitStores": state & 1, "VBMI": state >> 1}
			to, err := f.walk(flags)
			if err != nil {
				c.fault(f, "%v", err)
				return
			}
			got := isa{suffix: "Generic", tier: cpu.Generic}
			for _, i := range isas {
				if strings.HasSuffix(to, i.suffix) {
					got = i
				}
			}
			want := cpu.Generic
			if slices.ContainsFunc(isas, func(i isa) bool { return i.tier == tier }) {
				want = tier
			}
			lower := flags["SplitStores"] == 1 || flags["VBMI"] == 0 && here(base+"VBMI")
			if got.tier > want || got.tier < want && !lower || got.flag != "" && flags[got.flag] == 0 ||
				!strings.EqualFold(to, base+got.suffix) {
				c.fault(f, "tier %v, SplitStores %d, VBMI %d: jumps to %s", tier, flags["SplitStores"], flags["VBMI"],
					to)
			}
			if got.tier != cpu.Generic && !here(to) {
				c.fault(f, "jumps to %s, which is not here", to)
			}
			reached[to] = true
		}
	}
}

// walk follows an entry of CMPB, JNE and JMP alone, and returns the function where it ends.
func (f *function) walk(flags map[string]int) (to string, err error) {
	equal := false
	for i := 0; i < len(f.lines); i++ {
		opcode, operands, _ := strings.Cut(f.lines[i], " ")
		var immediate int
		test, end := cpuByte.FindStringSubmatch(operands), target.FindStringSubmatch(operands)
		switch {
		case strings.HasSuffix(opcode, ":"):
		case opcode == "CMPB" && test != nil:
			fmt.Sscanf(test[2], "%x", &immediate)
			value, known := flags[test[1]]
			if !known {
				return "", fmt.Errorf("asks for an unknown byte: %s", f.lines[i])
			}
			equal = value == immediate
		case opcode == "JNE" && slices.Contains(f.lines[i:], operands+":"):
			if !equal {
				i = slices.Index(f.lines, operands+":")
			}
		case opcode == "JMP" && end != nil:
			return end[1], nil
		default:
			return "", fmt.Errorf("not an entry's instruction: %s", f.lines[i])
		}
	}
	return "", fmt.Errorf("falls off its end")
}
