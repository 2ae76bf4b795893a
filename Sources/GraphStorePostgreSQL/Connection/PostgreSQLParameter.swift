#if PostgreSQL
import GraphStore

/// Value of a parameter in the server's binary form.
struct PostgreSQLParameter {
  let type: UInt32
  /// Nil for no value.
  let bytes: [UInt8]?

  init(type: UInt32, bytes: [UInt8]?) {
    self.type = type
    self.bytes = bytes
  }

  init(_ number: Int64) { self.init(type: PostgreSQLTypeNumber.int8, bytes: number.networkBytes) }

  init(optional text: String?) {
    self.init(type: PostgreSQLTypeNumber.text, bytes: text.map { Array($0.utf8) })
  }

  init(_ text: String) { self.init(type: PostgreSQLTypeNumber.text, bytes: Array(text.utf8)) }

  init(_ number: Double) {
    self.init(type: PostgreSQLTypeNumber.float8, bytes: number.bitPattern.networkBytes)
  }

  /// Keys as one array of any length.
  init(keys: some Collection<Int64>) {
    var array = PostgreSQLParameterArray(of: PostgreSQLTypeNumber.int8, capacity: keys.count)
    for key in keys { array.append(key) }
    self = array.parameter
  }

  /// A bound constant of a statement.
  init(_ binding: SQLBinding) {
    switch binding {
    case .null: self.init(type: PostgreSQLTypeNumber.unknown, bytes: nil)
    case .integer(let number): self.init(number)
    case .double(let number), .timestamp(let number): self.init(number)
    case .text(let text): self.init(text)
    case .blob(let bytes): self.init(type: PostgreSQLTypeNumber.bytea, bytes: bytes)
    }
  }
}

extension FixedWidthInteger {
  /// The bytes in the order of the network.
  var networkBytes: [UInt8] { unsafe withUnsafeBytes(of: bigEndian) { unsafe Array($0) } }
}
#endif
