package jsonrow

import "fmt"

// place says where the parser is, such as rows[3].values[2].
func (p *Parser) place() (s string) {
	if p.row >= 0 {
		s = fmt.Sprintf("rows[%d]", p.row)
	}
	if p.field != "" {
		if s != "" {
			s += "."
		}
		const most = 100
		s += p.field[:min(len(p.field), most)]
		if len(p.field) > most {
			s += "..."
		}
	}
	if p.element >= 0 {
		s += fmt.Sprintf("[%d]", p.element)
	}
	return s
}

// failed returns an error at the place.
func (p *Parser) failed(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	if place := p.place(); place != "" {
		return fmt.Errorf("%s, byte %d: %w", place, p.at, err)
	}
	return fmt.Errorf("byte %d: %w", p.at, err)
}

// found returns an error that says what is there and what is needed.
func (p *Parser) found(need string) error {
	return p.failed("found %s, want %s", p.here(20), need)
}

// here is what the text goes on with, n bytes of it at most.
func (p *Parser) here(n int) string {
	if p.at >= len(p.text) {
		return "the end"
	}
	const most = 40
	return fmt.Sprintf("%q", p.text[p.at:min(len(p.text), p.at+min(n, most))])
}

// refused makes an error of a row that the model does not take one of its place.
func (p *Parser) refused(err error) error {
	if err != nil && p.row >= 0 {
		return fmt.Errorf("rows[%d]: %w", p.row, err)
	}
	return err
}
