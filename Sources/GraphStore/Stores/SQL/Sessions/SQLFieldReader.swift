import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Reads the rows of a cursor as requested fields: of records, or of dictionaries that are none's.
///
/// What is asked for each row is a stored property or a mutating function: a row calls it in its place, where
/// another function would be given a copy of the whole reader.
package struct SQLFieldReader<Cursor: SQLCursor> {
  /// Looks up the entity of a record by its own row: the arguments are its key, and the position of an entity
  /// of its tree; nil where there is no such record.
  package typealias EntityOfRecord = (_ key: Int64, _ near: Int) -> EntityDescription?

  private let cursor: Cursor
  private let fields: [SQLField]
  private let schema: SQLSchema
  /// The table whose rows they are.
  private let table: SQLTable
  /// Whether the first columns name the record.
  private let isRecord: Bool
  package let scope: StoreIdentity
  package private(set) var entityName = ""
  package private(set) var entityIndex = 0
  package private(set) var key: Int64 = 0
  private var entityNumber = -1
  /// The columns whose values may be unreadable: they are checked in every row, so as numbers alone.
  private let decimalColumns: [Int]
  private var references: [FieldReference]
  /// By field: the name of the entity that a reference of the row leads to.
  private var destinationNames: [String]
  /// The sums of integers, which have to fit 64 bits.
  private let sums: [(column: Int, range: SourceRange?)]
  private let externalColumns: [Int]
  private let externalStorage: ExternalStorage
  private let externalDataFolder: ExternalDataFolder?
  private let entityOfRecord: EntityOfRecord?
  /// The error of the first value that is no number though its attribute has numbers.
  private var failure: GraphStoreError?
  /// By column: the data of the row's values that are stored in files.
  private var externalData: [Int: Data] = [:]

  /// - Parameters:
  ///   - isRecord: Whether the first two columns have key and entity number of a record.
  ///   - externalStorage: How values with external storage are in their columns.
  ///   - externalDataFolder: Where they are otherwise.
  ///   - entityOfRecord: Says what a reference leads to beside which no entity is recorded that it can.
  package init(
    _ cursor: Cursor, _ fields: [SQLField], of table: SQLTable, in schema: SQLSchema, _ scope: StoreIdentity,
    isRecord: Bool, externalStorage: ExternalStorage = .unprefixed,
    externalDataFolder: ExternalDataFolder? = nil, entityOfRecord: EntityOfRecord? = nil
  ) {
    self.cursor = cursor
    self.fields = fields
    self.schema = schema
    self.table = table
    self.isRecord = isRecord
    self.scope = scope
    self.externalStorage = externalStorage
    self.externalDataFolder = externalDataFolder
    self.entityOfRecord = entityOfRecord
    if !isRecord { entityName = table.root.entity.name }
    sums = fields.compactMap(\.integerSum)
    decimalColumns = fields.filter(\.isDecimal).map(\.column)
    references = fields.indices.compactMap { FieldReference(fields[$0], at: $0) }
    destinationNames = fields.map { $0.destination?.name ?? "" }
    externalColumns = fields.filter(\.isExternal).map(\.column)
  }

  // MARK: Rows

  /// Registers the row that the cursor has stepped to.
  ///
  /// - Throws: `store-corrupt` for a row with a key, reference or decimal that none can have;
  ///   `external-data-missing`; `arithmetic-overflow`.
  @inline(__always)
  package mutating func advance() throws {
    if isRecord { try identify() }
    for column in decimalColumns where !cursor.isDecimal(at: column) {
      throw StoredKey.error(
        decimal: cursor.describe(at: column), in: keyPath(ofColumn: column), of: entityName, key: key)
    }
    for index in references.indices { try checkReference(index) }
    for column in externalColumns { try readExternalData(column) }
    for sum in sums where cursor.isOverflow(at: sum.column) {
      throw QueryPredicateError.sumOverflow(at: sum.range)
    }
  }

  /// Makes sure that every value that was visited is of its attribute's type: whoever visits does not throw.
  ///
  /// - Throws: `store-corrupt`.
  @inline(__always)
  package mutating func checkVisited() throws {
    if let failure { throw failure }
  }

  @inline(__always)
  private mutating func identify() throws {
    key = cursor.int64(at: 0)
    let number = Int(cursor.int64(at: 1))
    if number != entityNumber {
      guard let entity = schema.entity(numbered: number), entity.table === table else {
        throw StoredKey.error(entityNumber: cursor.int64(at: 1), of: table.root.entity.name, key: key)
      }
      entityNumber = number
      entityName = entity.entity.name
      entityIndex = entity.entity.index
    }
    guard StoredKey.keys.contains(key) else { throw StoredKey.error(key: key, of: entityName) }
  }

  /// Maps the file of a value that is stored in one.
  private mutating func readExternalData(_ column: Int) throws {
    externalData[column] = nil
    guard let folder = externalDataFolder else { return }
    if case .unprefixed = externalStorage { return }
    guard !cursor.isNull(at: column) else { return }
    switch unsafe ExternalColumn(cursor.bytes(at: column)) {
    case .inline: return
    case .file(let name):
      guard let data = ExternalDataSource.folder(folder).data(name) else {
        var error = GraphStoreError.missingExternalData(
          at: folder.path(of: name), of: "\(entityName)/p\(key).\(keyPath(ofColumn: column))")
        (error.entity, error.property) = (entityName, keyPath(ofColumn: column))
        error.objectID = ManagedObjectID(scope: scope, entityIndex: entityIndex, key: key)
        throw error
      }
      externalData[column] = data
    case nil:
      throw StoredKey.error(externalDataIn: keyPath(ofColumn: column), of: entityName, key: key)
    }
  }

  private func keyPath(ofColumn column: Int) -> String {
    fields.first { $0.column == column }?.keyPath ?? ""
  }

  /// Checks that a value is the key of a row or missing, and notes the entity of what it leads to where that
  /// is not the one of the row before.
  @inline(__always)
  private mutating func checkReference(_ index: Int) throws {
    let column = references[index].column
    let value = cursor.int64(at: column)
    guard StoredKey.keys.contains(value) else {
      if value == 0, cursor.isNull(at: column) { return }
      throw StoredKey.error(reference: value, in: keyPath(ofColumn: column), of: entityName, key: key)
    }
    guard references[index].isOfSeveral else { return }
    let number = Int(cursor.int64(at: column + 1))
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
    guard let entity = entityOfRecord?(value, destination.index) else { return destination }
    if entity.isKind(of: destination) { return entity }
    throw StoredKey.error(
      referenceTo: "\(entity.name)/p\(value)", in: keyPath(ofColumn: column), of: entityName, key: key)
  }

  // MARK: Values

  @inline(__always)
  package mutating func visit(_ field: Int, _ visitor: inout some FieldVisitor) {
    let column = fields[field].column
    guard !cursor.isNull(at: column) else { return visitor.null() }
    switch fields[field].kind {
    case .attribute(let attribute) where attribute.allowsExternalStorage: visitExternal(column, &visitor)
    case .attribute(let attribute) where attribute.type.isStoredAsNumber && !cursor.isNumber(at: column):
      refuse(column)
      visitor.null()
    case .attribute(let attribute): cursor.visit(attribute.type, at: column, &visitor)
    case .toOne, .object: visitor.reference(destinationNames[field], cursor.int64(at: column))
    case .count: visitor.integer(cursor.int64(at: column))
    case .objectID: visitor.reference(entityName, key)
    case .computed(let value): visit(value, at: column, &visitor)
    case .inMemory: visitor.null()
    }
  }

  @inline(never)
  private mutating func refuse(_ column: Int) {
    failure =
      failure
      ?? StoredKey.error(
        number: cursor.describe(at: column), in: keyPath(ofColumn: column), of: entityName, key: key)
  }

  @inline(__always)
  private func visit(_ value: ComputedValue, at column: Int, _ visitor: inout some FieldVisitor) {
    switch value.type {
    case .boolean: cursor.visit(.boolean, at: column, &visitor)
    case .date: cursor.visit(.date, at: column, &visitor)
    case .string: cursor.visit(.string, at: column, &visitor)
    case .uri: cursor.visit(.uri, at: column, &visitor)
    case .uuid: cursor.visit(.uuid, at: column, &visitor)
    case .data: cursor.visit(.binary, at: column, &visitor)
    case .decimal: cursor.visitDecimal(at: column, &visitor)
    case .entity:
      var name = schema.entity(numbered: Int(cursor.int64(at: column)))?.entity.name ?? ""
      name.withUTF8 { unsafe visitor.text($0) }
    default: cursor.visitNumber(value, at: column, &visitor)
    }
  }

  private func visitExternal(_ column: Int, _ visitor: inout some FieldVisitor) {
    if let data = externalData[column] {
      return unsafe data.withUnsafeBytes { unsafe visitor.data($0.bindMemory(to: UInt8.self)) }
    }
    let bytes = unsafe cursor.bytes(at: column)
    if case .unprefixed = externalStorage { return unsafe visitor.data(bytes) }
    unsafe visitor.data(UnsafeBufferPointer(rebasing: bytes.dropFirst()))
  }
}

extension AttributeType {
  /// Whether a column has numbers, and nothing else, for values of the type (decimals may be texts).
  fileprivate var isStoredAsNumber: Bool {
    switch self {
    case .int16, .int32, .int64, .boolean, .double, .float, .date: true
    default: false
    }
  }
}

/// A field whose values lead to records.
private struct FieldReference {
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
