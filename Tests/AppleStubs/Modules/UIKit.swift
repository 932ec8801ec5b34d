// The parts of UIKit that AssayForms and the articles use: names, types and isolation as in Apple's headers, with empty
// bodies. Scripts/check-apple-code.sh compiles them.
@_exported import Foundation

@MainActor open class UIResponder {
    public init() {}
}

@MainActor open class UIView: UIResponder {}

@MainActor open class UILabel: UIView {
    open var text: String?
}

@MainActor open class UIControl: UIView {}

@MainActor open class UITextField: UIControl {
    open var text: String?
}

@MainActor open class UITextView: UIView {
    open var text: String!
}

@MainActor open class UIViewController: UIResponder {}

@MainActor public protocol UITextFieldDelegate {
    func textFieldDidEndEditing(_ textField: UITextField)
}

public struct UIKeyboardType: Sendable {
    public static let emailAddress = UIKeyboardType()
    public static let numberPad = UIKeyboardType()
}
