package main

import (
	"regexp"
	"strings"

	"github.com/alecthomas/kong"
)

// negative is how a value begins that looks like a flag: -1, -.5, -1,2, -inf.
var negative = regexp.MustCompile(`(?i)^-(\.?\d|inf|nan)`)

// normalize returns the arguments as kong takes them: a single dash before a long name becomes two, "-B -1" and
// "-B=-1" become "--bias=-1", and LIBLINEAR's "-w1 2" becomes "--weight=1=2". What stands behind "--" stays.
func normalize(app *kong.Application, args []string) ([]string, error) {
	long := longNames(app.Node, map[string]bool{})
	node := app.Node // the command that the arguments so far name
	var all []string
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(all, args[i:]...), nil
		}
		name, dash := strings.CutPrefix(arg, "-")
		name, _, _ = strings.Cut(name, "=")
		class, weight := strings.CutPrefix(arg, "-w")
		switch {
		case !dash:
			node = childOf(node, arg)
		case strings.HasPrefix(arg, "--"):
		case len(name) > 1 && long[name]:
			arg = "-" + arg
		case strings.HasPrefix(class, "="): // -w=1=2
			arg = "--weight" + class
		case weight && !strings.Contains(class, "="): // -w1 2, -w 1=2
			if i++; i == len(args) {
				return nil, usage("%s needs a weight behind it: -w CLASS=WEIGHT", arg)
			}
			arg = "--weight=" + args[i]
			if class != "" {
				arg = "--weight=" + class + "=" + args[i]
			}
		case weight: // -w1=2
			arg = "--weight=" + class
		}
		word, value, joined := strings.Cut(arg, "=")
		if flag := flagOf(node, word); flag != nil {
			if !joined && i+1 < len(args) && negative.MatchString(args[i+1]) {
				i++
				value, joined = args[i], true
			}
			if joined {
				arg = "--" + flag.Name + "=" + value
			}
		}
		all = append(all, arg)
	}
	return all, nil
}

// childOf returns the command of that name in node, node itself where there is none.
func childOf(node *kong.Node, name string) *kong.Node {
	for _, child := range node.Children {
		if child.Name == name {
			return child
		}
	}
	return node
}

// flagOf returns the flag of node that arg names and that takes a value, nil if there is none.
func flagOf(node *kong.Node, arg string) *kong.Flag {
	for _, flag := range node.Flags {
		if !flag.IsBool() && (arg == "--"+flag.Name || flag.Short != 0 && arg == "-"+string(flag.Short)) {
			return flag
		}
	}
	return nil
}

// longNames collects the long names of the flags of all commands.
func longNames(node *kong.Node, names map[string]bool) map[string]bool {
	for _, flag := range node.Flags {
		names[flag.Name] = true
		for _, alias := range flag.Aliases {
			names[alias] = true
		}
	}
	for _, child := range node.Children {
		longNames(child, names)
	}
	return names
}
