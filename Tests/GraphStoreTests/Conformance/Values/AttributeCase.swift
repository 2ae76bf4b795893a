import Foundation
import GraphStore
import Testing

/// A kind of attribute in the table of what may be done with it.
struct AttributeCase: Sendable, CustomTestStringConvertible {
  enum Keeping { case stored, transient, derived }

  /// The path of its value.
  let path: String
  /// The value of a new object.
  let start: (any AttributeCaseValue)?
  let first: any AttributeCaseValue
  private let behindFirst: any AttributeCaseValue
  let keeping: Keeping
  /// What predicates compare with, where that is not the value.
  let constant: @Sendable (any AttributeCaseValue) -> Value

  init(
    path: String, start: (any AttributeCaseValue)?, first: any AttributeCaseValue,
    second: any AttributeCaseValue, keeping: Keeping = .stored,
    constant: @escaping @Sendable (any AttributeCaseValue) -> Value = {
      ($0 as? any ValueConvertible)?.queryValue ?? .null
    }
  ) {
    (self.path, self.start, self.first, behindFirst) = (path, start, first, second)
    (self.keeping, self.constant) = (keeping, constant)
  }

  /// One that sorts behind the first, with such characters as the type of the store takes.
  var second: any AttributeCaseValue {
    guard let text = behindFirst as? String, StoreFactory.current.lacks.contains(.everyCharacter) else {
      return behindFirst
    }
    return text.replacing("\u{0}", with: "\u{1}")
  }

  var testDescription: String { path }
  /// The name of the property that changes with it.
  var property: String { path.split(separator: ".").first.map(String.init) ?? path }

  /// Gives an object the value, the derived one by what it is derived from.
  func set(_ value: (any AttributeCaseValue)?, of object: ManagedObject) throws {
    guard keeping == .derived else { return try object.setValue(value, forKeyPath: path) }
    try object.setValue((value as? String)?.lowercased(), forKey: "source")
  }

  /// Whether an object has a value, which reads as the type of the attribute.
  func has(_ value: (any AttributeCaseValue)?, _ object: ManagedObject) throws -> Bool {
    let read = try object.value(forKeyPath: path)
    guard let value else { return read == nil }
    return value.equals(read)
  }
}

protocol AttributeCaseValue: Sendable {
  func equals(_ other: Any?) -> Bool
}

extension AttributeCaseValue where Self: Equatable {
  func equals(_ other: Any?) -> Bool { (other as? Self) == self }
}

extension Int16: AttributeCaseValue {}
extension Int32: AttributeCaseValue {}
extension Int64: AttributeCaseValue {}
extension Decimal: AttributeCaseValue {}
extension Double: AttributeCaseValue {}
extension Float: AttributeCaseValue {}
extension String: AttributeCaseValue {}
extension Bool: AttributeCaseValue {}
extension Date: AttributeCaseValue {}
extension Data: AttributeCaseValue {}
extension UUID: AttributeCaseValue {}
extension URL: AttributeCaseValue {}

/// A value that only a transformer can store.
struct Celsius: AttributeCaseValue, Equatable {
  static let transformer = "AttributeCase.Celsius"
  let degrees: UInt8

  static func register() throws {
    try AttributeTransformer.register(
      AttributeTransformer(
        transformer, of: Celsius.self, toData: { Data([$0.degrees]) },
        fromData: { $0.first.map { Celsius(degrees: $0) } }))
  }
}

