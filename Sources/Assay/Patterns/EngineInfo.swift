internal import CAssay

/// The PCRE2 that this process runs on. It belongs into every result: versions differ in verdicts.
public struct EngineInfo: Hashable, Sendable, Codable {
    /// Such as `10.42 2022-12-11`.
    public var pcre2: String
    /// The version of Unicode that PCRE2 knows, such as `14.0.0`.
    public var unicode: String
    /// Whether machine code can be made and run here. Found by trying: a host may forbid what the build promises.
    public var jit: Bool

    /// The engine of this process. Found once; safe to read from any thread.
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
