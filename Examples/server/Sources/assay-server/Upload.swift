import AssayFiles
import Hummingbird

/// A table that is uploaded and cleaned. Releasing it frees all resources, however the upload ends.
///
/// SAFETY: only one task at a time uses it: the route until it returns the response, then the writer of the body.
final class Upload: @unchecked Sendable {
    private var body: RequestBody.AsyncIterator
    private let place: Uploads.Place
    private let maxBytes: Int
    private var received = 0
    private let output = MemorySink()
    private var stream: CleanStream
    /// The result, after the whole upload was checked.
    private(set) var result: RunResult?

    init(_ body: RequestBody, _ place: Uploads.Place, cleaner: Cleaner, output requested: CleanOutput, maxBytes: Int) {
        self.body = body.makeAsyncIterator()
        self.place = place
        self.maxBytes = maxBytes
        stream = cleaner.stream(named: "the upload", to: requested.outputs(to: output))
    }

    /// Reads until the cleaner has compared the header with the rules. Until then, the response can still be a problem.
    func readHead() async throws {
        while !stream.hasStarted && result == nil { try await step() }
    }

    /// Returns the next bytes of the response; `nil` at the end.
    func next() async throws -> [UInt8]? {
        var bytes = output.take()
        while bytes.isEmpty && result == nil {
            try await step()
            bytes = output.take()
        }
        return bytes.isEmpty ? nil : bytes
    }

    private func step() async throws {
        let piece: ByteBuffer?
        do {
            piece = try await body.next()
        } catch {
            throw Problem(.badRequest, "the upload broke off")
        }
        received += piece?.readableBytes ?? 0
        if received > maxBytes { throw Problem(.contentTooLarge, "an upload has at most \(maxBytes) bytes") }
        do {
            if let piece { try stream.write(piece.readableBytesView) } else { result = try stream.finish() }
        } catch let error as InputError {
            // One entry per line of the message. The hints are omitted, because they are for users of the command.
            throw Problem(error.message.split(separator: "\n").map { .init(code: "table", detail: String($0)) })
        } catch let error as FileError where error.damage != nil {
            throw Problem([.init(code: "table", detail: error.description)])
        }
    }
}
