import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

/// The current row of a statement as requested fields: of a record, or of a dictionary that is none's.
final class SQLiteFieldRow: FieldRow {
  private let statement: SQLiteStatement
  private let fields: [SQLField]
  private let schema: SQLSchema
  /// The table whose rows they are.
  private let table: SQLTable
  /// Whether the first columns name the record.
  private let isRecord: Bool
  private let scope: StoreIdentity
  private(set) var entityName = ""
  private var entityIndex = 0
  private(set) var key: Int64 = 0
  private var entityNumber = -1
  /// The columns whose values may be unreadable: they are checked in every row, so as numbers alone.
  private let decimalColumns: [Int]
  // Looked at in every row: a check of exclusivity would cost more than looking.
  @safe @exclusivity(unchecked) private var references: [Reference]
  /// By field: the name of the entity that a reference of the row leads to.
  @safe @exclusivity(unchecked) private var destinationNames: [String]
  /// The sums of integers, which have to fit 64 bits.
  private let sums: [(column: Int, range: SourceRange?)]
  private let externalColumns: [Int]
  private let externalStorage: ExternalStorage
  private let externalDataFolder: ExternalDataFolder
  private let recordEntities: SQLiteRecordEntities
  /// By column: the data of the row's values that are stored in files.
  private var externalData: [Int: Data] = [:]

  init(
    statement: SQLiteStatement, fields: [SQLField], store: SQLiteStore, table: SQLTable, isRecord: Bool,
    connection: SQLiteConnection
  ) {
    recordEntities = SQLiteRecordEntities(connection: connection, statements: store.statements)
    (schema, scope) = (store.schema, store.scope)
    (externalStorage, externalDataFolder) = (store.externalStorage, store.externalDataFolder)
    self.table = table
    self.statement = statement
    self.fields = fields
    self.isRecord = isRecord
    if !isRecord { entityName = table.root.entity.name }
    sums = fields.compactMap(\.integerSum)
    decimalColumns = fields.filter(\.isDecimal).map(\.column)
    references = fields.indices.compactMap { Reference(fields[$0], at: $0) }
    destinationNames = fields.map { $0.destination?.name ?? "" }
    externalColumns = fields.filter(\.isExternal).map(\.column)
  }

  /// Registers the row that the statement has stepped to.
  ///
  /// - Throws: `store-corrupt` for a row with a key, reference or decimal that none can have;
  ///   `external-data-missing`; `arithmetic-overflow`.
  func advance() throws {
    if isRecord { try identify() }
    try check()
  }

  private func identify() throws {
    key = statement.int64(at: 0)
    let number = Int(statement.int64(at: 1))
    if number != entityNumber {
      guard let entity = schema.entity(numbered: number), entity.table === table else {
        throw StoredKey.error(entityNumber: statement.int64(at: 1), of: table.root.entity.name, key: key)
      }
      entityNumber = number
      entityName = entity.entity.name
      entityIndex = entity.entity.index
    }
    guard StoredKey.keys.contains(key) else { throw StoredKey.error(key: key, of: entityName) }
  }

  private func check() throws {
    for column in decimalColumns where !isDecimal(column) {
      throw StoredKey.error(
        decimalIn: statement, column, property: keyPath(ofColumn: column), of: entityName, key: key)
    }
    for index in references.indices { try checkReference(index) }
    for column in externalColumns { try readExternalData(column) }
    for sum in sums where statement.type(at: sum.column) == .blob {
      throw QueryPredicateError.sumOverflow(at: sum.range)
    }
  }

