import Foundation
import GraphStoreModel
import GraphStorePredicates

/// New record that an incremental store is to give a reference.
///
/// ```swift
/// func references(for insertions: [IncrementalStoreInsertion]) -> [NodeReference] {
///   insertions.map { .text("\($0.entity.name)-\(UUID().uuidString)") }
/// }
/// ```
public struct IncrementalStoreInsertion: Sendable {
  /// The entity of the record.
  public let entity: EntityDescription
  /// The values of its attributes by name, without those that are null.
  public let values: [String: Value]
}

/// Changes that an incremental store is to write, all or nothing.
///
/// A link is named once. Where the other end is a to-one relationship, or there is one end and that is
/// to-one, the record at that end names it as a destination; all others are in ``links``.
///
/// ```swift
/// func changed(
///   _ records: [NodeIdentifier: IncrementalStoreNode], by changes: IncrementalStoreChanges
/// ) throws -> [NodeIdentifier: IncrementalStoreNode] {
///   var records = records
///   for node in changes.inserted { records[node.identifier] = node }
///   for update in changes.updated {
///     guard records[update.identifier]?.version == update.version else {
///       throw IncrementalStoreConflict([update.identifier])
///     }
///     records[update.identifier]?.version += 1
///     records[update.identifier]?.values.merge(update.values) { $1 }
///   }
///   for record in changes.deleted { records[record.identifier] = nil }
///   return records
/// }
/// ```
public struct IncrementalStoreChanges: Sendable {
  /// A changed record: what is not named stays as it is.
  public struct Update: Sendable {
    /// The name of the record.
    public let identifier: NodeIdentifier
    /// The version that the record has to have; that of the changed one is greater.
    public let version: Int64
    /// The changed values of attributes by name; null for those that have none any more.
    public let values: [String: Value]
    /// The changed destinations of to-one relationships by name; nil for those that lead nowhere any more.
    public let destinations: [String: NodeIdentifier?]
  }

  /// A record in the version that it has to have.
  public struct ExpectedRecord: Sendable {
    /// The name of the record.
    public let identifier: NodeIdentifier
    /// The version.
    public let version: Int64
  }

  /// Changes of the members of one to-many relationship of one owner.
  public struct Links: Sendable {
    /// The relationship: of the two of a many-to-many one, either.
    public let relationship: RelationshipDescription
    /// The owner.
    public let owner: NodeIdentifier
    /// The members that it gets. Of a relationship without an inverse, a member leaves any other owner.
    public let added: [NodeIdentifier]
    /// The members that it loses.
    public let removed: [NodeIdentifier]
    /// All members in their order, where that changes; nil where it does not, and without an order.
    public let members: [NodeIdentifier]?
  }

  /// The new records, in version 1, with their values and destinations.
  public internal(set) var inserted: [IncrementalStoreNode] = []
  /// The changed records. One of which only members change has neither values nor destinations.
  public internal(set) var updated: [Update] = []
  /// The deleted records, whose links go with them.
  public internal(set) var deleted: [ExpectedRecord] = []
  /// Records that are not written, and have to be what they were.
  public internal(set) var locked: [ExpectedRecord] = []
  /// Changes of links that no destination says.
  public internal(set) var links: [Links] = []
  /// The values of the metadata of programs that are set, and null for those that are removed.
  public internal(set) var metadata: [String: Value] = [:]
  /// The time of the save.
  public internal(set) var date = Date()
  /// The author of the save, where its context has one.
  public internal(set) var author: String?

  /// Whether nothing changes.
  public var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && links.isEmpty && metadata.isEmpty
  }
}

/// Failure of a save whose records an incremental store does not have as the changes expect them.
///
/// The save of the context fails with `merge-conflict`, and the next one finds what others have changed.
///
/// ```swift
/// let conflict = IncrementalStoreConflict([NodeIdentifier(entity: "Employee", reference: 12)])
/// print(conflict.identifiers[0])  // Employee/p12
/// ```
public struct IncrementalStoreConflict: Error, Sendable {
  /// The records.
  public let identifiers: [NodeIdentifier]

  /// Makes a failure.
  public init(_ identifiers: [NodeIdentifier]) { self.identifiers = identifiers }
}
