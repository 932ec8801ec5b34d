#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// Runs `body` on `count` threads, the caller's being one of them, and returns when all are done.
///
/// With fewer threads than asked for, since the system gives no more, the work is still done: there are no roles.
package func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var threads: [pthread_t] = []
    for _ in 1..<max(1, count) {
        if let thread = startThread(body) { threads.append(thread) }
    }
    body()
    for thread in threads { pthread_join(thread, nil) }
}

/// How many threads out of `count` there is memory for, at least one, when each takes up so many bytes of its own.
///
/// Asked before any is started: later each would take what another needs, and Swift ends a process that has no memory left.
func threadsWithRoom(_ count: Int, bytes: Int) -> Int {
    if count <= 1 { return 1 }
    // And a stack, and what glibc sets aside for the heap of a thread.
    let each = bytes + 72 << 20
    var blocks: [UnsafeMutableRawPointer] = []
    defer { for block in blocks { munmap(block, each) } }
    // One more than threads, which is for everything else. Asked of the system: where malloc finds nothing it makes more heaps.
    while blocks.count <= count, let block = mmap(nil, each, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
        block != MAP_FAILED
    {
        blocks.append(block)
    }
    return max(1, blocks.count - 1)
}

/// Runs `body` on a thread of its own, for as long as the process lives. `false`: the system gave no thread.
package func runDetached(_ body: @escaping @Sendable () -> Void) -> Bool {
    guard let thread = startThread(body) else { return false }
    pthread_detach(thread)
    return true
}

private func startThread(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    let job = Unmanaged.passRetained(ThreadJob(body)).toOpaque()
    #if canImport(Darwin)
        var thread: pthread_t?
        let status = pthread_create(&thread, nil, { runJob($0) }, job)
    #else
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, { runJob($0!) }, job)
    #endif
    if status == 0 { return thread }
    Unmanaged<ThreadJob>.fromOpaque(job).release()
    return nil
}

private final class ThreadJob: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runJob(_ job: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<ThreadJob>.fromOpaque(job).takeRetainedValue().body()
    return nil
}
