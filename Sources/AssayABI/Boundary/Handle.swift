/// An object that C holds by a pointer to something it knows nothing of.
protocol Handle: AnyObject {
    /// What the argument is called in faults.
    static var argument: String { get }
}

extension Handle {
    /// The pointer for C, which owns a reference.
    func lent() -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }

    /// The object behind a pointer from C.
    ///
    /// - Throws: a fault for NULL.
    static func behind(_ pointer: OpaquePointer?) throws(Fault) -> Self {
        guard let pointer else { throw .null(argument) }
        return Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    /// Gives up the reference that C had.
    static func release(_ pointer: OpaquePointer?) {
        guard let pointer else { return }
        Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).release()
    }
}
