/// The functions of CEL's strings extension. Indices count code points.
///
/// Source: cel-go, "ext/strings.go", and the conformance cases of cel-spec.
package enum CELStringFunction: String, Hashable, Sendable, CaseIterable {
    case charAt, indexOf, join, lastIndexOf, lowerAscii, replace, reverse, split, substring, trim, upperAscii

    /// The types of the receiver and of the parameters, the number of required parameters, and the type of the result.
    var signature: (receiver: CELType, parameters: [CELType], required: Int, result: CELType) {
        switch self {
        case .charAt: (.string, [.int], 1, .string)
        case .indexOf, .lastIndexOf: (.string, [.string, .int], 1, .int)
        case .join: (.list(.string), [.string], 0, .string)
        case .lowerAscii, .reverse, .trim, .upperAscii: (.string, [], 0, .string)
        case .replace: (.string, [.string, .string, .int], 2, .string)
        case .split: (.string, [.string, .int], 1, .list(.string))
        case .substring: (.string, [.int, .int], 1, .string)
        }
    }

    /// Example arguments for messages.
    var usage: String {
        switch self {
        case .charAt, .substring: "0"
        case .indexOf, .lastIndexOf, .join, .split: "'…'"
        case .replace: "'…', '…'"
        case .lowerAscii, .reverse, .trim, .upperAscii: ""
        }
    }

    /// The result; `nil` if an index is out of range, or if the budget does not allow the result.
    ///
    /// The caller has charged the steps of reading the arguments.
    ///
    /// - Complexity: O(*n* + *m*) for arguments of *n* bytes and a result of *m* bytes.
    func value(_ values: [CELValue], _ budget: inout CELBudget) -> CELValue? {
        if case .list(let elements) = values[0] { return joined(elements, values.dropFirst().first, &budget) }
        guard case .string(let text) = values[0] else { preconditionFailure("\(rawValue) of \(values[0])") }
        return withUTF8(of: text) { text in
            switch (values.dropFirst().first, values.dropFirst(2).first) {
            case (.string(let part), let rest): search(text, part, rest, values.last!, &budget)
            case (.int(let start), nil): slice(text, from: start, to: nil, &budget)
            case (.int(let start), .int(let end)): slice(text, from: start, to: end, &budget)
            default: mapped(text, &budget)
            }
        }
    }

    /// `charAt` and `substring`.
    private func slice(
        _ text: UnsafeBufferPointer<UInt8>, from start: Int64, to end: Int64?, _ budget: inout CELBudget
    ) -> CELValue? {
        let count = Int64(text.scalarCount)
        // The character after the last one is the empty text.
        let end = end ?? (self == .charAt ? min(start, count - 1) + 1 : count)
        guard 0 <= start, start <= end, end <= count else { return nil }
        return Self.text(text, text.offset(ofScalar: Int(start))..<text.offset(ofScalar: Int(end)), &budget)
    }

    /// The functions of a text and another text.
    private func search(
        _ text: UnsafeBufferPointer<UInt8>, _ part: String, _ argument: CELValue?, _ last: CELValue,
        _ budget: inout CELBudget
    ) -> CELValue? {
        var limit: Int64?
        if case .int(let value) = last { limit = value }
        return withUTF8(of: part) { part in
            switch (self, argument) {
            case (.indexOf, _): Self.firstIndex(of: part, in: text, from: limit ?? 0)
            case (.lastIndexOf, _): Self.lastIndex(of: part, in: text, upTo: limit, &budget)
            case (.split, _): Self.split(text, by: part, limit: limit ?? -1, &budget)
            case (.replace, .string(let new)):
                withUTF8(of: new) { Self.replace(part, in: text, by: $0, limit: limit ?? -1, &budget) }
            default: preconditionFailure("\(rawValue) has no argument of this type")
            }
        }
    }

    private static func firstIndex(
        of part: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, from start: Int64
    ) -> CELValue? {
        guard let start = Int(exactly: start), start >= 0, start <= text.scalarCount else { return nil }
        if part.isEmpty { return .int(Int64(start)) }
        var search = ByteSearch(part)
        guard let found = search.next(in: text, from: text.offset(ofScalar: start)) else { return .int(-1) }
        return .int(Int64(text.prefix(found).scalarCount))
    }

    /// - Parameter limit: The last index at which the part may start; `nil` for any index.
    private static func lastIndex(
        of part: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, upTo limit: Int64?,
        _ budget: inout CELBudget
    ) -> CELValue? {
        let count = text.scalarCount
        guard let limit = Int(exactly: limit ?? Int64(count)), limit >= 0, limit <= count else { return nil }
        if part.isEmpty { return .int(Int64(limit)) }
        let lastStart = text.offset(ofScalar: limit)
        var search = ByteSearch(part)
        var found: Int?
        // Overlapping matches count, because the last one may overlap an earlier one.
        while let start = search.next(in: text), start <= lastStart {
            guard budget.spend(1) else { return nil }
            found = start
        }
        return .int(found.map { Int64(text.prefix($0).scalarCount) } ?? -1)
    }

    /// - Parameter limit: The maximum number of parts; negative for any number. The last part is the rest of the text.
    private static func split(
        _ text: UnsafeBufferPointer<UInt8>, by part: UnsafeBufferPointer<UInt8>, limit: Int64,
        _ budget: inout CELBudget
    ) -> CELValue? {
        var parts: [CELValue] = []
        if limit == 0 || text.isEmpty && part.isEmpty { return .list([]) }
        var search = ByteSearch(part)
        var start = 0
        while limit < 0 || parts.count < Int(clamping: limit) - 1 {
            // An empty separator separates all code points.
            let end = part.isEmpty ? text.endOfScalar(at: start) : search.next(in: text, from: start)
            guard let end, !part.isEmpty || end < text.count else { break }
            guard budget.spend(1), let piece = Self.text(text, start..<end, &budget), budget.append(piece, to: &parts)
            else { return nil }
            start = end + part.count
        }
        guard budget.spend(1), let rest = Self.text(text, start..<text.count, &budget), budget.append(rest, to: &parts)
        else { return nil }
        return .list(parts)
    }

    /// - Parameter limit: The maximum number of replacements; negative for any number.
    private static func replace(
        _ old: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, by new: UnsafeBufferPointer<UInt8>,
        limit: Int64, _ budget: inout CELBudget
    ) -> CELValue? {
        let limit = limit < 0 ? Int.max : Int(clamping: limit)
        // The first pass counts, so that the memory is charged before it is used.
        var count = 0
        replacements(of: old, in: text, limit) { _ in
            count += 1
            return budget.spend(2)
        }
        guard budget.isLeft else { return nil }
        let (growth, overflow) = count.multipliedReportingOverflow(by: new.count - old.count)
        if overflow { budget.stop(at: .memory) }
        guard budget.holdText(overflow ? 0 : text.count + growth) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + growth)
        var start = 0
        replacements(of: old, in: text, limit) { found in
            bytes += text[start..<found]
            bytes += new
            start = found + old.count
            return true
        }
        bytes += text[start...]
        return .string(String(decoding: bytes, as: UTF8.self))
    }

    /// Calls `body` with the offset of each replaced part, until it returns `false`. An empty part is before each code
    /// point and at the end.
    private static func replacements(
        of old: UnsafeBufferPointer<UInt8>, in text: UnsafeBufferPointer<UInt8>, _ limit: Int,
        _ body: (Int) -> Bool
    ) {
        var search = ByteSearch(old)
        var (start, count) = (0, 0)
        while count < limit {
            guard let found = old.isEmpty ? (start <= text.count ? start : nil) : search.next(in: text, from: start)
            else { return }
            if !body(found) { return }
            count += 1
            start = old.isEmpty ? text.endOfScalar(at: start) ?? text.count + 1 : found + old.count
        }
    }

    /// The functions of a text alone.
    private func mapped(_ text: UnsafeBufferPointer<UInt8>, _ budget: inout CELBudget) -> CELValue? {
        if self == .trim {
            let range = text.rangeWithoutWhitespace
            guard budget.spend((text.count - range.count) / 8) else { return nil }
            return Self.text(text, range, &budget)
        }
        guard budget.holdText(text.count) else { return nil }
        let whole = String(decoding: text, as: UTF8.self)
        switch self {
        case .lowerAscii: return .string(whole.mappingASCII("A"..."Z") { $0 | 0x20 })
        case .upperAscii: return .string(whole.mappingASCII("a"..."z") { $0 & ~0x20 })
        default: return .string(String(String.UnicodeScalarView(whole.unicodeScalars.reversed())))
        }
    }

    private func joined(_ elements: [CELValue], _ separator: CELValue?, _ budget: inout CELBudget) -> CELValue? {
        var between = ""
        if case .string(let text) = separator { between = text }
        var texts: [String] = []
        var count = max(elements.count - 1, 0).multipliedReportingOverflow(by: between.utf8.count).partialValue
        for case .string(let text) in elements {
            count += text.utf8.count
            texts.append(text)
        }
        return budget.holdText(count) ? .string(texts.joined(separator: between)) : nil
    }

    /// A part of a text, which must begin and end at code points.
    private static func text(
        _ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ budget: inout CELBudget
    ) -> CELValue? {
        budget.holdText(range.count)
            ? .string(String(decoding: UnsafeBufferPointer(rebasing: text[range]), as: UTF8.self)) : nil
    }
}

