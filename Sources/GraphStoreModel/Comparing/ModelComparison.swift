/// Structural diff of two models.
struct ModelComparison {
  let pairing: ModelPairing
  private(set) var changes: [ModelChange] = []

  var old: ManagedObjectModel { pairing.source }
  var new: ManagedObjectModel { pairing.destination }

  init(_ pairing: ModelPairing) { self.pairing = pairing }

  mutating func run() {
    compareModels()
    for entity in new.entities {
      if let source = pairing.source(of: entity) {
        compare(source, entity)
      } else {
        add(entity)
      }
      compareProperties(of: entity)
      if let source = pairing.source(of: entity) {
        compareFetchedProperties(source.definition, entity.definition)
        compareConstraints(source, entity)
        compareIndexes(source, entity)
      }
    }
    for entity in old.entities where pairing.destination(of: entity) == nil {
      remove(entity)
    }
    compareFetchRequests()
    compareConfigurations()
  }

  mutating func record(
    _ kind: ModelChange.Kind, subject: ModelChange.Subject, of entity: String? = nil,
    name: String? = nil, key: String? = nil, old: String? = nil, new: String? = nil,
    effect: ModelChange.Effect, remedy: String? = nil
  ) {
    changes.append(
      ModelChange(
        kind: kind, subject: subject, entity: entity, name: name, key: key, old: old, new: new,
        effect: effect, remedy: remedy))
  }

  /// Removes the effects of changes that turned out to concern nothing stored.
  mutating func clearEffects(from start: Int) {
    for position in start..<changes.count {
      changes[position].effect = .none
      changes[position].remedy = nil
    }
  }

  /// Allows changes of properties that no object has: nothing is lost, and nothing can go wrong.
  mutating func allow(from start: Int) {
    for position in start..<changes.count where changes[position].effect != .none {
      changes[position].effect = .lossless
      changes[position].remedy = nil
    }
  }

  /// Records fields that differ and have no effect on storage.
  mutating func recordFields(
    _ subject: ModelChange.Subject, of entity: String? = nil, named name: String? = nil,
    old: [ComparedField], new: [ComparedField]
  ) {
    for difference in ComparedField.differences(old, new) {
      record(
        .changed, subject: subject, of: entity, name: name, key: difference.key, old: difference.old,
        new: difference.new,
        effect: .none)
    }
  }

  /// Records that things both models have have another order.
  mutating func recordOrder(
    _ subject: ModelChange.Subject, of entity: String? = nil, named name: String? = nil, key: String,
    old: [String], new: [String]
  ) {
    let before = Set(old)
    let after = Set(new)
    let oldOrder = old.filter(after.contains)
    let newOrder = new.filter(before.contains)
    guard oldOrder != newOrder else { return }
    record(
      .changed, subject: subject, of: entity, name: name, key: key, old: oldOrder.joined(separator: ", "),
      new: newOrder.joined(separator: ", "), effect: .none)
  }

  private mutating func compareModels() {
    recordFields(.model, old: Self.fields(old), new: Self.fields(new))
    recordOrder(
      .model, key: "entities",
      old: old.entities.compactMap { pairing.destination(of: $0)?.name }, new: new.entities.map(\.name))
  }

  private static func fields(_ model: ManagedObjectModel) -> [ComparedField] {
    let definition = model.definition
    return [
      ComparedField("name", definition.name), ComparedField("version", definition.version),
      ComparedField("requiresClasses", definition.requiresClasses),
    ]
      + ComparedField.each("userInfo", definition.userInfo)
      + ComparedField.each("localization", definition.localization.mapValues(JSONValue.string))
      + ComparedField.each("xcode", definition.xcode)
  }
}
