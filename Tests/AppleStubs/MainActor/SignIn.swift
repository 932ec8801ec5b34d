// In an application whose default isolation is the main actor: shared rules, an observable form and its view. A
// subclass of Validated does not compile there: its overrides would be on the main actor, and what they override is
// not.
import Assay
import AssayForms
import Combine
import Observation
import SwiftUI

enum Rules {
    static let email = Requirement<String>.all(
        .notEmpty().because("Email can't be empty"), .email.because("Email has wrong format"))
}

struct EvenValidator: Validator {
    var errorMessage = "Must be even"
    func isValid(value: Int?) -> Bool { value.map { $0 % 2 == 0 } ?? false }
}

@Observable
final class SignInForm {
    @ObservationIgnored @Validated(Rules.email) var email: String? = nil
    @ObservationIgnored @Validated([EvenValidator()]) var guests: Int?
    var isSending = false

    func watch() async {
        for await errors in $email.updates { print(errors.map(\.message)) }
    }

    func ask() async { await $email.check(AsyncRequirement { _ in .confirmed }) }

    func label(_ label: UILabel) -> AnyCancellable {
        $email.publisher
            .map { $0.map(\.localizedDescription).joined(separator: ", ") }
            .receive(on: RunLoop.main)
            .assign(to: \.text, on: label)
    }
}

struct SignInView: View {
    @State private var form = SignInForm()

    var body: some View {
        TextField("Email", text: form.$email.binding)
        FieldErrors(form.$email)
    }
}
