import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

@testable import GraphStore

/// A random graph, once as objects in memory and once as rows of a database.
final class PlannerGraph {
  let fixture: PlannerFixture
  private(set) var people: [PlannerObject] = []
  private(set) var departments: [PlannerObject] = []
  private(set) var tags: [PlannerObject] = []

  init(_ random: inout SeededGenerator) throws {
    fixture = try PlannerFixture()
    for key in 1...6 { departments.append(try make("Department", Int64(key), &random)) }
    for key in 1...8 { tags.append(try make("Tag", Int64(key), &random)) }
    for key in 1...40 {
      let entity = random.pick(["Person", "Person", "Employee", "Employee", "Boss", "Guest"])
      people.append(try make(entity, Int64(key), &random))
    }
    for person in people {
      if random.chance(70) { link(person, "manager", random.pick(people), "reports") }
      if random.chance(70) { link(person, "department", random.pick(departments), "members") }
    }
    for department in departments where random.chance(60) {
      let employees = people.filter { ["Employee", "Boss"].contains($0.entity.name) }
      department.toOne["head"] = random.pick(employees)
    }
    try pairs("tags", "people", people, tags, 50, &random)
    try pairs("friends", "friends", people, people, 40, &random)
    try own("watched", people, departments, &random)
    for object in departments + tags + people { try insert(object) }
  }

  private func make(
    _ entity: String, _ key: Int64, _ random: inout SeededGenerator
  ) throws -> PlannerObject {
    let description = try fixture.model.entity(named: entity)
    let identifier = ManagedObjectID(scope: fixture.scope, entityIndex: description.index, key: key)
    let object = PlannerObject(description, key, ObjectReference(identifier))
    for attribute in description.attributes where !attribute.isTransient && random.chance(80) {
      object.values[attribute.name] = PlannerValues.value(attribute, &random)
    }
    return object
  }

  private func link(_ source: PlannerObject, _ toOne: String, _ target: PlannerObject, _ toMany: String) {
    source.toOne[toOne] = target
    target.toMany[toMany, default: []].append(source)
  }

  /// Members of a to-many without inverse, each of which has one owner.
  private func own(
    _ name: String, _ owners: [PlannerObject], _ members: [PlannerObject], _ random: inout SeededGenerator
  ) throws {
    let person = try fixture.model.entity(named: "Person")
    guard let relationship = person.relationship(named: name),
      case .toManyInverse(let column, _) = fixture.schema.entity(person).storage(of: relationship)
    else { throw PlannerFixture.Residual(reason: "\(name) has no column of its owner") }
    for member in members where random.chance(80) {
      let owner = random.pick(owners)
      owner.toMany[name, default: []].append(member)
      member.ownerKeys.append((column.quotedName, owner.key))
    }
  }

  private func pairs(
    _ name: String, _ inverse: String, _ sources: [PlannerObject], _ targets: [PlannerObject],
    _ count: Int, _ random: inout SeededGenerator
  ) throws {
    let person = try fixture.model.entity(named: "Person")
    guard let relationship = person.relationship(named: name),
      case .joinTable(let table, let from, let to, _) = fixture.schema.entity(person).storage(
        of: relationship)
    else { throw PlannerFixture.Residual(reason: "\(name) has no join table") }
    for _ in 0..<count {
      let source = random.pick(sources)
      let target = random.pick(targets)
      if source.toMany[name, default: []].contains(where: { $0 === target }) { continue }
      source.toMany[name, default: []].append(target)
      try fixture.connection.execute(
        "INSERT INTO \(table.quotedName) (\(from), \(to)) VALUES (\(source.key), \(target.key))")
      if name == inverse, source === target { continue }
      target.toMany[inverse, default: []].append(source)
      if name == inverse {
        try fixture.connection.execute(
          "INSERT INTO \(table.quotedName) (\(from), \(to)) VALUES (\(target.key), \(source.key))")
      }
    }
  }

  private func insert(_ object: PlannerObject) throws {
    let entity = fixture.schema.entity(object.entity)
    var names = ["Z_PK", "Z_ENT", "Z_OPT"]
    var bindings: [SQLBinding] = [.integer(object.key), .integer(Int64(entity.number)), .integer(1)]
    for property in object.entity.properties {
      switch entity.storage(of: property) {
      case .attribute(let column):
        names.append(column.quotedName)
        bindings.append(PlannerValues.binding(object.values[property.name] ?? .null))
      case .toOne(let key, let tag, _):
        guard let target = object.toOne[property.name] else { continue }
        names.append(key.quotedName)
        bindings.append(.integer(target.key))
        guard let tag else { continue }
        names.append(tag.quotedName)
        bindings.append(.integer(Int64(fixture.schema.entity(target.entity).number)))
      default: continue
      }
    }
    for (column, key) in object.ownerKeys {
      names.append(column)
      bindings.append(.integer(key))
    }
    let places = names.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
    let sql =
      "INSERT INTO \(entity.table.quotedName) (\(names.joined(separator: ", "))) VALUES (\(places))"
    try fixture.connection.withStatement(sql) { statement in
      try fixture.bind(bindings, to: statement)
      _ = try statement.step()
    }
  }
}

/// An object of a random graph.
final class PlannerObject: PropertySource {
  let entity: EntityDescription
  let key: Int64
  let _objectReference: ObjectReference?
  var values: [String: Value] = [:]
  var toOne: [String: PlannerObject] = [:]
  var toMany: [String: [PlannerObject]] = [:]
  /// Quoted columns of to-many relationships without inverse that this object is a member of, and the keys of
  /// its owners.
  var ownerKeys: [(column: String, key: Int64)] = []

  init(_ entity: EntityDescription, _ key: Int64, _ reference: ObjectReference) {
    self.entity = entity
    self.key = key
    _objectReference = reference
  }

  func _operand(forKey key: PropertyKey) throws -> QueryOperand {
    switch key.name {
    case "objectID": return .value(_objectReference.map(Value.object) ?? .null)
    case "entity": return .value(.string(entity.name))
    default: break
    }
    if let value = values[key.name] { return .value(value) }
    if let object = toOne[key.name] { return .source(object) }
    guard let relationship = entity.relationship(named: key.name), relationship.isToMany else { return .null }
    return .collection((toMany[key.name] ?? []).map(QueryOperand.source), isOrdered: false)
  }

  func _leadsToCollection(_ keys: [String], behind path: [String]) -> Bool {
    entity.leadsToMany(keys, behind: path)
  }
}
