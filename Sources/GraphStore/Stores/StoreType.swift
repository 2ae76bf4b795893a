import Foundation

/// A kind of store, by the name that its metadata give under `NSStoreType`.
public struct StoreType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The name.
  public let rawValue: String

  /// A type by its name, which has to be a registered one when a store is opened with it.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// One SQLite file, of which objects are read when they are needed.
  public static let sqlite = StoreType(rawValue: "SQLite")

  static let xml = StoreType(rawValue: "XML")
  static let binary = StoreType(rawValue: "Binary")
  static let json = StoreType(rawValue: "JSON")
  static let inMemory = StoreType(rawValue: "InMemory")

  /// The library's own types, of which not all are built.
  static let known: [StoreType] = [.sqlite, .xml, .binary, .json, .inMemory]
  /// The types that stores can be opened with.
  static let registered: [StoreType] = [.sqlite]

  /// The name.
  public var description: String { rawValue }
}

extension StoreType {
  private static let beginnings: [(bytes: [UInt8], type: StoreType)] = [
    (Array("SQLite format 3\0".utf8), .sqlite), (Array("bplist00".utf8), .binary),
    (Array("<?xml".utf8), .xml), (Array("{".utf8), .json),
  ]

  /// The type that a file's first bytes tell (STO-021); nil for no file, for an empty one and for any other.
  static func detected(at path: String) -> StoreType? {
    let bytes = RegularFile.firstBytes(path, count: 16) ?? []
    return beginnings.first { bytes.starts(with: $0.bytes) }?.type
  }

  /// The type with which the store at a path is opened: the one asked for, else the file's own, else SQLite.
  ///
  /// - Throws: `store-type-unknown` for one that is not registered, `store-type-mismatch` where the file is of another one.
  static func resolved(_ wanted: StoreType?, at path: String) throws -> StoreType {
    let found = detected(at: path)
    let type = wanted ?? found ?? .sqlite
    guard registered.contains(type) else { throw unknown(type, path) }
    guard let found, found != type else { return type }
    throw GraphStoreError(
      .storeTypeMismatch, "\(path) was to be opened as a store of type \(type), and is of type \(found).",
      remedy: "Leave the type out, or give \(found).")
  }

  private static func unknown(_ type: StoreType, _ path: String) -> GraphStoreError {
    let names = registered.map(\.rawValue).joined(separator: ", ")
    return GraphStoreError(
      .storeTypeUnknown, "No store type \(type) is registered, with which \(path) was to be opened.",
      remedy: "Registered are: \(names).")
  }
}
