import GraphStoreModel

/// Name of a record as its store knows it: the entity, and the store's own reference.
///
/// References count within an entity and all that are above and below it.
///
/// ```swift
/// let identifier = RecordIdentifier("Employee", 12)
/// print(identifier)  // Employee 12
/// ```
public struct RecordIdentifier: Hashable, Sendable {
  /// The name of the entity: the record's own, or one above it.
  public let entityName: String
  /// The reference.
  public let reference: ReferenceObject

  /// Makes an identifier.
  public init(_ entityName: String, _ reference: ReferenceObject) {
    self.entityName = entityName
    self.reference = reference
  }
}

extension RecordIdentifier: CustomStringConvertible {
  /// Entity and reference.
  public var description: String { "\(entityName) \(reference)" }
}

extension ManagedObjectID {
  /// The name by which its store knows the record; nil for a temporary identifier.
  public var recordIdentifier: RecordIdentifier? {
    referenceObject.map { RecordIdentifier(entity.name, $0) }
  }
}
