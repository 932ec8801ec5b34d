internal import Assay
internal import CAssay

extension TableHead {
    /// The names that a skeleton of rules has: the columns, or the paths to all values of the first objects of JSON.
    package var fieldNames: [String] {
        guard format == .jsonLines else { return header ?? [] }
        let seen = SeenPaths()
        rest.prefix(Self.firstRead).withUnsafeBufferPointer { bytes in
            for line in bytes.split(separator: 10) {
                _ = assay_json_walk(
                    line.baseAddress, line.count,
                    { context, path, count, _ in
                        let path = UnsafeRawBufferPointer(start: path, count: count)
                        let seen = Unmanaged<SeenPaths>.fromOpaque(context!).takeUnretainedValue()
                        seen.add(String(decoding: path, as: UTF8.self))
                    }, Unmanaged.passUnretained(seen).toOpaque())
            }
        }
        return seen.names
    }
}

/// Paths in the order in which they were seen, each once.
private final class SeenPaths {
    private(set) var names: [String] = []
    private var known: Set<ByteEqualString> = []

    func add(_ name: String) {
        if known.insert(ByteEqualString(name)).inserted { names.append(name) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The lines, without their ends.
    fileprivate func split(separator: UInt8) -> [UnsafeBufferPointer<UInt8>] {
        (self[0...] as SubSequence).split(separator: separator).map { UnsafeBufferPointer(rebasing: $0) }
    }
}
