import Foundation
import GraphStoreModel
import GraphStoreSQLite

/// The current row of a statement as requested fields.
final class SQLiteFieldRow: FieldRow {
  private let statement: SQLiteStatement
  private let fields: [SQLField]
  private let schema: SQLSchema
  private(set) var entityName = ""
  private(set) var key: Int64 = 0
  private var entityNumber = -1

  init(statement: SQLiteStatement, fields: [SQLField], schema: SQLSchema) {
    self.statement = statement
    self.fields = fields
    self.schema = schema
  }

  /// Takes note of the row that the statement has stepped to.
  func advance() {
    key = statement.int64(at: 0)
    let number = Int(statement.int64(at: 1))
    guard number != entityNumber else { return }
    entityNumber = number
    entityName = schema.entity(numbered: number)?.entity.name ?? ""
  }

  func visit(_ field: Int, _ visitor: inout some FieldVisitor) {
    let column = fields[field].column
    guard !statement.isNull(at: column) else { return visitor.null() }
    switch fields[field].kind {
    case .attribute(let attribute): visit(attribute.type, column, &visitor)
    case .toOne(let relationship):
      visitor.reference(destination(column + 1, relationship.destination), statement.int64(at: column))
    case .count: visitor.integer(statement.int64(at: column))
    case .objectID: visitor.reference(entityName, key)
    case .inMemory: visitor.null()
    }
  }

  private func destination(_ column: Int, _ otherwise: EntityDescription) -> String {
    guard !statement.isNull(at: column) else { return otherwise.name }
    return schema.entity(numbered: Int(statement.int64(at: column)))?.entity.name ?? otherwise.name
  }

  private func visit(_ type: AttributeType, _ column: Int, _ visitor: inout some FieldVisitor) {
    switch type {
    case .int16, .int32, .int64: visitor.integer(statement.int64(at: column))
    case .boolean: visitor.boolean(statement.int64(at: column) != 0)
    case .double: visitor.double(statement.double(at: column), isSingle: false)
    case .float: visitor.double(statement.double(at: column), isSingle: true)
    case .date: visitor.date(statement.double(at: column))
    case .string: visitor.text(statement.text(at: column))
    case .uri: visitor.uri(statement.text(at: column))
    case .uuid: visitor.uuid(statement.blob(at: column).bindMemory(to: UInt8.self))
    case .binary: visitor.data(statement.blob(at: column).bindMemory(to: UInt8.self))
    case .decimal: visitDecimal(column, &visitor)
    case .transformable, .composite, .undefined: visitor.null()
    }
  }

  private func visitDecimal(_ column: Int, _ visitor: inout some FieldVisitor) {
    switch statement.type(at: column) {
    case .integer: visitor.decimal(whole: statement.int64(at: column))
    case .real: visitor.decimal(double: statement.double(at: column))
    default:
      let text = String(decoding: statement.blob(at: column), as: UTF8.self)
      guard let value = Decimal(string: text, locale: nil) else { return visitor.null() }
      visitor.decimal(value)
    }
  }
}
