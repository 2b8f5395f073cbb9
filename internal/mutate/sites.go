package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
)

// A site is a token that a mutant changes.
type site struct {
	file     string // relative to the module's root
	offset   int    // of the token, in bytes
	line     int
	old, new string
	text     string // the line, for the reader and for excuses
}

func (s site) String() string {
	return fmt.Sprintf("%s:%d: %s -> %s: %s", s.file, s.line, s.old, s.new, s.text)
}

// key names the mutant without its line's number, which moves.
func (s site) key() string { return fmt.Sprintf("%s: %s -> %s: %s", s.file, s.old, s.new, s.text) }

// apply returns the file's text with the token changed.
func (s site) apply(source []byte) []byte {
	return []byte(string(source[:s.offset]) + s.new + string(source[s.offset+len(s.old):]))
}

// swaps are the operators that stand for one another.
var swaps = map[token.Token]token.Token{
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.REM: token.MUL,
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN,
	token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	token.INC: token.DEC, token.DEC: token.INC, token.BREAK: token.CONTINUE, token.CONTINUE: token.BREAK,
}

// sites finds the tokens of a file that a mutant can change.
func sites(file string) ([]site, error) {
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	tree, err := parser.ParseFile(set, file, source, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(source), "\n")
	var found []site
	add := func(at token.Pos, old, new string) {
		p := set.Position(at)
		found = append(found, site{file, p.Offset, p.Line, old, new, strings.TrimSpace(lines[p.Line-1])})
	}
	swap := func(at token.Pos, t token.Token) {
		if other, ok := swaps[t]; ok {
			add(at, t.String(), other.String())
		}
	}
	ast.Inspect(tree, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BinaryExpr:
			swap(n.OpPos, n.Op)
		case *ast.AssignStmt:
			swap(n.TokPos, n.Tok)
		case *ast.IncDecStmt:
			swap(n.TokPos, n.Tok)
		case *ast.BranchStmt:
			if n.Label == nil {
				swap(n.TokPos, n.Tok)
			}
		case *ast.BasicLit:
			if v, err := strconv.Atoi(n.Value); err == nil && n.Kind == token.INT {
				add(n.ValuePos, n.Value, strconv.Itoa(v+1))
			}
		case *ast.Ident:
			switch n.Name {
			case "true":
				add(n.NamePos, "true", "false")
			case "false":
				add(n.NamePos, "false", "true")
			}
		}
		return true
	})
	return found, nil
}
