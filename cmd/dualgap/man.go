package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

// Man prints the manual page, made of the help.
type Man struct{}

// Help is the end of the help.
func (Man) Help() string {
	return `To read it:     dualgap man | man -l -
To install it:  dualgap man > /usr/local/share/man/man1/dualgap.1`
}

// Run prints the page in the language of man(7).
func (Man) Run(k *kong.Context, out *output) error {
	p := &manPage{w: out.out}
	p.line(".TH DUALGAP 1")
	p.line(".SH NAME")
	p.line("dualgap \\- large-margin models that end with a certificate")
	p.line(".SH SYNOPSIS")
	for _, leaf := range k.Model.Leaves(true) {
		arguments := strings.TrimSpace(strings.TrimPrefix(leaf.Summary(), leaf.Path()))
		p.line(".B %s\n%s\n.br", roff(leaf.FullPath()), roff(arguments))
	}
	p.line(".SH DESCRIPTION")
	p.text(k.Model.Help)
	p.flags(k.Model.Flags)
	for _, leaf := range k.Model.Leaves(true) {
		p.line(".SH %s", roff(strings.ToUpper(leaf.FullPath())))
		p.text(leaf.Help)
		p.text(leaf.Detail)
		for _, a := range leaf.Positional {
			p.line(".TP\n.I %s\n%s", roff(a.Summary()), roff(a.Help))
		}
		p.flags(leaf.Flags)
	}
	p.line(".SH EXIT STATUS")
	p.line("0 where all went well; %d after an error; %d where arguments make no sense; %d where the model was saved\n"+
		"without having reached the tolerance; %d after a signal, with what there was saved.", failed, misused,
		notConverged, interrupted)
	return p.err
}

// manPage writes lines until there is an error.
type manPage struct {
	w   io.Writer
	err error
}

func (p *manPage) line(format string, args ...any) {
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", args...)
	}
}

// text writes paragraphs; lines that begin with blanks stay as they are.
func (p *manPage) text(s string) {
	for paragraph := range strings.SplitSeq(strings.TrimSpace(s), "\n\n") {
		if paragraph == "" {
			continue
		}
		asItIs := strings.HasPrefix(paragraph, " ")
		if asItIs {
			p.line(".PP\n.nf")
		} else {
			p.line(".PP")
		}
		p.line("%s", roff(paragraph))
		if asItIs {
			p.line(".fi")
		}
	}
}

func (p *manPage) flags(flags []*kong.Flag) {
	for _, f := range flags {
		if !f.Hidden {
			p.line(".TP\n.B %s\n%s", roff(f.String()), roff(explain(f.Value)))
		}
	}
}

// roff escapes what has a meaning of its own in a manual page: backslashes, dashes, and dots and quotes that begin a
// line.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
