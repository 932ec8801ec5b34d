internal import AssayFiles
internal import CAssayABI

extension String {
    /// A text of the caller that names something: a file, a column, a table.
    ///
    /// What Swift makes of bytes that are no text is another name: another file would be read, or written, than was meant.
    ///
    /// - Parameter argument: what to call it in the fault.
    /// - Throws: a fault for what is not UTF-8.
    init(naming text: UnsafePointer<CChar>, _ argument: String, hint: String? = nil) throws(Fault) {
        guard let name = String(validatingCString: text) else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "the argument '\(argument)' is not UTF-8: \(printable(String(cString: text)))",
                hint: hint)
        }
        self = name
    }

    /// The path of a file.
    init(path: UnsafePointer<CChar>, _ argument: String) throws(Fault) {
        try self.init(naming: path, argument, hint: "rename the file")
    }
}
