import Foundation
import GraphStoreModel
import GraphStorePredicates

extension ManagedObject {
  /// The values of attributes as a property list, by name.
  ///
  /// It is for what lives outside of contexts: a clipboard, a file, another store. Integers, doubles,
  /// Booleans, dates, texts and data are as such; decimals, UUIDs and URIs are text, composite attributes
  /// dictionaries, transformable ones their stored bytes. What has no value is left out, and so are
  /// relationships: how many objects they reach nobody knows.
  ///
  /// ```swift
  /// let copied = try employee.copyDictionary()
  /// let (twin, ignored) = try context.insert(entityNamed: "Employee", from: copied)
  /// print(try twin.value(forKey: "name") != nil, ignored)  // true []
  /// ```
  ///
  /// - Parameter names: The attributes; nil for all that a store keeps and that can be set.
  /// - Throws: `unknown-key`; `wrong-property-kind` for what is no attribute; what reading throws.
  public final func copyDictionary(attributes names: [String]? = nil) throws -> [String: any Sendable] {
    checkQueue()
    let properties = try names.map { try $0.map(attributeToCopy) } ?? layout.properties.filter(\.isCopied)
    var values: [String: any Sendable] = [:]
    for property in properties { values[property.name] = try attribute(property).propertyListForm }
    return values
  }

  private func attributeToCopy(_ name: String) throws -> PropertyLayout {
    let property = try property(forKey: name)
    guard property.attribute != nil, property.kind != .undefined else {
      throw GraphStoreError(
        .wrongPropertyKind,
        "\(entity.name).\(name) is no attribute with values that a property list can have.",
        remedy: "Name attributes.", entity: entity.name, property: name)
    }
    return property
  }
}

extension ManagedObjectContext {
  /// Inserts an object with values that ``ManagedObject/copyDictionary(attributes:)`` has made, or such as
  /// setting by key takes.
  ///
  /// - Returns: The new object, and the keys that were left out, sorted: those that are no attributes of the
  ///   entity, or none that can be set.
  /// - Throws: As ``insert(entityNamed:)``; `value-type`, `value-out-of-range` for a value that its attribute
  ///   does not hold. Nothing is inserted then.
  @discardableResult
  public func insert(
    entityNamed name: String, from values: [String: Any]
  ) throws -> (object: ManagedObject, ignoredKeys: [String]) {
    let object = try insert(entityNamed: name)
    let given = GivenValues(object, isPropertyList: true)
    var ignored: [String] = []
    do {
      for (key, value) in values {
        guard let property = object.layout.property(named: key), property.isCopied else {
          ignored.append(key)
          continue
        }
        try object.setAttribute(property, to: try given.value(of: value, for: property))
      }
    } catch {
      discard([object])
      throw error
    }
    return (object, ignored.sorted())
  }

  /// The object of a record that a URI names, or nil where its store is not open here, or has no such record.
  ///
  /// It is how a reference is pasted: elsewhere the copied values are what there is.
  ///
  /// ```swift
  /// let uri = employee.objectID.uriRepresentation
  /// let copied = try employee.copyDictionary()
  /// let pasted = try context.object(forURIRepresentation: uri)
  ///   ?? context.insert(entityNamed: "Employee", from: copied).object
  /// print(pasted === employee)  // true
  /// ```
  ///
  /// Costs a statement at most.
  ///
  /// - Throws: `temporary-id` for the URI of an object that had not been saved; what reading throws.
  public func object(forURIRepresentation uri: URL) throws -> ManagedObject? {
    checkQueue()
    if let error = coordinator.refusal(ofTemporary: uri.absoluteString) { throw error }
    guard let id = coordinator.managedObjectID(forURIRepresentation: uri) else { return nil }
    return try existingObjects(with: [id]).first
  }
}

extension PropertyLayout {
  /// Whether it is an attribute that a store keeps, and that can be set.
  fileprivate var isCopied: Bool {
    attribute != nil && isPersistent && !isDerived && kind != .none && kind != .undefined
  }
}