  /// Maps the file of a value that is stored in one.
  private func readExternalData(_ column: Int) throws {
    externalData[column] = nil
    if case .unprefixed = externalStorage { return }
    guard !statement.isNull(at: column) else { return }
    switch unsafe ExternalColumn(statement.blob(at: column).bindMemory(to: UInt8.self)) {
    case .inline: return
    case .file(let name):
      let source = ExternalDataSource.folder(externalDataFolder)
      guard let data = source.data(name) else {
        var error = GraphStoreError.missingExternalData(
          at: externalDataFolder.path(of: name), of: "\(entityName)/p\(key).\(keyPath(ofColumn: column))")
        (error.entity, error.property, error.objectID) = (entityName, keyPath(ofColumn: column), objectID)
        throw error
      }
      externalData[column] = data
    case nil:
      throw StoredKey.error(externalDataIn: keyPath(ofColumn: column), of: entityName, key: key)
    }
  }

  var objectID: ManagedObjectID { ManagedObjectID(scope: scope, entityIndex: entityIndex, key: key) }

  private func keyPath(ofColumn column: Int) -> String {
    fields.first { $0.column == column }?.keyPath ?? ""
  }

  /// Checks that a value is the key of a row or missing, and notes the entity of what it leads to where that
  /// is not the one of the row before.
  private func checkReference(_ index: Int) throws {
    let column = references[index].column
    let value = statement.int64(at: column)
    guard StoredKey.keys.contains(value) else {
      if value == 0, statement.isNull(at: column) { return }
      throw StoredKey.error(reference: value, in: keyPath(ofColumn: column), of: entityName, key: key)
    }
    guard references[index].isOfSeveral else { return }
    let number = Int(statement.int64(at: column + 1))
    if number == references[index].number { return }
    let destination = references[index].destination
    if let entity = schema.entity(numbered: number)?.entity, entity.isKind(of: destination) {
      references[index].number = number
      destinationNames[references[index].field] = entity.name
    } else {
      references[index].number = nil
      destinationNames[references[index].field] = try recordedEntity(of: value, destination, column).name
    }
  }

  /// The entity of the record that a reference leads to beside which no entity of the destination's family is
  /// recorded (STO-237).
  private func recordedEntity(of value: Int64, _ destination: EntityDescription, _ column: Int) throws
    -> EntityDescription
  {
    guard let entity = recordEntities.entity(of: value, near: destination.index) else { return destination }
    if entity.isKind(of: destination) { return entity }
    throw StoredKey.error(
      referenceTo: "\(entity.name)/p\(value)", in: keyPath(ofColumn: column), of: entityName, key: key)
  }

  /// Whether a value is a decimal or missing.
  private func isDecimal(_ column: Int) -> Bool {
    switch statement.type(at: column) {
    case .null, .integer: true
    case .real: StoredDecimal.isDecimal(statement.double(at: column))
    default: unsafe StoredDecimal.decimal(text: statement.blob(at: column)) != nil
    }
  }

  func visit(_ field: Int, _ visitor: inout some FieldVisitor) {
    let column = fields[field].column
    guard !statement.isNull(at: column) else { return visitor.null() }
    switch fields[field].kind {
    case .attribute(let attribute) where attribute.allowsExternalStorage: visitExternal(column, &visitor)
    case .attribute(let attribute): statement.visit(attribute.type, at: column, &visitor)
    case .toOne, .object: visitor.reference(destinationNames[field], statement.int64(at: column))
    case .count: visitor.integer(statement.int64(at: column))
    case .objectID: visitor.reference(entityName, key)
    case .computed(let value): visit(value, at: column, &visitor)
    case .inMemory: visitor.null()
    }
  }

  private func visit(_ value: ComputedValue, at column: Int, _ visitor: inout some FieldVisitor) {
    switch value.type {
    case .boolean: statement.visit(.boolean, at: column, &visitor)
    case .date: statement.visit(.date, at: column, &visitor)
    case .string: statement.visit(.string, at: column, &visitor)
    case .uri: statement.visit(.uri, at: column, &visitor)
    case .uuid: statement.visit(.uuid, at: column, &visitor)
    case .data: statement.visit(.binary, at: column, &visitor)
    case .decimal: statement.visitDecimal(column, &visitor)
    case .entity:
      var name = schema.entity(numbered: Int(statement.int64(at: column)))?.entity.name ?? ""
      name.withUTF8 { unsafe visitor.text($0) }
    case .double where value.isSum && statement.type(at: column) == .integer:
      visitor.double(statement.double(at: column), isSingle: false)
    default: visitNumber(column, isSingle: value.type == .float, &visitor)
    }
  }

