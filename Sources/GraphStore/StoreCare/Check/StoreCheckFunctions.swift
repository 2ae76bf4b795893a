import Foundation
import GraphStoreModel
import GraphStoreSQLite

/// SQL functions that test whether a stored value can be read as its type.
enum StoreCheckFunctions {
  /// Whether a text is well-formed UTF-8.
  static let isTextName = "gs_is_text"
  /// Whether a text is a URI.
  static let isURIName = "gs_is_uri"
  /// Whether a value is a decimal that can be held.
  static let isDecimalName = "gs_is_decimal"

  /// Whether bytes can be read as an archive of the default transformer.
  static let isArchiveName = "gs_is_archive"

  static func install(on connection: SQLiteConnection) throws {
    try connection.register(function: isTextName, argumentCount: 1) { arguments, result in
      unsafe result.set(isText(arguments.text(at: 0)))
    }
    try connection.register(function: isURIName, argumentCount: 1) { arguments, result in
      unsafe result.set(arguments.type(at: 0) == .null || isURI(arguments.text(at: 0)))
    }
    try connection.register(function: isArchiveName, argumentCount: 1) { arguments, result in
      unsafe result.set(arguments.type(at: 0) == .null || isArchive(arguments.blob(at: 0)))
    }
    try connection.register(function: isDecimalName, argumentCount: 1) { arguments, result in
      switch arguments.type(at: 0) {
      case .null, .integer: result.set(true)
      case .real: result.set(StoredDecimal.isDecimal(arguments.double(at: 0)))
      default: unsafe result.set(StoredDecimal.decimal(text: arguments.blob(at: 0)) != nil)
      }
    }
  }

  private static func isArchive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    do throws(ValueArchive.Failure) {
      _ = try ValueArchive.value(of: unsafe Data(bytes))
      return true
    } catch {
      return !error.isDamage
    }
  }

  private static func isURI(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let text = unsafe String(validating: utf8, as: UTF8.self) else { return false }
    return URL(string: text, encodingInvalidCharacters: false) != nil
  }

  private static func isText(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    let bytes = UnsafeRawBufferPointer(utf8)
    var index = 0
    // Eight bytes of ASCII at a time.
    while index + 8 <= bytes.count,
      unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
    { index += 8 }
    return unsafe String(validating: UnsafeBufferPointer(rebasing: utf8[index...]), as: UTF8.self) != nil
  }
}
