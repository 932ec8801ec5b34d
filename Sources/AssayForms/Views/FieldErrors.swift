#if canImport(SwiftUI)
    internal import Assay
    public import SwiftUI

    extension Validated where Value == String {
        /// The text, for a text field to edit.
        ///
        ///     TextField("Email", text: form.$email.binding)
        ///     FieldErrors(form.$email)
        public var binding: Binding<String> { Bindable(self).text }
    }

    /// The errors of a field, a line each; nothing while there are none.
    ///
    ///     if form.$email.hasChanged { FieldErrors(form.$email) }
    ///
    /// For a form that shows no errors before there was an entry.
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
