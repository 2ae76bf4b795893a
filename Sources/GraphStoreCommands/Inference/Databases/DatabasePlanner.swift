import GraphStore
import GraphStoreReports

/// Planner of entities for the tables of a database.
final class DatabasePlanner {
  /// A table that becomes an entity.
  final class Subject {
    let table: DatabaseTable
    let plan: PlannedEntity
    let members: ObjectSurvey
    /// By foreign key: how many rows lead somewhere, and how many should and do not.
    var linked: [Int]
    var dangling: [Int]
    /// By foreign key: the relationship.
    var relationships: [String?]

    init(_ table: DatabaseTable, _ plan: PlannedEntity) {
      (self.table, self.plan) = (table, plan)
      members = ObjectSurvey(entity: plan.name, depth: 0, isNested: false)
      linked = table.foreignKeys.map { _ in 0 }
      dangling = linked
      relationships = table.foreignKeys.map { _ in nil }
    }

    /// Whether a foreign key becomes a relationship.
    func isFollowed(_ key: Int) -> Bool { relationships[key] != nil }
  }

  /// A table whose rows are links of a many-to-many relationship.
  struct Join {
    var table: DatabaseTable
    var number: Int
  }

  let file: DatabaseFile
  private let kept: KeptValues
  private(set) var subjects: [Subject] = []
  private(set) var joins: [Join] = []
  private var links = PlannedLinks()
  private(set) var choices: [Choice] = []

  init(
    _ file: DatabaseFile, keeping kept: KeptValues, taken: Set<String>, _ interruption: StatementInterruption
  ) throws {
    self.file = file
    self.kept = kept
    var taken = taken
    for table in file.tables where try !isJoin(table, interruption) {
      let name = EntityNames.unique(EntityNames.name(from: table.name) ?? "Record", among: taken)
      taken.insert(name)
      let plan = PlannedEntity(name)
      plan.key = DatabaseFile.labelField
      subjects.append(Subject(table, plan))
    }
  }

  private func subject(ofTable name: String) -> Subject? { subjects.first { $0.table.name == name } }

  /// Looks at all rows and decides on all properties.
  func run(_ interruption: StatementInterruption) throws {
    for subject in subjects { try survey(subject, interruption) }
    for subject in subjects { planAttributes(of: subject) }
    for subject in subjects { planRelationships(of: subject) }
    for table in file.tables where subject(ofTable: table.name) == nil { planJoin(table) }
    links.finish()
    for subject in subjects { addConstraints(to: subject) }
    for name in file.others {
      choices.append(Choice(entity: file.path, type: "left out", reason: "\(name) is no table of its own"))
    }
  }

  // MARK: Rows

  private func survey(_ subject: Subject, _ interruption: StatementInterruption) throws {
    let table = subject.table
    for column in table.columns { subject.members.expect(column.name, keeping: kept) }
    let places = table.foreignKeys.map { key in
      key.columns.compactMap { name in table.columns.firstIndex { $0.name == name } }
    }
    let first = 1 + table.foreignKeys.count
    try file.forEachRow(of: table, interruption) { members, row in
      for (number, columns) in places.enumerated() {
        let isGiven = !columns.isEmpty && columns.allSatisfy { members[first + $0].value != .null }
        if members[1 + number].value != .null {
          subject.linked[number] += 1
        } else if isGiven {
          subject.dangling[number] += 1
        }
      }
      try subject.members.add(
        Array(members[first...]), at: "row \(row)", holder: 0, keeping: kept)
    }
  }

  // MARK: Columns

  /// Whether a relationship says what a column says.
  private func isTold(_ column: String, in subject: Subject) -> Bool {
    subject.table.foreignKeys.indices.contains { key in
      let foreign = subject.table.foreignKeys[key]
      return foreign.columns.contains(column) && subject.dangling[key] == 0 && isFollowed(foreign)
    }
  }

  /// Whether the table that a foreign key names is there, with the columns.
  private func isFollowed(_ key: DatabaseTable.ForeignKey) -> Bool {
    guard let parent = subject(ofTable: key.parent) else { return false }
    return key.parentColumns.allSatisfy { parent.table.column(named: $0) != nil }
      && parent.table.label("p") != nil
  }

