/// The text of a model file, for turning places in it into lines and columns.
struct ModelSource: Sendable {
  let bytes: [UInt8]
  let file: String?

  init(_ bytes: [UInt8], file: String?) {
    self.bytes = bytes
    self.file = file
  }

  func parse() throws(ModelError) -> JSONNode {
    if let offset = firstInvalidByte {
      if bytes.starts(with: "SQLite format 3".utf8) {
        throw syntaxError(
          "This is a store, not a model file.", at: 0,
          remedy: "Take the model out of it: graphstore model from-store.")
      }
      throw syntaxError("The text is not UTF-8.", at: offset)
    }
    do {
      return try JSONParser.parse(bytes)
    } catch {
      throw syntaxError(error.message, at: error.offset)
    }
  }

  private func syntaxError(_ message: String, at offset: Int, remedy: String? = nil) -> ModelError {
    let place = TextPositions(bytes).position(of: offset)
    return ModelError(
      [
        ModelProblem(
          .syntax, at: ModelPath(), message: message, remedy: remedy, line: place.line, column: place.column)
      ], file: file)
  }

  /// The offset of the first byte that is not UTF-8.
  var firstInvalidByte: Int? {
    if String(validating: bytes, as: UTF8.self) != nil { return nil }
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch parser.parseScalar(from: &iterator) {
      case .valid(let scalar): offset += scalar.count
      case .error, .emptyInput: return offset
      }
    }
  }
}
