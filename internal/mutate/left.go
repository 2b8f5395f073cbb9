package main

import (
	"go/ast"
	"strings"
)

// unread are arguments whose value makes no difference: of the infinities the sign alone counts, of T(0) in a text the
// type, of capacities, of sizes of buffers and of 64 bits nothing that a test sees.
func unread(n *ast.CallExpr) []ast.Expr {
	switch f := n.Fun.(type) {
	case *ast.Ident:
		if f.Name == "make" && len(n.Args) == 3 {
			return n.Args[2:]
		}
	case *ast.SelectorExpr:
		of, ok := f.X.(*ast.Ident)
		if ok && of.Name == "fmt" {
			return zeros(n.Args)
		}
		if ok && of.Name == "strconv" && f.Sel.Name == "ParseFloat" && len(n.Args) == 2 {
			if bits, ok := n.Args[1].(*ast.BasicLit); ok && bits.Value == "64" {
				return n.Args[1:] // all but 32 stands for 64
			}
		}
		if !ok || of.Name != "math" && of.Name != "bufio" || len(n.Args) == 0 {
			return nil
		}
		last := n.Args[len(n.Args)-1:]
		if zero, ok := last[0].(*ast.BasicLit); strings.HasSuffix(f.Sel.Name, "Size") || f.Sel.Name == "Inf" ||
			f.Sel.Name == "Copysign" || f.Sel.Name == "IsInf" && (!ok || zero.Value != "0") {
			return last
		}
	}
	return nil
}

// zeros are the arguments T(0), of which the type is printed.
func zeros(args []ast.Expr) (some []ast.Expr) {
	for _, a := range args {
		call, _ := a.(*ast.CallExpr)
		if call == nil || len(call.Args) != 1 {
			continue
		}
		zero, _ := call.Args[0].(*ast.BasicLit)
		if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "T" && zero != nil && zero.Value == "0" {
			some = append(some, call)
		}
	}
	return some
}

// besideError are the values that a function returns beside an error, which promise nothing.
func besideError(n *ast.ReturnStmt) []ast.Expr {
	if len(n.Results) < 2 {
		return nil
	}
	switch last := n.Results[len(n.Results)-1].(type) {
	case *ast.Ident:
		if strings.HasPrefix(last.Name, "err") {
			return n.Results[:len(n.Results)-1]
		}
	case *ast.CallExpr:
		if f, ok := last.Fun.(*ast.SelectorExpr); ok {
			of, _ := f.X.(*ast.Ident)
			if f.Sel.Name == "Errorf" || f.Sel.Name == "New" && of != nil && of.Name == "errors" {
				return n.Results[:len(n.Results)-1]
			}
		}
	}
	return nil
}
