package model

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Formula is the n-th wait of a library whose arithmetic is its own, over
// the settings of the policy: "step + pow(trunc(initial/1s), n)*1s". Durations
// are in nanoseconds.
type Formula struct{ expr ast.Expr }

var durationLiteral = regexp.MustCompile(`\b(\d+(?:\.\d+)?(?:ns|us|ms|s|m|h))\b`)

func ParseFormula(text string) (Formula, error) {
	// "if" reads best in a model but is a keyword of the parser used here.
	text = strings.ReplaceAll(text, "if(", "cond(")
	plain := durationLiteral.ReplaceAllStringFunc(text, func(lit string) string {
		d, err := time.ParseDuration(lit)
		if err != nil {
			return lit
		}
		return strconv.FormatInt(int64(d), 10)
	})
	expr, err := parser.ParseExpr(plain)
	if err != nil {
		return Formula{}, fmt.Errorf("formula %q: %w", text, err)
	}
	return Formula{expr}, nil
}

// Eval computes the formula; vars gives the value of a name.
func (f Formula) Eval(vars func(string) (float64, error)) (float64, error) {
	return evalExpr(f.expr, vars)
}

func evalExpr(e ast.Expr, vars func(string) (float64, error)) (float64, error) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return evalExpr(e.X, vars)
	case *ast.BasicLit:
		return strconv.ParseFloat(e.Value, 64)
	case *ast.Ident:
		return vars(e.Name)
	case *ast.UnaryExpr:
		x, err := evalExpr(e.X, vars)
		if e.Op == token.SUB {
			x = -x
		}
		return x, err
	case *ast.BinaryExpr:
		x, err := evalExpr(e.X, vars)
		if err != nil {
			return 0, err
		}
		y, err := evalExpr(e.Y, vars)
		if err != nil {
			return 0, err
		}
		switch e.Op {
		case token.ADD:
			return x + y, nil
		case token.SUB:
			return x - y, nil
		case token.MUL:
			return x * y, nil
		case token.QUO:
			return x / y, nil
		}
		return 0, fmt.Errorf("operator %s in a formula", e.Op)
	case *ast.CallExpr:
		return evalCall(e, vars)
	}
	return 0, fmt.Errorf("%T in a formula", e)
}

func evalCall(call *ast.CallExpr, vars func(string) (float64, error)) (float64, error) {
	name, ok := call.Fun.(*ast.Ident)
	if !ok {
		return 0, fmt.Errorf("%T called in a formula", call.Fun)
	}
	args := make([]float64, len(call.Args))
	for i, a := range call.Args {
		v, err := evalExpr(a, vars)
		if err != nil {
			return 0, err
		}
		args[i] = v
	}
	switch {
	case name.Name == "min" && len(args) == 2:
		return math.Min(args[0], args[1]), nil
	case name.Name == "max" && len(args) == 2:
		return math.Max(args[0], args[1]), nil
	case name.Name == "pow" && len(args) == 2:
		return math.Pow(args[0], args[1]), nil
	case name.Name == "trunc" && len(args) == 1:
		return math.Trunc(args[0]), nil
	case name.Name == "fib" && len(args) == 1:
		return Fibonacci(args[0]), nil
	case name.Name == "cond" && len(args) == 3:
		if args[0] != 0 {
			return args[1], nil
		}
		return args[2], nil
	}
	return 0, fmt.Errorf("%s with %d arguments in a formula", name.Name, len(args))
}

// Fibonacci is the n-th number of 1, 1, 2, 3, 5, n from 1.
func Fibonacci(n float64) float64 {
	a, b := 0.0, 1.0
	for i := 1.0; i < n; i++ {
		a, b = b, a+b
	}
	return b
}

// variables are what a formula may speak of: settings, and n, the number of
// waits before this one.
var variables = []string{"n", "initial", "max", "step", "multiplier", "jitter_amount"}

// checkFormula reports what is wrong with a formula.
func checkFormula(text string) error {
	f, err := ParseFormula(text)
	if err != nil {
		return err
	}
	_, err = f.Eval(func(name string) (float64, error) {
		if !slices.Contains(variables, name) {
			return 0, fmt.Errorf("%s is no variable of a formula (there are %s)", name, strings.Join(variables, ", "))
		}
		return 1, nil
	})
	if err != nil {
		return fmt.Errorf("%q: %w", text, err)
	}
	return nil
}
