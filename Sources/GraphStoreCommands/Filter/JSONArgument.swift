import GraphStore
import GraphStoreReports

/// Parser of JSON values on the command line.
enum JSONArgument {
  /// The value of an option's text.
  ///
  /// - Throws: `json-syntax` or `bad-tag`, with the place in the text.
  static func operand(_ text: String, option: String, hint: String? = nil) throws(Diagnostic) -> QueryOperand
  {
    func diagnostic(_ code: String, message: String, offset: Int, hints: [String]) -> Diagnostic {
      let length = text.utf8.count > offset ? 1 : 0
      return Diagnostic(
        code: code, message: "\(option): \(message)",
        source: Diagnostic.Source(label: option, text: text, offset: offset, length: length), hints: hints,
        exitCode: .usage)
    }
    let record = JSONRecord()
    let bytes = Array(text.utf8)
    let result = unsafe bytes.withUnsafeBufferPointer { bytes -> Result<QueryOperand, JSONError> in
      Result { () throws(JSONError) in
        var reader = unsafe JSONReader(bytes)
        try record.read(&reader)
        try reader.end()
        return record.operand.detached
      }
    }
    switch result {
    case .failure(let error):
      throw diagnostic(
        "json-syntax", message: error.message, offset: error.offset, hints: hint.map { [$0] } ?? [])
    case .success(let operand):
      if let problem = record.problem {
        throw diagnostic(problem.code, message: problem.message, offset: problem.offset, hints: [])
      }
      return operand
    }
  }

  /// How a text is written that was given without its quotes.
  static func quotingHint(for text: String) -> String {
    let output = OutputBuffer.memory()
    output.append(jsonString: text)
    return "the value is JSON: write a text as '\(output.consumeString())'"
  }
}

extension QueryOperand {
  /// The same without ties to the bytes it was read from.
  fileprivate var detached: QueryOperand {
    switch self {
    case .collection(let members, isOrdered: false):
      .collection(members.map(\.detached), isOrdered: false)
    default: .value(value)
    }
  }

  /// The operand as the argument of a format, which takes plain Swift values.
  var argument: Any? {
    if case .collection(let members, isOrdered: false) = self { return Set(members.map(\.value)) }
    return switch value {
    case .null: nil
    case .bool(let flag): flag
    case .int(let number): Int(number)
    case .double(let number): number
    case .string(let text): text
    case .list(let members): members
    case .dictionary(let members): members
    case let other: other
    }
  }
}
