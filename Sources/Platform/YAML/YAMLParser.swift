internal import CYAML

/// One thing that libyaml met.
struct YAMLEvent {
  let kind: Kind
  /// Where it begins.
  let mark: YAMLMark
  /// What is wrong with saying this at all, if it carries an anchor or a tag or is an alias.
  let mention: String?

  enum Kind {
    case streamStart, streamEnd, documentEnd, sequenceStart, sequenceEnd, mappingStart, mappingEnd
    case documentStart(hasDirectives: Bool)
    case scalar(String)
    case alias
  }
}

/// libyaml's parser over a text in memory, one event after the other.
///
/// After an error nothing more is asked of it. Confined to its owner.
@safe final class YAMLParser {
  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private let input: UnsafeMutableBufferPointer<UInt8>
  /// Where the text ends.
  private let end: YAMLMark

  /// Takes a text.
  init(_ bytes: [UInt8]) throws(YAMLError) {
    if let position = Self.firstInvalid(bytes) {
      throw YAMLError("the file is not UTF-8 text", at: Self.mark(of: position, in: bytes))
    }
    // A byte order mark would count as a column of the first line.
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    end = Self.mark(of: text.count, in: Array(text))
    unsafe input = .allocate(capacity: text.count)
    unsafe _ = input.initialize(from: text)
    unsafe parser = .allocate(capacity: 1)
    unsafe parser.initialize(to: yaml_parser_t())
    guard unsafe yaml_parser_initialize(parser) == 1 else {
      throw YAMLError("out of memory", at: YAMLMark(line: 1, column: 1))
    }
    // Told, not guessed: text of two bytes a character is refused like any that is not UTF-8.
    unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    unsafe yaml_parser_set_input_string(parser, input.baseAddress, input.count)
  }

  deinit {
    unsafe yaml_parser_delete(parser)
    unsafe parser.deallocate()
    unsafe input.deallocate()
  }

  /// The next event.
  func next() throws(YAMLError) -> YAMLEvent {
    var event = unsafe yaml_event_t()
    guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw error() }
    defer { unsafe yaml_event_delete(&event) }
    let mark = unsafe Self.mark(event.start_mark)
    let (kind, mention) = unsafe Self.kind(of: event)
    return YAMLEvent(kind: kind, mark: mark, mention: mention)
  }

  private static func kind(of event: yaml_event_t) -> (YAMLEvent.Kind, mention: String?) {
    switch unsafe event.type {
    case YAML_STREAM_END_EVENT, YAML_NO_EVENT: return (.streamEnd, nil)
    case YAML_DOCUMENT_START_EVENT:
      let start = unsafe event.data.document_start
      let hasTags = unsafe start.tag_directives.start != start.tag_directives.end
      return (
        .documentStart(hasDirectives: unsafe start.version_directive != nil || hasTags), nil
      )
    case YAML_DOCUMENT_END_EVENT: return (.documentEnd, nil)
    case YAML_ALIAS_EVENT: return (.alias, "aliases (*) are not read; write the value out")
    case YAML_SCALAR_EVENT:
      let scalar = unsafe event.data.scalar
      let text = unsafe String(
        decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
      return (.scalar(text), unsafe mention(anchor: scalar.anchor, tag: scalar.tag))
    case YAML_SEQUENCE_START_EVENT:
      let start = unsafe event.data.sequence_start
      return (.sequenceStart, unsafe mention(anchor: start.anchor, tag: start.tag))
    case YAML_SEQUENCE_END_EVENT: return (.sequenceEnd, nil)
    case YAML_MAPPING_START_EVENT:
      let start = unsafe event.data.mapping_start
      return (.mappingStart, unsafe mention(anchor: start.anchor, tag: start.tag))
    case YAML_MAPPING_END_EVENT: return (.mappingEnd, nil)
    default: return (.streamStart, nil)
    }
  }

  private static func mention(
    anchor: UnsafeMutablePointer<yaml_char_t>?, tag: UnsafeMutablePointer<yaml_char_t>?
  ) -> String? {
    if unsafe anchor != nil { return "anchors (&) are not read" }
    return unsafe tag != nil ? "tags (!) are not read; values are what their key says" : nil
  }

  /// What libyaml could not read; its own words, which show no value.
  private func error() -> YAMLError {
    let problem = unsafe parser.pointee.problem.map { unsafe String(cString: $0) }
    if unsafe parser.pointee.error == YAML_READER_ERROR {
      // Of these only the byte is known.
      let offset = unsafe Int(parser.pointee.problem_offset)
      let bytes = unsafe [UInt8](input)
      return YAMLError(
        problem ?? "a character is not allowed", at: Self.mark(of: offset, in: bytes))
    }
    let words = unsafe [parser.pointee.context.map { unsafe String(cString: $0) }, problem]
    // What is missing at the end, libyaml misses a line further on.
    return unsafe YAMLError(
      words.compactMap(\.self).joined(separator: ": "),
      at: min(Self.mark(parser.pointee.problem_mark), end))
  }

  private static func mark(_ mark: yaml_mark_t) -> YAMLMark {
    YAMLMark(line: Int(clamping: mark.line) + 1, column: Int(clamping: mark.column) + 1)
  }

  /// The place of a byte.
  private static func mark(of offset: Int, in bytes: [UInt8]) -> YAMLMark {
    let before = bytes.prefix(offset)
    let line = before.reduce(1) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Bytes that go on with a character do not begin one.
    let characters = before[start...].count { $0 & 0xC0 != 0x80 }
    return YAMLMark(line: line, column: characters + 1)
  }

  /// The first byte that is no UTF-8.
  private static func firstInvalid(_ bytes: [UInt8]) -> Int? {
    do {
      _ = try UTF8Span(validating: bytes.span)
      return nil
    } catch {
      return error.byteOffsets.lowerBound
    }
  }
}
