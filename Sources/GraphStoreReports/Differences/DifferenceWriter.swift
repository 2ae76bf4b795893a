import GraphStore

/// Writer of the differences between two stores in one form.
package protocol DifferenceWriter: AnyObject {
  /// Begins, with what the models do not share.
  func begin(_ mismatches: [ModelMismatch])
  /// Writes one difference.
  func write(_ difference: StoreDifference) throws
  /// Ends, with the number of each kind.
  func end(_ counts: StoreDifferenceCounts) throws
}

/// Form in which differences are written.
package enum DifferenceFormat: String, CaseIterable, Sendable {
  /// A line for each object that is added or removed, and for each property that is changed.
  case text
  /// One JSON object.
  case json
  /// A JSON object for each object that differs.
  case ndjson
  /// Statements that make the first store what the second one is.
  case script

  /// A writer of the form.
  ///
  /// - Parameter names: What the two stores are called.
  package func writer(
    _ comparison: StoreComparison, names: (old: String, new: String), to output: OutputBuffer,
    terminal: TerminalInfo
  ) -> any DifferenceWriter {
    switch self {
    case .text: DifferenceTextWriter(comparison, names: names, to: output, terminal: terminal)
    case .json: DifferenceJSONWriter(comparison, to: output, isDocument: true)
    case .ndjson: DifferenceJSONWriter(comparison, to: output, isDocument: false)
    case .script: DifferenceScriptWriter(comparison, names: names, to: output)
    }
  }
}

/// Values of objects as JSON, one at a time.
final class ObjectValueText {
  private let output = OutputBuffer.memory()
  private var visitor: DumpVisitor

  init() { visitor = DumpVisitor(JSONResultWriter(output, WriterOptions(), isArray: false), EntityLabels()) }

  /// The value of a column.
  ///
  /// - Throws: `external-data-missing`, `store-corrupt`.
  func json(_ column: Int, of object: StoredObject) throws -> String {
    output.clear()
    try object.visit(column, &visitor)
    return output.consumeString()
  }
}

extension ModelMismatch.Kind {
  /// The word of the kind in JSON.
  var word: String {
    switch self {
    case .onlyInOld: "onlyInOld"
    case .onlyInNew: "onlyInNew"
    case .differs: "differs"
    }
  }
}