  /// A number in the form in which it was computed.
  private func visitNumber(_ column: Int, isSingle: Bool, _ visitor: inout some FieldVisitor) {
    switch statement.type(at: column) {
    case .integer: visitor.integer(statement.int64(at: column))
    case .real: visitor.double(statement.double(at: column), isSingle: isSingle)
    default: statement.visitDecimal(column, &visitor)
    }
  }

  private func visitExternal(_ column: Int, _ visitor: inout some FieldVisitor) {
    if let data = externalData[column] {
      return unsafe data.withUnsafeBytes { unsafe visitor.data($0.bindMemory(to: UInt8.self)) }
    }
    let bytes = unsafe statement.blob(at: column).bindMemory(to: UInt8.self)
    if case .unprefixed = externalStorage { return unsafe visitor.data(bytes) }
    unsafe visitor.data(UnsafeBufferPointer(rebasing: bytes.dropFirst()))
  }
}

extension SQLiteStatement {
  /// Hands over the value of an attribute that a column holds, which is not null.
  func visit(_ type: AttributeType, at column: Int, _ visitor: inout some FieldVisitor) {
    switch type {
    case .int16, .int32, .int64: visitor.integer(int64(at: column))
    case .boolean: visitor.boolean(int64(at: column) != 0)
    case .double: visitor.double(double(at: column), isSingle: false)
    case .float: visitor.double(double(at: column), isSingle: true)
    case .date: visitor.date(double(at: column))
    case .string: unsafe visitor.text(text(at: column))
    case .uri: unsafe visitor.uri(text(at: column))
    case .uuid: unsafe visitor.uuid(blob(at: column).bindMemory(to: UInt8.self))
    case .binary, .transformable: unsafe visitor.data(blob(at: column).bindMemory(to: UInt8.self))
    case .decimal: visitDecimal(column, &visitor)
    case .composite, .undefined: visitor.null()
    }
  }

  fileprivate func visitDecimal(_ column: Int, _ visitor: inout some FieldVisitor) {
    switch type(at: column) {
    case .integer: visitor.decimal(whole: int64(at: column))
    case .real: visitor.decimal(double: double(at: column))
    default:
      guard let value = unsafe StoredDecimal.decimal(text: blob(at: column)) else {
        return visitor.null()
      }
      visitor.decimal(value)
    }
  }
}

/// A field whose values lead to records.
private struct Reference {
  let field: Int
  /// The column of the key; the next one has the entity's number.
  let column: Int
  let destination: EntityDescription
  /// Whether the destination has sub-entities, so that the number counts.
  let isOfSeveral: Bool
  /// The number of the entity that the last row led to; nil where none has been noted.
  var number: Int?

  init?(_ field: SQLField, at position: Int) {
    guard let destination = field.destination else { return nil }
    self.field = position
    column = field.column
    self.destination = destination
    isOfSeveral = destination.familyRange.count > 1
  }
}

extension SQLField {
  fileprivate var isDecimal: Bool {
    switch kind {
    case .attribute(let attribute): attribute.type == .decimal
    case .computed(let value): value.type == .decimal
    default: false
    }
  }

  /// The column of a sum of integers, with the sum's range in its text.
  fileprivate var integerSum: (column: Int, range: SourceRange?)? {
    guard case .computed(let value) = kind, value.isSum, value.type == .integer else { return nil }
    return (column, value.range)
  }

  fileprivate var isExternal: Bool {
    if case .attribute(let attribute) = kind { attribute.allowsExternalStorage } else { false }
  }

  /// The entity that a reference leads to; nil for other values.
  fileprivate var destination: EntityDescription? {
    switch kind {
    case .toOne(let relationship): relationship.destination
    case .object(let entity): entity
    default: nil
    }
  }
}
