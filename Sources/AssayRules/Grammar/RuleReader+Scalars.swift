internal import Assay

extension RuleReader {
    /// Returns a text as written; `null` is not a text. `what` completes "expected …"; `advice` is for a key without a
    /// value.
    mutating func text(
        _ node: YAMLNode, _ what: String, ifEmpty advice: String = "'' is the empty text"
    ) -> String? {
        switch node.content {
        case .scalar("", .plain):
            complain(at: node, "expected \(what), found no value", advice)
            return nil
        case .scalar(let word, .plain) where node.isNull:
            complain(
                at: node, "expected \(what), found \(word)",
                "remove it, or put it in quotes if it is the word: '\(word)'")
            return nil
        case .scalar(let text, _):
            return text
        case .sequence, .mapping:
            let isShort =
                node.range.count <= 60
                && source.lineIndex(at: node.range.lowerBound)
                    == source.lineIndex(at: max(node.range.lowerBound, node.range.upperBound - 1))
            let written = source.text(node.range)
            let isFlow = written.hasPrefix("[") || written.hasPrefix("{")
            complain(
                at: node, "expected \(what), found \(node.kindInWords)",
                isShort && isFlow && !written.contains("'") ? "if it is text, put it in quotes: '\(written)'" : nil)
            return nil
        case .unreadable:
            return nil
        }
    }

    /// A list of texts.
    mutating func values(_ node: YAMLNode, _ what: String) -> [String]? {
        guard let nodes = list(node, "a list of \(what)", suggestion: listAdvice(node)) else { return nil }
        var texts: [String] = []
        for node in nodes {
            if let text = text(node, "a text") { texts.append(text) }
        }
        return texts.count == nodes.count ? texts : nil
    }

    /// "write [a]" for a lone scalar where a list belongs.
    func listAdvice(_ node: YAMLNode) -> String? {
        guard case .scalar(let text, let style) = node.content, !node.isNull, style != .block else { return nil }
        let written = source.text(node.range)
        return text.count <= 60 ? "write [\(written.visible)]" : nil
    }

    mutating func bool(_ node: YAMLNode) -> Bool? {
        if case .scalar(let text, let style) = node.content {
            let meant: Bool? =
                switch text {
                case "true", "True", "TRUE": true
                case "false", "False", "FALSE": false
                default: nil
                }
            if let meant {
                if style == .plain { return meant }
                complain(at: node, "expected true or false, found \(node.kindInWords)", "remove the quotes")
                return nil
            }
            switch text.lowercased() {
            case "yes", "on", "y", "1":
                complain(at: node, "expected true or false, found \(node.kindInWords)", "write true")
                return nil
            case "no", "off", "n", "0":
                complain(at: node, "expected true or false, found \(node.kindInWords)", "write false")
                return nil
            default: break
            }
        }
        complain(at: node, "expected true or false, found \(node.kindInWords)")
        return nil
    }

    /// A whole number, zero or more.
    mutating func count(_ node: YAMLNode) -> Int? {
        guard case .scalar(let text, let style) = node.content, !node.isNull else {
            complain(at: node, "expected a whole number, found \(node.kindInWords)")
            return nil
        }
        let digits = text.first == "-" ? text.dropFirst() : text[...]
        let isNumber =
            !digits.isEmpty && digits.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        if isNumber && style != .plain {
            complain(at: node, "expected a whole number, found \(node.kindInWords)", "remove the quotes")
        } else if isNumber && text.first == "-" {
            complain(at: node, "expected a whole number, 0 or more, found \(node.kindInWords)")
        } else if isNumber && digits.count > 1 && digits.first == "0" {
            let rest = digits.drop { $0 == "0" }
            complain(
                at: node, "a number with a leading zero may mean octal",
                "write \(rest.isEmpty ? "0" : String(rest.prefix(30)))")
        } else if isNumber, let value = Int(digits) {
            return value
        } else if isNumber {
            complain(at: node, "the number is too large")
        } else {
            complain(at: node, "expected a whole number, found \(node.kindInWords)")
        }
        return nil
    }

    /// One of some words.
    mutating func choice(
        _ node: YAMLNode, _ what: String, from names: [String], also others: [String] = []
    ) -> String? {
        let listing = "known are \((names + others).joined(separator: ", "))"
        guard let word = text(node, what, ifEmpty: listing) else { return nil }
        if names.contains(word) { return word }
        let advice = closestName(to: word, among: names).map { "did you mean '\($0)'?" }
        complain(at: node, "unknown \(what.dropArticle) \(word.quoted)", advice ?? listing)
        return nil
    }
}

extension String {
    fileprivate var dropArticle: Substring {
        hasPrefix("an ") ? dropFirst(3) : hasPrefix("a ") ? dropFirst(2) : self[...]
    }
}
