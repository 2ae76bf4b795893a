import GraphStoreModel
import GraphStorePredicates

/// The rows of a statement, one after the other; columns count from 0, and what one holds is good until the
/// next step.
///
/// Code over it is generic, so that the reading of each store type is specialised for its own cursor.
package protocol SQLCursor: AnyObject {
  /// Goes to the next row; false at the end.
  func step() throws -> Bool

  func isNull(at column: Int) -> Bool
  /// A number or truth value as a whole number; 0 where there is none.
  func int64(at column: Int) -> Int64
  /// A number as a double; 0 where there is none.
  func double(at column: Int) -> Double
  /// The UTF-8 of a text; empty where there is none.
  func text(at column: Int) -> UnsafeBufferPointer<UInt8>
  /// Bytes; empty where there are none.
  func bytes(at column: Int) -> UnsafeBufferPointer<UInt8>

  /// Whether a value that is not null is a number, where a column may hold anything.
  func isNumber(at column: Int) -> Bool
  /// Whether a value is a decimal that can be held, or missing.
  func isDecimal(at column: Int) -> Bool
  /// Whether a sum of whole numbers does not fit 64 bits.
  func isOverflow(at column: Int) -> Bool
  /// What a column holds that should have had another value, for people.
  func describe(at column: Int) -> String

  /// Hands over a decimal; one that cannot be held is handed over as none.
  func visitDecimal(at column: Int, _ visitor: inout some FieldVisitor)
  /// Hands over a number in the form in which it was computed.
  func visitNumber(_ value: ComputedValue, at column: Int, _ visitor: inout some FieldVisitor)
}

extension SQLCursor {
  /// True where the database knows the type of a column.
  @inline(__always)
  package func isNumber(at column: Int) -> Bool { true }

  /// Hands over the value of an attribute that a column holds, which is not null.
  @inline(__always)
  package func visit(_ type: AttributeType, at column: Int, _ visitor: inout some FieldVisitor) {
    switch type {
    case .int16, .int32, .int64: visitor.integer(int64(at: column))
    case .boolean: visitor.boolean(int64(at: column) != 0)
    case .double: visitor.double(double(at: column), isSingle: false)
    case .float: visitor.double(double(at: column), isSingle: true)
    case .date: visitor.date(double(at: column))
    case .string: unsafe visitor.text(text(at: column))
    case .uri: unsafe visitor.uri(text(at: column))
    case .uuid: unsafe visitor.uuid(bytes(at: column))
    case .binary, .transformable: unsafe visitor.data(bytes(at: column))
    case .decimal: visitDecimal(at: column, &visitor)
    case .composite, .undefined: visitor.null()
    }
  }

  /// Reads records, whose keys and entity numbers are the first two columns.
  ///
  /// - Throws: `store-corrupt` for a row with a key that none can have, or of an entity that is none of the
  ///   table's.
  package func identifiers(of table: SQLTable, in schema: SQLSchema) throws -> [ObjectKey] {
    var identifiers: [ObjectKey] = []
    while try step() {
      let key = int64(at: 0)
      guard let entity = schema.entity(numbered: Int(int64(at: 1))), entity.table === table else {
        throw StoredKey.error(entityNumber: int64(at: 1), of: table.root.entity.name, key: key)
      }
      guard StoredKey.keys.contains(key) else { throw StoredKey.error(key: key, of: entity.entity.name) }
      identifiers.append(ObjectKey(entity: entity.entity.index, key: key))
    }
    return identifiers
  }
}
