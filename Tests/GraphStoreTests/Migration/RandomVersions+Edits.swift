import Foundation
import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

extension RandomVersions {
  /// What an edit comes to.
  enum Outcome {
    /// There was nothing that it could change.
    case nothing
    /// The model and the objects are those of the next version.
    case changed
    /// So many objects of an entity do not allow it; model and objects are those that would be.
    case refused(entity: String, property: String, count: Int)
  }

  /// Draws and makes an edit.
  mutating func edit() -> (name: String, outcome: Outcome) {
    let edits: [(String, (inout RandomVersions) -> Outcome)] = [
      ("add attribute", { $0.addAttribute() }), ("remove attribute", { $0.removeAttribute() }),
      ("rename attribute", { $0.renameAttribute() }), ("optional", { $0.changeOptional() }),
      ("type", { $0.changeType() }), ("type", { $0.changeType() }),
      ("move attribute", { $0.moveAttribute() }),
      ("add entity", { $0.addEntity() }), ("remove entity", { $0.removeEntity() }),
      ("rename entity", { $0.renameEntity() }), ("new root", { $0.addRoot() }),
      ("leave tree", { $0.leaveTree() }), ("abstract", { $0.changeAbstract() }),
      ("modifier", { $0.changeModifier() }), ("add pair", { $0.addNewPair() }),
      ("remove pair", { $0.removePair() }), ("rename side", { $0.renameSide() }),
      ("shape", { $0.changeShape() }), ("shape", { $0.changeShape() }), ("inverse", { $0.changeInverse() }),
      ("move side", { $0.moveSide() }),
    ]
    let drawn = random.pick(edits)
    return (drawn.0, drawn.1(&self))
  }

  private mutating func take(_ name: String) -> Bool { touched.insert(name).inserted }

  /// The name of the version before, or the name that the version before went by.
  private mutating func identifier(_ name: String, _ former: String?) -> String {
    random.chance(50) ? name : former ?? name
  }

  // MARK: Attributes

  private mutating func drawAttribute() -> (entity: Int, attribute: Int)? {
    guard let entity = index(below: entities.count),
      let attribute = index(below: entities[entity].attributes.count),
      take(entities[entity].attributes[attribute].name)
    else { return nil }
    return (entity, attribute)
  }

  private mutating func addAttribute() -> Outcome {
    guard let index = index(below: entities.count) else { return .nothing }
    let attribute = newAttribute()
    touched.insert(attribute.name)
    entities[index].attributes.append(attribute)
    for object in objects(of: entities[index].name) {
      records[object]?.values[attribute.name] = attribute.defaultValue
    }
    return .changed
  }

  private mutating func removeAttribute() -> Outcome {
    guard let place = drawAttribute() else { return .nothing }
    entities[place.entity].attributes.remove(at: place.attribute)
    return .changed
  }

  private mutating func renameAttribute() -> Outcome {
    guard let place = drawAttribute() else { return .nothing }
    let old = entities[place.entity].attributes[place.attribute]
    let new = name("a")
    touched.insert(new)
    entities[place.entity].attributes[place.attribute].name = new
    entities[place.entity].attributes[place.attribute].identifier = identifier(old.name, old.identifier)
    for object in objects(of: entities[place.entity].name) {
      let value = records[object]?.values[old.name] ?? .null
      records[object]?.values[new] = value
    }
    return .changed
  }

  private mutating func changeOptional() -> Outcome {
    guard let place = drawAttribute() else { return .nothing }
    var attribute = entities[place.entity].attributes[place.attribute]
    attribute.isOptional.toggle()
    if !attribute.isOptional {
      attribute.defaultValue = value(attribute.type)
      for object in objects(of: entities[place.entity].name)
      where records[object]?.values[attribute.name]?.isNull != false {
        records[object]?.values[attribute.name] = attribute.defaultValue
      }
    }
    entities[place.entity].attributes[place.attribute] = attribute
    return .changed
  }

  private mutating func changeType() -> Outcome {
    guard let place = drawAttribute() else { return .nothing }
    var attribute = entities[place.entity].attributes[place.attribute]
    let numbers: [AttributeType] = [.int16, .int32, .int64, .decimal, .double, .float]
    guard numbers.contains(attribute.type) else { return .nothing }
    attribute.type = random.pick(numbers.filter { $0 != attribute.type })
    attribute.defaultValue = attribute.isOptional ? .null : value(attribute.type)
    entities[place.entity].attributes[place.attribute] = attribute
    var refused: [String: Int] = [:]
    for object in objects(of: entities[place.entity].name) {
      guard let record = records[object], let value = record.values[attribute.name], !value.isNull else {
        continue
      }
      let converted = Self.converted(value, to: attribute.type)
      if converted == nil { refused[record.entity, default: 0] += 1 }
      records[object]?.values[attribute.name] = converted ?? .null
    }
    guard let first = refused.min(by: { $0.key < $1.key }) else { return .changed }
    return .refused(
      entity: first.key, property: attribute.name, count: refused.values.reduce(0, +))
  }

