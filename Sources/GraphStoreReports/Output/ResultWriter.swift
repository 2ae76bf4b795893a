import GraphStorePredicates

/// Writer of the rows of a result in one format.
///
/// Call order: `begin`, then for every row `beginRow`, one call per column in column order, `endRow`; at last
/// `end`. A to-many cell is `beginReferences`, any number of `reference`, `endReferences`. Cells do not
/// throw: a failed write is kept and thrown by the next `endRow` or `end`. A writer belongs to one thread.
///
/// Callers with an inner loop make it a `ResultTask`, so that every call is direct.
package protocol ResultWriter: AnyObject {
  /// Whether people read it, who are told of data what they are.
  var isForPeople: Bool { get }

  /// Says which columns follow; the JSON writers take it again for rows with other columns.
  func begin(columns: [OutputColumn])
  /// Starts a row that shows an object. `key` is the number in its id.
  func beginRow(_ entity: EntityLabel, key: Int64)
  /// Starts a row that shows no object, such as a group of a `--group-by`.
  func beginRow()

  func null()
  func bool(_ value: Bool)
  func integer(_ value: Int64)
  func double(_ value: Double)
  /// A single-precision number, printed with the digits that such a number needs.
  func float(_ value: Float)
  func decimal(_ value: DecimalNumeral)
  /// Text in UTF-8; a malformed sequence is written as U+FFFD.
  func text(_ utf8: UnsafeBufferPointer<UInt8>)
  /// Seconds since 2001-01-01 00:00:00 UTC.
  func date(_ seconds: Double)
  /// The sixteen bytes of a UUID.
  func uuid(_ bytes: UnsafeBufferPointer<UInt8>)
  func uri(_ utf8: UnsafeBufferPointer<UInt8>)
  func data(_ bytes: UnsafeBufferPointer<UInt8>)
  /// An object's id.
  func reference(_ entity: EntityLabel, key: Int64, isTemporary: Bool)
  func beginReferences()
  func endReferences()
  /// A value that is JSON already, such as the nested objects of `--depth`.
  func json(_ utf8: UnsafeBufferPointer<UInt8>)

  func endRow() throws(OutputError)
  func end() throws(OutputError)
}

extension ResultWriter {
  /// Most forms are for programs, which get all data.
  package var isForPeople: Bool { false }

  /// The id of an object that is saved.
  package func reference(_ entity: EntityLabel, key: Int64) {
    reference(entity, key: key, isTemporary: false)
  }

  /// A Swift string; in an inner loop hand over UTF-8 bytes instead.
  package func text(_ string: String) {
    var string = string
    string.withUTF8 { unsafe text($0) }
  }
}

/// Producer of a result, generic over the format that it is written in.
///
/// It is generic over the writer, so that the compiler makes one version a format and every call for a cell
/// is direct.
package protocol ResultTask {
  associatedtype Outcome
  /// Whether the rows show objects, and so have ids.
  static var showsObjects: Bool { get }
  /// Writes the rows.
  func run(_ writer: some ResultWriter) throws -> Outcome
  /// Writes the rows in a format.
  ///
  /// Each task calls ``run(as:to:options:)`` in a method of its own, which other modules call: the versions
  /// for all formats are made where the writers are known, and the boundary is crossed once a result.
  func write(as format: OutputFormat, to output: OutputBuffer, options: WriterOptions) throws -> Outcome
}

extension ResultTask {
  /// Most results show objects.
  package static var showsObjects: Bool { true }

  /// Writes the rows by the writer of a format.
  package func run(as format: OutputFormat, to output: OutputBuffer, options: WriterOptions) throws -> Outcome
  {
    switch format {
    case .table: try run(TableResultWriter(output, options))
    case .json: try run(JSONResultWriter(output, options, isArray: true))
    case .ndjson: try run(JSONResultWriter(output, options, isArray: false))
    case .csv: try run(DelimitedResultWriter<CSVSyntax>(output, options))
    case .tsv: try run(DelimitedResultWriter<TSVSyntax>(output, options))
    case .markdown: try run(MarkdownResultWriter(output, options))
    case .html: try run(HTMLResultWriter(output, options))
    case .line: try run(LineResultWriter(output, options))
    case .ids: try run(IDResultWriter(output, options))
    }
  }
}
