#if canImport(SwiftUI)
    internal import Assay
    public import SwiftUI

    extension Validated where Value == String {
        /// A binding to the text, for a text field.
        ///
        ///     TextField("Email", text: form.$email.binding)
        ///     FieldErrors(form.$email)
        public var binding: Binding<String> { Bindable(self).text }
    }

    /// A view of a field's errors, one on each line; empty without errors.
    ///
    ///     if form.$email.hasChanged { FieldErrors(form.$email) }
    ///
    /// The condition hides errors before the first entry.
    public struct FieldErrors<Value>: View {
        private let field: Validated<Value>

        public init(_ field: Validated<Value>) { self.field = field }

        public var body: some View {
            ForEach(Array(field.errors.enumerated()), id: \.offset) { error in
                Text(error.element.message)
                    .font(.caption)
                    .foregroundStyle(.red)
            }
        }
    }
#endif
