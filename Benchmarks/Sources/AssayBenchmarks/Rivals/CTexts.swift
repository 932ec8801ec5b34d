/// Lends texts to C as an array of pointers and one of lengths.
func withCTexts<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int>?, Int) -> Result
) -> Result {
    let copies = texts.map { text -> UnsafeMutableBufferPointer<CChar> in
        let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: text.utf8.count)
        _ = copy.initialize(from: text.utf8.map(CChar.init(bitPattern:)))
        return copy
    }
    defer { copies.forEach { $0.deallocate() } }
    let pointers = copies.map { UnsafePointer($0.baseAddress) }
    let lengths = copies.map(\.count)
    return body(pointers, lengths, texts.count)
}
