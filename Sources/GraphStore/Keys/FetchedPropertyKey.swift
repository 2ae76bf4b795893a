/// Typed name of a fetched property of a class (OBJ-028).
///
/// ```swift
/// final class Department: ManagedObject {
///   enum Keys { static let recentHires = FetchedPropertyKey<Department, Employee>("recentHires") }
///   var recentHires: [Employee] { self[Keys.recentHires] }
/// }
/// ```
///
/// It names no part of a condition: a fetch does not look at fetched properties (MDL-227).
public struct FetchedPropertyKey<Owner: ManagedObject, Destination: ManagedObject>: Sendable {
  /// The fetched property's name in the model.
  public let propertyName: String

  /// Names a fetched property.
  public init(_ propertyName: String) { self.propertyName = propertyName }
}

extension FetchableObject where Self: ManagedObject {
  /// The objects of a fetched property by a typed key, as ``ManagedObject/fetchedObjects(forKey:)`` gives them: fetched by the
  /// first call, and kept.
  ///
  /// Where that fails there are none: the error is kept in the context and thrown by its next save (OBJ-173), and the next
  /// read tries again (REL-359).
  public subscript<Destination>(key: FetchedPropertyKey<Self, Destination>) -> [Destination] {
    do { return try fetchedObjects(key) } catch {
      keepDeferred(error)
      return []
    }
  }

  /// The objects of a fetched property by a typed key.
  ///
  /// - Throws: `result-type-mismatch` for an object of another class; and as ``ManagedObject/fetchedObjects(forKey:)``.
  public func fetchedObjects<Destination>(
    _ key: FetchedPropertyKey<Self, Destination>
  ) throws -> [Destination] {
    try fetchedObjects(forKey: key.propertyName).map { object in
      if let typed = object as? Destination { return typed }
      throw GraphStoreError(
        .resultTypeMismatch,
        "\(entity.name).\(key.propertyName) has found \(object.objectID.shortForm), a \(type(of: object)), not a "
          + "\(Destination.self).",
        remedy:
          "Name \(Destination.self) as the className of \(object.entity.name) and give it to the coordinator.",
        entity: entity.name, property: key.propertyName, objectID: object.objectID)
    }
  }
}
