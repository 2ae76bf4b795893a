#if PostgreSQL
import GraphStore
import GraphStoreModel

/// Alteration of the tables of a store into those of another version of its model, as statements: rows that
/// stay as they are, are not touched.
struct PostgreSQLAlteration {
  let old: PostgreSQLSchema
  let new: PostgreSQLSchema
  private let pairing: ModelPairing
  private var tables: [Table] = []
  /// Tables that are made, and tables that go, by statements and by names.
  private var added: [String] = []
  private var removed: [String] = []
  private var fills: [String] = []

  /// A table that stays, maybe under other names.
  private struct Table {
    let old: String
    let new: String
    /// The columns that stay, by their old and their new names.
    var columns: [(old: String, new: String)] = []
    /// The names and the declarations of columns that are added.
    var added: [(name: String, declaration: String)] = []
    var removed: [String] = []

    /// Whether indexes over it say what they said: those of columns that go, go with them.
    var keepsIndexes: Bool {
      old == new && columns.allSatisfy { $0.old == $0.new }
        && removed.allSatisfy { name in !added.contains { $0.name == name } }
    }
  }

  /// - Parameters:
  ///   - schema: The name of the schema.
  ///   - numbers: The numbers that the entities have.
  /// - Returns: nil where rows have to be read and written anew.
  init?(_ change: StoreAlteration, in schema: String, entityNumbers numbers: [String: Int]) {
    let (stored, pairing) = (change.destination, change.pairing)
    guard pairing.keepsForms,
      let old = try? PostgreSQLSchema(change.source, named: schema, entityNumbers: numbers),
      let new = try? PostgreSQLSchema(
        stored, named: schema, entityNumbers: Self.numbers(of: old, in: stored, pairing))
    else { return nil }
    (self.old, self.new, self.pairing) = (old, new, pairing)
    guard holdsTheSame, addTables(), addJoinTables(), referencesHold else { return nil }
    let kept = Set(tables.map(\.old))
    removed = (old.tables.tables.map(\.name) + old.tables.joinTables.map(\.name)).filter {
      !kept.contains($0)
    }
    guard let values = valuesOfAdded() else { return nil }
    fills = values
  }

  /// Entities that continue keep their numbers; others get numbers that none has had.
  private static func numbers(
    of old: PostgreSQLSchema, in stored: StoredEntities, _ pairing: ModelPairing
  ) -> [String: Int] {
    var next = (old.tables.numberedEntities.map(\.number).max() ?? 0) + 1
    var numbers: [String: Int] = [:]
    for entity in stored.entities {
      if let former = pairing.source(of: entity).map({ old.tables.entity($0).number }), former > 0 {
        numbers[entity.name] = former
      } else {
        numbers[entity.name] = next
        next += 1
      }
    }
    return numbers
  }

  /// Whether the store holds of what continues all that it held, under the counters that it has.
  private var holdsTheSame: Bool {
    new.tables.entities.allSatisfy { entity in
      guard let former = pairing.source(of: entity.entity).map({ old.tables.entity($0) }) else { return true }
      return (former.number > 0) == (entity.number > 0) && former.namingNumber == entity.namingNumber
    }
  }

  /// Whether all foreign keys of what continues were there before, so that none finds a link that led
  /// nowhere.
  private var referencesHold: Bool {
    let former = Set(old.references.map { "\($0.table).\($0.column)" })
    return new.references.allSatisfy { reference in
      guard let table = tables.first(where: { $0.new == reference.table }),
        let column = table.columns.first(where: { $0.new == reference.column })
      else { return true }
      return former.contains("\(table.old).\(column.old)")
    }
  }

  // MARK: Tables

  private mutating func addTables() -> Bool {
    for table in new.tables.tables {
      guard let root = pairing.source(of: table.root.entity), old.tables.entity(root).isHeld else {
        added.append(new.dialect.createStatement(table))
        continue
      }
      let former = old.tables.entity(root).table
      var known = Table(old: former.name, new: table.name)
      for column in table.columns {
        guard continues(column) else {
          known.added.append((column.name, PostgreSQLType(column).declaration))
          continue
        }
        guard let origin = origin(of: column, in: former) else { return false }
        known.columns.append((origin.name, column.name))
      }
      let kept = Set(known.columns.map(\.old))
      known.removed = former.columns.map(\.name).filter { !kept.contains($0) }
      tables.append(known)
    }
    return true
  }

