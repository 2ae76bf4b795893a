import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// The statements of a store that come from no request, as they stand in `Statements.golden`: a name, and
/// under it the text in SQLite's dialect and in a second one.
@Suite("Statements of a store, in two dialects")
struct StatementFileTests {
  private let schema: SQLSchema
  private let layout: ModelLayout

  init() throws {
    let model = try ManagedObjectModel(Self.definition)
    schema = SQLSchema(model: model)
    layout = ModelLayout(model)
  }

  private static let definition = ModelDefinition(
    name: "Library",
    entities: [
      EntityDefinition(
        "Author",
        attributes: [
          AttributeDefinition("name", .string),
          AttributeDefinition("bookCount", .int64, derivation: "books.@count"),
          AttributeDefinition("saved", .date, derivation: "now()"),
        ],
        relationships: [
          RelationshipDefinition("books", to: "Book", inverse: "author", isToMany: true, isOrdered: true),
          RelationshipDefinition("prizes", to: "Prize", isToMany: true),
        ], uniquenessConstraints: [["name"]]),
      EntityDefinition(
        "Book",
        attributes: [
          AttributeDefinition("title", .string), AttributeDefinition("cover", .binary, externalStorage: true),
        ],
        relationships: [
          RelationshipDefinition("author", to: "Author", inverse: "books"),
          RelationshipDefinition(
            "subjects", to: "Subject", inverse: "books", isToMany: true, isOrdered: true),
        ]),
      EntityDefinition("Comic", parent: "Book", attributes: [AttributeDefinition("colour", .boolean)]),
      EntityDefinition(
        "Subject", attributes: [AttributeDefinition("order", .int16)],
        relationships: [RelationshipDefinition("books", to: "Book", inverse: "subjects", isToMany: true)]),
      EntityDefinition("Prize", attributes: [AttributeDefinition("name", .string)]),
    ])

  private struct Named {
    let name: String
    let sql: String
  }

  private func entity(_ name: String) throws -> EntityLayout { try layout.entity(named: name) }

  private func relationship(_ entity: String, _ name: String) throws -> RelationshipLayout {
    try #require(self.entity(entity).relationships.first { $0.description.name == name })
  }

