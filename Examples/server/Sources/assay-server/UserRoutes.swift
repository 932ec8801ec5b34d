import Assay
import Foundation
import HTTPTypes
import Hummingbird

/// `POST /users[?values=true]` checks a JSON body with a requirement.
///
///     204                a valid user
///     400                not JSON
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
        let user = try decode(NewUser.self, from: body)

        let reasons = NewUser.requirement.failures(in: user, limit: .upTo(Self.maxErrors))
        if reasons.isEmpty { return Response(status: .noContent) }  // store the user here
        let showsValues = request.uri.queryParameters["values"] == "true"
        let language = request.headers[.acceptLanguage]?.prefix { $0 != "," && $0 != ";" } ?? "en"
        throw Problem(
            reasons.map { reason in
                Problem.Entry(
                    reason, language: String(language), value: showsValues ? text(at: reason.path, in: body) : nil)
            })
    }

    /// - Throws: ``Problem`` with the place of the first value that is missing or of another type. It omits the message
    /// of
    ///   the decoder, because that may contain the value.
    private func decode<Body: Decodable>(_ type: Body.Type, from body: Data) throws -> Body {
        do {
            return try JSONDecoder().decode(type, from: body)
        } catch let DecodingError.keyNotFound(key, context) {
            throw problem(context.codingPath + [key], "missing", "Is missing")
        } catch let DecodingError.valueNotFound(_, context) {
            throw problem(context.codingPath, "missing", "Is missing")
        } catch let DecodingError.typeMismatch(type, context) {
            throw problem(context.codingPath, "type", "Must be \(Self.name(of: type))")
        } catch let DecodingError.dataCorrupted(context) where !context.codingPath.isEmpty {
            throw problem(context.codingPath, "type", "Cannot be read")
        } catch {
            throw Problem(.badRequest, "the body is not JSON")
        }
    }

    private func problem(_ keys: [any CodingKey], _ code: String, _ detail: String) -> Problem {
        let path = ValuePath(keys.map { key in key.intValue.map { .index($0) } ?? .field(key.stringValue) })
        return Problem([.init(pointer: path.pointer, path: path.description, code: code, detail: detail)])
    }

    private static func name(of type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any Numeric.Type: "a number"
        case is [Any].Type: "a list"
        default: "an object"
        }
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
