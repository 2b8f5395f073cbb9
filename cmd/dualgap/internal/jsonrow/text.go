package jsonrow

import (
	"encoding/json"
	"math"
	"unicode/utf8"
)

// numbers reads an array of no more numbers than there are features into values.
func (p *Parser) numbers() error {
	p.at++
	p.values, p.element = p.values[:0], 0
	for p.space(); p.next() != ']'; {
		if p.element > 0 {
			if err := p.comma("]"); err != nil {
				return err
			}
		}
		p.run()
		if p.element == p.features {
			return p.failed("more numbers than the model has features, %d", p.features)
		}
		v, err := p.number()
		if err != nil {
			return err
		}
		p.values = append(p.values, v)
		p.element++
		p.space()
	}
	p.at++
	return nil
}

// run reads numbers as long as each has a comma right behind it, and nothing is wrong: what it leaves is looked at
// closely.
func (p *Parser) run() {
	text, at, values := p.text, p.at, p.values
	for len(values) < p.features {
		v, n := number(text[at:])
		if n == 0 || at+n >= len(text) || text[at+n] != ',' || v-v != 0 {
			break
		}
		if next := at + n + 1; next == len(text) || text[next] == ']' {
			break
		}
		at += n + 1
		values = append(values, v)
	}
	p.at, p.values, p.element = at, values, len(values)
	p.space()
}

// places reads an array of indices of features.
func (p *Parser) places() error {
	p.values, p.other = p.other, p.values
	defer func() { p.values, p.other = p.other, p.values }()
	if err := p.numbers(); err != nil {
		return err
	}
	p.indices = p.indices[:0]
	for k, v := range p.values {
		if v != math.Trunc(v) || v < 0 || v >= float64(p.features) {
			p.element = k
			return p.failed("index %v, want an integer in 0..%d", v, p.features-1)
		}
		p.indices = append(p.indices, int(v))
	}
	return nil
}

func (p *Parser) number() (float64, error) {
	v, n := number(p.text[p.at:])
	if n == 0 {
		return 0, p.found("a number")
	}
	if math.IsInf(v, 0) {
		return 0, p.failed("found %s, want a number in the range of float64", p.here(n))
	}
	p.at += n
	return v, nil
}

// firstKey reads what an object begins with, and the colon behind it, or says that it is empty, its end being next.
func (p *Parser) firstKey() (key string, empty bool, err error) {
	p.at++
	p.space()
	if p.next() == '}' {
		return "", true, nil
	}
	key, err = p.key()
	return key, false, err
}

// key reads a key and the colon behind it.
func (p *Parser) key() (string, error) {
	if p.next() != '"' {
		return "", p.found("a key in quotes")
	}
	end, plain := p.at+1, true
	for ; end < len(p.text) && p.text[end] != '"'; end++ {
		if c := p.text[end]; c == '\\' {
			plain = false
			end++
		} else if c < ' ' {
			p.at = end
			return "", p.found("no control character in a key")
		}
	}
	if end >= len(p.text) {
		return "", p.failed("a key without its end")
	}
	quoted := p.text[p.at : end+1]
	key := string(quoted[1 : len(quoted)-1])
	if !utf8.Valid(quoted) || !plain && json.Unmarshal(quoted, &key) != nil {
		return "", p.failed("a key that is no text, %s", p.here(end+1-p.at))
	}
	p.at = end + 1
	p.space()
	if p.next() != ':' {
		return "", p.found(": behind a key")
	}
	p.at++
	p.space()
	return key, nil
}

// comma reads a comma and the space behind it.
func (p *Parser) comma(end string) error {
	if p.next() != ',' {
		return p.found(", or " + end)
	}
	p.at++
	p.space()
	return nil
}

// next is the byte that comes next, 0 at the end.
func (p *Parser) next() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *Parser) space() {
	for p.at < len(p.text) {
		switch p.text[p.at] {
		case ' ', '\t', '\n', '\r':
			p.at++
		default:
			return
		}
	}
}