  private func planAttributes(of subject: Subject) {
    let (table, plan) = (subject.table, subject.plan)
    plan.choices.append(
      Choice(
        entity: plan.name, type: "entity", records: subject.members.count,
        reason: "from the table \(table.name) of \(file.path)"))
    for (place, column) in table.columns.enumerated() where !isTold(column.name, in: subject) {
      guard let survey = subject.members.field(named: column.name) else { continue }
      let type = DeclaredType.choice(column.declaredType, survey)
      let isMandatory =
        column.isMandatory || (column.keyPlace > 0 && survey.values == subject.members.count)
      let name = plan.names.name(for: column.name, place: place + 1)
      let attribute = AttributeDefinition(name, type.type, isOptional: !isMandatory)
      plan.attributes.append(attribute)
      plan.fields.append(PlannedField(field: column.name, property: name, content: .attribute(attribute)))
      plan.choices.append(
        Choice(
          entity: plan.name, property: name, field: column.name, type: type.type.rawValue,
          isOptional: !isMandatory,
          values: survey.values, records: subject.members.count, reason: type.reason, remarks: type.remarks))
    }
    for column in table.columns where isTold(column.name, in: subject) {
      plan.fields.append(PlannedField(field: column.name, property: "", content: .omitted))
    }
  }

  // MARK: Foreign keys

  private func planRelationships(of subject: Subject) {
    let (table, plan) = (subject.table, subject.plan)
    for (number, key) in table.foreignKeys.enumerated() {
      guard isFollowed(key), let parent = self.subject(ofTable: key.parent) else {
        plan.choices.append(
          Choice(
            entity: plan.name, property: key.columns.joined(separator: ", "), type: "left out",
            reason: "the foreign key leads to \(key.parent), which is no table here; its columns stay values")
        )
        continue
      }
      let name = plan.names.name(forRelationship: Self.name(of: key, to: parent.plan.name))
      subject.relationships[number] = name
      let isMandatory =
        key.columns.allSatisfy {
          table.column(named: $0)?.isMandatory == true || table.primaryKey.contains($0)
        }
        && subject.linked[number] == subject.members.count
      let isUnique = table.uniqueGroups.contains { Set($0).isSubset(of: Set(key.columns)) }
      var choice = Choice(
        entity: plan.name, property: name, field: key.columns.joined(separator: ", "), type: "",
        isOptional: !isMandatory, values: subject.linked[number], records: subject.members.count,
        reason: "foreign key to \(key.parent)" + (isUnique ? ", unique" : ""))
      if subject.dangling[number] > 0 {
        choice.remarks.append(
          "\(subject.dangling[number].counted("row")) lead to nothing, so that the columns stay values beside it"
        )
      }
      plan.fields.append(
        PlannedField(
          field: DatabaseFile.field(ofForeignKey: number), property: name, content: .reference(isList: false))
      )
      links.add(
        PlannedLinks.Link(
          owner: plan, name: name, target: parent.plan, isToMany: false, isOptional: !isMandatory,
          hasManySources: !isUnique, inverseDeleteRule: Self.rule(key.deleteAction, isMandatory: isMandatory),
          choice: choice))
    }
  }

  /// `department` for `department_id`; the entity's own name for a key of several columns.
  private static func name(of key: DatabaseTable.ForeignKey, to entity: String) -> String {
    guard key.columns.count == 1 else { return EntityNames.singular(entity) }
    // `project_code` for the `code` of a project.
    let words = Words.words(of: key.columns[0])
    let ending = Words.words(of: key.parentColumns[0])
    if words.count > ending.count,
      words.suffix(ending.count).elementsEqual(ending, by: { $0.lowercased() == $1.lowercased() })
    {
      return Words.camelCased(Array(words.dropLast(ending.count)))
    }
    if let stem = KeyNames.stem(ofReference: key.columns[0]) { return Words.camelCased(stem) }
    if KeyNames.isKey(key.columns[0], of: entity) { return EntityNames.singular(entity) }
    return PropertyNames.isIdentifier(key.columns[0])
      ? key.columns[0] : Words.camelCased(Words.words(of: key.columns[0]))
  }

  /// What the deletion of a parent does, as the database does it.
  private static func rule(_ action: String, isMandatory: Bool) -> DeleteRule {
    switch action {
    case "CASCADE": .cascade
    case "SET NULL", "SET DEFAULT": isMandatory ? .deny : .nullify
    default: .deny
    }
  }

  // MARK: Join tables

