import GraphStore
import GraphStoreReports

/// Validation of a table's columns against the keys of its entities, so that a wrong one is told once and not
/// with each row.
struct TableHeaderCheck {
  private let entities: [EntityDescription]
  /// Names that no entity has.
  private var unknown: [String] = []
  /// Why columns take no values.
  private var refusals: [FieldProblem] = []
  /// Keys that columns are taken for.
  private var taken: Set<String> = []
  /// Pairs of columns that are taken for one key.
  private var twins: [(first: String, second: String, key: String)] = []
  private let columns: [String]

  init(
    _ mapping: RecordMapping, entities: [EntityDescription], columns: [String], importer: RecordImporter
  ) {
    self.entities = entities
    self.columns = columns
    var holders: [String: String] = [:]
    for column in columns {
      var refusal: FieldProblem?
      var isKnown = false
      for entity in entities {
        switch mapping.role(column, entity: entity, importer: importer, isColumn: true) {
        case .unknown: break
        case .unsettable(let problem) where problem.code == GraphStoreError.Code.transformerMissing.rawValue:
          // An export has the column, and no other value of it is refused than one that is there.
          isKnown = true
        case .unsettable(let problem): refusal = refusal ?? problem
        case .attribute, .toOne, .toMany, .label, .entity, .ignored: isKnown = true
        }
      }
      if isKnown {
        let keys = Set(entities.map { mapping.key(of: column, entity: $0, isColumn: true) })
        taken.formUnion(keys)
        for key in keys.sorted() {
          // What --map says is meant.
          guard let first = holders.updateValue(column, forKey: key), first != column,
            mapping.names[first] == nil, mapping.names[column] == nil
          else { continue }
          twins.append((first, column, key))
        }
      } else if let refusal {
        refusals.append(refusal)
      } else {
        unknown.append(column)
      }
    }
  }

  /// One error for all columns that cannot be taken; nil where all can.
  func diagnostic(file: String) -> Diagnostic? {
    if let twins = twins.first { return repeated(twins, file) }
    guard !unknown.isEmpty else { return refusals.first.map { refused($0, file) } }
    let list = unknown.map { "\"\($0)\"" }.joined(separator: ", ")
    let isOneTree = entities.allSatisfy { $0.rootEntity === entities[0].rootEntity }
    let owner =
      entities.count == 1 ? entities[0].name : isOneTree ? entities[0].rootEntity.name : "any entity"
    let message =
      unknown.count == 1
      ? "the column \(list) is no attribute or relationship of \(owner)"
      : "\(unknown.count) columns are no attributes or relationships of \(owner): \(list)"
    if let delimiter = likelyDelimiter {
      return Diagnostic(
        code: "unknown-key",
        message: "the header is one column, \(list): its columns are divided by \(delimiter.words)",
        location: Diagnostic.Location(file: file, line: 1),
        hints: ["leave --delimiter out, or read it by --from csv --delimiter '\(delimiter.option)'"],
        entity: entities.count == 1 ? entities[0].name : nil, property: unknown[0], exitCode: .dataError)
    }
    var hints: [String] = []
    let maps = proposals
    if !maps.isEmpty { hints.append("perhaps " + maps.map { "--map \($0)" }.joined(separator: " ")) }
    if maps.count < unknown.count {
      hints.append("take a column for a key with --map COLUMN=KEY; keys are \(keys)")
    }
    hints.append("leave them out with --ignore-unknown")
    return Diagnostic(
      code: "unknown-key", message: message, location: Diagnostic.Location(file: file, line: 1),
      details: refusals.map(\.message), hints: hints,
      suggestions: unknown.count == 1 ? Self.near(unknown[0], entities: entities, taken: taken) : [],
      entity: entities.count == 1 ? entities[0].name : nil, property: unknown[0], exitCode: .dataError)
  }

  /// What divides the columns of a header that was read as one, where another delimiter than that of the
  /// table does.
  private var likelyDelimiter: CSVDelimiter? {
    guard columns.count == 1, unknown.count == 1 else { return nil }
    return CSVDelimiter(dividing: unknown[0])
  }

  private func repeated(_ twins: (first: String, second: String, key: String), _ file: String) -> Diagnostic {
    Diagnostic(
      code: "header-invalid",
      message: "the columns \"\(twins.first)\" and \"\(twins.second)\" are both taken for \(twins.key)",
      location: Diagnostic.Location(file: file, line: 1),
      hints: ["take one of them out, or say with --map COLUMN=KEY what it is"], property: twins.key,
      exitCode: .dataError)
  }

  private func refused(_ problem: FieldProblem, _ file: String) -> Diagnostic {
    Diagnostic(
      code: problem.code, message: refusals.map(\.message).joined(separator: "; "),
      location: Diagnostic.Location(file: file, line: 1), hints: ["take the column out of the table"],
      entity: entities.count == 1 ? entities[0].name : nil, property: problem.key, exitCode: .dataError)
  }

  private var keys: String {
    var seen = taken
    let names = entities.flatMap { $0.properties.map(\.name) }.filter { seen.insert($0).inserted }
    return names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
  }

  private var proposals: [String] {
    var taken = taken
    return unknown.compactMap { column in
      guard let key = Self.near(column, entities: entities, taken: taken).first else { return nil }
      taken.insert(key)
      return Self.word(column, key)
    }
  }

  /// What could be given to `--map` for a name.
  static func proposal(for name: String, among entities: [EntityDescription], taken: Set<String>) -> String? {
    near(name, entities: entities, taken: taken).first.map { word(name, $0) }
  }

  private static func word(_ name: String, _ key: String) -> String {
    ShellQuoting.word("\(name)=\(key)")
  }

  /// Keys that a name may mean: equal but for case, blanks and signs, or nearly so, or contained in it.
  private static func near(_ name: String, entities: [EntityDescription], taken: Set<String>) -> [String] {
    var seen = taken
    let keys = entities.flatMap { $0.properties.map(\.name) }.filter { seen.insert($0).inserted }
    let wanted = ColumnName.letters(name)
    guard !wanted.isEmpty else { return [] }
    let equal = keys.filter { ColumnName.letters($0) == wanted }
    if !equal.isEmpty { return equal }
    let near = NearestNames.names(near: name, among: keys)
    if !near.isEmpty { return near }
    return keys.filter { ColumnName.letters($0).count > 2 && wanted.hasSuffix(ColumnName.letters($0)) }
  }
}
