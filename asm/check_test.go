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
	flags    string // the bytes of package cpu that must be set beside the tier
	allowed  map[string]bool
	requires []string // extensions, as avo names them in the line "// Requires: "
	masks    bool     // may name Z and K registers, the upper 16, and suffixes of mnemonics
}

var isas = []isa{
	{"VBMIVNNI", cpu.AVX512, "VBMI VNNI", vbmiVNNI, strings.Fields(wide + " AVX512VBMI AVX512VNNI"), true},
	{"VBMI", cpu.AVX512, "VBMI", vbmi, strings.Fields(wide + " AVX512VBMI"), true},
	{"VNNI", cpu.AVX512, "VNNI", vnni, strings.Fields(wide + " AVX512VNNI"), true},
	{"BF16", cpu.AVX512, "BF16", bf16, strings.Fields(wide + " AVX512BF16"), true},
	{"VPOPCNT", cpu.AVX512, "VPOPCNT", vpopcnt, strings.Fields(wide + " AVX512VPOPCNTDQ"), true},
	{"Gather", cpu.AVX512, "Gather", avx512, strings.Fields(wide), true},
	{"AVX512", cpu.AVX512, "", avx512, strings.Fields(wide), true},
	{"F16C", cpu.AVX2, "F16C", f16c, strings.Fields(narrow + " F16C"), false},
	{"AVX2", cpu.AVX2, "", avx2, strings.Fields(narrow), false},
}

// has reports whether the bytes of package cpu are set that the form needs.
func (i isa) has(bytes map[string]int) bool {
	for _, name := range strings.Fields(i.flags) {
		if bytes[name] != 1 {
			return false
		}
	}
	return true
}

// What avo says that a function of the tiers AVX2 and AVX512 may require.
const (
	narrow = "AVX AVX2 FMA3 BMI BMI2 POPCNT CMOV MMX+"
	wide   = narrow + " AVX512F AVX512BW AVX512DQ AVX512VL"
)

// flags are the bytes of package cpu that entries ask for, beside the level.
var flags = []string{"SplitStores", "VBMI", "VNNI", "BF16", "VPOPCNT", "F16C", "Gather"}

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
		line, comment, _ := strings.Cut(line, "//")
		line = strings.Join(strings.Fields(line), " ")
		if strings.HasPrefix(line, "BYTE ") {
			line = decoded(line, strings.TrimSpace(comment))
		}
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

// entry runs an entry for each tier and each state of the other bytes of package cpu. It must reach the best form that
// is here, or the twin; SplitStores excuses the best form of a lower tier.
func (c *checker) entry(f *function, functions []*function, reached map[string]bool) {
	base := strings.ToLower(f.name[:1]) + f.name[1:]
	for tier := cpu.Generic; tier <= cpu.AVX512; tier++ {
		for state := range 1 << len(flags) {
			bytes, set := map[string]int{"Level": int(tier)}, []string(nil)
			for i, name := range flags {
				if bytes[name] = state >> i & 1; bytes[name] == 1 {
					set = append(set, name)
				}
			}
			to, err := f.walk(bytes)
			if err != nil {
				c.fault(f, "%v", err)
				return
			}
			forms := best(functions, base, tier, bytes)
			if !strings.EqualFold(to, forms[0]) &&
				!(bytes["SplitStores"] == 1 && len(forms) > 1 && strings.EqualFold(to, forms[1])) {
				c.fault(f, "tier %v with %q: jumps to %s, want %s", tier, set, to, forms[0])
			}
			if !strings.HasSuffix(to, "Generic") && !contains(functions, to) {
				c.fault(f, "jumps to %s, which is not here", to)
			}
			reached[to] = true
		}
	}
}

// best returns the best form of a kernel that is among functions and may run, of each tier that has one, best first.
func best(functions []*function, base string, tier cpu.Tier, bytes map[string]int) (forms []string) {
	level := tier + 1
	for _, i := range isas {
		if tier >= cpu.AVX2 && i.tier <= tier && i.tier < level && i.has(bytes) &&
			contains(functions, base+i.suffix) {
			forms, level = append(forms, base+i.suffix), i.tier
		}
	}
	return append(forms, base+"Generic")
}

// contains ignores case: the entry GerSome is the kernel gersome.
func contains(functions []*function, name string) bool {
	return slices.ContainsFunc(functions, func(g *function) bool { return strings.EqualFold(g.name, name) })
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
