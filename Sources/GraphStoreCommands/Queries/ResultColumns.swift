import GraphStore

/// Columns of a result: what is printed of the objects of an entity.
struct ResultColumns {
  let columns: [OutputColumn]
  /// The key paths behind the columns, the identifier left out.
  let keyPaths: [String]
  /// For each key path whether its values are archives of transformable attributes.
  let archives: [Bool]
  /// For each column the position of its key path, or one of the marks below.
  let fields: [Int]

  /// The object's own identifier.
  static let identifier = -1
  /// A column that objects of the entity do not have.
  static let absent = -2

  /// The columns that `--fields` names; without it the identifier, the attributes and the relationships, to-many ones only
  /// where they are asked for.
  ///
  /// JSON always shows the identifier, and no key twice.
  ///
  /// - Parameters:
  ///   - coordinator: Says which attributes objects hold.
  ///   - identifierKey: What the identifier is called among objects of several entities.
  init(
    _ entity: EntityDescription, in coordinator: PersistentStoreCoordinator, fields text: String?,
    includesToMany: Bool = false, format: OutputFormat, identifierKey: String? = nil
  ) throws {
    guard format != .ids else {
      self.init([], keyPaths: [], archives: [], fields: [])
      return
    }
    let identifier = identifierKey ?? entity.identifierKey
    guard let text else {
      let names = entity.properties.filter { Self.isPrinted($0, coordinator, includesToMany: includesToMany) }
        .map(\.name)
      self.init([identifier] + names.flatMap { Self.leaves(of: $0, entity) }, entity)
      return
    }
    var names: [String] = []
    var ranges: [SourceRange] = []
    var offset = 0
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let blanks = part.prefix { $0 == " " }.count
      var name = part.drop { $0 == " " }
      while name.hasSuffix(" ") { name = name.dropLast() }
      names.append(String(name))
      ranges.append(SourceRange(offset: offset + blanks, length: name.utf8.count))
      offset += part.utf8.count + 1
    }
    try Self.check(names, ranges: ranges, text: text, entity: entity)
    names = names.flatMap { Self.leaves(of: $0, entity) }
    if format.isJSON {
      var seen: Set<String> = []
      names = names.filter { seen.insert($0).inserted }
      if !names.contains(where: entity.isIdentifierKey) { names.insert(identifier, at: 0) }
    }
    self.init(names, entity)
  }

  private init(_ names: [String], _ entity: EntityDescription) {
    let checker = PredicateTypeChecker(entity: entity)
    var columns: [OutputColumn] = []
    var keyPaths: [String] = []
    var archives: [Bool] = []
    var fields: [Int] = []
    for name in names {
      if entity.isIdentifierKey(name) {
        columns.append(OutputColumn(name, type: "id", cut: .never))
        fields.append(Self.identifier)
        continue
      }
      let found = try? checker.resolve(keyPath: name)
      columns.append(OutputColumn(name, of: found?.type ?? .anything))
      archives.append(found?.isArchive == true)
      fields.append(keyPaths.count)
      keyPaths.append(name)
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

  /// A key path, or of one to a composite attribute those of its elements.
  private static func leaves(of name: String, _ entity: EntityDescription) -> [String] {
    guard !entity.isIdentifierKey(name),
      let found = try? PredicateTypeChecker(entity: entity).resolve(keyPath: name)
    else { return [name] }
    let attribute: AttributeDescription
    switch found.steps.last {
    case .attribute(let attributes) where attributes.count == 1: attribute = attributes[0]
    case .element(let element): attribute = element
    default: return [name]
    }
    guard attribute.type == .composite else { return [name] }
    let owner = name.dropLast(attribute.name.count)
    return attribute.leafKeyPaths.map { owner + $0 }
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

  private static func check(
    _ names: [String], ranges: [SourceRange], text: String, entity: EntityDescription
  ) throws {
    let checker = PredicateTypeChecker(entity: entity)
    for (name, range) in zip(names, ranges) where !entity.isIdentifierKey(name) {
      do throws(QueryPredicateError) {
        _ = try checker.resolve(keyPath: name)
      } catch {
        var error = error
        error.offset = range.offset + (error.offset ?? 0)
        if error.length == 0 { error.length = range.length }
        throw LocatedPredicateError(error: error, label: "--fields", text: text, entity: entity)
      }
    }
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
