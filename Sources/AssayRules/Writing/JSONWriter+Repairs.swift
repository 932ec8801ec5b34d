internal import Assay

extension JSONWriter {
    /// An entry of `repair`: a word, or an object.
    mutating func repair(_ repair: Repair) {
        if Repair.words.contains(repair) {
            string(repair.name)
            return
        }
        object { json in
            json.key(repair.name)
            switch repair {
            case .missing(let words): json.strings(words)
            case .replace(let pattern, let with):
                json.string(pattern)
                json.key("with")
                json.string(with)
            case .map(let mapping):
                json.object { json in
                    for entry in mapping.entries {
                        json.key(entry.from)
                        json.string(entry.to)
                    }
                }
            case .default(let text): json.string(text)
            case .canonical(let options): json.canonical(options)
            case .trim, .collapse, .upper, .lower, .nfc, .nfkc, .stripControl, .asciiDigits, .unquote:
                preconditionFailure("a repair that is a word has no options")
            }
        }
    }

    private mutating func canonical(_ options: Repair.CanonicalOptions) {
        object { json in
            if !options.from.isEmpty {
                json.key("from")
                json.strings(options.from)
            }
            let texts = [
                ("region", options.region), ("decimalChar", options.decimalChar), ("groupChar", options.groupChar),
            ]
            for case (let name, let text?) in texts {
                json.key(name)
                json.string(text)
            }
        }
    }
}
