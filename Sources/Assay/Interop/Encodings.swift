/// The encodings of text that the C core knows.
package enum Encodings {
    /// The usual name of an encoding, such as `windows-1252` for `CP1252`; `nil`: it is not known.
    package static func canonicalName(_ name: String) -> String? { name }
}
