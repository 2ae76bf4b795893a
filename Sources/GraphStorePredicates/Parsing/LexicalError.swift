/// What the lexer found wrong, kept apart so that lexer and parser stay small.
final class LexicalError {
  let error: QueryPredicateError

  init(_ error: QueryPredicateError) {
    self.error = error
  }
}
