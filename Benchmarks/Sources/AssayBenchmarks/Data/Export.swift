/// A generated export in memory, with the counts that a scanner must find.
struct Export {
    var bytes: [UInt8] = []
    /// The number of records, including the header.
    var records = 0
    var fields = 0
    var lineFeeds = 0

    /// Makes an export of ten columns, one for each subject.
    ///
    /// - Parameters:
    ///   - quotedPercent: The percentage of fields with unnecessary quotes; some of these in the name column contain a
    /// comma,
    ///     a doubled quote or a line feed. Fields that need quotes always have them, unless `plain`.
    ///   - plain: Whether no field needs or has quotes.
    static func ten(
        rows: Int, quotedPercent: Double = 0, plain: Bool = false, seed: UInt64 = 1
    ) -> Export {
        var export = Export()
        export.bytes.reserveCapacity(rows * 260)
        var random = Random(seed: seed)
        var field: [UInt8] = []
        export.addHeader(Subject.all.map(\.name))
        for _ in 0..<rows {
            for (index, subject) in Subject.all.enumerated() {
                repeat {
                    field.removeAll(keepingCapacity: true)
                    subject.good(&field, &random)
                } while plain && needsQuotes(field)
                let inQuotes = quotedPercent > 0 && random.chance(quotedPercent)
                if inQuotes && subject.name == "name" && random.chance(20) { field.append(" \"Jr.\",\n2") }
                export.add(field, quoted: inQuotes || needsQuotes(field), isLast: index == Subject.all.count - 1)
            }
        }
        return export
    }

    /// Makes an export with many columns of a few characters each, as from sensors and surveys.
    static func narrow(rows: Int, columns: Int, seed: UInt64 = 2) -> Export {
        var export = Export()
        export.bytes.reserveCapacity(rows * columns * 4)
        var random = Random(seed: seed)
        var field: [UInt8] = []
        export.addHeader((1...columns).map { "q\($0)" })
        for _ in 0..<rows {
            for column in 0..<columns {
                field.removeAll(keepingCapacity: true)
                switch column % 4 {
                case 0: field.append(random.below(6))
                case 1: field.append(random.below(1000))
                case 2: if random.chance(70) { field.append(random.chance(50) ? "yes" : "no") }
                default:
                    field.append(random.below(100))
                    field.append(".")
                    field.append(random.below(10))
                }
                export.add(field, quoted: false, isLast: column == columns - 1)
            }
        }
        return export
    }

    private mutating func addHeader(_ names: [String]) {
        for (index, name) in names.enumerated() {
            add(Array(name.utf8), quoted: false, isLast: index == names.count - 1)
        }
    }

    private mutating func add(_ field: [UInt8], quoted: Bool, isLast: Bool) {
        if quoted {
            bytes.append("\"")
            for byte in field {
                if byte == UInt8(ascii: "\"") { bytes.append(byte) }
                if byte == UInt8(ascii: "\n") { lineFeeds += 1 }
                bytes.append(byte)
            }
            bytes.append("\"")
        } else {
            bytes.append(contentsOf: field)
        }
        fields += 1
        bytes.append(isLast ? "\n" : ",")
        if isLast {
            records += 1
            lineFeeds += 1
        }
    }
}

private func needsQuotes(_ field: [UInt8]) -> Bool {
    field.contains { $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\n") }
}
