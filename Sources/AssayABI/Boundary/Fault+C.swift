internal import Assay
internal import AssayFiles
internal import AssayRules
internal import CAssaySystem
public import CAssayABI

/// Runs the body of an interface function, and converts thrown errors to an `assay_fault`, which the caller owns.
/// Leaves `errno` as it was, because the library changes no state of the process.
func reporting(_ body: () throws -> Void) -> UnsafeMutablePointer<assay_fault>? {
    let code = errno
    defer { errno = code }
    do {
        try body()
        return nil
    } catch {
        return chain(faults(error))
    }
}

private func faults(_ error: any Error) -> [Fault] {
    switch error {
    case let fault as Fault: return [fault]
    case let error as RuleFileError:
        return error.advising(\.words).problems.map { Fault($0) }
    case let error as CompileError:
        var fault = Fault(ASSAY_FAULT_RULES, error.message)
        if let offset = error.offset { fault.column = offset + 1 }
        fault.text = error.description
        return [fault]
    case let error as InputError:
        let remedy = error.remedy
        let advice =
            remedy == .trustRules ? "if you trust the rules, read them as trusted rules" : remedy?.ruleFileAdvice
        return [
            Fault(
                ASSAY_FAULT_INPUT, error.message,
                hint: error.advice(adding: [error.override?.words, advice]))
        ]
    case let error as FileError: return [Fault(ASSAY_FAULT_FILE, error.description)]
    case let error as PublishError: return [Fault(ASSAY_FAULT_FILE, error.description)]
    case let error as NoMemoryError: return [Fault(ASSAY_FAULT_MEMORY, error.message, hint: error.hint)]
    case is RunCancelled: return [Fault(ASSAY_FAULT_CANCELLED, "the progress callback ended the run")]
    default: return [Fault(ASSAY_FAULT_INTERNAL, "\(error)")]
    }
}

extension RuleProblem.Remedy {
    /// The remedy in the words of libassay, which has no setting for the limits on reading a rule file.
    fileprivate var words: String? {
        switch self {
        case .trust(let change): "\(change), or read it as trusted rules if you trust the file"
        case .raise: nil
        case .setBefore: "leave it out"
        }
    }
}

extension InputError.Override {
    /// The setting in the words of libassay.
    fileprivate var words: String? {
        switch self {
        case .keyMemory: "allow more with key_memory"
        case .encoding, .compression, .format, .delimiter, .lineTerminator, .contradicted: advice(where: "in the rules")
        }
    }
}

/// Links the faults to one list, in their order.
private func chain(_ faults: [Fault]) -> UnsafeMutablePointer<assay_fault>? {
    var next: UnsafeMutablePointer<assay_fault>?
    for fault in faults.reversed() {
        let text = fault.text ?? (fault.hint.map { "\(fault.message)\n  hint: \($0)" } ?? fault.message)
        let made = UnsafeMutablePointer<assay_fault>.allocate(capacity: 1)
        made.initialize(
            to: assay_fault(
                size: MemoryLayout<assay_fault>.stride, code: fault.code, line: UInt32(clamping: fault.line),
                column: UInt32(clamping: fault.column), reserved: 0, message: CText.copy(fault.message),
                hint: fault.hint.map { UnsafePointer(CText.copy($0)) },
                text: CText.copy(text), next: UnsafePointer(next)))
        next = made
    }
    return next
}

@c @implementation
public func assay_fault_free(_ fault: UnsafeMutablePointer<assay_fault>?) {
    var rest = fault
    while let fault = rest {
        rest = UnsafeMutablePointer(mutating: fault.pointee.next)
        for text in [fault.pointee.message, fault.pointee.hint, fault.pointee.text] {
            CText.free(UnsafeMutablePointer(mutating: text))
        }
        fault.deallocate()
    }
}
