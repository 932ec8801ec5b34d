package assay

// #include <assay/assay.h>
import "C"

import (
	"runtime"
	"sync"
)

// SeenKeys are the keys of a table that several checks process in parts, and the order of its sorted columns
// (Options.Seen). A record is rejected if an earlier record, of the same or an earlier part, has the same key. Pass the
// parts in order, with increasing Options.FirstRecord. Only one check at a time may use the keys; after an error, close
// them. Only for `keep: first`. Not for CSV or for foreign keys into the table itself.
type SeenKeys struct {
	users users
	mutex sync.Mutex // locked by the check that uses the keys
	keys  *C.assay_seen_keys
}

// NewSeenKeys creates keys for these rules. memory is their limit in bytes; 0: a quarter of the memory.
func (rules *Rules) NewSeenKeys(memory uint64) (*SeenKeys, error) {
	seen := &SeenKeys{}
	err := rules.use(func(c *C.assay_rules) error {
		return check(C.assay_seen_keys_create(c, C.uint64_t(memory), &seen.keys))
	})
	if err != nil {
		return nil, err
	}
	runtime.SetFinalizer(seen, (*SeenKeys).Close)
	return seen, nil
}

// Close frees the keys, or lets the check that uses them free them. Close may be called more than once.
func (seen *SeenKeys) Close() {
	if seen.users.close() {
		C.assay_seen_keys_free(seen.keys)
	}
}

// use locks the keys until unuse.
func (seen *SeenKeys) use() (*C.assay_seen_keys, error) {
	if !seen.mutex.TryLock() {
		return nil, argumentError("another check uses the seen keys")
	}
	if !seen.users.begin() {
		seen.mutex.Unlock()
		return nil, ErrClosed
	}
	return seen.keys, nil
}

func (seen *SeenKeys) unuse() {
	if seen.users.end() {
		C.assay_seen_keys_free(seen.keys)
	}
	seen.mutex.Unlock()
}
