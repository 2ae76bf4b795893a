import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Query to an incremental store: the records of an entity that meet a condition, in an order and a window.
///
/// It has what the store's ``IncrementalStoreCapabilities`` say that it can answer, and what it has not
/// declined. Predicate and sort descriptors are checked against the model and have no variables; objects in
/// them are values of the case ``/GraphStorePredicates/Value/object(_:)``, with a ``ManagedObjectID`` whose
/// ``ManagedObjectID/nodeIdentifier`` is the store's own.
///
/// ```swift
/// func answer(_ query: IncrementalStoreQuery, _ names: [String]) -> IncrementalStoreAnswer {
///   guard query.predicate == nil else { return .unsupported(.predicate) }
///   let nodes = names.map { name in
///     IncrementalStoreNode(
///       NodeIdentifier(entity: query.entity.name, reference: .text(name)), values: ["name": .string(name)])
///   }
///   return .nodes(nodes)
/// }
/// ```
public struct IncrementalStoreQuery: Sendable {
  /// Output of a query.
  public enum Output: Hashable, Sendable {
    /// Nodes.
    case nodes
    /// Identifiers alone; an answer may have nodes all the same.
    case identifiers
    /// Their number; an answer may have identifiers or nodes all the same.
    case count
  }

  /// Parts of a query that a store may be unable to answer.
  public struct Parts: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set of its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The predicate.
    public static let predicate = Self(rawValue: 1)
    /// The sort descriptors.
    public static let sort = Self(rawValue: 2)
    /// Limit and offset.
    public static let window = Self(rawValue: 4)
  }

  /// The entity.
  public let entity: EntityDescription
  /// Whether records of sub-entities count.
  public let includesSubentities: Bool
  /// What is wanted of the records.
  public let output: Output
  /// The condition; nil where all records are wanted. A record counts where it is true, and neither where it
  /// is false nor where it is unknown.
  public let predicate: QueryPredicate?
  /// The order. Records that are equal in it follow in an order of the store's own, which does not change
  /// from query to query.
  public let sortDescriptors: [QuerySortDescriptor]
  /// The most records to return; 0 means no limit.
  public let fetchLimit: Int
  /// How many records of the result are passed over.
  public let fetchOffset: Int
  /// What texts are compared by where a comparison depends on a language, and the time of `now()`.
  public let evaluation: EvaluationOptions

  init(
    _ request: StoreRequest, _ entity: EntityDescription, _ output: Output, with parts: Parts
  ) {
    self.entity = entity
    self.output = output
    includesSubentities = request.includesSubentities
    evaluation = request.evaluation
    predicate = parts.contains(.predicate) ? request.predicate : nil
    sortDescriptors = parts.contains(.sort) ? request.sortDescriptors : []
    fetchLimit = parts.contains(.window) ? request.fetchLimit : 0
    fetchOffset = parts.contains(.window) ? request.fetchOffset : 0
  }
}

extension IncrementalStoreQuery.Parts: CustomStringConvertible {
  /// The parts by their names.
  public var description: String {
    let names: [(Self, String)] = [(.predicate, "predicate"), (.sort, "sort"), (.window, "window")]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: ", ")
  }
}

/// Answer of an incremental store to a query.
///
/// ```swift
/// let answer = IncrementalStoreAnswer.count(12)
/// ```
public enum IncrementalStoreAnswer: Sendable {
  /// The records that match, each once.
  case nodes([IncrementalStoreNode])
  /// The identifiers of the records that match, each once; with the entity of each.
  case identifiers([NodeIdentifier])
  /// The number of records that match.
  case count(Int)
  /// The store cannot answer these parts exactly; it is asked again without them.
  case unsupported(IncrementalStoreQuery.Parts)
}

/// Query to an incremental store for the members of a to-many relationship of several owners, all of one
/// entity tree.
///
/// ```swift
/// func nobody(_ query: IncrementalStoreMemberQuery) -> IncrementalStoreMembers {
///   print(query.relationship.name, "of", query.owners.count, "owners")
///   return IncrementalStoreMembers([:])
/// }
/// ```
public struct IncrementalStoreMemberQuery: Sendable {
  /// The relationship.
  public let relationship: RelationshipDescription
  /// The owners.
  public let owners: [NodeIdentifier]
  /// Whether the members' nodes are going to be read too; an answer that has them saves a call.
  public let wantsNodes: Bool
}

/// Members of a to-many relationship by their owners.
///
/// ```swift
/// let ada = NodeIdentifier(entity: "Employee", reference: 12)
/// let members = IncrementalStoreMembers([NodeIdentifier(entity: "Department", reference: 2): [ada]])
/// ```
public struct IncrementalStoreMembers: Sendable {
  /// The members of each owner, with the entity of each: in their order where the relationship is ordered.
  /// Owners without members may be left out.
  public var members: [NodeIdentifier: [NodeIdentifier]]
  /// Nodes of members, as far as the answer has them.
  public var nodes: [IncrementalStoreNode]

  /// Makes an answer.
  public init(_ members: [NodeIdentifier: [NodeIdentifier]], nodes: [IncrementalStoreNode] = []) {
    self.members = members
    self.nodes = nodes
  }
}