  /// A number as one of another type; nil for one that has no equal there.
  static func converted(_ value: Value, to type: AttributeType) -> Value? {
    let text = RecordLines.text(value)
    guard let exact = Decimal(string: text) else { return nil }
    switch type {
    case .int16, .int32, .int64:
      guard let whole = Int64("\(exact)"), let range = type.integerRange, range.contains(whole) else {
        return nil
      }
      return .int(whole)
    case .decimal:
      if case .double(let number) = value, number.magnitude > 1e100 { return nil }
      return .decimal(exact)
    default:
      if case .int(let whole) = value {
        let number = type == .float ? Double(Float(whole)) : Double(whole)
        return Int64(exactly: number) == whole ? .double(number) : nil
      }
      guard let number = Double(text), number.isFinite, Decimal(string: "\(number)") == exact else {
        return nil
      }
      if type == .float, Double(Float(number)) != number { return nil }
      return .double(number)
    }
  }

  /// Up to the parent, or down to a child.
  private mutating func moveAttribute() -> Outcome {
    guard let place = drawAttribute() else { return .nothing }
    let entity = entities[place.entity]
    let attribute = entity.attributes[place.attribute]
    let goesUp = entity.parent != nil && random.chance(60)
    let target = goesUp ? entity.parent : children(of: entity.name).first?.name
    guard let target, attribute.isOptional || !attribute.defaultValue.isNull,
      let index = entities.firstIndex(where: { $0.name == target })
    else { return .nothing }
    entities[place.entity].attributes.remove(at: place.attribute)
    entities[index].attributes.append(attribute)
    for object in objects(of: target) where records[object]?.values[attribute.name] == nil {
      records[object]?.values[attribute.name] = attribute.defaultValue
    }
    // Where the attribute is not any more; another tree may have one of its name.
    for object in objects(of: entity.name) where !isKind(records[object]!.entity, of: target) {
      records[object]?.values[attribute.name] = nil
    }
    return .changed
  }

  // MARK: Entities

  private mutating func addEntity() -> Outcome {
    var entity = Entity(name: name("E"))
    touched.insert(entity.name)
    if random.chance(60) { entity.parent = random.pick(entities).name }
    entity.attributes = [newAttribute()]
    touched.insert(entity.attributes[0].name)
    entities.append(entity)
    return .changed
  }

  /// Whether a pair has an end at an entity or above it, or was changed already.
  private func concerns(_ pair: Pair, _ name: String) -> Bool {
    [pair.left, pair.right].contains { isKind(name, of: $0.entity) }
  }

  private mutating func removeEntity() -> Outcome {
    let leaves = entities.filter { children(of: $0.name).isEmpty }
    guard entities.count > 2, let index = index(below: leaves.count) else { return .nothing }
    let name = leaves[index].name
    let concerned = pairs.filter { concerns($0, name) }
    guard !concerned.contains(where: { touched.contains($0.left.name) }), take(name) else { return .nothing }
    for pair in concerned { touched.insert(pair.left.name) }
    let gone = Set(objects(of: name))
    pairs.removeAll { $0.left.entity == name || $0.right.entity == name }
    for index in pairs.indices {
      for object in gone {
        pairs[index].members[object] = nil
        pairs[index].owners[object] = nil
      }
      pairs[index].members = pairs[index].members.mapValues { $0.filter { !gone.contains($0) } }
      pairs[index].owners = pairs[index].owners.mapValues { $0.filter { !gone.contains($0) } }
    }
    for object in gone { records[object] = nil }
    entities.removeAll { $0.name == name }
    return .changed
  }

  private mutating func renameEntity() -> Outcome {
    guard let index = index(below: entities.count), take(entities[index].name) else { return .nothing }
    let (old, new) = (entities[index], name("E"))
    touched.insert(new)
    entities[index].name = new
    entities[index].identifier = identifier(old.name, old.identifier)
    for index in entities.indices where entities[index].parent == old.name { entities[index].parent = new }
    for index in pairs.indices {
      if pairs[index].left.entity == old.name { pairs[index].left.entity = new }
      if pairs[index].right.entity == old.name { pairs[index].right.entity = new }
    }
    for object in records.keys where records[object]?.entity == old.name { records[object]?.entity = new }
    return .changed
  }

  private mutating func addRoot() -> Outcome {
    let roots = entities.indices.filter { entities[$0].parent == nil }
    let root = random.pick(roots)
    guard take(entities[root].name) else { return .nothing }
    var entity = Entity(name: name("E"), isAbstract: random.chance(50))
    let attribute = newAttribute()
    entity.attributes = [attribute]
    touched.formUnion([entity.name, attribute.name])
    for object in objects(of: entities[root].name) {
      records[object]?.values[attribute.name] = attribute.defaultValue
    }
    entities[root].parent = entity.name
    entities.append(entity)
    return .changed
  }

