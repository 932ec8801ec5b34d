internal import CAssay

// The places where Swift values become C ones and back. Nothing outside this folder makes a raw pointer to a string.

/// One byte to point at where Swift has no address: PCRE2 and memcpy want a pointer even for nothing.
// SAFETY: written once, here, and only ever read.
nonisolated(unsafe) private let nothing: UnsafePointer<UInt8> = {
    let byte = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    byte.initialize(to: 0)
    return UnsafePointer(byte)
}()

extension UnsafeBufferPointer<UInt8> {
    /// The base address, never nil.
    package var cBase: UnsafePointer<UInt8> {
        @inline(__always) get { baseAddress ?? nothing }
    }
}

/// Calls `body` with the UTF-8 of a string. No copy for native strings, which is all there is on Linux; bridged strings of
/// Apple platforms are copied.
@inline(__always)
package func withUTF8<Text: StringProtocol, Result>(
    of text: Text, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
    if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
    return withCopiedUTF8(of: text, body)
}

// Out of line, since neither is what happens on Linux, and would be in the way at each call.

@inline(never)
private func withCopiedUTF8<Text: StringProtocol, Result>(
    of text: Text, _ body: (UnsafeBufferPointer<UInt8>) -> Result
) -> Result {
    var copy = String(text)
    return copy.withUTF8(body)
}

/// The same text with its UTF-8 in one piece.
@inline(never)
func contiguous(_ text: String) -> String {
    var copy = text
    copy.makeContiguousUTF8()
    return copy
}

/// An element of an array of strings, lent: what cannot be copied is not counted either, while reading `array[i]` counts a
/// reference up and down, for each element and on all threads.
struct LentText<Text: StringProtocol>: ~Copyable {
    private let text: Text

    @inline(__always)
    borrowing func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        Assay.withUTF8(of: text, body)
    }

    /// A copy, for those that want a string.
    var string: String { String(text) }
}

/// Calls `body` with the elements of an array, lent.
@inline(__always)
func withLentTexts<Text: StringProtocol, Result>(
    of texts: [Text], _ body: (UnsafePointer<LentText<Text>>) -> Result
) -> Result {
    texts.withUnsafeBufferPointer { buffer in
        // SAFETY: a struct of one stored property has the layout of that property; the array outlives the call, and is only
        // read. An array without elements may have no address, and then nobody reads any.
        let base: UnsafeRawPointer = if let first = buffer.baseAddress { .init(first) } else { .init(nothing) }
        return body(base.assumingMemoryBound(to: LentText<Text>.self))
    }
}

/// Calls `body` with C views of some strings, valid during the call.
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
