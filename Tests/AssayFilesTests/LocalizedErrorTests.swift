import Assay
import AssayFiles
import AssayRules
import Foundation
import Testing

@Suite("Errors for Foundation") struct LocalizedErrorTests {
    @Test func descriptions() {
        let errors: [any Error & CustomStringConvertible] = [
            InputError("users.csv has no header", hint: "use --no-header"),
            FileError("write", path: "a.csv", code: 28),
            CompileError(part: .pattern, message: "missing closing parenthesis", offset: 1),
            NoMemoryError(for: "the test"),
        ]
        for error in errors { #expect((error as any Error).localizedDescription == error.description) }
        #expect((RunCancelled() as any Error).localizedDescription == "The run was cancelled")
    }
}