extension AttributeCase {
  static let model = ModelDefinition(entities: [
    EntityDefinition(
      "Thing",
      attributes: [
        AttributeDefinition("int16", .int16, defaultValue: .number("7")),
        AttributeDefinition("int32", .int32, defaultValue: .number("-7")),
        AttributeDefinition("int64", .int64, defaultValue: .number("9007199254740993")),
        AttributeDefinition("decimal", .decimal, defaultValue: .string("0.1")),
        AttributeDefinition("double", .double, defaultValue: .number("0.1")),
        AttributeDefinition("float", .float, defaultValue: .number("0.1")),
        AttributeDefinition("string", .string, defaultValue: .string("start")),
        AttributeDefinition("boolean", .boolean, defaultValue: .bool(true)),
        AttributeDefinition("date", .date, defaultValue: .string("2001-01-01T00:00:01Z")),
        AttributeDefinition("binary", .binary, defaultValue: .string("AQI=")),
        AttributeDefinition(
          "uuid", .uuid, defaultValue: .string("00000000-0000-0000-0000-00000000000A")),
        AttributeDefinition("uri", .uri, defaultValue: .string("https://example.org/start")),
        AttributeDefinition("transformable", .transformable, transformer: Celsius.transformer),
        AttributeDefinition(
          "composite", .composite,
          elements: [
            AttributeDefinition("x", .int32, defaultValue: .number("1")),
            AttributeDefinition(
              "inner", .composite, elements: [AttributeDefinition("y", .string)]),
          ]),
        AttributeDefinition("transient", .string, isTransient: true, defaultValue: .string("start")),
        AttributeDefinition("source", .string),
        AttributeDefinition("derived", .string, derivation: "uppercase:(source)"),
        AttributeDefinition("external", .binary, externalStorage: true),
      ])
  ])

  static let all: [AttributeCase] = [
    AttributeCase(path: "int16", start: Int16(7), first: Int16.min, second: Int16.max),
    AttributeCase(path: "int32", start: Int32(-7), first: Int32.min, second: Int32.max),
    AttributeCase(
      path: "int64", start: Int64(9_007_199_254_740_993), first: Int64.max - 1, second: Int64.max),
    AttributeCase(
      path: "decimal", start: tenth, first: Decimal(-1) / 8, second: tenth + 1_000_000_000_000_000_000),
    AttributeCase(path: "double", start: 0.1, first: -Double.infinity, second: 1e300),
    AttributeCase(path: "float", start: Float(0.1), first: Float(-1.5), second: Float(0.3)),
    AttributeCase(path: "string", start: "start", first: "", second: "\u{e9}\u{0}x"),
    AttributeCase(path: "boolean", start: true, first: false, second: true),
    AttributeCase(
      path: "date", start: Date(timeIntervalSinceReferenceDate: 1),
      first: Date(timeIntervalSinceReferenceDate: -0.1),
      second: Date(timeIntervalSinceReferenceDate: 640_000_000.1)),
    AttributeCase(path: "binary", start: Data([1, 2]), first: Data(), second: Data([0, 255])),
    AttributeCase(path: "uuid", start: uuid(10), first: uuid(0), second: uuid(255)),
    AttributeCase(path: "uri", start: url("start"), first: url("a?b=c"), second: url("b#%20")),
    AttributeCase(
      path: "transformable", start: nil, first: Celsius(degrees: 20), second: Celsius(degrees: 21),
      constant: { .data(Data([($0 as? Celsius)?.degrees ?? 0])) }),
    AttributeCase(path: "composite.x", start: Int32(1), first: Int32(-5), second: Int32(5)),
    AttributeCase(path: "composite.inner.y", start: nil, first: "a", second: "b"),
    AttributeCase(path: "transient", start: "start", first: "a", second: "b", keeping: .transient),
    AttributeCase(path: "derived", start: nil, first: "A", second: "B", keeping: .derived),
    AttributeCase(
      path: "external", start: nil, first: Data(repeating: 1, count: 110_000),
      second: Data(repeating: 2, count: 110_001)),
  ]

  private static let tenth = Decimal(1) / 10

  private static func uuid(_ last: UInt8) -> UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, last))
  }

  private static func url(_ tail: String) -> URL {
    URL(string: "https://example.org/\(tail)") ?? URL(fileURLWithPath: tail)
  }
}
