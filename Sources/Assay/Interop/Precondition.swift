/// Ends the process with a message where a caller has broken a condition of the library: in release builds, too, in which
/// Swift's own precondition says nothing.
@inline(__always)
package func checkPrecondition(
    _ condition: @autoclosure () -> Bool, _ message: @autoclosure () -> String, file: StaticString = #fileID,
    line: UInt = #line
) {
    if !condition() { fail(message(), file, line) }
}

@inline(never)
private func fail(_ message: String, _ file: StaticString, _ line: UInt) -> Never {
    fatalError(message, file: file, line: line)
}
