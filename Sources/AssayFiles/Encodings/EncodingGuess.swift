internal import Assay
internal import CAssay
internal import CUchardet

extension TextEncoding {
    /// What to do where records are not UTF-8, and seem to be in this one.
    package var hint: String { hint(inPackage: false) }

    /// - Parameter inPackage: whether no option says it, but the descriptor of a Data Package.
    package func hint(inPackage: Bool) -> String {
        "by \(plural(evidence, "byte")) above ASCII these look like \(name). If the whole file is in it: "
            + (inPackage ? "\"encoding\": \"\(name)\" in its resource" : "--encoding \(name)")
    }
}

/// What encoding some text seems to be in, by the frequencies of its characters (uchardet, after Mozilla's detector).
struct EncodingGuess: Hashable, Sendable {
    /// A name that ``Decoded`` takes.
    let name: String
    /// How many of the bytes that were looked at are not ASCII: few of them make a weak guess.
    let evidence: Int

    /// How many bytes are looked at, at most.
    static let sampleBytes = 1 << 20

    var encoding: TextEncoding { TextEncoding(name, .guess, evidence: evidence) }

    private static let fewBytes = 8

    /// `nil`: the detector has no idea, or it is ASCII.
    init?(_ bytes: [UInt8]) {
        guard !bytes.isEmpty, let detector = uchardet_new() else { return nil }
        defer { uchardet_delete(detector) }
        let status = bytes.withUnsafeBytes { bytes in
            uchardet_handle_data(detector, bytes.baseAddress, bytes.count)
        }
        guard status == 0 else { return nil }
        uchardet_data_end(detector)
        let found = String(cString: uchardet_get_charset(detector))
        guard found.uppercased() != "ASCII", let name = Encodings.canonicalName(found) else { return nil }
        evidence = bytes.count { $0 >= 0x80 }
        // Of a few letters frequencies tell nothing, and most such text is windows-1252; so is what is called ISO-8859-1.
        let isUsual =
            name == "ISO-8859-1"
            || evidence < Self.fewBytes && assay_encoding_unit(name) == 1
                && !bytes.contains { [0x81, 0x8D, 0x8F, 0x90, 0x9D].contains($0) }
        self.name = isUsual ? "windows-1252" : name
    }
}
