import GraphStoreModel

/// Schema of an in-memory store's state: the storage of links, and the constraints it checks; computed once
/// for a model.
///
/// A *link table* has pairs of an owner and a member. There is one for each to-one relationship with an
/// inverse, as an index: the rows have the references themselves. Each to-many relationship that is stored in
/// pairs has one of its own, and another one that mirrors it: that of the inverse, its own where it is its
/// own inverse, or one without a name.
final class InMemorySchema: Sendable {
  /// A to-one whose references a link table has as an index: the member is the row, the owner what it refers
  /// to.
  struct Reference: Sendable {
    let slot: Int
    let table: Int
  }

  struct Constraint: Sendable {
    let declared: UniquenessConstraint
    let table: Int
    let properties: [PropertyLayout]
  }

  /// Storage of the links of a relationship, seen from its source.
  enum Links: Sendable {
    /// In the rows at the other end, and the index of their references.
    case references(table: Int)
    case pairs(table: Int, mirror: Int)
  }

  /// A link table of pairs whose owners are of an entity tree.
  struct Pairs: Sendable {
    let table: Int
    let mirror: Int
    /// Positions of the entity trees of owners and of members.
    let ownerRoot: Int
    let memberRoot: Int
  }

  let layout: ModelLayout
  /// By entity.
  let references: [[Reference]]
  /// By entity.
  let constraints: [[Constraint]]
  private let links: [ObjectIdentifier: Links]
  private let indexes: [ObjectIdentifier: Int]
  let pairs: [Pairs]
  let linkTableCount: Int
  let constraintTableCount: Int

  init(_ layout: ModelLayout) {
    self.layout = layout
    var tables = 0
    func newTable() -> Int {
      defer { tables += 1 }
      return tables
    }
    var indexes: [ObjectIdentifier: Int] = [:]
    var links: [ObjectIdentifier: Links] = [:]
    var pairs: [Pairs] = []
    let declared = layout.model.entities.flatMap { entity in
      entity.relationships.filter { $0.entity === entity && !$0.isTransient }
    }
    for relationship in declared where !relationship.isToMany && relationship.inverse != nil {
      indexes[ObjectIdentifier(relationship)] = newTable()
    }
    for relationship in declared where relationship.isToMany && links[ObjectIdentifier(relationship)] == nil {
      if let inverse = relationship.inverse, !inverse.isToMany {
        if let table = indexes[ObjectIdentifier(inverse)] {
          links[ObjectIdentifier(relationship)] = .references(table: table)
        }
        continue
      }
      let table = newTable()
      let mirror = relationship.inverse === relationship ? table : newTable()
      let (owner, member) = (relationship.entity.rootEntity.index, relationship.destination.rootEntity.index)
      links[ObjectIdentifier(relationship)] = .pairs(table: table, mirror: mirror)
      pairs.append(Pairs(table: table, mirror: mirror, ownerRoot: owner, memberRoot: member))
      if let inverse = relationship.inverse, inverse !== relationship {
        links[ObjectIdentifier(inverse)] = .pairs(table: mirror, mirror: table)
      }
    }
    self.indexes = indexes
    self.links = links
    self.pairs = pairs
    linkTableCount = tables
    references = layout.entities.map { entity in
      entity.relationships.compactMap { relationship in
        indexes[ObjectIdentifier(relationship.description)].map {
          Reference(slot: relationship.slot, table: $0)
        }
      }
    }
    (constraints, constraintTableCount) = Self.constraints(layout)
  }

  /// A constraint binds the entity that declares it and those below (MDL-293).
  private static func constraints(_ layout: ModelLayout) -> ([[Constraint]], Int) {
    var firstTables: [Int] = []
    var count = 0
    for entity in layout.model.entities {
      firstTables.append(count)
      count += entity.ownUniquenessConstraints.count
    }
    let constraints = layout.entities.map { layout in
      layout.uniquenessConstraints.map { constraint in
        Constraint(
          declared: constraint, table: firstTables[constraint.declaring.index] + constraint.position,
          properties: layout.properties(of: constraint))
      }
    }
    return (constraints, count)
  }

  /// A constraint as it is watched for an entity.
  func constraint(_ declared: UniquenessConstraint, of layout: EntityLayout) -> Constraint? {
    constraints[layout.index].first { $0.declared == declared }
  }

  /// The storage of a to-many's links; nil where it is not stored.
  func links(of relationship: RelationshipDescription) -> Links? { links[ObjectIdentifier(relationship)] }

  /// The index of a to-one's references; nil where it has none.
  func index(of relationship: RelationshipDescription) -> Int? { indexes[ObjectIdentifier(relationship)] }
}
