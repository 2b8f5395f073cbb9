// Command mca prices the loops of assembly functions on CPUs that are not at hand: llvm-objdump takes them from a test
// binary, llvm-mca simulates them with the data in the first-level cache.
//
//	GOARCH=arm64 go test -c -o /tmp/blas.test ./asm/blas
//	go -C internal/gen run ./mca -bin /tmp/blas.test -func 'dotF32NEON' -per 32
//
// Every backward branch ends a loop, which begins where the branch leads; of nested loops the outer one is priced as if
// the inner one ran once.
package main

import (
	"flag"
	"fmt"
	"log"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

// instruction is one line of a disassembly.
type instruction struct {
	address, target uint64 // target of a branch, or 0
	text            string
}

var (
	symbolLine = regexp.MustCompile(`^[0-9a-f]+ <(.*)>:$`)
	codeLine   = regexp.MustCompile(`^\s*([0-9a-f]+):\s+(.*)$`)
	branch     = regexp.MustCompile(`^(j\w+|b(?:\.\w+)?|cbn?z|tbn?z)\s+(.*,\s*)?0x([0-9a-f]+) <.*>$`)
	cycles     = regexp.MustCompile(`Total Cycles:\s+(\d+)`)
)

func main() {
	log.SetFlags(0)
	var (
		bin    = flag.String("bin", "", "binary")
		name   = flag.String("func", "", "regular expression for the name of the functions, behind the package")
		triple = flag.String("triple", "aarch64", "architecture")
		cpus   = flag.String("cpus", "neoverse-n1,neoverse-v1,neoverse-v2", "models, with commas between")
		per    = flag.Float64("per", 1, "elements in one round of a loop")
		suffix = flag.String("llvm", "-19", "suffix of the tools' names")
		show   = flag.Bool("show", false, "print the loops")
	)
	flag.Parse()
	wanted, err := regexp.Compile(`\.(` + *name + `)(\.abi0)?$`)
	if err != nil {
		log.Fatal(err)
	}
	listing, err := exec.Command("llvm-objdump"+*suffix, "-d", "--no-show-raw-insn", *bin).Output()
	if err != nil {
		log.Fatalf("llvm-objdump: %v", err)
	}
	for symbol, code := range functions(string(listing), wanted) {
		for _, loop := range loops(code) {
			fmt.Printf("%s, loop of %d instructions at +%#x:", symbol, len(loop), loop[0].address-code[0].address)
			for cpu := range strings.SplitSeq(*cpus, ",") {
				c, err := price(loop, "llvm-mca"+*suffix, *triple, cpu)
				if err != nil {
					log.Fatalf("llvm-mca for %s: %v", cpu, err)
				}
				fmt.Printf("  %s %.4g", cpu, c / *per)
			}
			fmt.Println()
			if *show {
				fmt.Print(source(loop))
			}
		}
	}
}

// functions yields the code of each function whose symbol matches.
func functions(listing string, wanted *regexp.Regexp) func(yield func(string, []instruction) bool) {
	return func(yield func(string, []instruction) bool) {
		for part := range strings.SplitSeq(listing, "\n\n") {
			head, body, _ := strings.Cut(strings.TrimSpace(part), "\n")
			m := symbolLine.FindStringSubmatch(head)
			if m == nil || !wanted.MatchString(m[1]) {
				continue
			}
			var code []instruction
			for line := range strings.SplitSeq(body, "\n") {
				if m := codeLine.FindStringSubmatch(line); m != nil {
					code = append(code, parse(m[1], m[2]))
				}
			}
			if len(code) > 0 && !yield(m[1], code) {
				return
			}
		}
	}
}

func parse(address, text string) instruction {
	var i instruction
	i.address, _ = strconv.ParseUint(address, 16, 64) // the expression lets only hexadecimal digits through
	i.text = strings.ReplaceAll(text, "\t", " ")
	if m := branch.FindStringSubmatch(i.text); m != nil {
		i.target, _ = strconv.ParseUint(m[3], 16, 64)
		i.text = fmt.Sprintf("%s %sL%x", m[1], m[2], i.target)
	}
	return i
}

// loops returns the code from the target of each backward branch to the branch.
func loops(code []instruction) (found [][]instruction) {
	for end, i := range code {
		if i.target > i.address || i.target < code[0].address {
			continue
		}
		begin := end
		for code[begin].address > i.target {
			begin--
		}
		found = append(found, code[begin:end+1])
	}
	return found
}

// source is the loop in the language of llvm-mca.
func source(loop []instruction) string {
	var s strings.Builder
	for _, i := range loop {
		fmt.Fprintf(&s, "L%x:\n\t%s\n", i.address, i.text)
	}
	return s.String()
}

// price returns the cycles of one round.
func price(loop []instruction, tool, triple, cpu string) (float64, error) {
	const rounds = 500
	cmd := exec.Command(tool, "-mtriple="+triple, "-mcpu="+cpu, fmt.Sprint("-iterations=", rounds))
	cmd.Stdin = strings.NewReader(source(loop))
	out, err := cmd.Output()
	if err != nil {
		return 0, err
	}
	m := cycles.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("no cycles in its output")
	}
	total, err := strconv.ParseFloat(string(m[1]), 64)
	return total / rounds, err
}
