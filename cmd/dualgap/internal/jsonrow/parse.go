// Package jsonrow reads examples from JSON, strictly and quickly: encoding/json takes several times as long for an
// array of numbers.
//
// A row is an array of a number for each feature, an object with a number for each of the features' names, or an object
// with the arrays "indices", from 0, and "values" of what is not 0.
package jsonrow

import (
	"errors"
	"fmt"

	"github.com/dualgap/dualgap/solvers/predictor"
)

// ErrTooMany is wrapped by the error of more rows than are allowed.
var ErrTooMany = errors.New("too many rows")

// Parser reads examples. Its memory is used again and again; it is for one goroutine at a time.
type Parser struct {
	text []byte
	at   int
	rows *predictor.Rows

	features int
	values   []float64
	other    []float64 // indices, as they are read
	indices  []int
	named    map[string]float64

	whole bool // nothing may stand behind the row

	// Where it is, for errors.
	row     int // among rows, -1 for one alone
	field   string
	element int // of an array, -1 for none
}

// Body adds the row or the rows to dst that a text holds: a row alone, or an object of which "rows" is an array of
// rows, at most limit of them. It reports whether it is one row alone. An error tells the place. Rows of an array that
// were read before it stay in dst.
func (p *Parser) Body(dst *predictor.Rows, text []byte, limit int) (alone bool, err error) {
	p.begin(dst, text)
	p.space()
	if p.next() != '{' {
		err := p.anyRow()
		if err != nil && p.next() == '[' {
			err = fmt.Errorf(`%w; for many rows: {"rows": [...]}`, err)
		}
		return true, err
	}
	key, empty, err := p.firstKey()
	if err != nil {
		return false, err
	}
	if empty || key != "rows" || p.next() != '[' {
		return true, p.object(key, empty)
	}
	p.at++
	p.row, p.whole = 0, false
	for p.space(); p.next() != ']'; p.row++ {
		if p.row > 0 {
			if err := p.comma("]"); err != nil {
				return false, err
			}
		}
		if p.row == limit {
			return false, p.failed("%w, want %d at most", ErrTooMany, limit)
		}
		p.field, p.element = "", -1
		if err := p.anyRow(); err != nil {
			return false, err
		}
		p.space()
	}
	p.at++
	p.row, p.element, p.field = -1, -1, ""
	p.space()
	if p.next() != '}' {
		return false, p.found("} behind the rows")
	}
	p.at++
	p.whole = true
	return false, p.end()
}

// Line adds the row to dst that a line holds.
func (p *Parser) Line(dst *predictor.Rows, line []byte) error {
	p.begin(dst, line)
	p.space()
	return p.anyRow()
}

func (p *Parser) begin(dst *predictor.Rows, text []byte) {
	_, p.features = dst.Dims()
	p.text, p.at, p.rows, p.row, p.element, p.field = text, 0, dst, -1, -1, ""
	p.whole = true
}

// end returns an error where there is something behind a row, or behind the rows, that nothing may stand behind.
func (p *Parser) end() error {
	p.element, p.field = -1, ""
	if p.whole {
		p.space()
		if p.at < len(p.text) {
			return p.found("the end")
		}
	}
	return nil
}

// anyRow reads a row of any form.
func (p *Parser) anyRow() error {
	switch p.next() {
	case '[':
		err := p.numbers()
		if err == nil {
			err = p.end()
		}
		if err != nil {
			return err
		}
		return p.refused(p.rows.Add(p.values))
	case '{':
		key, empty, err := p.firstKey()
		if err != nil {
			return err
		}
		return p.object(key, empty)
	}
	return p.found("a row: an array or an object")
}

// object reads a row whose first key has been read.
func (p *Parser) object(key string, empty bool) (err error) {
	clear(p.named)
	var indices, values bool
	for !empty {
		p.field = key
		switch _, twice := p.named[key]; {
		case twice || key == "indices" && indices || key == "values" && values:
			return p.failed("the key comes twice")
		case p.next() == '[' && key == "indices":
			indices, err = true, p.places()
		case p.next() == '[' && key == "values":
			values, err = true, p.numbers()
		default:
			err = p.feature(key)
		}
		if err != nil {
			return err
		}
		p.field, p.element = "", -1
		p.space()
		if p.next() == '}' {
			break
		}
		if err := p.comma("}"); err != nil {
			return err
		}
		if key, err = p.key(); err != nil {
			return err
		}
	}
	p.at++
	if err := p.end(); err != nil {
		return err
	}
	switch {
	case indices && values && len(p.named) == 0:
		return p.refused(p.rows.AddSparse(p.indices, p.values))
	case indices || values:
		return p.failed("a sparse row: want indices and values, and nothing else")
	}
	return p.refused(p.rows.AddNamed(p.named))
}

// feature reads the number of the feature that key names.
func (p *Parser) feature(key string) error {
	v, err := p.number()
	if err != nil {
		return err
	}
	if p.named == nil {
		p.named = map[string]float64{}
	}
	p.named[key] = v
	return nil
}
