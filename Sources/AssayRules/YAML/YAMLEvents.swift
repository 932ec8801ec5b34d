internal import Assay
internal import CYAML

// The only file that imports libyaml.

/// An event of libyaml's parser.
enum YAMLEvent {
    case documentStart
    case alias(String)
    case scalar(String, YAMLNode.Style, YAMLProperties)
    case sequenceStart(YAMLProperties)
    case sequenceEnd
    case mappingStart(YAMLProperties)
    case mappingEnd
}

/// The properties before a node: `&anchor !tag`.
struct YAMLProperties {
    var anchor: String?
    var tag: String?
}

/// The place and the reason of a syntax error.
struct YAMLSyntaxError {
    /// The message of libyaml, such as "found unknown escape character".
    var problem: String
    /// In characters from the start of the text.
    var place: Int
    /// The construct, such as "while parsing a quoted scalar". The next property is its start.
    var context: String?
    var contextPlace: Int
}

/// Reads a text and passes each event with its place, in characters from the start, to `receive` until that returns
/// `false`.
///
/// - Parameter text: UTF-8 without a byte order mark.
/// - Returns: The syntax error that ended reading, if there is one.
/// - Complexity: O(text); libyaml refuses nesting beyond 1,000 levels.
func readYAML(_ text: [UInt8], _ receive: (YAMLEvent, Range<Int>) -> Bool) -> YAMLSyntaxError? {
    text.withUnsafeBufferPointer { bytes in
        // The parser keeps a pointer to itself, so its address must not change.
        let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        defer { parser.deallocate() }
        guard yaml_parser_initialize(parser) == 1 else { outOfMemory() }
        defer { yaml_parser_delete(parser) }
        yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)

        while true {
            var event = yaml_event_t()
            guard yaml_parser_parse(parser, &event) == 1 else { return YAMLSyntaxError(parser.pointee) }
            defer { yaml_event_delete(&event) }
            if event.type == YAML_STREAM_END_EVENT || event.type == YAML_NO_EVENT { return nil }
            let start = Int(event.start_mark.index)
            let range = start..<max(start, Int(event.end_mark.index))
            if let event = YAMLEvent(event), !receive(event, range) { return nil }
        }
    }
}

extension YAMLEvent {
    fileprivate init?(_ event: yaml_event_t) {
        switch event.type {
        case YAML_DOCUMENT_START_EVENT: self = .documentStart
        case YAML_ALIAS_EVENT: self = .alias(String(event.data.alias.anchor) ?? "")
        case YAML_SEQUENCE_END_EVENT: self = .sequenceEnd
        case YAML_MAPPING_END_EVENT: self = .mappingEnd
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            // Use the length, because a text may contain NUL.
            let text = String(
                decoding: UnsafeBufferPointer(start: scalar.value, count: Int(scalar.length)), as: UTF8.self)
            let properties = YAMLProperties(anchor: String(scalar.anchor), tag: String(scalar.tag))
            self = .scalar(text, YAMLNode.Style(scalar.style), properties)
        case YAML_SEQUENCE_START_EVENT:
            let sequence = event.data.sequence_start
            self = .sequenceStart(YAMLProperties(anchor: String(sequence.anchor), tag: String(sequence.tag)))
        case YAML_MAPPING_START_EVENT:
            let mapping = event.data.mapping_start
            self = .mappingStart(YAMLProperties(anchor: String(mapping.anchor), tag: String(mapping.tag)))
        default: return nil
        }
    }
}

extension YAMLNode.Style {
    fileprivate init(_ style: yaml_scalar_style_t) {
        switch style {
        case YAML_SINGLE_QUOTED_SCALAR_STYLE: self = .singleQuoted
        case YAML_DOUBLE_QUOTED_SCALAR_STYLE: self = .doubleQuoted
        case YAML_LITERAL_SCALAR_STYLE, YAML_FOLDED_SCALAR_STYLE: self = .block
        default: self = .plain
        }
    }
}

extension YAMLSyntaxError {
    fileprivate init(_ parser: yaml_parser_t) {
        if parser.error == YAML_MEMORY_ERROR { outOfMemory() }
        problem = parser.problem.map { String(cString: $0) } ?? "cannot be read"
        context = parser.context.map { String(cString: $0) }
        place = Int(parser.problem_mark.index)
        contextPlace = Int(parser.context_mark.index)
    }
}

extension String {
    fileprivate init?(_ text: UnsafeMutablePointer<yaml_char_t>?) {
        guard let text else { return nil }
        self.init(cString: text)
    }
}
