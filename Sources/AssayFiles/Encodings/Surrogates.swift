#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The lone surrogates that stand for what could not be decoded: three bytes, ED A0..BF 80..BF.
private func forEachSurrogate(_ bytes: UnsafeBufferPointer<UInt8>, _ body: (_ place: Int, _ unit: Int) -> Bool) {
    var from = 0
    while from + 2 < bytes.count, let found = memchr(bytes.baseAddress! + from, 0xED, bytes.count - from - 2) {
        let place = UnsafeRawPointer(bytes.baseAddress!).distance(to: UnsafeRawPointer(found))
        let (second, third) = (bytes[place + 1], bytes[place + 2])
        from = place + 1
        guard second >= 0xA0, second <= 0xBF, third & 0xC0 == 0x80 else { continue }
        if !body(place, 0xD000 | Int(second & 0x3F) << 6 | Int(third & 0x3F)) { return }
        from = place + 3
    }
}

/// What could not be decoded, in hexadecimal: `bytes 81 8D`, `unit D800`; the first eight.
func escapedBytes(_ bytes: UnsafeBufferPointer<UInt8>, isUTF16: Bool) -> String {
    var texts: [String] = []
    var isCut = false
    forEachSurrogate(bytes) { _, unit in
        isCut = texts.count == 8
        if isCut { return false }
        let text = String(isUTF16 ? unit : unit & 0xFF, radix: 16, uppercase: true)
        texts.append(text.count == 1 ? "0" + text : text)
        return true
    }
    let noun = (isUTF16 ? "unit" : "byte") + (texts.count == 1 ? " " : "s ")
    return noun + texts.joined(separator: " ") + (isCut ? " …" : "")
}

/// Puts U+FFFD, which is three bytes too, in the place of what could not be decoded.
func replaceSurrogates(_ bytes: UnsafeMutableBufferPointer<UInt8>) {
    forEachSurrogate(UnsafeBufferPointer(bytes)) { place, _ in
        (bytes[place], bytes[place + 1], bytes[place + 2]) = (0xEF, 0xBF, 0xBD)
        return true
    }
}
