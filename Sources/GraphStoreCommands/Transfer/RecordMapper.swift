import GraphStore
import GraphStoreReports

/// Mapper of the fields of records to an importer, by roles that are resolved once for each name and entity.
final class RecordMapper {
  private let importer: RecordImporter
  private let model: ManagedObjectModel
  private let mapping: RecordMapping
  /// By entity and number of the name.
  private var roles: [[FieldRole?]]
  private var entityName: Int32 = -1
  /// The names `objectID` and `id`, the first of which always stands for a record's own id.
  private var labelNames: (objectID: Int32, id: Int32) = (-1, -1)
  private var knownNames = 0
  private var lastEntity: (name: [UInt8], entity: EntityDescription)?
  /// Whether records may be of other entities than the one that was named.
  private let isMixed: Bool
  /// Whether links that are missing mean something, because objects may be there already.
  private let keepsEmptyLinks: Bool
  /// The entity of records that do not name theirs.
  private var defaultEntity: EntityDescription?
  /// Whether the records are rows of a table, which has all names in all rows.
  private var isTable = false
  /// Is told of each name that is left out, with what could be given to `--map`.
  var ignore: (String, String?) -> Void = { _, _ in }

  init(_ importer: RecordImporter, model: ManagedObjectModel, mapping: RecordMapping, updates: Bool) {
    self.importer = importer
    self.model = model
    self.mapping = mapping
    roles = [[FieldRole?]](repeating: [], count: model.entities.count)
    isMixed = mapping.entity.map { $0.isAbstract || !$0.subentities.isEmpty } ?? true
    keepsEmptyLinks = updates
    defaultEntity = mapping.entity
  }

  /// Forgets the numbers of names, for another reader.
  func beginInput(entity: EntityDescription?, isTable: Bool) {
    for index in roles.indices { roles[index] = [] }
    (entityName, knownNames) = (-1, 0)
    labelNames = (-1, -1)
    defaultEntity = entity
    self.isTable = isTable
  }

  /// What is wrong with the columns of a table: names that no entity of its records has, and such as take no
  /// values.
  func checkHeader(_ names: FieldNames, file: String) -> Diagnostic? {
    let entities = defaultEntity?.concreteFamily ?? model.entities.filter { !$0.isAbstract }
    let check = TableHeaderCheck(
      mapping, entities: entities, columns: (0..<names.count).map { names[$0] }, importer: importer)
    return check.diagnostic(file: file)
  }

  /// Opens a record of the importer and fills it; the caller ends or discards it.
  ///
  /// - Parameter number: the record's place among those of all sources.
  func map(_ record: Record, number: Int) throws(FieldProblem) {
    let entity = try entity(of: record)
    importer.begin(entityAt: entity.index, record: number, line: record.line)
    let index = entity.index
    if roles[index].count < record.names.count { extendRoles(index, record) }
    let roles = roles[index]
    var hasElements = false
    for place in unsafe 0..<record.fields.count {
      let field = unsafe record.fields[place]
      guard case .attribute(let reader)? = roles[Int(field.name)] else {
        try mapOther(field, place: place, record: record, entity: entity)
        continue
      }
      if reader.isElement { hasElements = true } else { try read(place, by: reader, of: record, entity) }
    }
    if hasElements { try mapElements(of: record, entity, roles) }
  }

  /// Sets elements of composite attributes once the whole of them is set, in whatever order a record has
  /// them.
  private func mapElements(
    of record: Record, _ entity: EntityDescription, _ roles: [FieldRole?]
  ) throws(FieldProblem) {
    for place in unsafe 0..<record.fields.count {
      let field = unsafe record.fields[place]
      if case .attribute(let reader)? = roles[Int(field.name)], reader.isElement {
        try read(place, by: reader, of: record, entity)
      }
    }
  }

