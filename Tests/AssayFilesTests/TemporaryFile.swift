import AssayFiles
import CAssaySystem
import Testing

/// Runs `body` with a file of these bytes, and removes the file afterwards.
func withTemporaryFile<Result>(_ bytes: [UInt8], _ body: (_ path: String) throws -> Result) throws -> Result {
    var template = Array("/tmp/assay-test-XXXXXX".utf8CString)
    let descriptor = template.withUnsafeMutableBufferPointer { mkstemp($0.baseAddress!) }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    try #require(descriptor >= 0)
    close(descriptor)
    defer { unlink(path) }
    let file = try StagedFile(path: path, replaces: true)
    try file.write(bytes)
    try StagedFile.publish([file])
    return try body(path)
}
