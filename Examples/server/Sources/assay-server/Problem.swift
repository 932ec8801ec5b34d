import Assay
import Foundation
import HTTPTypes
import Hummingbird

/// An error response to the client: RFC 9457, "Problem Details for HTTP APIs".
///
///     {"type": "https://example.org/problems/validation", "title": "Some values break the rules",
///      "status": 422,
///      "errors": [{"pointer": "#/addresses/0/country", "path": "addresses[0].country",
///                  "code": "addresses[].country.format",
///                  "parameters": {"format": "country", "failureReason": "too-long"},
///                  "detail": "Is not in the format country: it is too long"}]}
struct Problem: Error, Encodable {
    /// The type. `about:blank` adds no information to the status. Other types are addresses of your own documentation.
    var type = "about:blank"
    var title: String
    var status: Int
    var detail: String?
    var errors: [Entry]?

    /// One of several errors.
    struct Entry: Encodable {
        /// The place in the body: a JSON pointer as a fragment (RFC 6901), and `path`, the same in a readable form.
        var pointer: String?
        var path: String?
        var code: String
        var parameters: [String: Parameter]?
        var detail: String
        /// The value, only if the client requested values, because responses may be logged.
        var value: String?
    }

    init(_ status: HTTPResponse.Status, _ detail: String? = nil) {
        (self.status, title, self.detail) = (status.code, status.reasonPhrase, detail)
    }

    /// Creates the problem of a readable body with invalid values.
    init(_ errors: [Entry]) {
        self.init(.unprocessableContent)
        type = "https://example.org/problems/validation"
        title = "Some values break the rules"
        self.errors = errors
    }

    func response() throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Response(
            status: .init(code: status), headers: [.contentType: "application/problem+json"],
            body: .init(byteBuffer: ByteBuffer(bytes: try encoder.encode(self))))
    }
}

extension Problem.Entry {
    /// Creates the entry of a reason in a language.
    init(_ reason: Reason, language: String, value: String?) {
        self.init(
            pointer: reason.path.pointer, path: reason.path.description,
            code: reason.code,
            parameters: reason.parameters.isEmpty ? nil : reason.parameters.mapValues(Problem.Parameter.init),
            detail: reason.message(in: language), value: value)
    }
}

extension Problem {
    struct Parameter: Encodable {
        var value: Reason.Parameter

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch value {
            case .integer(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .text(let value): try container.encode(value)
            }
        }
    }
}

extension ValuePath {
    /// The path as a JSON pointer, such as `#/items/3/price`.
    var pointer: String {
        steps.reduce(into: "#") { text, step in
            switch step {
            case .index(let index): text += "/\(index)"
            case .field(let name):
                let escaped = name.replacingOccurrences(of: "~", with: "~0").replacingOccurrences(of: "/", with: "~1")
                text += "/" + (escaped.addingPercentEncoding(withAllowedCharacters: .urlFragmentAllowed) ?? escaped)
            }
        }
    }
}

/// Converts every error to a problem, including errors of the framework, and hides internal details of the server.
struct ProblemMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: BasicRequestContext,
        next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as Problem {
            return try problem.response()
        } catch let error as any HTTPResponseError {
            return try Problem(error.status, (error as? HTTPError)?.body).response()
        } catch {
            context.logger.error("\(error)")
            return try Problem(.internalServerError).response()
        }
    }
}