  private func column(_ entity: String, _ name: String) throws -> SQLColumn {
    let description = try self.entity(entity).entity
    let storage = schema.entity(description).storage(of: try #require(description.propertiesByName[name]))
    switch storage {
    case .attribute(let column), .toOne(let column, _, _): return column
    default: throw CocoaError(.featureUnsupported)
    }
  }

  /// Every statement that a store makes of its schema.
  private func statements(_ dialect: any SQLDialect) throws -> [Named] {
    let statements = SQLStatements(schema: schema, layout: layout, dialect: dialect)
    let (author, book) = (try entity("Author"), try entity("Book"))
    let (authors, books) = (schema.entities[author.index], schema.entities[book.index])
    let owner = try column("Book", "author")
    guard case .toOne(_, let tag, let place) = books.storage[owner.property.number] else { return [] }
    let pairs = try #require(schema.joinTables.first)
    let (books1, subjects) = (try relationship("Author", "books"), try relationship("Book", "subjects"))
    let byMember = try #require(SQLOrderColumns(books1.description, in: schema))
    let byPair = try #require(SQLOrderColumns(subjects.description, in: schema))
    let count = try #require(layout.derivedAttributes.first { $0.attribute.name == "bookCount" })
    let derived = try #require(SQLDerivedColumn(count, in: schema, dialect))
    let owned = try #require(schema.ownerColumns.first)
    var list: [Named] = []
    func add(_ name: String, _ sql: String?) throws { list.append(Named(name: name, sql: try #require(sql))) }

    for (index, text) in try schema.createStatements(dialect).enumerated() {
      try add("make \(index + 1)", text)
    }
    try add("row by key", statements.rowByKey(book))
    try add("rows by keys", statements.rowsByKeys(author))
    try add("entity number", statements.entityNumber(books.table))
    try add("greatest keys", statements.greatestKeys(books.table))
    try add("members by their rows", statements.members(books1, .list))
    try add("members by their rows, one owner", statements.members(books1, .one))
    try add("members by pairs", statements.members(subjects, .list))
    try add("rows of members by their rows", statements.memberRows(books1, in: book, .one))
    try add("rows of members by pairs", statements.memberRows(subjects, in: try entity("Subject"), .list))
    try add("references to a list", statements.referring(owner, .list))
    try add("references to a range", statements.referring(owner, .range))
    try add("keys without a row", statements.missing(books.table))
    try add(
      "holders of unique values",
      statements.holders(authors.table, [try column("Author", "name")], entities: [1, 2], lines: 2))
    try add("files of values", statements.fileNames(try column("Book", "cover")))
    try add("reserve keys", statements.reserveKeys)
    try add("insert a row", statements.insert(books, rows: 1))
    try add("insert rows", statements.insert(authors, rows: 2))
    try add("update a row", statements.update(books, [try column("Book", "title"), owner]))
    try add(
      "empty unique columns", statements.clear([try column("Author", "name")], of: authors.table, .list))
    try add(
      "clear references",
      statements.clear([owner, tag, place].compactMap(\.self), of: books.table, .list, raisingVersions: true))
    try add(
      "clear owners", statements.clear(owned.columns, of: owned.key.table, where: owned.key.name, .range))
    try add("delete a range", statements.delete(from: books.table.name, where: "Z_PK", .range))
    try add("delete pairs", statements.delete(from: pairs.name, where: pairs.source, .list))
    try add("versions", statements.versions(books.table))
    try add("raise versions", statements.raiseVersions(books.table))
    try add("insert a pair", statements.insertPair(into: pairs.name, pairs.source, pairs.destination))
    try add("delete a pair", statements.deletePair(from: pairs.name, pairs.source, pairs.destination))
    try add("add a member", statements.addMember(owner: owned.key, order: owned.order))
    try add("remove a member", statements.removeMember(owner: owner, order: place))
    try add("greatest order", statements.greatestOrder(byMember))
    try add("members in order", statements.orderedMembers(byMember, isListed: false))
    try add("members at places", statements.orderedMembers(byPair, isListed: true))
    try add("set the order", statements.setOrder(byMember, keepingStored: false))
    try add("set the order of a new pair", statements.setOrder(byPair, keepingStored: true))
    try add("derived values of all", derived.statement(keys: nil).sql)
    try add("derived values of some", derived.statement(keys: [1, 2]).sql)
    try add("set a derived value", derived.update)
    try add("set the date of a save", statements.set(try column("Author", "saved")))
    return list
  }

  @Test("PRD-233: every statement has the text of the file in both dialects")
  func texts() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
      path: "Statements.golden")
    let (first, second) = (try statements(SQLiteDialect()), try statements(SecondDialect()))
    let text = zip(first, second).map { "\($0.name)\n  \($0.sql)\n  \($1.sql)\n" }.joined()
    if ProcessInfo.processInfo.environment["GS_GOLDEN"] != nil { try Data(text.utf8).write(to: file) }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
  }

  @Test("PRD-233: SQLite takes every statement, and each reads by key or index")
  func preparation() throws {
    let connection = try SQLiteConnection.inMemory()
    try SQLiteDialect.install(on: connection)
    try connection.execute(SQLiteLayout.primaryKeyStatement)
    let statements = try statements(SQLiteDialect())
    for made in statements where made.name.hasPrefix("make") { try connection.execute(made.sql) }
    for statement in statements where !statement.name.hasPrefix("make") {
      let steps = try connection.withStatement("EXPLAIN QUERY PLAN " + statement.sql) { row in
        var steps: [String] = []
        while try row.step() { steps.append(row.string(at: 3) ?? "") }
        return steps
      }
      let readsAll = steps.contains { step in
        guard step.hasPrefix("SCAN "), !step.contains("USING") else { return false }
        let name = step.dropFirst(5)
        return name.hasPrefix("Z") || statement.sql.matches(of: /Z\w+ AS (t\d+)/).contains { $0.1 == name }
      }
      #expect(readsAll == (statement.name == "derived values of all"), "\(statement.name): \(steps)")
    }
  }

  @Test("PRD-230, PRD-233: nothing of SQLite is left in a statement of another dialect")
  func seconds() throws {
    for statement in try statements(SecondDialect()) { expectNoSQLite(statement.sql, statement.name) }
  }

  @Test(
    "PRD-230, PRD-231: every predicate of the file of conditions goes into a statement of another dialect, or stays over"
  )
  func conditions() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
      path: "Conditions.golden")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
      !$0.hasPrefix("#")
    }
    let fixture = try PlannerFixture()
    var exact = 0
    for index in stride(from: 0, to: lines.count - 1, by: 2) {
      let predicate = String(lines[index])
      let sort = try QuerySortDescriptor.list(parsing: "-name, age")
      for output in [StoreRequest.Output.identifiers, .count, .rows] {
        let plan = try fixture.plan(
          "Person", predicate, sort: sort, offset: 1, output: output, dialect: SecondDialect())
        expectNoSQLite(plan.sql, predicate)
        #expect(plan.sql.matches(of: /\$\d+/).count == plan.bindings.count, "\(predicate): \(plan.sql)")
        if output == .identifiers, plan.residual == nil { exact += 1 }
      }
    }
    #expect(exact > 45)
  }

  private func expectNoSQLite(_ sql: String, _ name: String) {
    for word in [
      "?", "json_each", "OR FAIL", "OR IGNORE", "CROSS JOIN", "IS NOT $", "gs_", "x'", "WHERE 1", "sqlite",
      "VARCHAR",
    ] { #expect(!sql.contains(word), "\(name): \(sql)") }
  }
}
