#if canImport(UIKit) && !os(watchOS)
    public import UIKit

    extension UILabel: ErrorLabel {}

    extension UITextField: TextEntryView {
        public var enteredText: String { text ?? "" }
    }

    extension UITextView: TextEntryView {
        public var enteredText: String { text ?? "" }
    }
#endif
