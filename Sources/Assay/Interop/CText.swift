internal import CAssay

// Conversions between Swift and C values. Only this folder makes raw pointers to strings.

/// A byte. Its address replaces nil addresses, because PCRE2 and memcpy need a pointer for empty buffers.
// SAFETY: written only here, and read-only afterwards.
nonisolated(unsafe) private let nothing: UnsafePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
}()

extension UnsafeBufferPointer<UInt8> {
    /// The base address, which is never nil.
    package var cBase: UnsafePointer<UInt8> {
        @inline(__always) get { baseAddress ?? nothing }
    }
}

/// Calls `body` with the UTF-8 of a string. Native strings, the only kind on Linux, are not copied; bridged strings of
/// Apple platforms are.
@inline(__always)
package func withUTF8<Text: StringProtocol, Result>(
    of text: Text, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
    if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
    return withCopiedUTF8(of: text, body)
}

// Not inlined, because Linux does not need these functions, and their code would slow down each call.

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

/// A borrowed element of an array of strings. Its reference is not counted, because it cannot be copied. Reading
/// `array[i]` would retain and release each element on all threads.
struct LentText<Text: StringProtocol>: ~Copyable {
    private let text: Text

    @inline(__always)
    borrowing func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        Assay.withUTF8(of: text, body)
    }

    /// A copy as a string.
    var string: String { String(text) }
}

/// Calls `body` with the borrowed elements of an array.
@inline(__always)
func withLentTexts<Text: StringProtocol, Result>(
    of texts: [Text], _ body: (UnsafePointer<LentText<Text>>) -> Result
) -> Result {
    texts.withUnsafeBufferPointer { buffer in
        // SAFETY: a struct with one stored property has the layout of that property; the array outlives the call, and
        // is only read. The address of an empty array may be nil, but no element is read then.
        let base: UnsafeRawPointer = if let first = buffer.baseAddress { .init(first) } else { .init(nothing) }
        return body(base.assumingMemoryBound(to: LentText<Text>.self))
    }
}

/// Calls `body` with C views of strings, valid during the call.
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
