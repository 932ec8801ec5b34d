import AssayFiles
import AssayRules
import HTTPTypes
import Hummingbird
import Synchronization

/// `POST /clean[?output=clean|rejects|findings][&values=true]` receives CSV and returns one of the outputs of `assay
/// clean` during the upload. The counts follow as trailer fields.
///
///     200                with any data
///     413, 415           too large; compressed
///     422                not a table, or not one for these rules
///     503                too many concurrent uploads
///
/// An error after the start of the response, such as an upload that is too large or interrupted, aborts the response:
/// it lacks the last chunk and the trailer.
///
/// `GET /health` returns the number of concurrent uploads.
struct CleanRoutes: Sendable {
    /// The cleaners, compiled once. There are two, because showing values is an option of a cleaner.
    private let cleaner: Cleaner
    private let showingValues: Cleaner
    private let maxBytes: Int
    private let uploads: Uploads

    init(rules: RuleFile, maxBytes: Int, maxUploads: Int) throws {
        var options = CleanerOptions()
        cleaner = try Cleaner(rules: rules, options: options)
        options.showValues = true
        showingValues = try Cleaner(rules: rules, options: options)
        self.maxBytes = maxBytes
        uploads = Uploads(limit: maxUploads)
    }

    func add(to router: Router<BasicRequestContext>) {
        router.post("clean", use: clean)
        router.get("health") { [uploads] _, _ in "{\"uploads\": \(uploads.count)}\n" }
    }

    @Sendable private func clean(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        guard let output = CleanOutput(rawValue: String(request.uri.queryParameters["output"] ?? "clean")) else {
            throw Problem(.badRequest, "output is clean, rejects or findings")
        }
        if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
            throw Problem(.unsupportedMediaType, "the body must not be compressed")
        }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > maxBytes {
            throw Problem(.contentTooLarge, "an upload has at most \(maxBytes) bytes")
        }
        guard let place = uploads.begin() else { throw Problem(.serviceUnavailable, "too many uploads under way") }

        let cleaner = request.uri.queryParameters["values"] == "true" ? showingValues : cleaner
        let upload = Upload(request.body, place, cleaner: cleaner, output: output, maxBytes: maxBytes)
        try await upload.readHead()
        return Response(
            status: .ok, headers: [.contentType: output.mediaType, .trailer: RunResult.trailerNames],
            body: .init { writer in
                do {
                    // Read from the client only after it has received the bytes written so far.
                    while let bytes = try await upload.next() { try await writer.write(ByteBuffer(bytes: bytes)) }
                    try await writer.finish(upload.result?.trailer)
                } catch {
                    context.logger.info("an upload was broken off: \(error)")
                    throw error
                }
            })
    }
}

/// The output that the client requests.
enum CleanOutput: String {
    case clean, rejects, findings

    var mediaType: String { self == .findings ? "application/jsonl" : "text/csv" }

    func outputs(to sink: MemorySink) -> Outputs {
        switch self {
        case .clean: Outputs(clean: sink)
        case .rejects: Outputs(rejects: sink)
        case .findings: Outputs(findings: sink)
        }
    }
}

extension RunResult {
    private static let counts: [(name: String, count: @Sendable (RunResult) -> Int)] = [
        ("Assay-Records", { $0.records }), ("Assay-Clean", { $0.clean }), ("Assay-Rejected", { $0.rejected }),
        ("Assay-Undecided", { $0.undecided }), ("Assay-Findings", { $0.findings }),
    ]

    static let trailerNames = counts.map(\.name).joined(separator: ", ")

    var trailer: HTTPFields {
        var fields = HTTPFields()
        for (name, count) in Self.counts { fields[HTTPField.Name(name)!] = String(count(self)) }
        return fields
    }
}

/// The number of concurrent uploads and its limit, because each upload takes some MiB.
final class Uploads: Sendable {
    private let limit: Int
    private let underWay = Mutex(0)

    init(limit: Int) { self.limit = limit }

    var count: Int { underWay.withLock { $0 } }

    /// Returns a place, which is occupied until it is released; `nil` if all are occupied.
    func begin() -> Place? {
        let isFree = underWay.withLock { count in
            guard count < limit else { return false }
            count += 1
            return true
        }
        return isFree ? Place(self) : nil
    }

    final class Place: Sendable {
        private let uploads: Uploads

        fileprivate init(_ uploads: Uploads) { self.uploads = uploads }

        deinit { uploads.underWay.withLock { $0 -= 1 } }
    }
}
