internal import CAssay

// Conversions between Swift and C values. Raw pointers to strings are made only in this folder.

/// The address of a byte, in place of nil, because PCRE2 and memcpy need a pointer even for empty buffers.
// SAFETY: written only here, before its first use.
nonisolated(unsafe) private let emptyBuffer: UnsafePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
}()

extension UnsafeBufferPointer<UInt8> {
    /// The base address, which is never nil.
    package var cBase: UnsafePointer<UInt8> {
        @inline(__always) get { baseAddress ?? emptyBuffer }
    }
}

/// Calls `body` with the UTF-8 of a string. Native strings are not copied. Bridged strings are copied; they exist only
/// on Apple platforms.
@inline(__always)
package func withUTF8<Text: StringProtocol, Result>(
    of text: Text, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
    if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
    return withCopiedUTF8(of: text, body)
}

// These functions are not inlined, because strings on Linux do not need them, and their code would make each caller
// larger and slower.

@inline(never)
private func withCopiedUTF8<Text: StringProtocol, Result>(
    of text: Text, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
    var copy = String(text)
    return copy.withUTF8(body)
}

/// The same text with contiguous UTF-8.
@inline(never)
func contiguous(_ text: String) -> String {
    var copy = text
    copy.makeContiguousUTF8()
    return copy
}

/// A borrowed string of an array. This type cannot be copied, so the string is not retained and released. Reading
/// `array[i]` would retain and release each element on all threads.
struct BorrowedText<Text: StringProtocol>: ~Copyable {
    private let text: Text

    @inline(__always)
    borrowing func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        Assay.withUTF8(of: text, body)
    }

    /// The text as a `String`, which may outlive the array.
    var string: String { String(text) }
}

/// Calls `body` with the borrowed elements of an array.
@inline(__always)
func withBorrowedTexts<Text: StringProtocol, Result>(
    of texts: [Text], _ body: (UnsafePointer<BorrowedText<Text>>) -> Result
) -> Result {
    texts.withUnsafeBufferPointer { buffer in
        // SAFETY: a struct with one stored property has the layout of that property; the array outlives the call, and
        // is only read. The address of an empty array may be nil, but no element is read then.
        let base: UnsafeRawPointer = if let first = buffer.baseAddress { .init(first) } else { .init(emptyBuffer) }
        return body(base.assumingMemoryBound(to: BorrowedText<Text>.self))
    }
}

/// Copies strings to one buffer, and calls `body` with C texts that point into it. They are valid during the call.
func withCTexts<Result>(_ strings: [String], _ body: (UnsafeBufferPointer<assay_text>) -> Result) -> Result {
    var bytes: [UInt8] = []
    var ranges: [Range<Int>] = []
    for string in strings {
        let start = bytes.count
        bytes.append(contentsOf: string.utf8)
        ranges.append(start..<bytes.count)
    }
    return bytes.withUnsafeBufferPointer { buffer in
        let base = buffer.cBase
        let texts = ranges.map { assay_text(bytes: base + $0.lowerBound, count: $0.count) }
        return texts.withUnsafeBufferPointer(body)
    }
}

extension CompileError {
    init(_ error: assay_error, part: Part) {
        if error.status == .ASSAY_NO_MEMORY { outOfMemory() }
        let message = withUnsafeBytes(of: error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        let hasPlace = part == .pattern || part == .format
        self.init(part: part, message: message, offset: hasPlace ? error.offset : nil)
    }
}

extension Verdict {
    @inline(__always)
    init(_ verdict: assay_verdict) {
        switch verdict {
        case .ASSAY_PASS: self = .pass
        case .ASSAY_FAIL: self = .fail
        case .ASSAY_UNDECIDED: self = .undecided
        }
    }
}