extension String {
    /// The text with the ASCII letters of a range changed.
    fileprivate func mappingASCII(
        _ range: ClosedRange<Unicode.Scalar>, _ transform: (UInt8) -> UInt8
    ) -> String {
        let letters = UInt8(ascii: range.lowerBound)...UInt8(ascii: range.upperBound)
        return String(decoding: utf8.map { letters.contains($0) ? transform($0) : $0 }, as: UTF8.self)
    }
}

extension Collection<UInt8> {
    /// The number of code points of well-formed UTF-8.
    fileprivate var scalarCount: Int { reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }
}

extension UnsafeBufferPointer<UInt8> {
    /// The offset of a code point in well-formed UTF-8. The index after the last one has the offset of the end.
    fileprivate func offset(ofScalar index: Int) -> Int {
        var (offset, left) = (0, index)
        while left > 0, let end = endOfScalar(at: offset) { (offset, left) = (end, left - 1) }
        return offset
    }

    /// The end of the code point that begins at an offset; `nil` at the end of the text.
    fileprivate func endOfScalar(at offset: Int) -> Int? {
        if offset >= count { return nil }
        var end = offset + 1
        while end < count && self[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    /// The range without Unicode's white space at both ends. Zero-width spaces are not white space.
    fileprivate var rangeWithoutWhitespace: Range<Int> {
        var (start, end) = (0, count)
        while let next = endOfScalar(at: start), isWhitespace(start..<next) { start = next }
        while end > start {
            var first = end - 1
            while first > start && self[first] & 0xC0 == 0x80 { first -= 1 }
            guard isWhitespace(first..<end) else { break }
            end = first
        }
        return start..<end
    }

    /// Whether a code point is white space.
    private func isWhitespace(_ range: Range<Int>) -> Bool {
        let first = self[range.lowerBound]
        if first < 0x80 { return first == 0x20 || 9...13 ~= first }
        // All others are in the blocks of these first bytes.
        guard [0xC2, 0xE1, 0xE2, 0xE3].contains(first) else { return false }
        let text = String(decoding: UnsafeBufferPointer(rebasing: self[range]), as: UTF8.self)
        return text.unicodeScalars.first!.properties.isWhitespace
    }
}
