/// An object that C holds by an opaque pointer.
protocol Handle: AnyObject {
    /// The name of the argument in faults.
    static var argument: String { get }
}

extension Handle {
    /// Returns a pointer for C, which owns a reference.
    func retained() -> OpaquePointer { OpaquePointer(Unmanaged.passRetained(self).toOpaque()) }

    /// Returns the object of a pointer from C.
    ///
    /// - Throws: a fault for NULL.
    static func behind(_ pointer: OpaquePointer?) throws(Fault) -> Self {
        guard let pointer else { throw .null(argument) }
        return Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).takeUnretainedValue()
    }

    /// Releases the reference that C owned.
    static func release(_ pointer: OpaquePointer?) {
        guard let pointer else { return }
        Unmanaged<Self>.fromOpaque(UnsafeRawPointer(pointer)).release()
    }
}