  /// All that is wrong with a record that cannot be mapped: each field is mapped for itself, and what could
  /// be read is checked by the rules of the model.
  func problems(
    of record: Record, number: Int
  ) throws -> (fields: [FieldProblem], rules: [GraphStoreError]) {
    let entity: EntityDescription
    do throws(FieldProblem) { entity = try self.entity(of: record) } catch { return ([error], []) }
    importer.begin(entityAt: entity.index, record: number, line: record.line)
    defer { importer.discard() }
    let roles = roles[entity.index]
    var problems: [FieldProblem] = []
    var given: Set<Substring> = []
    for place in Self.elementsLast(record, roles) {
      let field = unsafe record.fields[place]
      do throws(FieldProblem) {
        guard case .attribute(let reader)? = roles[Int(field.name)] else {
          try mapOther(field, place: place, record: record, entity: entity)
          continue
        }
        try read(place, by: reader, of: record, entity)
        given.insert(reader.attribute.keyPath.prefix { $0 != "." })
      } catch {
        problems.append(error)
      }
    }
    let unread = Set(problems.compactMap(\.key))
    let rules = try importer.brokenRules().filter { error in
      guard let property = error.property, !unread.contains(property) else { return false }
      return given.contains(property.prefix { $0 != "." })
    }
    return (problems, rules)
  }

  /// The places of a record's fields, those of elements of composite attributes behind the others.
  private static func elementsLast(_ record: Record, _ roles: [FieldRole?]) -> [Int] {
    func isElement(_ place: Int) -> Bool {
      guard case .attribute(let reader)? = unsafe roles[Int(record.fields[place].name)] else { return false }
      return reader.isElement
    }
    let places = unsafe Array(record.fields.indices)
    return places.filter { !isElement($0) } + places.filter(isElement)
  }

  @inline(__always)
  private func read(
    _ place: Int, by reader: FieldReader, of record: Record, _ entity: EntityDescription
  ) throws(FieldProblem) {
    do throws(FieldReader.Failure) { try unsafe reader.read(record.fields[place], of: record) } catch {
      switch error {
      case .conversion(let error):
        let key = error.element ?? reader.attribute.keyPath
        throw FieldProblem(
          code: error.code.rawValue,
          message: entity.adopting(DiagnosticMapper.clause(error.message), about: key), key: key,
          value: ImportProblem.text(.string(error.value)), hints: hints(error, reader.attribute), field: place
        )
      case .problem(var problem):
        problem.field = place
        throw problem
      }
    }
  }

  private func hints(_ error: ValueConversionError, _ attribute: AttributeDescription) -> [String] {
    (error.hint.map { [DiagnosticMapper.hint($0)] } ?? []) + options(for: error.value, attribute.type)
  }

  /// The options that read a value in another form.
  private func options(for value: String, _ type: AttributeType) -> [String] {
    if type == .date {
      return [
        "other forms are read with --dates %d.%m.%Y and the like, numbers of seconds with --dates seconds-1970"
      ]
    }
    guard type.isNumber, value.contains(","), FieldForms.withPoint(value) != nil else { return [] }
    return ["numbers with a comma are read with --decimal-comma"]
  }

  private func extendRoles(_ index: Int, _ record: Record) {
    for number in roles[index].count..<record.names.count {
      let name = record.names[number]
      let role = mapping.role(
        name, entity: model.entities[index], importer: importer, isColumn: isTable)
      if case .ignored = role {
        ignore(name, TableHeaderCheck.proposal(for: name, among: [model.entities[index]], taken: []))
      }
      roles[index].append(role)
    }
  }

  private func mapOther(
    _ field: Record.Field, place: Int, record: Record, entity: EntityDescription
  ) throws(FieldProblem) {
    switch roles[entity.index][Int(field.name)] {
    case .label:
      let bytes = unsafe record.bytes(field)
      switch field.kind {
      case .string, .cell, .integer: unsafe importer.setLabel(bytes)
      case .null: break
      default:
        throw FieldProblem(
          code: "value-type", message: "an id is a text or a whole number", key: "id", field: place)
      }
    case .entity: if !isMixed, field.kind != .null { _ = try self.entity(named: field, place, record) }
    case .attribute, .ignored, nil: break
    case .toOne(let role): try mapToOne(role, field: field, place: place, record: record)
    case .toMany(let role): try mapToMany(role, field: field, place: place, record: record)
    case .unknown(var problem):
      if isTable, field.kind == .null { return }
      problem.field = place
      throw problem
    case .unsettable(var problem):
      guard field.kind != .null else { return }
      problem.field = place
      throw problem
    }
  }

  // MARK: Entity

