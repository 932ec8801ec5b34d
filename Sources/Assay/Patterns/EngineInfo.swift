internal import CAssay

/// The PCRE2 library of this process. Record it with every result, because verdicts differ between versions.
public struct EngineInfo: Hashable, Sendable, Codable {
    /// The version of PCRE2, such as `10.42 2022-12-11`.
    public var pcre2: String
    /// The Unicode version of PCRE2, such as `14.0.0`.
    public var unicode: String
    /// Whether JIT compilation works here. Determined by a trial, because a host may forbid executable memory.
    public var jit: Bool

    /// The engine of this process. Determined once; any thread may read it.
    public static let current: EngineInfo = {
        func text(_ bytes: [CChar]) -> String {
            String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        var version = [CChar](repeating: 0, count: 64)
        var unicode = [CChar](repeating: 0, count: 64)
        assay_engine_version(&version, &unicode)
        return EngineInfo(pcre2: text(version), unicode: text(unicode), jit: assay_engine_has_jit())
    }()
}

/// The version of Assay, such as `0.1.0`.
public let assayVersion = String(cString: assay_version())