  /// Whether the property of a column was there before, with all of its elements.
  private func continues(_ column: SQLColumn) -> Bool {
    guard let former = pairing.source(of: column.property, in: column.property.entity) else { return false }
    return !former.isTransient
  }

  private func origin(of column: SQLColumn, in table: SQLTable) -> SQLColumn? {
    let property = pairing.source(of: column.property, in: column.property.entity)
    return table.columns.first { former in
      former.property === property && former.kind == column.kind && former.isOfOwner == column.isOfOwner
        && former.elements.map(\.name) == column.elements.map(\.name)
        && PostgreSQLType(former) == PostgreSQLType(column)
    }
  }

  private mutating func addJoinTables() -> Bool {
    for table in new.tables.joinTables {
      let relationship = table.relationship
      guard let source = pairing.source(of: relationship, in: relationship.entity) else {
        added.append(new.dialect.createStatement(table))
        continue
      }
      guard let former = old.tables.joinTables.first(where: { $0.relationship === source }),
        former.form == table.form, (former.sourceOrder == nil) == (table.sourceOrder == nil),
        (former.destinationOrder == nil) == (table.destinationOrder == nil)
      else { return false }
      tables.append(
        Table(
          old: former.name, new: table.name, columns: Array(zip(former.columns, table.columns))))
    }
    return true
  }

  // MARK: Statements

  /// The statements that change tables, columns and rows, which no view, index or foreign key hinders.
  ///
  /// Names are exchanged by way of names that no model gives, since one may have another's.
  var statements: [String] {
    removed.map { "DROP TABLE \(old.dialect.tableName($0))" } + tables.flatMap(columnChanges) + renames()
      + added + fills + deletions() + ["SET CONSTRAINTS ALL IMMEDIATE"] + entityChanges()
  }

  /// The tables whose indexes and foreign keys say what they said.
  var unchanged: Set<String> { Set(tables.filter(\.keepsIndexes).map(\.new)) }

  private func name(_ name: String) -> String { new.dialect.name(name) }
  private func place(_ table: String) -> String { new.dialect.tableName(table) }

  private func columnChanges(_ table: Table) -> [String] {
    let drops = table.removed.map { "DROP COLUMN \(name($0))" }
    let renamed = table.columns.enumerated().filter { $1.old != $1.new }
    let alter = "ALTER TABLE \(place(table.old)) "
    return (drops.isEmpty ? [] : [alter + drops.joined(separator: ", ")])
      + renamed.map { alter + "RENAME COLUMN \(name($1.old)) TO \(name(Self.temporary($0)))" }
      + renamed.map { alter + "RENAME COLUMN \(name(Self.temporary($0))) TO \(name($1.new))" }
      + (table.added.isEmpty
        ? []
        : [
          alter + table.added.map { "ADD COLUMN \(name($0.name)) \($0.declaration)" }.joined(separator: ", ")
        ])
  }

  /// A name that no model gives.
  private static func temporary(_ number: Int) -> String { ReadableNaming.reservedPrefix + "moved_\(number)" }

  private func renames() -> [String] {
    let renamed = tables.filter { $0.old != $0.new }.enumerated()
    func rename(_ from: String, _ to: String) -> [String] {
      [
        "ALTER TABLE \(place(from)) RENAME CONSTRAINT \(name(new.dialect.keyName(of: from))) "
          + "TO \(name(new.dialect.keyName(of: to)))",
        "ALTER TABLE \(place(from)) RENAME TO \(name(to))",
      ]
    }
    return renamed.flatMap { rename($1.old, Self.temporary($0)) }
      + renamed.flatMap { rename(Self.temporary($0), $1.new) }
  }

  // MARK: Rows