  private func entity(of record: Record) throws(FieldProblem) -> EntityDescription {
    if !isMixed, let entity = defaultEntity { return entity }
    if knownNames < record.names.count { findNames(record) }
    var objectID: Int?
    var id: Int?
    for place in unsafe 0..<record.fields.count {
      let field = unsafe record.fields[place]
      if field.name == entityName, field.kind != .null { return try entity(named: field, place, record) }
      if field.name == labelNames.objectID { objectID = place }
      if field.name == labelNames.id { id = place }
    }
    if let label = objectID ?? id,
      let found = unsafe importer.entity(ofLabel: record.bytes(record.fields[label]))
    {
      let entity = model.entities[found]
      let isLabel = entity.isIdentifierKey(label == objectID ? "objectID" : "id")
      if isLabel, defaultEntity.map({ entity.isKind(of: $0) }) ?? true { return try concrete(entity, label) }
    }
    guard let defaultEntity else {
      throw FieldProblem(
        code: "unknown-entity", message: "the record does not name its entity", key: "entity",
        hints: ["give it an \"entity\", or import one entity at a time"])
    }
    return try concrete(defaultEntity, nil)
  }

  private func findNames(_ record: Record) {
    for number in knownNames..<record.names.count {
      let name = record.names[number]
      let key = mapping.names[name] ?? (isTable ? ColumnName.sharedKey(of: name) : name)
      if key == "entity" { entityName = Int32(number) }
      if key == "objectID" { labelNames.objectID = Int32(number) }
      if key == "id" { labelNames.id = Int32(number) }
    }
    knownNames = record.names.count
  }

  private func entity(
    named field: Record.Field, _ place: Int, _ record: Record
  ) throws(FieldProblem) -> EntityDescription {
    let bytes = unsafe record.bytes(field)
    if let lastEntity, lastEntity.name.count == bytes.count, unsafe lastEntity.name.elementsEqual(bytes) {
      return lastEntity.entity
    }
    let name = record.text(field)
    guard let entity = model.entitiesByName[name] else {
      throw FieldProblem(
        code: "unknown-entity", message: "the model has no entity \"\(name)\"", key: "entity", value: name,
        suggestions: NearestNames.names(near: name, among: model.entities.map(\.name)), field: place)
    }
    if let defaultEntity, !entity.isKind(of: defaultEntity) {
      throw FieldProblem(
        code: "wrong-destination", message: "the record is of \(name), not of \(defaultEntity.name)",
        key: "entity",
        value: name, hints: ["import it with --all"], field: place)
    }
    lastEntity = unsafe (Array(bytes), try concrete(entity, place))
    return entity
  }

  private func concrete(_ entity: EntityDescription, _ place: Int?) throws(FieldProblem) -> EntityDescription
  {
    guard entity.isAbstract else { return entity }
    let names = entity.concreteFamily.map(\.name)
    throw FieldProblem(
      code: "abstract-entity", message: "\(entity.name) is abstract and has no objects of its own",
      key: "entity",
      value: entity.name,
      hints: names.isEmpty ? [] : ["give the record an \"entity\": \(names.joined(separator: ", "))"],
      field: place)
  }

  // MARK: Links

  private func mapToOne(
    _ role: FieldRole.LinkRole, field: Record.Field, place: Int, record: Record
  ) throws(FieldProblem) {
    switch field.kind {
    case .null: if keepsEmptyLinks { importer.clearLinks(role.number) }
    case .string, .cell: unsafe link(role, record.bytes(field))
    case .integer: unsafe link(role, record.bytes(field))
    case .fraction, .true, .false:
      guard role.lookup != nil else { throw notAReference(role, place: place, text: record.text(field)) }
      unsafe link(role, record.bytes(field))
    case .object:
      let isLinked = try linkNested(
        role, unsafe JSONText.value(checked: record.bytes(field)), place: place)
      if !isLinked, keepsEmptyLinks { importer.clearLinks(role.number) }
    case .array: throw notAReference(role, place: place, text: record.text(field))
    }
  }

  private func mapToMany(
    _ role: FieldRole.LinkRole, field: Record.Field, place: Int, record: Record
  ) throws(FieldProblem) {
    let bytes = unsafe record.bytes(field)
    if keepsEmptyLinks { importer.clearLinks(role.number) }
    switch field.kind {
    case .null: break
    case .cell:
      let separator = UInt8(ascii: role.lookup == nil ? " " : ";")
      unsafe bytes.split(separator: separator).forEach { part in
        unsafe link(role, UnsafeBufferPointer(rebasing: part))
      }
    case .array: try unsafe mapList(role, bytes: bytes, place: place)
    default: throw notAReference(role, place: place, text: record.text(field))
    }
  }

