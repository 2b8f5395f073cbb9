// Command blocks finds the basic blocks of assembly that no test runs. A basic block begins at a TEXT, at a label, or
// behind a jump, and ends at the next of them.
//
//	go run ./blocks [-arch A] count TREE                  each block in TREE/asm sets a byte of its own when it runs
//	go run ./blocks [-arch A] [-lacks F] report TREE RUN  the blocks that no test has run; fails if there are some
//
// count changes the files of TREE, which is a copy, and adds a TestMain to each package; there each test binary writes
// its bytes into the folder that DUALGAP_BLOCKS names. report reads the sources in TREE, which have not been changed,
// and these files from the folder RUN. F lists forms, such as VBMI, that the CPU cannot run, with commas between: they
// and the entries that jump to forms are left out.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	arch := flag.String("arch", "amd64", "whose files, amd64 or arm64")
	lacks := flag.String("lacks", "", "forms that the CPU cannot run")
	flag.Parse()
	var err error
	switch args := flag.Args(); {
	case len(args) == 2 && args[0] == "count":
		err = each(args[1], *arch, count)
	case len(args) == 3 && args[0] == "report":
		r := report{run: args[2], lacks: strings.FieldsFunc(*lacks, func(r rune) bool { return r == ',' })}
		if err = each(args[1], *arch, r.read); err == nil {
			err = r.print(os.Stdout)
		}
	default:
		err = fmt.Errorf("want count TREE, or report TREE RUN; got %q", args)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// source is one package's assembly for one architecture.
type source struct {
	name, dir, arch string
	files           []file
}

// file is one file and its blocks.
type file struct {
	name, text string
	blocks     []block
}

// blocks returns the blocks of all files, which is the order of the package's bytes.
func (s source) blocks() (all []block) {
	for _, f := range s.files {
		all = append(all, f.blocks...)
	}
	return all
}

// each calls f with every package of the tree that has assembly for the architecture.
func each(tree, arch string, f func(source) error) error {
	dirs, err := filepath.Glob(filepath.Join(tree, "asm", "*"))
	if err != nil {
		return err
	}
	found := false
	for _, dir := range dirs {
		names, err := filepath.Glob(filepath.Join(dir, "*_"+arch+".s"))
		if err != nil {
			return err
		}
		s := source{name: filepath.Base(dir), dir: dir, arch: arch}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			s.files = append(s.files, file{name, string(text), blocks(filepath.Base(name), string(text))})
		}
		if len(names) == 0 {
			continue
		}
		found = true
		if err := f(s); err != nil {
			return fmt.Errorf("%s: %w", dir, err)
		}
	}
	if !found {
		return fmt.Errorf("%s has no assembly for %s", tree, arch)
	}
	return nil
}
