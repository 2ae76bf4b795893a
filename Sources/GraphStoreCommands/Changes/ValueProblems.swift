import GraphStoreReports

/// What is wrong with the values of one object, gathered so that all of it is told together.
struct ValueProblems {
  private var first: (any Error)?
  private var diagnostics: [Diagnostic] = []

  var isEmpty: Bool { diagnostics.isEmpty }

  /// Reads a value; what is wrong with it is kept.
  ///
  /// - Returns: Nil where something is wrong.
  /// - Throws: what no value is to blame for.
  mutating func gather<Result>(_ read: () throws -> Result) throws -> Result? {
    do {
      return try read()
    } catch {
      let diagnostic = DiagnosticMapper.diagnostic(for: error)
      guard [.usage, .dataError, .noInput].contains(diagnostic.exitCode) else { throw error }
      if first == nil { first = error }
      diagnostics.append(diagnostic)
      return nil
    }
  }

  /// The error that tells all of it.
  ///
  /// - Parameter others: What rules of the model say of values that could be read.
  func error(with others: [Diagnostic]) -> any Error {
    let parts = diagnostics + others
    guard parts.count > 1 else { return first ?? Diagnostic(several: parts) }
    return Diagnostic(several: parts)
  }
}

extension Diagnostic {
  /// Several problems as one, with each in its details.
  init(several parts: [Diagnostic]) {
    self.init(
      code: "multiple-validation-errors", message: "\(parts.count) values or links are not valid",
      details: Self.details(of: parts), hints: ["nothing was written"],
      exitCode: [.usage, .noInput].first { code in parts.contains { $0.exitCode == code } } ?? .dataError)
    errors = parts
  }
}
