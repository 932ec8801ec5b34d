package assay

// #include <assay/assay.h>
// #include <stdlib.h>
import "C"

import (
	"errors"
	"strings"
)

// ErrClosed is the error of methods of closed rules, results and patterns.
var ErrClosed = errors.New("assay: it is closed")

// Kind is the kind of a mistake, with the numbers of the header.
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

// Mistake is one error in a call, in rules or in the layout of a table.
type Mistake struct {
	Kind    Kind
	Line    int    // in the rule file, from 1; 0: unknown
	Column  int    // in characters, from 1; in a pattern the byte; 0: unknown
	Message string // a sentence without a full stop
	Hint    string // a suggestion, or empty
	Text    string // the whole text for people, possibly several lines
}

// Error contains all mistakes of a call, at least one.
type Error struct {
	Mistakes []Mistake
	cause    error
}

// Unwrap returns the error of the context that cancelled the call, such as context.Canceled, or nil.
func (err *Error) Unwrap() error { return err.cause }

// Error returns the texts of all mistakes.
func (err *Error) Error() string {
	texts := make([]string, len(err.Mistakes))
	for i, mistake := range err.Mistakes {
		texts[i] = mistake.Text
	}
	return strings.Join(texts, "\n")
}

// Kind returns the kind of the first mistake.
func (err *Error) Kind() Kind { return err.Mistakes[0].Kind }

func argumentError(message string) error {
	return &Error{Mistakes: []Mistake{{Kind: KindArgument, Message: message, Text: message}}}
}

// check converts a fault that a function of libassay returned to an error, and frees it.
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

// cText returns a text with a NUL at its end for C. The text must not contain another NUL. The caller frees the result.
func cText(text, what string) (*C.char, error) {
	if strings.IndexByte(text, 0) >= 0 {
		return nil, argumentError(what + " has a NUL in it")
	}
	return C.CString(text), nil
}
