#if PostgreSQL
import Foundation
import GraphStore
import GraphStoreModel
import GraphStorePredicates

/// The current row of a statement as requested fields: of a record, or of a dictionary that is none's.
final class PostgreSQLFieldRow: FieldRow {
  private let cursor: PostgreSQLCursor
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

  init(cursor: PostgreSQLCursor, fields: [SQLField], store: PostgreSQLStore, table: SQLTable, isRecord: Bool)
  {
    (schema, scope) = (store.schema, store.scope)
    self.table = table
    self.cursor = cursor
    self.fields = fields
    self.isRecord = isRecord
    if !isRecord { entityName = table.root.entity.name }
  }

  /// Registers the row that the statement has stepped to.
  ///
  /// - Throws: `store-corrupt` for a row with a key or decimal that none can have; `arithmetic-overflow`.
  func advance() throws {
    if isRecord { try identify() }
    for field in fields where !cursor.isNull(at: field.column) { try check(field) }
  }

  private func identify() throws {
    key = cursor.int64(at: 0)
    let number = Int(cursor.int64(at: 1))
    if number != entityNumber {
      guard let entity = schema.entity(numbered: number), entity.table === table else {
        throw StoredKey.error(entityNumber: Int64(number), of: table.root.entity.name, key: key)
      }
      (entityNumber, entityName, entityIndex) = (number, entity.entity.name, entity.entity.index)
    }
    guard StoredKey.keys.contains(key) else { throw StoredKey.error(key: key, of: entityName) }
  }

  private func check(_ field: SQLField) throws {
    switch field.kind {
    case .attribute(let attribute) where attribute.type == .decimal: try checkDecimal(field)
    case .computed(let value) where value.type == .decimal: try checkDecimal(field)
    case .computed(let value) where value.isSum && value.type == .integer:
      guard cursor.types[field.column] == PostgreSQLTypeNumber.numeric else { return }
      if unsafe PostgreSQLNumeric(binary: cursor.bytes(at: field.column))?.numeral?.wholeNumber == nil {
        throw QueryPredicateError.sumOverflow(at: value.range)
      }
    default: return
    }
  }

  private func checkDecimal(_ field: SQLField) throws {
    guard cursor.types[field.column] == PostgreSQLTypeNumber.numeric,
      unsafe PostgreSQLNumeric(binary: cursor.bytes(at: field.column))?.decimal == nil
    else { return }
    throw GraphStoreError.unreadableDecimal(in: field.keyPath, of: entityName, key: key)
  }

  var objectID: ManagedObjectID { ManagedObjectID(scope: scope, entityIndex: entityIndex, key: key) }

  func visit(_ field: Int, _ visitor: inout some FieldVisitor) {
    let column = fields[field].column
    guard !cursor.isNull(at: column) else { return visitor.null() }
    switch fields[field].kind {
    case .attribute(let attribute): cursor.visit(attribute.type, at: column, &visitor)
    case .toOne(let relationship): visitReference(relationship.destination, column, &visitor)
    case .object(let entity): visitReference(entity, column, &visitor)
    case .count: visitor.integer(cursor.int64(at: column))
    case .objectID: visitor.reference(entityName, key)
    case .computed(let value): visit(value, at: column, &visitor)
    case .inMemory: visitor.null()
    }
  }

  private func visitReference(
    _ destination: EntityDescription, _ column: Int, _ visitor: inout some FieldVisitor
  ) {
    let named = schema.entity(numbered: Int(cursor.int64(at: column + 1)))?.entity
    let entity = named.flatMap { $0.isKind(of: destination) ? $0 : nil } ?? destination
    visitor.reference(entity.name, cursor.int64(at: column))
  }

  private func visit(_ value: ComputedValue, at column: Int, _ visitor: inout some FieldVisitor) {
    switch value.type {
    case .boolean: cursor.visit(.boolean, at: column, &visitor)
    case .date: cursor.visit(.date, at: column, &visitor)
    case .string: cursor.visit(.string, at: column, &visitor)
    case .uri: cursor.visit(.uri, at: column, &visitor)
    case .uuid: cursor.visit(.uuid, at: column, &visitor)
    case .data: cursor.visit(.binary, at: column, &visitor)
    case .decimal: cursor.visit(.decimal, at: column, &visitor)
    case .entity:
      var name = schema.entity(numbered: Int(cursor.int64(at: column)))?.entity.name ?? ""
      name.withUTF8 { unsafe visitor.text($0) }
    case .double, .float:
      cursor.visitNumber(
        column, isSingle: value.type == .float, isWhole: false, isSum: value.isSum, &visitor)
    default: cursor.visitNumber(column, isSingle: false, isWhole: true, isSum: value.isSum, &visitor)
    }
  }
}

