package import AssayRules
internal import CDigest

extension DataResource {
    /// Verifies that the files of the table have the size and the hash in the descriptor. Several files are treated as
    /// their concatenation. Without `bytes` and `hash`, no file is read.
    ///
    /// - Parameters:
    ///   - folder: The folder of the descriptor, as a prefix of paths.
    ///   - policy: The files that the descriptor may name.
    ///   - descriptor: The name of the descriptor in messages.
    /// - Throws: ``FileError`` if a file differs or cannot be read.
    /// - Complexity: O(1) for `bytes`; O(bytes) for `hash`.
    package func verify(
        in folder: String, by policy: RuleFilePolicy, accordingTo descriptor: String
    ) throws(FileError) {
        if byteCount == nil && hash == nil { return }
        let paths = paths.map { folder + $0 }
        func mismatch(_ what: String) -> FileError {
            var error = FileError("verify", path: paths[0], code: 0)
            error.advice = (paths.count == 1 ? "" : "with its other parts ") + what
            return error
        }
        var files: [FileSource] = []
        for path in paths { files.append(try FileSource.input(at: path, by: policy)) }
        let counts = files.compactMap(\.byteCount)
        guard counts.count == files.count else {
            throw mismatch("it is no regular file, so that it cannot be read twice; remove 'bytes' and 'hash'")
        }
        let count = counts.reduce(0, +)
        if let byteCount, byteCount != count {
            throw mismatch("it has \(count) bytes, and \(printable(descriptor)) states \(byteCount)")
        }
        guard let hash else { return }
        let digits = try Self.digest(of: files, hash.algorithm)
        if digits != hash.digits {
            throw mismatch(
                "its \(hash.algorithm.rawValue) is \(digits), and \(printable(descriptor)) states \(hash.digits)")
        }
    }

    private static func digest(of files: [FileSource], _ algorithm: FileHash.Algorithm) throws(FileError) -> String {
        var sum = digest_begin(algorithm.kind)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
        defer { buffer.deallocate() }
        for file in files {
            while true {
                let count = try file.read(into: buffer)
                if count == 0 { break }
                digest_add(&sum, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), count)
            }
        }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { result in
            result.initialize(repeating: 0)
            let bytes = result.prefix(digest_end(&sum, result.baseAddress))
            let letters = Array("0123456789abcdef".utf8)
            return String(decoding: bytes.flatMap { [letters[Int($0 >> 4)], letters[Int($0 & 15)]] }, as: UTF8.self)
        }
    }
}

extension FileHash.Algorithm {
    fileprivate var kind: digest_kind {
        switch self {
        case .md5: DIGEST_MD5
        case .sha1: DIGEST_SHA1
        case .sha256: DIGEST_SHA256
        case .sha512: DIGEST_SHA512
        }
    }
}
