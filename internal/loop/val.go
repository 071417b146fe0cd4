package loop

import (
	"encoding/binary"
	"hash/fnv"
	"math"

	"golang.org/x/tools/go/ssa"
)

// kind says what is known of a value in a run.
type kind uint8

const (
	opaque   kind = iota // nothing but what it is computed from
	number               // between lo and hi, which differ when it is random
	boolean              // b
	text                 // s
	null                 // nil
	failure              // the error of the call that is watched
	answer               // what else that call returned, or a part of it
	verdict              // a part of the answer that says whether it is a success
	address              // of the cell at
	function             // fn, with its bindings
	instant              // lo after the run began
	timer                // an object that fires after lo to hi
	alarm                // the channel of a timer
	done                 // a channel that ends the run
	tuple                // parts
)

// A val is a value in a run. Its id tells what it is computed from: values with
// the same id are the same.
type val struct {
	kind    kind
	id      uint64
	varies  bool // it is another on each turn: an element, a message, an item
	counter bool // it depends on a number that is another than on the first turn
	timed   bool // it depends on the clock
	judged  bool // it depends on how the watched call ended
	answers bool // it depends on what another call in the loop returned, which may fail
	lo, hi  float64
	since   float64 // when a timer was made that rings once
	once    bool
	b       bool
	s       string
	fn      *ssa.Function
	at      cell
	parts   []val
}

// A cell is a place in memory: a variable, or a field of an object.
type cell struct {
	root uint64
	path string
}

// hash makes an id of what a value is computed from.
func hash(parts ...uint64) uint64 {
	h := fnv.New64a()
	var b [8]byte
	for _, p := range parts {
		binary.LittleEndian.PutUint64(b[:], p)
		h.Write(b[:])
	}
	return h.Sum64()
}

func hashText(s string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(s))
	return h.Sum64()
}

func num(id uint64, n float64) val { return val{kind: number, id: id, lo: n, hi: n} }

func truth(id uint64, b bool) val { return val{kind: boolean, id: id, b: b} }

// mean is the number, or the middle of what it may be.
func (v val) mean() float64 { return (v.lo + v.hi) / 2 }

func (v val) random() bool { return v.lo != v.hi }

// of reports whether the value tells how the watched call ended.
func (v val) of() bool {
	return v.judged || v.kind == failure || v.kind == answer || v.kind == verdict
}

// from marks v as computed from others.
func (v val) from(vs ...val) val {
	for _, o := range vs {
		v.varies = v.varies || o.varies
		v.counter = v.counter || o.counter
		v.timed = v.timed || o.timed
		v.judged = v.judged || o.of()
		v.answers = v.answers || o.answers
	}
	return v
}

// arithmetic is op over two numbers; integer says that the result has no
// fraction.
func arithmetic(op string, x, y val, integer bool) (lo, hi float64, ok bool) {
	apply := func(a, b float64) float64 {
		switch op {
		case "+":
			return a + b
		case "-":
			return a - b
		case "*":
			return a * b
		case "/":
			if b == 0 {
				return math.NaN()
			}
			if integer {
				return math.Trunc(a / b)
			}
			return a / b
		case "%":
			if b == 0 {
				return math.NaN()
			}
			return math.Mod(a, b)
		case "<<":
			return a * math.Pow(2, b)
		case ">>":
			return math.Floor(a / math.Pow(2, b))
		case "&":
			return float64(int64(a) & int64(b))
		case "|":
			return float64(int64(a) | int64(b))
		case "^":
			return float64(int64(a) ^ int64(b))
		}
		return math.NaN()
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, a := range []float64{x.lo, x.hi} {
		for _, b := range []float64{y.lo, y.hi} {
			n := apply(a, b)
			if math.IsNaN(n) {
				return 0, 0, false
			}
			lo, hi = math.Min(lo, n), math.Max(hi, n)
		}
	}
	if op == "%" && (x.random() || y.random()) {
		lo, hi = 0, y.hi-1
	}
	// What overflows in Go is no more exact here.
	if integer && math.Abs(hi) > math.MaxInt64 {
		return 0, 0, false
	}
	return lo, hi, true
}

func compare(op string, a, b float64) bool {
	switch op {
	case "==":
		return a == b
	case "!=":
		return a != b
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	}
	return a >= b
}
