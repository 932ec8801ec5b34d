// Package ctest contains the C code of tests, because test files cannot use cgo.
package ctest

// #cgo pkg-config: libassay
// #include <malloc.h>
// #include <stdint.h>
// #include <stdlib.h>
// #include <string.h>
// #include <assay/arrow.h>
//
// // A batch with one column "id": "1", "x". Its parts are freed together.
// typedef struct batch {
//     struct ArrowArray array, child;
//     struct ArrowSchema schema, field;
//     struct ArrowArray *children[1];
//     struct ArrowSchema *fields[1];
//     const void *buffers[3], *none[1];
//     int32_t offsets[3];
//     char bytes[2];
// } batch;
//
// static void keep_array(struct ArrowArray *array) { array->release = NULL; }
// static void keep_schema(struct ArrowSchema *schema) { schema->release = NULL; }
//
// static batch *batch_create(void)
// {
//     batch *made = calloc(1, sizeof *made);
//     memcpy(made->offsets, (int32_t[]){0, 1, 2}, sizeof made->offsets);
//     memcpy(made->bytes, "1x", 2);
//     made->buffers[1] = made->offsets;
//     made->buffers[2] = made->bytes;
//     made->children[0] = &made->child;
//     made->fields[0] = &made->field;
//     made->child = (struct ArrowArray){.length = 2, .n_buffers = 3, .buffers = made->buffers, .release = keep_array};
//     made->array = (struct ArrowArray){.length = 2, .n_buffers = 1, .buffers = made->none, .n_children = 1,
//                                       .children = made->children, .release = keep_array};
//     made->field = (struct ArrowSchema){.format = "u", .name = "id", .release = keep_schema};
//     made->schema = (struct ArrowSchema){.format = "+s", .name = "", .n_children = 1, .children = made->fields,
//                                         .release = keep_schema};
//     return made;
// }
//
// #if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
// static int64_t used(void)
// {
//     struct mallinfo2 info = mallinfo2();
//     return (int64_t)(info.uordblks + info.hblkhd);
// }
// #else
// static int64_t used(void) { return -1; }
// #endif
import "C"

import (
	"runtime"
	"time"
	"unsafe"
)

// Batch is an Arrow record batch in C memory.
type Batch struct{ Schema, Array unsafe.Pointer }

// NewBatch creates a batch with one column "id": "1", "x".
func NewBatch() Batch {
	batch := C.batch_create()
	return Batch{Schema: unsafe.Pointer(&batch.schema), Array: unsafe.Pointer(&batch.array)}
}

// Free frees the batch.
func (batch Batch) Free() { C.free(batch.Array) }

// Used collects garbage and returns the number of bytes that malloc has allocated, or a negative number if it is
// unknown.
func Used() int64 {
	for i := 0; i < 4; i++ {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	return int64(C.used())
}
