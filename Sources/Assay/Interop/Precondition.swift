/// Ends the process with a message if a caller has violated a condition of the library. It also works in release
/// builds, in which Swift's own precondition prints no message.
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
