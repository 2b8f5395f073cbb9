package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Completion prints what makes a shell complete the command's words. The shell asks the command itself each time, by
// the hidden word askComplete, so that the script never goes out of date.
type Completion struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: ${enum}."`
}

// Help is the end of the help.
func (Completion) Help() string {
	return `In bash, for this session or in ~/.bashrc:  eval "$(dualgap completion bash)"
In zsh, behind compinit in ~/.zshrc:        eval "$(dualgap completion zsh)"
In fish:  dualgap completion fish > ~/.config/fish/completions/dualgap.fish`
}

// Run prints the script.
func (c *Completion) Run(out *output) error {
	_, err := fmt.Fprintln(out.out, completionScripts[c.Shell])
	return err
}

// askComplete stands before the words so far, of which the last is to be completed.
const askComplete = "__complete"

// Where there is nothing to offer, shells complete names of files.
var completionScripts = map[string]string{
	"bash": `_dualgap() {
  local IFS=$'\n'
  COMPREPLY=($(dualgap ` + askComplete + ` "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _dualgap dualgap`,
	"zsh": `_dualgap() {
  local -a found
  found=("${(@f)$(dualgap ` + askComplete + ` "${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "$found" ]]; then compadd -a found; else _files; fi
}
compdef _dualgap dualgap`,
	"fish": `complete -c dualgap -a '(dualgap ` + askComplete +
		` (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'`,
}

// spoken are words that [run] takes in place of flags.
var spoken = []string{"help", "version"}

// complete returns what the last of the words may become, nil for a file's name or anything.
func complete(app *kong.Application, words []string) (found []string) {
	if len(words) == 0 {
		return nil
	}
	if len(words) > 1 && words[0] == "help" { // of a command
		words = words[1:]
	} else if len(words) == 1 {
		found = starting(words[0], spoken)
	}
	node, flags := app.Node, app.Flags
	var waiting *kong.Flag // a flag whose value is next
	before, last := words[:len(words)-1], words[len(words)-1]
	for _, w := range before {
		if waiting != nil {
			waiting = nil
			continue
		}
		if strings.HasPrefix(w, "-") && !strings.Contains(w, "=") {
			waiting = valued(flags, w)
			continue
		}
		if child := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == w }); child >= 0 {
			node = node.Children[child]
			flags = append(flags[:len(flags):len(flags)], node.Flags...)
		}
	}
	var offers []string
	switch {
	case waiting != nil && waiting.Enum != "":
		offers = waiting.EnumSlice()
	case waiting != nil:
	case strings.HasPrefix(last, "-"):
		for _, f := range flags {
			if !f.Hidden {
				offers = append(offers, "--"+f.Name)
			}
		}
	case len(node.Children) > 0:
		for _, child := range node.Children {
			if !child.Hidden {
				offers = append(offers, child.Name)
			}
		}
	default:
		for _, p := range node.Positional {
			if p.Enum != "" {
				offers = append(offers, p.EnumSlice()...)
			}
		}
	}
	return append(found, starting(last, offers)...)
}

// starting returns the words that begin so.
func starting(prefix string, words []string) (found []string) {
	for _, w := range words {
		if strings.HasPrefix(w, prefix) {
			found = append(found, w)
		}
	}
	return found
}

// valued returns the flag that a word names if a value is to follow it, else nil. Long names may have one dash.
func valued(flags []*kong.Flag, word string) *kong.Flag {
	name := strings.TrimLeft(word, "-")
	for _, f := range flags {
		if (f.Name == name || f.Short != 0 && string(f.Short) == name) && !f.IsBool() {
			return f
		}
	}
	return nil
}