  /// The values that rows which are there get in added attributes: one statement for those of an entity.
  ///
  /// - Returns: nil for a default that cannot be said.
  private func valuesOfAdded() -> [String]? {
    let kept = Set(tables.map(\.new))
    var statements: [String] = []
    for table in new.tables.tables where kept.contains(table.name) {
      var values: [(numbers: [Int], texts: [String])] = []
      for column in table.columns where !continues(column) {
        guard let attribute = column.attribute, !attribute.isDerived, !attribute.defaultValue.isNull else {
          continue
        }
        guard let value = Self.literal(attribute.defaultValue, of: column) else { return nil }
        let (numbers, text) = (column.entity.familyNumbers, "\(name(column.name)) = \(value)")
        if let place = values.firstIndex(where: { $0.numbers == numbers }) {
          values[place].texts.append(text)
        } else if !numbers.isEmpty {
          values.append((numbers, [text]))
        }
      }
      statements += values.map { numbers, texts in
        "UPDATE \(place(table.name)) SET \(texts.joined(separator: ", ")) "
          + "WHERE \(name(new.tables.systemColumns.entity)) IN (\(Self.list(numbers)))"
      }
    }
    return statements
  }

  private static func list(_ numbers: [Int]) -> String {
    numbers.isEmpty ? "0" : numbers.map(String.init).joined(separator: ", ")
  }

  /// A default as a text; nil for one of a kind that is made by a transformer, or that the server does not
  /// store.
  private static func literal(_ value: Value, of column: SQLColumn) -> String? {
    let text: String? =
      switch value {
      case .int(let number): String(number)
      case .double(let number): "\(number)"
      case .decimal(let number): "\(number)"
      case .bool(let flag): flag ? "TRUE" : "FALSE"
      case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
      case .string(let text): text
      case .uri(let uri): uri.absoluteString
      case .uuid(let uuid): uuid.uuidString
      case .data(let data): "\\x" + PostgreSQLArray.hex(Array(data))
      default: nil
      }
    guard let text, !text.utf8.contains(0) else { return nil }
    return "\(PostgreSQLName.literal(text))::\(PostgreSQLType(column).rawValue)"
  }

  /// Removes the rows of entities that are gone from tables that stay.
  private func deletions() -> [String] {
    let number = name(new.tables.systemColumns.entity)
    return new.tables.tables.compactMap { table in
      guard let former = pairing.source(of: table.root.entity),
        tables.contains(where: { $0.new == table.name })
      else { return nil }
      let gone = Set(old.tables.entity(former).familyNumbers).subtracting(table.root.familyNumbers).sorted()
      if gone.isEmpty { return nil }
      return
        "DELETE FROM \(place(table.name)) WHERE \(number) IN (\(Self.list(gone)))"
    }
  }

  private func entityChanges() -> [String] {
    let counter = new.tables.keyCounter
    let (table, number) = (place(counter.table), name(counter.entity))
    let entities = new.tables.numberedEntities
    let known = Set(old.tables.numberedEntities.map(\.number))
    let rows = entities.map { entity in
      let parent = new.tables.parentNumber(of: entity)
      return (
        entity.number,
        "(\(entity.number), \(PostgreSQLName.literal(entity.entity.name)), \(parent == 0 ? "NULL" : String(parent))::integer)"
      )
    }
    let numbers = Self.list(entities.map(\.number))
    let present = rows.filter { known.contains($0.0) }.map(\.1).joined(separator: ", ")
    let added = rows.filter { !known.contains($0.0) }.map(\.1).joined(separator: ", ")
    return [
      "DELETE FROM \(table) WHERE \(number) NOT IN (\(numbers))",
      // Names are unique, and may be exchanged.
      "UPDATE \(table) SET name = chr(1) || \(number)",
    ]
      + (present.isEmpty
        ? []
        : [
          "UPDATE \(table) AS stored SET name = given.name, parent = given.parent "
            + "FROM (VALUES \(present)) AS given(number, name, parent) WHERE stored.\(number) = given.number"
        ])
      + (added.isEmpty ? [] : ["INSERT INTO \(table) (\(number), name, parent) VALUES \(added)"])
  }
}
#endif