extension PostgreSQLCursor {
  /// Hands over the value of an attribute that a column holds, which is not null.
  func visit(_ type: AttributeType, at column: Int, _ visitor: inout some FieldVisitor) {
    switch type {
    case .int16, .int32, .int64: visitor.integer(int64(at: column))
    case .boolean: visitor.boolean(int64(at: column) != 0)
    case .double: visitor.double(double(at: column), isSingle: false)
    case .float: visitor.double(double(at: column), isSingle: true)
    case .date: visitor.date(double(at: column))
    case .string: unsafe visitor.text(bytes(at: column))
    case .uri: unsafe visitor.uri(bytes(at: column))
    case .uuid: unsafe visitor.uuid(bytes(at: column))
    case .binary, .transformable: unsafe visitor.data(bytes(at: column))
    case .decimal: visitDecimal(column, &visitor)
    case .composite, .undefined: visitor.null()
    }
  }

  private func visitDecimal(_ column: Int, _ visitor: inout some FieldVisitor) {
    switch types[column] {
    case PostgreSQLTypeNumber.numeric:
      guard let numeral = unsafe PostgreSQLNumeric(binary: bytes(at: column))?.numeral else {
        return visitor.null()
      }
      if let whole = numeral.wholeNumber { return visitor.decimal(whole: whole) }
      numeral.decimal.map { visitor.decimal($0) } ?? visitor.null()
    case PostgreSQLTypeNumber.float4, PostgreSQLTypeNumber.float8: visitor.decimal(double: double(at: column))
    default: visitor.decimal(whole: int64(at: column))
    }
  }

  /// A number in the form in which it was computed.
  func visitNumber(
    _ column: Int, isSingle: Bool, isWhole: Bool, isSum: Bool, _ visitor: inout some FieldVisitor
  ) {
    switch types[column] {
    case PostgreSQLTypeNumber.float4, PostgreSQLTypeNumber.float8:
      visitor.double(double(at: column), isSingle: isSingle)
    case PostgreSQLTypeNumber.numeric:
      let numeral = unsafe PostgreSQLNumeric(binary: bytes(at: column))?.numeral
      if isWhole, let whole = numeral?.wholeNumber { return visitor.integer(whole) }
      visitDecimal(column, &visitor)
    default:
      isSum && !isWhole
        ? visitor.double(double(at: column), isSingle: false) : visitor.integer(int64(at: column))
    }
  }

  /// The value of an attribute that a column holds.
  func value(at column: Int, of type: AttributeType) -> Value {
    guard !isNull(at: column) else { return .null }
    switch type {
    case .boolean: return .bool(int64(at: column) != 0)
    case .date: return .date(Date(timeIntervalSinceReferenceDate: double(at: column)))
    case .string: return .string(string(at: column))
    case .uri: return URL(string: string(at: column)).map(Value.uri) ?? .string(string(at: column))
    case .uuid: return unsafe .uuid(UUID(bytes: bytes(at: column)))
    case .binary, .transformable: return unsafe .data(Data(bytes(at: column)))
    case .decimal, .int16, .int32, .int64, .double, .float: return number(at: column)
    case .composite, .undefined: return .null
    }
  }

  private func number(at column: Int) -> Value {
    switch types[column] {
    case PostgreSQLTypeNumber.float4, PostgreSQLTypeNumber.float8: return .double(double(at: column))
    case PostgreSQLTypeNumber.numeric:
      let numeral = unsafe PostgreSQLNumeric(binary: bytes(at: column))?.numeral
      if let whole = numeral?.wholeNumber { return .int(whole) }
      return numeral?.decimal.map(Value.decimal) ?? .null
    default: return .int(int64(at: column))
    }
  }
}
#endif
