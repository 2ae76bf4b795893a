import GraphStore

/// Columns of a result: what is printed of the objects of an entity.
package struct ResultColumns {
  let columns: [OutputColumn]
  /// The key paths and expressions behind the columns, the identifier left out.
  package let keyPaths: [String]
  /// For each of them whether its values are archives of transformable attributes.
  let archives: [Bool]
  /// For each column the position of its key path or expression, or one of the marks below.
  let fields: [Int]

  /// The object's own identifier.
  static let identifier = -1
  /// A column that objects of the entity do not have.
  static let absent = -2

  /// The columns that `--fields` names; without it the identifier, the attributes and the relationships,
  /// to-many ones only where they are asked for.
  ///
  /// JSON shows the identifier also where it is not named, and no key twice.
  ///
  /// - Parameters:
  ///   - coordinator: Says which attributes objects hold.
  ///   - text: The list of `--fields`: key paths, and expressions such as `salary * 12 as yearly`; `*` stands
  ///     for what is printed without a list.
  ///   - variables: The values of variables in expressions.
  ///   - identifierKey: What the identifier is called among objects of several entities.
  ///   - showsIdentifier: Whether the identifier is shown where the list does not name it.
  /// - Throws: ``LocatedPredicateError`` for what the entity does not have, or that cannot be computed;
  ///   `duplicate-result-name` where two columns have one name.
  package init(
    _ entity: EntityDescription, in coordinator: PersistentStoreCoordinator, fields text: String?,
    variables: [String: Value] = [:], includesToMany: Bool = false, format: OutputFormat,
    identifierKey: String? = nil, showsIdentifier: Bool = true
  ) throws {
    guard format != .ids else {
      self.init([], keyPaths: [], archives: [], fields: [])
      return
    }
    let identifier = ColumnChoice(identifierKey ?? entity.identifierKey)
    let checker = PredicateTypeChecker(entity: entity) { text in
      coordinator.managedObjectID(forShortForm: text).map { ObjectReference($0) }
    }
    let names = entity.properties.filter { Self.isPrinted($0, coordinator, includesToMany: includesToMany) }
      .map(\.name)
    let all = (showsIdentifier ? [identifier] : []) + names.flatMap { ColumnChoice($0).leaves(checker) }
    guard let text else {
      self.init(all, checker)
      return
    }
    var choices = try ColumnChoice.list(text, checker, all: all, variables: variables)
    if format.isJSON {
      var seen: Set<String> = []
      choices = choices.filter { seen.insert($0.name).inserted }
      if showsIdentifier, !choices.contains(where: { entity.isIdentifierKey($0.field) }) {
        choices.insert(identifier, at: 0)
      }
    }
    self.init(choices, checker)
  }

  private init(_ choices: [ColumnChoice], _ checker: PredicateTypeChecker) {
    var columns: [OutputColumn] = []
    var keyPaths: [String] = []
    var archives: [Bool] = []
    var fields: [Int] = []
    for choice in choices {
      if checker.entity.isIdentifierKey(choice.field) {
        columns.append(OutputColumn(choice.name, type: "id", cut: .never))
        fields.append(Self.identifier)
        continue
      }
      let found = try? checker.resolve(keyPath: choice.field)
      columns.append(OutputColumn(choice.name, of: choice.type ?? found?.type ?? .anything))
      archives.append(found?.isArchive == true)
      fields.append(keyPaths.count)
      keyPaths.append(choice.field)
    }
    self.init(columns, keyPaths: keyPaths, archives: archives, fields: fields)
  }

  private init(_ columns: [OutputColumn], keyPaths: [String], archives: [Bool], fields: [Int]) {
    self.columns = columns
    self.archives = archives
    self.keyPaths = keyPaths
    self.fields = fields
  }

  /// The same values in the order of other columns.
  func arranged(as header: [OutputColumn]) -> ResultColumns {
    ResultColumns(
      header, keyPaths: keyPaths, archives: archives,
      fields: header.map { column in
        columns.firstIndex { $0.name == column.name }.map { fields[$0] } ?? Self.absent
      })
  }

  /// Attributes that objects hold, and relationships; to-many ones are printed when asked for.
  private static func isPrinted(
    _ property: PropertyDescription, _ coordinator: PersistentStoreCoordinator, includesToMany: Bool
  ) -> Bool {
    if let relationship = property as? RelationshipDescription {
      return !relationship.isToMany || includesToMany && !relationship.isTransient
    }
    guard let attribute = property as? AttributeDescription else { return false }
    return !attribute.isTransient && coordinator.holds(attribute)
  }
}

extension ResolvedKeyPath {
  /// Whether it ends in a transformable attribute, or element, whose values are archives.
  fileprivate var isArchive: Bool {
    switch operand.last ?? steps.last {
    case .attribute(let found): !found.isEmpty && found.allSatisfy(\.isArchive)
    case .element(let element): element.isArchive
    default: false
    }
  }
}

extension EntityDescription {
  /// For each key path whether its values are archives of transformable attributes.
  func archives(_ keyPaths: [String]) -> [Bool] {
    let checker = PredicateTypeChecker(entity: self)
    return keyPaths.map { (try? checker.resolve(keyPath: $0))?.isArchive == true }
  }
}
