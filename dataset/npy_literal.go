package dataset

import (
	"bytes"
	"fmt"
	"strconv"
)

// literal is what is left of a Python literal, and its offset in the file.
type literal struct {
	in   *binaryInput
	text []byte
	at   int64
}

// skip drops n bytes.
func (l *literal) skip(n int) {
	l.text, l.at = l.text[n:], l.at+int64(n)
}

func (l *literal) blanks() {
	rest := bytes.TrimLeft(l.text, " \t\r\n")
	l.skip(len(l.text) - len(rest))
}

// place returns the offset of the next token.
func (l *literal) place() int64 {
	l.blanks()
	return l.at
}

// have reports whether the next token is the sign c.
func (l *literal) have(c byte) bool {
	l.blanks()
	return len(l.text) > 0 && l.text[0] == c
}

// sign takes the sign c.
func (l *literal) sign(c byte) error {
	if !l.have(c) {
		return l.wants(fmt.Sprintf("%q", c))
	}
	l.skip(1)
	return nil
}

// quoted takes a string without escapes in quotes of either kind.
func (l *literal) quoted() (string, error) {
	if !l.have('\'') && !l.have('"') {
		return "", l.wants("a quoted text")
	}
	end := bytes.IndexByte(l.text[1:], l.text[0])
	if end < 0 || bytes.IndexByte(l.text[1:1+end], '\\') >= 0 {
		return "", l.wants("a text that ends with the quote it begins with, without a backslash")
	}
	s := string(l.text[1 : 1+end])
	l.skip(end + 2)
	return s, nil
}

// truth takes True or False.
func (l *literal) truth() (bool, error) {
	l.blanks()
	for i, word := range []string{"False", "True"} {
		if bytes.HasPrefix(l.text, []byte(word)) {
			l.skip(len(word))
			return i == 1, nil
		}
	}
	return false, l.wants("True or False")
}

// size takes a size, behind which Python 2 has an L where it is a long integer.
func (l *literal) size() (int, error) {
	l.blanks()
	digits := len(l.text) - len(bytes.TrimLeft(l.text, "0123456789"))
	v, err := strconv.Atoi(string(l.text[:digits]))
	if err != nil || v < 1 || v > maxElements {
		return 0, l.wants(fmt.Sprintf("a size in 1..%d", int64(maxElements)))
	}
	l.skip(digits)
	if len(l.text) > 0 && l.text[0] == 'L' {
		l.skip(1)
	}
	return v, nil
}

// wants returns the error that the next token is not what is wanted there.
func (l *literal) wants(want string) error {
	found := "the end of the header"
	l.blanks()
	if len(l.text) > 0 {
		found = quote(l.text)
	}
	return l.in.expected(l.at, found, want)
}
