import GraphStore

/// A fault in a text of the command line that holds a predicate, sort keys or key paths.
struct LocatedPredicateError: Error {
  var error: QueryPredicateError
  /// The option the text was given by.
  var label: String
  var text: String
  /// The entity that the keys belong to.
  var entity: EntityDescription?

  /// The variable that has no value, if that is the fault.
  var unboundVariable: String? {
    guard error.code == .unboundVariable, let dollar = error.message.firstIndex(of: "$") else { return nil }
    let name = error.message[error.message.index(after: dollar)...].prefix {
      $0.isLetter || $0.isNumber || $0 == "_"
    }
    return name.isEmpty ? nil : String(name)
  }

  /// Where the fault lies in the text.
  var place: Diagnostic.Source? {
    guard let offset = error.offset else { return nil }
    // The sign of a sort key belongs to its place, but is no part of what is wrong.
    let isSigned = label == "--sort" && text.utf8.dropFirst(offset).first == UInt8(ascii: "-")
    let shift = isSigned && error.length > 1 ? 1 : 0
    return Diagnostic.Source(label: label, text: text, offset: offset + shift, length: error.length - shift)
  }
}
