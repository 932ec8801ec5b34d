internal import Assay
internal import CAssaySystem

/// A text that C can read as long as this object lives.
final class CText: Sendable {
    // SAFETY: written once, in `copy`, and only read until `deinit`.
    nonisolated(unsafe) let pointer: UnsafePointer<CChar>

    init(_ text: String) { pointer = UnsafePointer(Self.copy(text)) }

    deinit { Self.free(UnsafeMutablePointer(mutating: pointer)) }

    /// A copy of the text with a NUL at its end, which the caller frees with ``free(_:)``.
    static func copy(_ text: String) -> UnsafeMutablePointer<CChar> {
        let count = text.utf8.count
        guard let memory = malloc(count + 1) else { outOfMemory() }
        var text = text
        text.withUTF8 { utf8 in
            if let base = utf8.baseAddress { memory.copyMemory(from: base, byteCount: count) }
        }
        memory.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
        return memory.assumingMemoryBound(to: CChar.self)
    }

    static func free(_ text: UnsafeMutablePointer<CChar>?) { free(UnsafeMutableRawPointer(text)) }

    private static func free(_ memory: UnsafeMutableRawPointer?) {
        CAssaySystem.free(memory)
    }
}
