internal import Assay
internal import CAssaySystem

/// Runs `body` on `count` threads, including the caller's, and returns when all are done.
///
/// If the system provides fewer threads, all work is still done, because the threads have no distinct roles.
package func onThreads(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    var threads: [pthread_t] = []
    for _ in 1..<max(1, count) {
        if let thread = startThread(body) { threads.append(thread) }
    }
    body()
    for thread in threads { pthread_join(thread, nil) }
}

/// Returns the results of `body` for `0..<count`, in order.
///
/// - Parameters:
///   - threads: The maximum number of threads on which `body` runs.
///   - itemsEach: The number of successive items that a thread takes at once.
func mapOnThreads<Result: Sendable>(
    _ count: Int, threads: Int, itemsEach: Int = 4, _ body: @escaping @Sendable (Int) -> Result
) -> [Result] {
    let next = Lock(0)
    let results = Lock([Result?](repeating: nil, count: count))
    onThreads(max(1, min(threads, count / itemsEach))) {
        while true {
            let first = next.withLock { next in
                defer { next += itemsEach }
                return next
            }
            if first >= count { return }
            for index in first..<min(first + itemsEach, count) {
                let result = body(index)
                results.withLock { $0[index] = result }
            }
        }
    }
    return results.withLock { $0.compactMap { $0 } }
}

/// Returns the number of threads out of `count`, at least one, for which memory is available if each uses `bytes`.
///
/// Checked before any thread starts, because threads would compete for memory later, and Swift aborts if memory runs
/// out.
func threadsWithRoom(_ count: Int, bytes: Int) -> Int {
    if count <= 1 { return 1 }
    // Includes a stack, and the address space that glibc reserves for the heap of a thread.
    let each = bytes + 72 << 20
    var blocks: [UnsafeMutableRawPointer] = []
    defer { for block in blocks { munmap(block, each) } }
    // Reserve one block more than threads, for all other needs. Use mmap, because malloc would create additional heaps.
    while blocks.count <= count, let block = mmap(nil, each, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
        block != MAP_FAILED
    {
        blocks.append(block)
    }
    return max(1, blocks.count - 1)
}

/// Runs `body` on a separate thread for the life of the process. Returns `false` if the system provides no thread.
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