  private func mapList(
    _ role: FieldRole.LinkRole, bytes: UnsafeBufferPointer<UInt8>, place: Int
  ) throws(FieldProblem) {
    var reader = unsafe JSONReader(bytes)
    let scratch = ByteScratch()
    var problem: FieldProblem?
    do throws(JSONError) {
      try reader.beginArray()
      while try reader.nextElement() {
        switch try reader.peek() {
        case .string: unsafe link(role, reader.text(try reader.string(), scratch: scratch))
        case .number:
          let number = try reader.number()
          if number.isInteger || role.lookup != nil {
            unsafe link(role, reader.digits(number))
          } else {
            problem = unsafe notAReference(
              role, place: place, text: String(decoding: reader.digits(number), as: UTF8.self))
          }
        case .object:
          let extent = try reader.skipValue()
          let nested = unsafe UnsafeBufferPointer(rebasing: bytes[extent])
          do throws(FieldProblem) {
            _ = try linkNested(role, unsafe JSONText.value(checked: nested), place: place)
          } catch {
            problem = error
          }
        default:
          let extent = try reader.skipValue()
          problem = unsafe notAReference(
            role, place: place, text: String(decoding: bytes[extent], as: UTF8.self))
        }
      }
    } catch {
      throw FieldProblem(code: "json-syntax", message: error.message, key: role.name, field: place)
    }
    if let problem { throw problem }
  }

  private func link(_ role: FieldRole.LinkRole, _ utf8: UnsafeBufferPointer<UInt8>) {
    if let attribute = role.lookup {
      link(role, unsafe String(decoding: utf8, as: UTF8.self), by: attribute)
    } else {
      unsafe importer.addLink(role.number, to: utf8)
    }
  }

  private func link(_ role: FieldRole.LinkRole, _ text: String, by attribute: AttributeDescription) {
    importer.addLookup(
      role.number, attribute: attribute.number, text: mapping.forms.usual(text, for: attribute.type))
  }

  /// Links to what an object of JSON stands for, by its id, or by the attribute that links name; where that
  /// is open, by its only member.
  ///
  /// - Returns: whether it names something.
  private func linkNested(
    _ role: FieldRole.LinkRole, _ value: JSONValue, place: Int
  ) throws(FieldProblem) -> Bool {
    guard case .object(var members) = value else { return false }
    var attribute = role.lookup
    let identifier = members.keys.sorted().first { role.destination.isIdentifierKey($0) }
    let key: String?
    if let attribute, members[attribute.name] != nil {
      key = attribute.name
    } else if let identifier {
      (key, attribute) = (identifier, nil)
    } else {
      attribute =
        members.count == 1 ? members.keys.first.flatMap { role.destination.attribute(named: $0) } : nil
      key = attribute?.name
    }
    guard let key, let member = members.removeValue(forKey: key) else {
      throw notAnObject(role, "does not say which \(role.destination.name) it is", place: place)
    }
    guard members.isEmpty || mapping.ignoresUnknown else {
      let others = members.keys.sorted().prefix(5).joined(separator: ", ")
      throw notAnObject(role, "has more than its \(key): \(others)", place: place)
    }
    guard let text = member.scalarText else {
      if case .null = member { return false }
      throw notAnObject(role, "has no text or number for its \(key)", place: place)
    }
    if let attribute {
      link(role, text, by: attribute)
    } else {
      var text = text
      text.withUTF8 { unsafe importer.addLink(role.number, to: $0) }
    }
    return true
  }

  private func notAnObject(_ role: FieldRole.LinkRole, _ reason: String, place: Int) -> FieldProblem {
    FieldProblem(
      code: "value-type", message: "\(role.name): the object \(reason)", key: role.name,
      hints: [
        "a link is an id, or an object with the id or one attribute of what it leads to; import the others "
          + "by themselves, or leave the rest out with --ignore-unknown"
      ], field: place)
  }

  private func notAReference(_ role: FieldRole.LinkRole, place: Int, text: String) -> FieldProblem {
    FieldProblem(
      code: "value-type", message: "\(role.name) takes ids such as \(role.destination.name)/p1",
      key: role.name,
      value: ImportProblem.text(.string(text)),
      hints: ["to link by another key, use --link \(role.name)=KEY"],
      field: place)
  }
}
