internal import Assay
internal import CAssayABI

private let release = CText(assayVersion)

private let engine: CText = {
    let info = EngineInfo.current
    return CText("PCRE2 \(info.pcre2), Unicode \(info.unicode), \(info.jit ? "JIT" : "no JIT")")
}()

@c @implementation
public func assay_abi_version() -> UInt32 { UInt32(ASSAY_ABI_VERSION) }

@c @implementation
public func assay_release() -> UnsafePointer<CChar>? { release.pointer }

@c @implementation
public func assay_engine() -> UnsafePointer<CChar>? { engine.pointer }
