import GraphStorePredicates
import Testing

/// A text that is refused, and everything that is said of it.
package struct Refused: Sendable, CustomTestStringConvertible {
  package let text: String
  package let code: String
  package let offset: Int?
  package let length: Int
  package let message: String
  package let hint: String?
  package let near: [String]
  package let subject: String?

  package init(
    _ text: String, _ code: String, _ offset: Int?, _ length: Int, _ message: String, hint: String? = nil,
    near: [String] = [], subject: String? = nil
  ) {
    self.text = text
    self.code = code
    self.offset = offset
    self.length = length
    self.message = message
    self.hint = hint
    self.near = near
    self.subject = subject
  }

  package var testDescription: String { text }

  /// Expects the error, word for word.
  package func expect(
    _ error: QueryPredicateError?, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(error?.code.rawValue == code, sourceLocation: sourceLocation)
    #expect(error?.offset == offset, sourceLocation: sourceLocation)
    #expect(error?.length == length, sourceLocation: sourceLocation)
    #expect(error?.message == message, sourceLocation: sourceLocation)
    #expect(error?.hint == hint, sourceLocation: sourceLocation)
    #expect(error?.suggestions == near, sourceLocation: sourceLocation)
    #expect(error?.subject == subject, sourceLocation: sourceLocation)
  }
}
