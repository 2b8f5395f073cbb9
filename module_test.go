package dualgap_test

import (
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestFreshModule: the first program of README.md compiles and runs in a module of its own, whose go.mod requires this
// one and nothing else, without network. What it prints is what its Example prints.
func TestFreshModule(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command: ", err)
	}
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(read(t, "README.md"), "```go\n")
	code, _, _ := strings.Cut(block, "```")
	name, want := exampleOf(t, code)

	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("main.go", "package main\n\nimport (\n"+imports(t, code)+")\n\nfunc main() {\n"+code+"}\n")
	write("go.mod", "module example.com/fresh\n\n"+regexp.MustCompile(`(?m)^go .*`).FindString(read(t, "go.mod"))+
		"\n\nrequire "+module+" v0.0.0\n\nreplace "+module+" => "+strconv.Quote(filepath.ToSlash(root))+"\n")

	run := exec.Command("go", "run", ".")
	run.Dir = dir
	run.Env = append(os.Environ(), "GOFLAGS=-mod=mod -trimpath", "GOPROXY=off", "GOSUMDB=off", "GOWORK=off")
	out, err := run.CombinedOutput()
	if err != nil || string(out) != want {
		t.Errorf("%s in a fresh module: %v\n%s, want\n%s", name, err, out, want)
	}
}

// exampleOf returns the name of the Example in readme_test.go that has the code, and what it is to print.
func exampleOf(t *testing.T, code string) (name, want string) {
	t.Helper()
	for _, f := range strings.Split(read(t, "readme_test.go"), "\nfunc ")[1:] {
		if strings.Contains(strings.ReplaceAll(f, "\n\t", "\n"), "\n"+code) {
			name, _, _ = strings.Cut(f, "(")
			_, output, _ := strings.Cut(f, "// Output:")
			output, _, _ = strings.Cut(output, "\n}")
			return name, strings.TrimSpace(strings.ReplaceAll(output, "\n\t// ", "\n")) + "\n"
		}
	}
	t.Fatalf("no Example has\n%s", code)
	return "", ""
}

// imports returns the imports of readme_test.go that the code uses, a line each.
func imports(t *testing.T, code string) (lines string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "readme_test.go", nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range file.Imports {
		p, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if regexp.MustCompile(`\b` + path.Base(p) + `\.`).MatchString(code) {
			lines += "\t" + i.Path.Value + "\n"
		}
	}
	return lines
}

// TestInstall: what README.md installs is there: the module, by its path, and the command. Go installs no command of a
// module that replaces another.
func TestInstall(t *testing.T) {
	paths := regexp.MustCompile(`\$ go (?:get|install) (\S+?)(?:@latest)?\s`).FindAllStringSubmatch(read(t, "README.md"), -1)
	if len(paths) < 2 {
		t.Fatalf("%d paths", len(paths))
	}
	if regexp.MustCompile(`(?m)^(replace|exclude)\b`).MatchString(read(t, "go.mod")) {
		t.Error("go.mod has a replace or an exclude")
	}
	for _, p := range paths {
		dir, ok := strings.CutPrefix(p[1]+"/", module+"/")
		if _, err := os.Stat(filepath.Join(".", filepath.FromSlash(dir), "doc.go")); !ok || err != nil {
			t.Errorf("%s: no package of this module: %v", p[1], err)
		}
	}
}
