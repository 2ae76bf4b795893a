/// How SQLite holds a value.
public enum SQLiteType: Int32, Sendable {
  /// A signed 64-bit integer.
  case integer = 1
  /// A 64-bit floating-point number.
  case real = 2
  /// UTF-8 text.
  case text = 3
  /// Bytes.
  case blob = 4
  /// No value.
  case null = 5
}
