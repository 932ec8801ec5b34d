package assay

import (
	"math"
	"sync/atomic"
)

// users counts the calls that use an object of libassay. Close frees the object or, during such calls, leaves that to
// the last one. Close must not wait for calls, because the callback of a call may use or close the object.
type users struct {
	state atomic.Int64 // the number of calls, plus closed after Close
}

const closed = math.MinInt64

// begin adds a call. It returns false after Close.
func (users *users) begin() bool {
	for {
		state := users.state.Load()
		if state < 0 {
			return false
		}
		if users.state.CompareAndSwap(state, state+1) {
			return true
		}
	}
}

// end removes a call. It returns whether the caller must free the object.
func (users *users) end() bool { return users.state.Add(-1) == closed }

// close refuses further calls. It returns whether the caller must free the object.
func (users *users) close() bool {
	for {
		state := users.state.Load()
		if state < 0 {
			return false
		}
		if users.state.CompareAndSwap(state, state+closed) {
			return state == 0
		}
	}
}