  /// An entity becomes the root of a tree of its own, with all that it inherited.
  private mutating func leaveTree() -> Outcome {
    let lower = entities.indices.filter { entities[$0].parent != nil }
    guard let position = index(below: lower.count), let parent = entities[lower[position]].parent else {
      return .nothing
    }
    let above = line(of: parent)
    let names = above.map(\.name) + above.flatMap { $0.attributes.map(\.name) }
    let hasRelationships = pairs.contains { pair in
      above.contains { $0.name == pair.left.entity || $0.name == pair.right.entity }
    }
    guard !hasRelationships, touched.isDisjoint(with: names), take(entities[lower[position]].name) else {
      return .nothing
    }
    touched.formUnion(names)
    entities[lower[position]].parent = nil
    entities[lower[position]].attributes += above.flatMap(\.attributes)
    return .changed
  }

  private mutating func changeAbstract() -> Outcome {
    guard let index = index(below: entities.count), take(entities[index].name) else { return .nothing }
    guard entities.count(where: { !$0.isAbstract }) > 1 || entities[index].isAbstract else { return .nothing }
    entities[index].isAbstract.toggle()
    let own = records.values.count { $0.entity == entities[index].name }
    guard entities[index].isAbstract, own > 0 else { return .changed }
    return .refused(entity: entities[index].name, property: "", count: own)
  }

  private mutating func changeModifier() -> Outcome {
    guard let index = index(below: entities.count) else { return .nothing }
    entities[index].modifier = name("m")
    return .changed
  }

  // MARK: Relationships

  private mutating func drawPair() -> Int? {
    guard let index = index(below: pairs.count), take(pairs[index].left.name) else { return nil }
    return index
  }

  private mutating func addNewPair() -> Outcome {
    addPair()
    return .changed
  }

  private mutating func removePair() -> Outcome {
    guard let index = drawPair() else { return .nothing }
    pairs.remove(at: index)
    return .changed
  }

  private mutating func renameSide() -> Outcome {
    guard let index = drawPair() else { return .nothing }
    let new = name("r")
    let isLeft = !pairs[index].hasInverse || random.chance(50)
    var side = isLeft ? pairs[index].left : pairs[index].right
    side.identifier = identifier(side.name, side.identifier)
    side.name = new
    if isLeft {
      pairs[index].left = side
      touched.insert(new)
    } else {
      pairs[index].right = side
    }
    return .changed
  }

  /// One side gets another shape: one member, many, or many in an order.
  private mutating func changeShape() -> Outcome {
    guard let index = drawPair() else { return .nothing }
    let isLeft = !pairs[index].hasInverse || random.chance(50)
    var side = isLeft ? pairs[index].left : pairs[index].right
    let shape = random.pick(
      [(false, false), (true, false), (true, true)].filter {
        $0 != (side.isToMany, side.isOrdered)
      })
    (side.isToMany, side.isOrdered) = shape
    let lists = isLeft ? pairs[index].members : pairs[index].owners
    let full = lists.filter { $0.value.count > 1 }.keys
    let kept = side.isOrdered ? lists : lists.mapValues { sorted($0) }
    if isLeft {
      (pairs[index].left, pairs[index].members) = (side, kept)
    } else {
      (pairs[index].right, pairs[index].owners) = (side, kept)
    }
    if !side.isToMany, let first = full.compactMap({ records[$0]?.entity }).min() {
      return .refused(entity: first, property: side.name, count: full.count)
    }
    return .changed
  }

  /// An inverse comes or goes.
  private mutating func changeInverse() -> Outcome {
    guard let index = drawPair() else { return .nothing }
    pairs[index].hasInverse.toggle()
    let owners = pairs[index].owners.mapValues { sorted($0) }
    pairs[index].owners = owners
    guard pairs[index].hasInverse else { return .changed }
    pairs[index].right.name = name("b")
    pairs[index].right.identifier = nil
    let full = owners.filter { $0.value.count > 1 }.keys
    if !pairs[index].right.isToMany, let first = full.compactMap({ records[$0]?.entity }).min() {
      return .refused(entity: first, property: pairs[index].right.name, count: full.count)
    }
    return .changed
  }

  /// One side moves to the parent of its entity.
  private mutating func moveSide() -> Outcome {
    guard let index = drawPair() else { return .nothing }
    let isLeft = random.chance(50)
    let entity = isLeft ? pairs[index].left.entity : pairs[index].right.entity
    guard let parent = self.entity(entity).parent, !touched.contains(entity), !touched.contains(parent) else {
      return .nothing
    }
    touched.formUnion([entity, parent])
    if isLeft { pairs[index].left.entity = parent } else { pairs[index].right.entity = parent }
    return .changed
  }
}