  /// Whether the rows of a table are links and nothing else: two foreign keys of all columns, of which no two
  /// rows have the same and none lacks one.
  private func isJoin(_ table: DatabaseTable, _ interruption: StatementInterruption) throws -> Bool {
    let keys = table.foreignKeys
    guard keys.count == 2,
      !file.tables.contains(where: { $0.foreignKeys.contains { $0.parent == table.name } }),
      Set(keys[0].columns).isDisjoint(with: keys[1].columns)
    else { return false }
    let linked = Set(keys.flatMap(\.columns))
    let rest = table.columns.filter { !linked.contains($0.name) }
    // A number of its own says nothing of a link.
    guard rest.allSatisfy({ table.primaryKey == [$0.name] && $0.declaredType == "INTEGER" }) else {
      return false
    }
    for key in keys {
      guard let parent = file.tables.first(where: { $0.name == key.parent }), parent.label("p") != nil,
        key.parentColumns.allSatisfy({ parent.column(named: $0) != nil })
      else { return false }
    }
    let number = kept.newNumber()
    var isWhole = true
    try file.forEachRow(of: table, interruption) { members, _ in
      guard isWhole else { return }
      guard let source = members[1].value.keyText, let target = members[2].value.keyText else {
        isWhole = false
        return
      }
      isWhole = try kept.insert(source + "\u{0}" + target, of: number)
    }
    return isWhole
  }

  private func planJoin(_ table: DatabaseTable) {
    let keys = table.foreignKeys
    guard let first = subject(ofTable: keys[0].parent), let second = subject(ofTable: keys[1].parent) else {
      return
    }
    let forth = Self.manyName(of: keys[1], to: second.plan.name)
    let back = Self.manyName(of: keys[0], to: first.plan.name)
    let name = first.plan.names.name(forRelationship: forth)
    let number = kept.newNumber()
    joins.append(Join(table: table, number: number))
    first.plan.keptLinks.append((property: name, number: number))
    links.add(
      PlannedLinks.Link(
        owner: first.plan, name: name, target: second.plan, isToMany: true, isOptional: true,
        hasManySources: true,
        inverseName: back,
        choice: Choice(
          entity: first.plan.name, property: name, type: "",
          reason: "the table \(table.name) holds links and nothing else")))
  }

  private static func manyName(of key: DatabaseTable.ForeignKey, to entity: String) -> String {
    EntityNames.plural(name(of: key, to: entity))
  }

  /// Keeps the links of all join tables.
  func keepLinks(_ interruption: StatementInterruption) throws {
    for join in joins {
      try file.forEachRow(of: join.table, interruption) { members, row in
        guard let source = members[1].value.keyText, let target = members[2].value.keyText else { return }
        try kept.link(source, to: target, of: join.number, place: row)
      }
    }
  }

  // MARK: Constraints

  private func addConstraints(to subject: Subject) {
    let plan = subject.plan
    for group in subject.table.uniqueGroups {
      guard let names = properties(of: group, in: subject) else {
        plan.choices.append(
          Choice(
            entity: plan.name, property: group.joined(separator: ", "), type: "left out",
            reason: "unique together, but a part of them is a part of a relationship"))
        continue
      }
      // The inverse of a one-to-one relationship says it already.
      let isRelationship = names.count == 1 && plan.relationships.contains { $0.name == names[0] }
      guard !isRelationship, !plan.uniquenessConstraints.contains(names) else { continue }
      plan.uniquenessConstraints.append(names)
      plan.choices.append(
        Choice(
          entity: plan.name, property: names.joined(separator: ", "), type: "unique",
          reason: Set(group) == Set(subject.table.primaryKey) ? "the primary key" : "declared UNIQUE"))
    }
    for index in subject.table.indexes where !index.isUnique {
      guard let names = properties(of: index.columns, in: subject), PropertyNames.isIdentifier(index.name),
        names.allSatisfy({ name in plan.attributes.contains { $0.name == name && $0.type != .transformable } }
        )
      else { continue }
      plan.indexes.append(
        IndexDefinition(index.name, elements: names.map { IndexDefinition.Element($0) }))
    }
  }

  /// The properties that stand for columns; nil where they do not stand for these alone.
  private func properties(of columns: [String], in subject: Subject) -> [String]? {
    var names: [String] = []
    var rest = columns
    while let column = rest.first {
      if let field = subject.plan.fields.first(where: { $0.field == column }),
        case .attribute(let attribute) = field.content
      {
        guard ![.binary, .transformable].contains(attribute.type) else { return nil }
        names.append(field.property)
        rest.removeFirst()
        continue
      }
      let key = subject.table.foreignKeys.indices.first { key in
        let foreign = subject.table.foreignKeys[key].columns
        return foreign.contains(column) && subject.isFollowed(key) && Set(foreign).isSubset(of: Set(columns))
      }
      guard let key, let name = subject.relationships[key] else { return nil }
      names.append(name)
      let foreign = Set(subject.table.foreignKeys[key].columns)
      rest.removeAll(where: foreign.contains)
    }
    return names
  }
}
