public import CAssayABI

@c @implementation
public func assay_result_export_verdicts(
    _ result: OpaquePointer?, _ flags: UInt32, _ array: UnsafeMutablePointer<ArrowArray>?,
    _ schema: UnsafeMutablePointer<ArrowSchema>?
) -> UnsafeMutablePointer<assay_fault>? {
    export(result, to: array, schema) { (result) throws(Fault) in
        let nullable = flags & UInt32(ASSAY_VERDICTS_NULLABLE) != 0
        guard flags & ~UInt32(ASSAY_VERDICTS_NULLABLE) == 0 else {
            throw Fault(ASSAY_FAULT_ARGUMENT, "the flags \(flags) are not options of verdicts")
        }
        if nullable, case .table(_, isOneColumn: false) = result.body {
            throw Fault(ASSAY_FAULT_ARGUMENT, "verdicts are nullable for a check of one column only")
        }
        return (
            try .verdicts(result.table(), nullable: nullable, result.allocator),
            nullable ? .nullableVerdicts : .verdicts
        )
    }
}

@c @implementation
public func assay_result_export_reasons(
    _ result: OpaquePointer?, _ array: UnsafeMutablePointer<ArrowArray>?, _ schema: UnsafeMutablePointer<ArrowSchema>?
) -> UnsafeMutablePointer<assay_fault>? {
    export(result, to: array, schema) { (result) throws(Fault) in
        (try .reasons(result.table(), result.allocator), .reasons)
    }
}

@c @implementation
public func assay_result_export_findings(
    _ result: OpaquePointer?, _ limit: UInt64, _ array: UnsafeMutablePointer<ArrowArray>?,
    _ schema: UnsafeMutablePointer<ArrowSchema>?
) -> UnsafeMutablePointer<assay_fault>? {
    export(result, to: array, schema) { (result) throws(Fault) in
        (try .findings(result, limit: Int(clamping: limit)), .findings)
    }
}

@c @implementation
public func assay_result_export_keys(
    _ result: OpaquePointer?, _ array: UnsafeMutablePointer<ArrowArray>?, _ schema: UnsafeMutablePointer<ArrowSchema>?
) -> UnsafeMutablePointer<assay_fault>? {
    export(result, to: array, schema) { (result) throws(Fault) in
        guard let hashes = try result.table().keyHashes else {
            throw Fault(
                ASSAY_FAULT_ARGUMENT, "the result has no keys",
                hint: "set assay_options.key_secret, and check by rules with keys")
        }
        return (try hashes.array(), hashes.schema)
    }
}

private func export(
    _ result: OpaquePointer?, to array: UnsafeMutablePointer<ArrowArray>?, _ schema: UnsafeMutablePointer<ArrowSchema>?,
    _ make: (CheckResult) throws(Fault) -> (OutgoingArray, OutgoingSchema)
) -> UnsafeMutablePointer<assay_fault>? {
    reporting {
        guard let array else { throw Fault.null("array") }
        guard let schema else { throw Fault.null("schema") }
        let (outgoing, type) = try make(CheckResult.behind(result))
        outgoing.write(to: array)
        type.write(to: schema)
    }
}
