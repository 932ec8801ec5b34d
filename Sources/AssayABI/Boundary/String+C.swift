internal import AssayFiles
internal import CAssayABI

extension String {
    /// Reads the caller's name of a file, a column or a table.
    ///
    /// Names that are not UTF-8 are refused. Swift would replace the invalid bytes, and the library would read or write
    /// a different file.
    ///
    /// - Parameter argument: the name of the argument, for the message of the fault.
    /// - Throws: a fault for a name that is not UTF-8.
    init(naming text: UnsafePointer<CChar>, _ argument: String, hint: String? = nil) throws(Fault) {
        guard let name = String(validatingCString: text) else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "the argument '\(argument)' is not UTF-8: \(printable(String(cString: text)))",
                hint: hint)
        }
        self = name
    }

    /// Reads the path of a file.
    init(path: UnsafePointer<CChar>, _ argument: String) throws(Fault) {
        try self.init(naming: path, argument, hint: "rename the file")
    }
}
