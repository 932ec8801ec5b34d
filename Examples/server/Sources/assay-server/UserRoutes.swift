import Assay
import Foundation
import HTTPTypes
import Hummingbird

/// `POST /users[?values=true]` checks a JSON body with a schema.
///
///     204                a valid user
///     400                not a JSON object
///     413, 415           too large; of another type
///     422                JSON, but not a valid user: lists each error with its place
struct UserRoutes: Sendable {
    private static let maxBytes = 64 << 10
    private static let maxErrors = 50

    func add(to router: Router<BasicRequestContext>) { router.post("users", use: create) }

    @Sendable private func create(_ request: Request, _ context: BasicRequestContext) async throws -> Response {
        let type = request.headers[.contentType]?.split(separator: ";").first?.trimmingCharacters(in: .whitespaces)
        guard type?.lowercased() == "application/json" else {
            throw Problem(.unsupportedMediaType, "the body must be application/json")
        }
        let body = try await Data(buffer: request.body.collect(upTo: Self.maxBytes))
        let reasons = NewUser.rules.failures(inJSON: body, limit: .upTo(Self.maxErrors))
        if reasons.isEmpty {
            _ = try JSONDecoder().decode(NewUser.self, from: body)  // store the user here
            return Response(status: .noContent)
        }
        if reasons[0].code.hasPrefix("json.") { throw Problem(.badRequest, reasons[0].message) }
        let showsValues = request.uri.queryParameters["values"] == "true"
        let language = request.headers[.acceptLanguage]?.prefix { $0 != "," && $0 != ";" } ?? "en"
        throw Problem(
            reasons.map { reason in
                Problem.Entry(
                    reason, language: String(language), value: showsValues ? text(at: reason.path, in: body) : nil)
            })
    }

    /// Returns the value at a path of a JSON text, as JSON.
    private func text(at path: ValuePath, in body: Data) -> String? {
        var value = try? JSONSerialization.jsonObject(with: body, options: .fragmentsAllowed)
        for step in path.steps {
            switch step {
            case .field(let name): value = (value as? [String: Any])?[name]
            case .index(let index): value = (value as? [Any])?[index]
            }
        }
        guard let value else { return nil }
        let json = try? JSONSerialization.data(withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys])
        return json.map { String(decoding: $0, as: UTF8.self) }
    }
}
