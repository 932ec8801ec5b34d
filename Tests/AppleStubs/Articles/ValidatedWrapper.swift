// The article on @Validated: its lines that need UIKit and Combine.
import AssayForms
import Combine
import UIKit

@propertyWrapper final class Email: Validated<String> {
    override var wrappedValue: String? {
        get { super.wrappedValue }
        set { super.wrappedValue = newValue }
    }
    override var projectedValue: Validated<String> { super.projectedValue }
    init(wrappedValue value: String?) {
        let notEmptyValidator = NotEmptyValidator(errorMessage: "Email can’t be empty")
        let regexValidator = RegexValidator(
            regex: "[A-Z0-9a-z._%+-]+@[A-Za-z0-9.-]+\\.[A-za-z]{2,64} ", errorMessage: "Email has wrong format"
        ).validator
        super.init(wrappedValue: value, [notEmptyValidator, regexValidator])
    }
}

final class SignInController: UIViewController {
    @Email var email: String? = nil
    let emailErrorLabel = UILabel()
    var cancellables: [AnyCancellable] = []

    func viewDidLoad() {
        let cancellable =
            $email
            .publisher
            .map { $0.map { $0.localizedDescription }.joined(separator: ", ") }
            .receive(on: RunLoop.main)
            .assign(to: \.text, on: emailErrorLabel)
        cancellables.append(cancellable)
    }
}
