extension String {
    /// The width of the text on a terminal, in columns. The text must not have hidden characters (see `visible`).
    package var displayWidth: Int { reduce(0) { $0 + $1.displayWidth } }
}

extension Character {
    /// The width of the character on a terminal: 0, 1 or 2 columns.
    ///
    /// Terminals differ; this follows East Asian Width (UAX #11) for the wide blocks and gives emoji two columns.
    var displayWidth: Int {
        var width = 0
        for scalar in unicodeScalars {
            // U+FE0F asks for the emoji form, which is wide.
            width = max(width, scalar.value == 0xFE0F ? 2 : scalar.displayWidth)
        }
        return width
    }
}

extension Unicode.Scalar {
    fileprivate var displayWidth: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide ? 2 : 1
        }
    }

    private var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x20000...0x3FFFD:
            true
        default:
            properties.isEmojiPresentation
        }
    }
}
