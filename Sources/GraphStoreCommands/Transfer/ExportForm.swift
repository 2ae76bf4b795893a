import GraphStore

/// What is written of an object of an entity.
struct ExportForm {
  /// Where the value of a column comes from.
  enum Field {
    /// The name of the object's entity.
    case entity
    case identifier
    /// The position of a key path among those of the form.
    case keyPath(Int)
    /// A to-many by its property number.
    case members(Int)
  }

  let entity: EntityDescription
  private(set) var columns: [OutputColumn] = []
  private(set) var keyPaths: [String] = []
  private(set) var fields: [Field] = []
  /// The attributes that are left out because objects do not hold their values.
  private(set) var unheld: [AttributeDescription] = []

  /// Everything that an import needs to make the objects again: attributes, to-one ids, and to-many relationships that no
  /// other end tells of.
  ///
  /// - Parameters:
  ///   - coordinator: Says which attributes objects hold.
  ///   - identifierKey: What the identifier is called where a table holds objects of several entities.
  init(
    _ entity: EntityDescription, in coordinator: PersistentStoreCoordinator, namesEntity: Bool,
    identifierKey: String? = nil
  ) {
    self.entity = entity
    if namesEntity { add(OutputColumn("entity"), .entity) }
    add(OutputColumn(identifierKey ?? entity.identifierKey, type: "id"), .identifier)
    for property in entity.properties where Self.isExported(property, coordinator) {
      if let relationship = property as? RelationshipDescription, relationship.isToMany {
        add(OutputColumn(property.name, type: "id"), .members(property.number))
      } else {
        addKeyPath(property.name)
      }
    }
    unheld = entity.attributes.filter { !$0.isTransient && !coordinator.holds($0) }
  }

  /// The columns of `--fields`.
  init(_ entity: EntityDescription, columns chosen: ResultColumns) {
    self.entity = entity
    keyPaths = chosen.keyPaths
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

  private static func isExported(
    _ property: PropertyDescription, _ coordinator: PersistentStoreCoordinator
  ) -> Bool {
    guard !property.isTransient else { return false }
    if let attribute = property as? AttributeDescription {
      return !attribute.isDerived && coordinator.holds(attribute)
    }
    guard let relationship = property as? RelationshipDescription else { return false }
    guard relationship.isToMany else { return true }
    if relationship.isOrdered { return true }
    return relationship.isStoredHere && relationship.inverse?.isOrdered != true
  }
}
