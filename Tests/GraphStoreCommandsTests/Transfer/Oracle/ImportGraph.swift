import Foundation
import GraphStore

/// A whole store as dictionaries: what the oracle works on, and what a store is compared as.
struct ImportGraph: Equatable {
  /// An object by the root of its entity tree and its key; keys of new objects are given by the oracle.
  struct ID: Hashable, Comparable {
    var root: String
    var key: Int
    static func < (a: ID, b: ID) -> Bool { (a.root, a.key) < (b.root, b.key) }
  }

  /// One object. Members are in order where the relationship is ordered, else sorted when compared.
  struct Object: Equatable {
    var entity: String
    var values: [String: String] = [:]
    var one: [String: ID] = [:]
    var many: [String: [ID]] = [:]
  }

  var objects: [ID: Object] = [:]

  // MARK: Links

  mutating func clear(_ owner: ID, _ end: RandomImportModel.Relationship) {
    guard let old = objects[owner]?.one.removeValue(forKey: end.name), let inverse = end.inverse else {
      return
    }
    if objects[old]?.one[inverse] == owner { objects[old]?.one[inverse] = nil }
    objects[old]?.many[inverse]?.removeAll { $0 == owner }
  }

  mutating func set(
    _ end: RandomImportModel.Relationship, of owner: ID, to member: ID?, _ model: RandomImportModel
  ) {
    if objects[owner]?.one[end.name] == member { return }
    clear(owner, end)
    guard let member else { return }
    if let inverse = end.inverse, let other = model.relationship(inverse, of: end.destination) {
      if other.isToMany {
        append(owner, to: inverse, of: member)
      } else {
        if let partner = objects[member]?.one[inverse] { objects[partner]?.one[end.name] = nil }
        objects[member]?.one[inverse] = owner
      }
    }
    objects[owner]?.one[end.name] = member
  }

  mutating func add(
    _ member: ID, to end: RandomImportModel.Relationship, of owner: ID, _ model: RandomImportModel
  ) {
    guard let inverse = end.inverse, let other = model.relationship(inverse, of: end.destination) else {
      return append(member, to: end.name, of: owner)
    }
    guard other.isToMany else { return set(other, of: member, to: owner, model) }
    append(member, to: end.name, of: owner)
    append(owner, to: inverse, of: member)
  }

  mutating func remove(
    _ member: ID, from end: RandomImportModel.Relationship, of owner: ID, _ model: RandomImportModel
  ) {
    guard let inverse = end.inverse, let other = model.relationship(inverse, of: end.destination) else {
      objects[owner]?.many[end.name]?.removeAll { $0 == member }
      return
    }
    guard other.isToMany else {
      if objects[member]?.one[inverse] == owner { set(other, of: member, to: nil, model) }
      return
    }
    objects[owner]?.many[end.name]?.removeAll { $0 == member }
    objects[member]?.many[inverse]?.removeAll { $0 == owner }
  }

  private mutating func append(_ member: ID, to name: String, of owner: ID) {
    if objects[owner]?.many[name, default: []].contains(member) == true { return }
    objects[owner]?.many[name, default: []].append(member)
  }

  func count(_ object: ID, _ end: RandomImportModel.Relationship) -> Int {
    guard let object = objects[object] else { return 0 }
    return end.isToMany ? object.many[end.name]?.count ?? 0 : object.one[end.name] == nil ? 0 : 1
  }

  // MARK: Comparing

  /// The same graph with members of relationships without order sorted, and nothing where there is nothing.
  func normalized(_ model: RandomImportModel, _ rename: (ID) -> ID = { $0 }) -> ImportGraph {
    var result = ImportGraph()
    for (id, object) in objects {
      var copy = Object(entity: object.entity, values: object.values)
      for (name, member) in object.one { copy.one[name] = rename(member) }
      for (name, members) in object.many where !members.isEmpty {
        let renamed = members.map(rename)
        copy.many[name] =
          model.relationship(name, of: object.entity)?.isOrdered == true ? renamed : renamed.sorted()
      }
      result.objects[rename(id)] = copy
    }
    return result
  }

  /// What differs between two graphs, a line each.
  func differences(from other: ImportGraph) -> [String] {
    Set(objects.keys).union(other.objects.keys).sorted().compactMap { id in
      objects[id] == other.objects[id]
        ? nil
        : "\(id.root)/p\(id.key): \(objects[id].map { "\($0)" } ?? "nothing") instead of \(other.objects[id].map { "\($0)" } ?? "nothing")"
    }
  }

  /// Reads a store through a coordinator of its own.
  static func read(_ path: String, _ model: RandomImportModel) throws -> ImportGraph {
    let coordinator = try PersistentStoreCoordinator.open(storeAt: path)
    defer { coordinator.close() }
    let context = ManagedObjectContext(coordinator: coordinator)
    var graph = ImportGraph()
    for entity in model.entities where entity.parent == nil {
      let objects = try context.fetch(FetchRequest(entityName: entity.name))
      for object in objects {
        guard let described = model.byName[object.entity.name] else { continue }
        var copy = Object(entity: described.name)
        for attribute in described.attributes where attribute.refusal == nil {
          copy.values[attribute.name] = text(try object.queryValue(forKey: attribute.name))
        }
        for end in described.relationships {
          if end.isToMany {
            copy.many[end.name] = try object.objects(forKey: end.name).map(id)
          } else {
            copy.one[end.name] = try object.object(forKey: end.name).map(id)
          }
        }
        graph.objects[id(object)] = copy
      }
    }
    return graph
  }

  private static func id(_ object: ManagedObject) -> ID {
    ID(root: object.entity.rootEntity.name, key: Int(object.objectID.number))
  }

  static func text(_ value: Value) -> String? {
    switch value {
    case .null: nil
    case .int(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .string(let text): text
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let uri): uri.absoluteString
    case .data(let data): data.base64EncodedString()
    default: "?"
    }
  }
}
