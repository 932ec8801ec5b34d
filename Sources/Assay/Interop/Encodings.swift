internal import CAssay

/// The text encodings of the C core.
package enum Encodings {
    /// The usual name of an encoding, such as `windows-1252` for `CP1252`; `nil` for an unknown name.
    package static func canonicalName(_ name: String) -> String? {
        assay_encoding_name(name).map { String(cString: $0) }
    }

    /// All usual names.
    package static var names: [String] {
        var names: [String] = []
        while let name = assay_encoding_at(names.count) { names.append(String(cString: name)) }
        return names
    }
}
