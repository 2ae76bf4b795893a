import GraphStore

/// Section of an export: the objects of a request, and what is written of each: the same of all, or of each
/// what its entity has.
package struct ExportSection {
  /// A form, and where the values of its key paths are found.
  struct Placed {
    let form: ExportForm
    /// For each key path of the form its position among those of the section; nil where the objects are asked
    /// themselves.
    let positions: [Int]?

    fileprivate func withoutIdentifier() -> Placed {
      Placed(form: form.withoutIdentifier(), positions: positions)
    }
  }

  /// Selects the objects.
  package let query: EntityQuery
  /// The key paths that are read of every object that the request selects.
  private(set) var keyPaths: [String]
  /// What is written of an object whose entity has no form of its own.
  private(set) var common: Placed
  /// The forms of objects of one entity, by its name.
  private var own: [String: Placed] = [:]
  /// All forms, that of the entity asked for first.
  package private(set) var forms: [ExportForm]

  /// Writes the same of all objects.
  package init(_ query: EntityQuery, _ form: ExportForm) {
    self.query = query
    keyPaths = form.keyPaths
    common = Placed(form: form, positions: Array(form.keyPaths.indices))
    forms = [form]
  }

  /// Writes of each object what its entity has, in the order of the request.
  ///
  /// The key paths of all are read at once, from the tables that the entities share. A name that stands for
  /// different things in two of them is no key path of the family; the objects of such entities are read one
  /// by one.
  package init(_ query: EntityQuery, family: [EntityDescription], in coordinator: PersistentStoreCoordinator)
  {
    self.query = query
    let checker = PredicateTypeChecker(entity: query.entity)
    var places: [String: Int] = [:]
    var keyPaths: [String] = []
    func placed(_ form: ExportForm) -> Placed {
      guard form.keyPaths.allSatisfy({ (try? checker.resolve(keyPath: $0)) != nil }) else {
        return Placed(form: form, positions: nil)
      }
      let positions = form.keyPaths.map { name in
        if let place = places[name] { return place }
        places[name] = keyPaths.count
        keyPaths.append(name)
        return keyPaths.count - 1
      }
      return Placed(form: form, positions: positions)
    }
    common = placed(ExportForm(query.entity, in: coordinator, namesEntity: false))
    forms = [common.form]
    for entity in family where entity !== query.entity {
      let form = ExportForm(entity, in: coordinator, namesEntity: false)
      own[entity.name] = placed(form)
      forms.append(form)
    }
    self.keyPaths = keyPaths
  }

  /// The same without the objects' own ids.
  package func withoutIdentifiers() -> ExportSection {
    var section = self
    section.common = common.withoutIdentifier()
    section.own = own.mapValues { $0.withoutIdentifier() }
    section.forms = forms.map { $0.withoutIdentifier() }
    return section
  }

  /// What is written of an object of an entity.
  func placed(_ entityName: String) -> Placed {
    if own.isEmpty { return common }
    return own[entityName] ?? common
  }
}

/// Columns of an export: what is written of an object of an entity.
package struct ExportForm {
  /// Where the value of a column comes from.
  package enum Field {
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
  /// For each key path whether its values are archives of transformable attributes.
  private(set) var archives: [Bool] = []
  private(set) var fields: [Field] = []
  /// The attributes that are left out because objects do not hold their values.
  package private(set) var unheld: [AttributeDescription] = []

  /// Everything that an import needs to make the objects again: attributes, to-one ids, and to-many
  /// relationships that no other end tells of.
  ///
  /// - Parameters:
  ///   - coordinator: Says which attributes objects hold.
  ///   - identifierKey: What the identifier is called where a table holds objects of several entities.
  package init(
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
        ((property as? AttributeDescription)?.leafKeyPaths ?? [property.name]).forEach { addKeyPath($0) }
      }
    }
    unheld = entity.attributes.filter { !$0.isTransient && !coordinator.holds($0) }
    archives = entity.archives(keyPaths)
  }

  /// The columns of `--fields`.
  package init(_ entity: EntityDescription, columns chosen: ResultColumns) {
    self.entity = entity
    keyPaths = chosen.keyPaths
    archives = chosen.archives
    for (column, field) in zip(chosen.columns, chosen.fields) {
      add(column, field < 0 ? .identifier : .keyPath(field))
    }
  }

  /// The same without the column of the object's own id.
  func withoutIdentifier() -> ExportForm {
    var form = self
    form.columns = []
    form.fields = []
    for (column, field) in zip(columns, fields) {
      if case .identifier = field { continue }
      form.add(column, field)
    }
    return form
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
