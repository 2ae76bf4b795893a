import GraphStore

/// The objects of one entity, and what is written of each.
struct ExportSection {
  /// Where the value of a column comes from.
  enum Field {
    /// The name of the object's entity.
    case entity
    case identifier
    /// The position of a key path.
    case keyPath(Int)
    /// A to-many by its property number.
    case members(Int)
  }

  let query: EntityQuery
  private(set) var columns: [OutputColumn] = []
  private(set) var keyPaths: [String] = []
  private(set) var fields: [Field] = []
  /// The attributes that are left out because objects do not hold their values.
  private(set) var unheld: [AttributeDescription] = []

  /// Everything that an import needs to make the objects again: attributes, to-one ids, and to-many relationships that no
  /// other end tells of.
  init(_ query: EntityQuery, namesEntity: Bool) {
    self.query = query
    let entity = query.entity
    if namesEntity { add(OutputColumn("entity"), .entity) }
    add(OutputColumn(entity.property(named: "id") == nil ? "id" : "objectID", type: "id"), .identifier)
    for property in entity.properties where Self.isExported(property) {
      if let relationship = property as? RelationshipDescription, relationship.isToMany {
        add(OutputColumn(property.name, type: "id"), .members(property.number))
      } else {
        addKeyPath(property.name)
      }
    }
    unheld = entity.attributes.filter { !$0.isTransient && !$0.type.isHeldByObjects }
  }

  /// The columns of `--fields`.
  init(_ query: EntityQuery, columns chosen: ResultColumns, namesEntity: Bool) {
    self.query = query
    keyPaths = chosen.keyPaths
    if namesEntity { add(OutputColumn("entity"), .entity) }
    for (column, field) in zip(chosen.columns, chosen.fields) {
      add(column, field < 0 ? .identifier : .keyPath(field))
    }
  }

  private mutating func add(_ column: OutputColumn, _ field: Field) {
    columns.append(column)
    fields.append(field)
  }

  private mutating func addKeyPath(_ name: String) {
    add(OutputColumn(name), .keyPath(keyPaths.count))
    keyPaths.append(name)
  }

  private static func isExported(_ property: PropertyDescription) -> Bool {
    guard !property.isTransient else { return false }
    if let attribute = property as? AttributeDescription {
      return !attribute.isDerived && attribute.type.isHeldByObjects
    }
    guard let relationship = property as? RelationshipDescription else { return false }
    guard relationship.isToMany else { return true }
    if relationship.isOrdered { return true }
    return relationship.isStoredHere && relationship.inverse?.isOrdered != true
  }
}
