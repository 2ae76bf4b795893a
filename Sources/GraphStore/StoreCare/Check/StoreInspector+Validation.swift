import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import OrderedCollections

extension StoreInspector {
  /// Values that a rule of the model forbids: a limit, a length, a pattern or a predicate.
  ///
  /// A rule may be younger than the values, since it is no part of the version hash, so that this is a
  /// warning: nothing is read wrongly, and the next save of such an object says what is wrong. A table with
  /// rows that cannot be read is skipped; the other checks report it.
  func validation(_ name: String) throws -> [StoreCheckFinding] {
    let layout = ModelLayout(schema.stored)
    let evaluators = ValidationPredicates()
    return try schema.tables.filter(isSound).flatMap { table -> [StoreCheckFinding] in
      let family = table.root.entity.family.map { schema.entities[$0.index] }
      guard family.contains(where: { layout.entities[$0.entity.index].hasRules }) else { return [] }
      var samples: OrderedDictionary<BrokenRule, Sample> = [:]
      do {
        try forEachRow(of: table, family, layout) { key, row in
          for rule in try brokenRules(in: row, evaluators) {
            samples[rule, default: Sample()].add(
              Sample(count: 1, objects: ["\(row.layout.entity.name)/p\(key)"]))
          }
        }
      } catch let error as GraphStoreError where error.code == .storeCorrupt {
        return []
      }
      return samples.sorted { $0.key < $1.key }.compactMap { rule, sample in
        sample.finding(
          .brokenRule, of: name, at: rule.subject, severity: .warning, noun: "row", what: rule.what)
      }
    }
  }

  private func forEachRow(
    of table: SQLTable, _ family: [SQLEntity], _ layout: ModelLayout, _ body: (Int64, Row) throws -> Void
  ) throws {
    let columns = table.root.columns(includingSubentities: true)
    let decoder = SQLiteRowDecoder(
      schema: schema, layout: layout, entities: family, columns: columns,
      externalStorage: metadata.hasExternalPrefixes ? .inline : .unprefixed,
      externalData: ExternalDataTable(folder: ExternalDataFolder(besideStoreAt: path)))
    let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.quotedName)).joined(separator: ", ")
    try connection.withStatement("SELECT \(names) FROM \(table.quotedName) ORDER BY Z_PK") { statement in
      let batch = RowBatch()
      var hasMore = true
      while hasMore {
        hasMore = try decoder.fill(batch, from: statement)
        try batch.forEach(body)
        batch.removeAll()
      }
    }
  }

  private func brokenRules(in row: Row, _ evaluators: ValidationPredicates) throws -> [BrokenRule] {
    var failures: [GraphStoreError] = []
    do {
      try row.layout.validateAttributes(
        of: row, skippingTransient: true, objectID: nil, evaluators: evaluators, &failures)
    } catch let error as GraphStoreError where error.code == .externalDataMissing {
      return []
    }
    return failures.compactMap { BrokenRule($0) }
  }
}

/// A rule about an attribute, as a finding names it.
package struct BrokenRule: Hashable, Comparable {
  package let subject: String
  private let code: ValueViolation.Code

  /// Nil for what another check looks for: whether there is a value at all.
  package init?(_ error: GraphStoreError) {
    guard let code = ValueViolation.Code(rawValue: error.number), code != .missingMandatoryProperty else {
      return nil
    }
    subject = [error.entity, error.property].compactMap(\.self).joined(separator: ".")
    self.code = code
  }

  package var what: String {
    switch code {
    case .numberTooLarge: "with a number that is too large"
    case .numberTooSmall: "with a number that is too small"
    case .dateTooLate: "with a date that is too late"
    case .dateTooSoon: "with a date that is too soon"
    case .stringTooLong: "with a text that is too long"
    case .stringTooShort: "with a text that is too short"
    case .stringPatternMatching: "with a text that does not match its pattern"
    case .patternLimit: "with a text of which it takes too many steps to tell whether it matches its pattern"
    default: "with a value that a rule of the model forbids"
    }
  }

  package static func < (left: Self, right: Self) -> Bool {
    (left.subject, left.code.rawValue) < (right.subject, right.code.rawValue)
  }
}

extension EntityLayout {
  /// Whether the model has rules about values beside whether there have to be some.
  fileprivate var hasRules: Bool {
    (leaves + composites).contains { $0.attribute.map { !$0.constraints.isEmpty && !$0.isTransient } == true }
  }
}
