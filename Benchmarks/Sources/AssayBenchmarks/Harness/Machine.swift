import Assay
import CAssay
import CBareLoop

/// The software of a measurement.
enum Machine {
    static var facts: [String: String] {
        var version = [CChar](repeating: 0, count: 64)
        bare_engine_version(&version)
        let pcre2 = String(decoding: version.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return [
            "assay": "\(String(cString: assay_version())), byte functions: \(String(cString: assay_cpu()))",
            "pcre2": "\(pcre2), JIT \(assay_engine_has_jit() ? "works" : "does not work here")",
        ]
    }
}
