package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// What may follow: commands, flags, the values of a flag that has some; nothing where a file's name may.
func TestComplete(t *testing.T) {
	for _, c := range []struct {
		words string // the last one, behind a blank, is completed
		want  string // one of the offers, or "" for none
		not   string
	}{
		{"tr", "train", "predict"},
		{"train t", "topk", "train"},
		{"train topk --gr", "--grid-c", "--k"},
		{"train topk -", "--help", "-k"},
		{"train topk --format l", "libsvm", "csv"},
		{"train topk -scale ", "none", "--help"},
		{"train topk --labels ", "", ""},
		{"train topk ", "", ""},
		{"completion ", "fish", "topk"},
		{"nonsense -x ", "train", ""},
		{"", "evaluate", ""},
		{"index ", "search", "topk"},
		{"index search --pro", "--prove", "--codes"},
		{"index build --codes p", "pca", "hadamard"},
		{"convert model.dg model.o", "", ""},
		{"convert --", "--force", ""},
		{"ver", "version", ""},
		{"help ind", "index", "inspect"},
		{"help index ", "build", "help"},
	} {
		found := strings.Fields(must(t, append([]string{askComplete}, strings.Split(c.words, " ")...)...))
		if c.want == "" && len(found) > 0 || c.want != "" && !slices.Contains(found, c.want) || c.not != "" &&
			slices.Contains(found, c.not) {
			t.Errorf("%q: %q, want %q and not %q", c.words, found, c.want, c.not)
		}
	}
	must(t, askComplete) // a shell may ask without a word
}

// Every command that is not hidden is offered where it may stand, and behind it each of its flags, and each value of
// those that have some.
func TestCompleteAll(t *testing.T) {
	parser, err := kong.New(new(commands), kong.ExplicitGroups(groups))
	if err != nil {
		t.Fatal(err)
	}
	offered := func(words ...string) []string { return complete(parser.Model, words) }
	leaves := 0
	var walk func(node *kong.Node, path []string)
	walk = func(node *kong.Node, path []string) {
		path = path[:len(path):len(path)]
		for _, f := range node.Flags {
			if !f.Hidden && !slices.Contains(offered(append(path, "--")...), "--"+f.Name) {
				t.Errorf("%q: no --%s", path, f.Name)
			}
			if f.Enum != "" && !slices.Equal(offered(append(path, "--"+f.Name, "")...), f.EnumSlice()) {
				t.Errorf("%q --%s: not %q", path, f.Name, f.EnumSlice())
			}
		}
		if len(node.Children) == 0 {
			leaves++
		}
		for _, child := range node.Children {
			if !child.Hidden && !slices.Contains(offered(append(path, "")...), child.Name) {
				t.Errorf("%q: no %s", path, child.Name)
			}
			walk(child, append(path, child.Name))
		}
	}
	walk(parser.Model.Node, nil)
	if leaves < 15 {
		t.Errorf("%d commands", leaves)
	}
}

// The scripts are sound for the shells that are here, and bash offers what the command does.
func TestCompletionScripts(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := must(t, "completion", shell)
		if path, err := exec.LookPath(shell); err == nil {
			check := exec.Command(path, "-n")
			check.Stdin = strings.NewReader(script)
			if out, err := check.CombinedOutput(); err != nil {
				t.Errorf("%s: %v: %s", shell, err, out)
			}
		}
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	ask := must(t, "completion", "bash") + `
dualgap() { [ "$1 $2 $3" = "` + askComplete + ` train to" ] && printf 'topk\ntoprank\n'; }
COMP_WORDS=(dualgap train to) COMP_CWORD=2
_dualgap && echo "${COMPREPLY[@]}"`
	if out, err := exec.Command(bash, "-c", ask).Output(); err != nil || string(out) != "topk toprank\n" {
		t.Errorf("bash offers %q, %v", out, err)
	}
}

// The version names the module and the tier; help may stand before the command.
func TestVersionAndHelp(t *testing.T) {
	for _, arg := range []string{"--version", "-version", "version"} {
		if out := must(t, arg); !strings.HasPrefix(out, "dualgap ") || !strings.Contains(out, ", tier ") ||
			strings.Count(out, "\n") != 2 {
			t.Errorf("%s: %q", arg, out)
		}
	}
	if a, b := must(t, "help", "train", "topk"), must(t, "train", "topk", "--help"); a != b ||
		!strings.Contains(a, "Guesses that count") {
		t.Errorf("help train topk: %q", a)
	}
	if must(t, "help") != must(t, "--help") {
		t.Error("help is not --help")
	}
	if code, _, stderr := command(t, "help", "trian"); code != 2 || !strings.Contains(stderr, `did you mean "train"?`) {
		t.Errorf("code %d, %q", code, stderr)
	}
}

// The manual page has all commands and flags, and troff has nothing to say.
func TestMan(t *testing.T) {
	page := must(t, "man")
	for _, part := range []string{".TH DUALGAP 1\n", ".SH DUALGAP TRAIN TOPK\n", `\-\-grid\-c`, ".SH EXIT STATUS\n"} {
		if !strings.Contains(page, part) {
			t.Errorf("no %q in the page", part)
		}
	}
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "'") {
			t.Errorf("a line that troff takes for a request: %q", line)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("no groff")
	}
	check := exec.Command(groff, "-man", "-ww", "-Tutf8", "-z")
	check.Stdin = strings.NewReader(page)
	if out, err := check.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v: %s", err, out)
	}
}
