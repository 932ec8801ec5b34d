package assay

// #include <assay/assay.h>
// #include <stdlib.h>
//
// bool assayGoProgress(void *context, uint64_t done, uint64_t total);
//
// // The context is C memory, because C memory may not contain pointers of Go. Returns false if memory runs out.
// static bool assay_go_watch(assay_options *options, uintptr_t handle)
// {
//     uintptr_t *context = malloc(sizeof *context);
//     if (context == NULL) return false;
//     *context = handle;
//     options->progress = assayGoProgress;
//     options->progress_context = context;
//     return true;
// }
import "C"

import (
	"context"
	"runtime"
	"runtime/cgo"
	"unsafe"
)

// watch is the progress callback of one call. C calls it from one thread at a time.
type watch struct {
	ctx      context.Context
	progress func(done, total uint64)
	panicked bool
	panicFor any
	exited   bool
}

//export assayGoProgress
func assayGoProgress(context unsafe.Pointer, done, total C.uint64_t) C.bool {
	watch := cgo.Handle(*(*C.uintptr_t)(context)).Value().(*watch)
	return C.bool(watch.report(uint64(done), uint64(total)))
}

// report returns whether the call continues. A panic or runtime.Goexit, which t.FailNow calls, must not pass through C.
// Goexit cannot be stopped, so the function runs in its own goroutine.
func (watch *watch) report(done, total uint64) (continues bool) {
	if watch.panicked || watch.exited {
		return false
	}
	if watch.progress != nil {
		finished := make(chan struct{})
		go func() {
			defer close(finished)
			watch.exited = true // until the function returns or panics
			watch.call(done, total)
			watch.exited = false
		}()
		<-finished
	}
	return !watch.panicked && !watch.exited && watch.ctx.Err() == nil
}

// call calls the function of the program, and keeps its panic.
func (watch *watch) call(done, total uint64) {
	defer func() {
		if watch.panicked {
			watch.panicFor = recover()
		}
	}()
	watch.panicked = true // until the function returns
	watch.progress(done, total)
	watch.panicked = false
}

// watched calls a function of libassay with the options. A cancelled context ends the call.
func watched(ctx context.Context, options Options, run func(*C.assay_options) error) error {
	if err := ctx.Err(); err != nil {
		return cancelled(err)
	}
	cOptions := options.c()
	if options.Seen != nil {
		keys, err := options.Seen.use()
		if err != nil {
			return err
		}
		defer options.Seen.unuse()
		cOptions.seen = keys
	}
	if ctx.Done() == nil && options.Progress == nil {
		return run(&cOptions)
	}
	watch := &watch{ctx: ctx, progress: options.Progress}
	handle := cgo.NewHandle(watch)
	defer handle.Delete()
	if !bool(C.assay_go_watch(&cOptions, C.uintptr_t(handle))) {
		return &Error{Mistakes: []Mistake{{Kind: KindMemory, Message: "there is no memory", Text: "there is no memory"}}}
	}
	defer C.free(cOptions.progress_context)
	err := run(&cOptions)
	if watch.exited {
		runtime.Goexit()
	}
	if watch.panicked {
		panic(watch.panicFor)
	}
	if found, ok := err.(*Error); ok && found.Kind() == KindCancelled && ctx.Err() != nil {
		return cancelled(ctx.Err())
	}
	return err
}

// cancelled is the error of a call that a context ended.
func cancelled(cause error) error {
	message := "the call was cancelled: " + cause.Error()
	return &Error{Mistakes: []Mistake{{Kind: KindCancelled, Message: message, Text: message}}, cause: cause}
}
