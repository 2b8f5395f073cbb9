package main

import (
	"strings"

	"github.com/alecthomas/kong"
)

// normalize returns the arguments as kong takes them: a single dash before a long name becomes two, and LIBLINEAR's
// "-w1 2" becomes "--weight=1=2". What stands behind "--" stays.
func normalize(app *kong.Application, args []string) ([]string, error) {
	long := longNames(app.Node, map[string]bool{})
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
		case !dash || strings.HasPrefix(arg, "--"):
		case len(name) > 1 && long[name]:
			arg = "-" + arg
		case weight && !strings.Contains(class, "="): // -w1 2, -w 1=2
			if i++; i == len(args) {
				return nil, usage("%s needs a weight behind it: -w CLASS=WEIGHT", arg)
			}
			if arg = "--weight=" + args[i]; class != "" {
				arg = "--weight=" + class + "=" + args[i]
			}
		case weight: // -w1=2
			arg = "--weight=" + class
		}
		all = append(all, arg)
	}
	return all, nil
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
