package assay

// #include <assay/assay.h>
// #include <stdlib.h>
import "C"

import (
	"errors"
	"strings"
)

// ErrClosed is what the methods of closed rules, results and patterns give.
var ErrClosed = errors.New("assay: it is closed")

// Kind is the kind of a mistake, by its number in the header.
type Kind int

// The kinds of mistakes.
const (
	KindArgument  Kind = C.ASSAY_FAULT_ARGUMENT
	KindMemory    Kind = C.ASSAY_FAULT_MEMORY
	KindRules     Kind = C.ASSAY_FAULT_RULES
	KindColumns   Kind = C.ASSAY_FAULT_COLUMNS
	KindArrow     Kind = C.ASSAY_FAULT_ARROW
	KindStream    Kind = C.ASSAY_FAULT_STREAM
	KindInput     Kind = C.ASSAY_FAULT_INPUT
	KindFile      Kind = C.ASSAY_FAULT_FILE
	KindCancelled Kind = C.ASSAY_FAULT_CANCELLED
	KindInternal  Kind = C.ASSAY_FAULT_INTERNAL
)

// Mistake is what is wrong with a call, with rules or with the shape of a table.
type Mistake struct {
	Kind    Kind
	Line    int    // in the rule file, from 1; 0: there is no such place
	Column  int    // in characters, from 1; of a pattern the byte; 0: there is no such place
	Message string // what is wrong, in a sentence without a full stop
	Hint    string // what to do about it; empty: nothing to say
	Text    string // all of this as people read it, perhaps over several lines
}

// Error is all mistakes of a call, at least one.
type Error struct{ Mistakes []Mistake }

// Error is the texts of all mistakes.
func (err *Error) Error() string {
	texts := make([]string, len(err.Mistakes))
	for i, mistake := range err.Mistakes {
		texts[i] = mistake.Text
	}
	return strings.Join(texts, "\n")
}

// Kind is the kind of the first mistake.
func (err *Error) Kind() Kind { return err.Mistakes[0].Kind }

func argumentError(message string) error {
	return &Error{[]Mistake{{Kind: KindArgument, Message: message, Text: message}}}
}

// check makes an error of what a function of libassay returned, and frees it.
func check(fault *C.assay_fault) error {
	if fault == nil {
		return nil
	}
	defer C.assay_fault_free(fault)
	err := &Error{}
	for one := fault; one != nil; one = one.next {
		err.Mistakes = append(err.Mistakes, Mistake{
			Kind:    Kind(one.code),
			Line:    int(one.line),
			Column:  int(one.column),
			Message: C.GoString(one.message),
			Hint:    C.GoString(one.hint),
			Text:    C.GoString(one.text),
		})
	}
	return err
}

// cText is a text as C takes it, with a NUL at its end, and so with none inside. The caller frees it.
func cText(text, what string) (*C.char, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, argumentError(what + " has a NUL in it")
	}
	return C.CString(text), nil
}
