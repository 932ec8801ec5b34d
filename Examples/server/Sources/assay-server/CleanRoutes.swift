import AssayFiles
import AssayRules
import HTTPTypes
import Hummingbird
import Synchronization

/// `POST /clean[?output=clean|rejects|findings][&values=true]`: CSV in, one of the outputs of `assay clean` out, while the
/// upload goes on. The counts come last, as trailer fields.
///
///     200                whatever the data is like
///     413, 415           too large; compressed
///     422                no table, or not one that the rules are for
///     503                too many uploads under way
///
/// What is found to be wrong after the answer has begun (an upload that turns out too large, or breaks off) breaks the answer
/// off: it has no last chunk and no trailer.
///
/// `GET /health` tells how many uploads are under way.
struct CleanRoutes: Sendable {
    /// Compiled once. Whether values are shown is decided when a cleaner is made.
    private let cleaner: Cleaner
    private let showingValues: Cleaner
    private let mostBytes: Int
    private let uploads: Uploads

    init(rules: RuleFile, mostBytes: Int, mostUploads: Int) throws {
        var options = CleanerOptions()
        cleaner = try Cleaner(rules: rules, options: options)
        options.showValues = true
        showingValues = try Cleaner(rules: rules, options: options)
        self.mostBytes = mostBytes
        uploads = Uploads(most: mostUploads)
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
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > mostBytes {
            throw Problem(.contentTooLarge, "an upload has at most \(mostBytes) bytes")
        }
        guard let place = uploads.begin() else { throw Problem(.serviceUnavailable, "too many uploads under way") }

        let cleaner = request.uri.queryParameters["values"] == "true" ? showingValues : cleaner
        let upload = Upload(request.body, place, cleaner: cleaner, output: output, mostBytes: mostBytes)
        try await upload.readHead()
        return Response(
            status: .ok, headers: [.contentType: output.mediaType, .trailer: RunResult.trailerNames],
            body: .init { writer in
                do {
                    // Nothing more is read from the client until it has taken what was written.
                    while let bytes = try await upload.next() { try await writer.write(ByteBuffer(bytes: bytes)) }
                    try await writer.finish(upload.result?.trailer)
                } catch {
                    context.logger.info("an upload was broken off: \(error)")
                    throw error
                }
            })
    }
}

/// What of the outcome the client wants.
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

/// How many uploads are under way, and may be: each takes some MiB.
final class Uploads: Sendable {
    private let most: Int
    private let underWay = Mutex(0)

    init(most: Int) { self.most = most }

    var count: Int { underWay.withLock { $0 } }

    /// A place, for as long as it is held; `nil` when there is none.
    func begin() -> Place? {
        let isFree = underWay.withLock { count in
            guard count < most else { return false }
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
