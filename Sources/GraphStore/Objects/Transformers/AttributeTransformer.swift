import Foundation
import GraphStoreModel
import Synchronization

/// Value transformer of transformable attributes: a forward step from a value to the bytes that a store
/// keeps, and a reverse step back.
///
/// Register a transformer under the name that the model has for the attribute before its values are used. An
/// attribute without a name has the default archive, which needs no registration.
///
/// ```swift
/// struct Color { var red, green, blue: UInt8 }
/// try AttributeTransformer.register(
///   AttributeTransformer(
///     "ColorTransformer", of: Color.self, toData: { Data([$0.red, $0.green, $0.blue]) },
///     fromData: { $0.count == 3 ? Color(red: $0[0], green: $0[1], blue: $0[2]) : nil }))
/// ```
///
/// The steps run on the queue of the context whose object is read or set: the reverse step once a
/// realisation, on first read, the forward step once for each value that is set.
public struct AttributeTransformer: Sendable {
  /// The name that models use.
  public let name: String
  /// The type of the values.
  let valueType: any Any.Type
  let accepts: @Sendable (Any) -> Bool
  let forward: @Sendable (Any) throws -> Data?
  let reverse: (@Sendable (Data) throws -> Any?)?

  /// Makes a transformer of values of a type.
  ///
  /// - Parameters:
  ///   - name: The name that models use.
  ///   - type: The type of the values; setting another one throws `value-type`.
  ///   - toData: The forward step; nil or an error fails the save of the object.
  ///   - fromData: The reverse step; nil or an error becomes `transform-failed` when the value is read.
  public init<Element: SendableMetatype>(
    _ name: String, of type: Element.Type, toData: @escaping @Sendable (Element) throws -> Data?,
    fromData: (@Sendable (Data) throws -> Element?)?
  ) {
    self.name = name
    valueType = type
    accepts = { $0 is Element }
    forward = { value in
      guard let value = value as? Element else { return nil }
      return try toData(value)
    }
    reverse =
      if let fromData { { data in try fromData(data) } } else { nil }
  }

  /// Makes a transformer that keeps values as JSON text.
  public static func json<Element: Codable & SendableMetatype>(_ name: String, of type: Element.Type)
    -> AttributeTransformer
  {
    AttributeTransformer(
      name, of: type,
      toData: { value in
        let encoder = JSONEncoder()
        // Equal values have equal bytes, so that setting one is no change.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
      }, fromData: { try JSONDecoder().decode(Element.self, from: $0) })
  }

  /// Makes a transformer that keeps values as a property list in XML.
  public static func propertyList<Element: Codable & SendableMetatype>(
    _ name: String, of type: Element.Type
  ) -> AttributeTransformer {
    AttributeTransformer(
      name, of: type,
      toData: { value in
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .xml
        return try encoder.encode(value)
      }, fromData: { try PropertyListDecoder().decode(Element.self, from: $0) })
  }
}

extension AttributeTransformer {
  private static let registered = Mutex<[String: AttributeTransformer]>([:])

  /// Registers a transformer for the whole process; one of the same name is replaced.
  ///
  /// - Throws: `transformer-not-reversible` for one without a reverse step.
  public static func register(_ transformer: AttributeTransformer) throws {
    guard transformer.reverse != nil else {
      throw GraphStoreError(
        .transformerNotReversible,
        "The transformer \(transformer.name) has no reverse step, and what it stores could not be read.",
        remedy: "Give it fromData.")
    }
    registered.withLock { $0[transformer.name] = transformer }
  }

  /// The transformer of a name that models use: a registered one, or the default archive for a name of Core
  /// Data's own (OBJ-270); nil where there is none.
  static func named(_ name: String?) -> AttributeTransformer? {
    let own = name.flatMap { name in registered.withLock { $0[name] } }
    return own ?? (TransformerName.isDefault(name) ? archive : nil)
  }

  /// The default archive (OBJ-269). Other values are refused when they are set.
  static let archive = AttributeTransformer(
    "SecureUnarchiveFromData", of: Any.self, toData: { try ValueArchive.data(of: $0) },
    fromData: { try ValueArchive.value(of: $0) })

  /// Whether it is the default archive.
  var isArchive: Bool { name == Self.archive.name }
}

extension AttributeDescription {
  /// Whether values of the attribute can be read and set: of a transformable one those whose transformer is
  /// there.
  package var hasTransformer: Bool {
    type != .transformable || AttributeTransformer.named(transformerName) != nil
  }

  /// The attribute, or the element of a composite one, that a value is for and whose transformer is not
  /// there.
  package func missingTransformer(for value: Value) -> AttributeDescription? {
    if case .dictionary(let members) = value, type == .composite {
      return elements.lazy.compactMap { $0.missingTransformer(for: members[$0.name] ?? .null) }.first
    }
    return value.isNull || hasTransformer ? nil : self
  }
}
