import GraphStorePredicates

/// Data of a store that a migration leaves behind.
///
/// ```swift
/// for loss in try CheckedMapping(mapping: nil, from: old, to: new).losses { print(loss.path, loss.text) }
/// ```
public struct MappingLoss: Hashable, Sendable {
  /// The entity of the source.
  public let entity: String
  /// The property of the source (`address.city` for an element); nil where whole objects are concerned.
  public let property: String?
  /// The loss, as words that follow its name: "its values are left behind".
  public let text: String

  /// Where the data are: `Employee`, or `Employee.salary`.
  public var path: String { [entity, property].compactMap { $0 }.joined(separator: ".") }
}

extension MappingLoss: CustomStringConvertible {
  /// The path and the loss.
  public var description: String { "\(path): \(text)" }
}

extension CheckedMapping {
  /// The losses of a migration along the mapping, in the order of the source; empty for one that loses
  /// nothing.
  ///
  /// It follows from the mapping alone, and no data are read. What a migration policy does with an object is
  /// unknown: its properties are not listed.
  public var losses: [MappingLoss] { Self.losses(of: [self]) }

  /// The losses of the mappings of one step together.
  public static func losses(of parts: [CheckedMapping]) -> [MappingLoss] {
    guard let first = parts.first else { return [] }
    var finder = MappingLossFinder(
      pairing: first.pairing, mappings: parts.flatMap(\.entityMappings))
    finder.run()
    return finder.losses
  }
}

/// Search for what no mapping reads.
private struct MappingLossFinder {
  let pairing: ModelPairing
  let mappings: [CheckedEntityMapping]
  private(set) var losses: [MappingLoss] = []
  /// The properties that the mappings of each entity of the source read.
  private var readings: [EntityDescription: MappingReadings] = [:]
  private var order: [EntityDescription] = []

  init(pairing: ModelPairing, mappings: [CheckedEntityMapping]) {
    self.pairing = pairing
    self.mappings = mappings
  }

  mutating func run() {
    let bySource = Dictionary(grouping: mappings.filter { $0.source != nil }, by: { $0.source })
    for entity in pairing.source.entities where !entity.isAbstract {
      guard let own = bySource[entity] else { continue }
      let makers = own.filter { $0.destination != nil }
      if makers.isEmpty {
        losses.append(MappingLoss(entity: entity.name, property: nil, text: "its objects are left behind"))
        continue
      }
      if makers.allSatisfy({ $0.filter != nil }) {
        losses.append(
          MappingLoss(
            entity: entity.name, property: nil, text: "objects that no mapping takes are left behind"))
      }
      guard !makers.contains(where: { $0.policyName != nil }) else { continue }
      // Whether there are objects of what is abstract now, the data are asked.
      guard makers.contains(where: { $0.destination?.isAbstract == false }) else { continue }
      order.append(entity)
      readings[entity] = MappingReadings(makers)
    }
    addProperties()
  }

  private mutating func addProperties() {
    var lost: [PropertyDescription: [(entity: EntityDescription, text: String)]] = [:]
    var properties: [PropertyDescription] = []
    for entity in order {
      guard let reading = readings[entity] else { continue }
      for property in entity.properties where !property.isTransient {
        addElements(of: property, in: entity, reading)
        guard let text = loss(of: property, in: entity, reading) else { continue }
        if lost[property] == nil { properties.append(property) }
        lost[property, default: []].append((entity, text))
      }
    }
    for property in properties {
      let found = lost[property] ?? []
      let concerned = order.filter { $0.isKind(of: property.entity) }
      if found.count == concerned.count, Set(found.map(\.text)).count == 1 {
        losses.append(
          MappingLoss(entity: property.entity.name, property: property.name, text: found[0].text))
      } else {
        losses += found.map { MappingLoss(entity: $0.entity.name, property: property.name, text: $0.text) }
      }
    }
  }

  /// The loss of the values of a property of objects of an entity, if any.
  private func loss(
    of property: PropertyDescription, in entity: EntityDescription, _ reading: MappingReadings
  ) -> String? {
    switch property {
    case let attribute as AttributeDescription:
      if attribute.isDerived || reading.reads(attribute) { return nil }
      let successor = pairing.destination(of: attribute, in: entity) as? AttributeDescription
      return successor?.isDerived == true
        ? "its values are replaced by computed ones" : "its values are left behind"
    case let relationship as RelationshipDescription:
      if reading.reads(relationship) {
        if let member = strangers(of: relationship, reading).first {
          return "its links to objects of \(member.name) are left behind"
        }
        return relationship.isOrdered && reading.losesOrder(of: relationship)
          ? "the order of its members is left behind" : nil
      }
      guard isReadFromInverse(relationship) else { return "its links are left behind" }
      return relationship.isOrdered ? "the order of its members is left behind" : nil
    default: return nil
    }
  }

  /// The entities whose objects are members, and continue as objects that no successor of the relationship
  /// leads to.
  private func strangers(
    of relationship: RelationshipDescription, _ reading: MappingReadings
  ) -> [EntityDescription] {
    // Where the destination as a whole became another, the data are asked whether there are such members
    // (MIG-087).
    let end = pairing.destination(of: relationship.destination)
    let successors = reading.successors(of: relationship).filter { end?.isKind(of: $0.destination) == true }
    guard !successors.isEmpty else { return [] }
    return relationship.destination.concreteFamily.filter { member in
      let made = mappings.filter { $0.source === member }.compactMap(\.destination)
      guard !made.isEmpty else { return false }
      return !made.contains { entity in successors.contains { entity.isKind(of: $0.destination) } }
    }
  }

  /// Whether the links are there on the other side.
  private func isReadFromInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = relationship.inverse, inverse !== relationship else { return false }
    return readings.contains { $0.key.isKind(of: relationship.destination) && $0.value.reads(inverse) }
  }

  private mutating func addElements(
    of property: PropertyDescription, in entity: EntityDescription, _ reading: MappingReadings
  ) {
    guard property.entity === entity || !order.contains(property.entity) else { return }
    for path in reading.lostElements(of: property) {
      let loss = MappingLoss(
        entity: property.entity.name, property: "\(property.name).\(path)", text: "its values are left behind"
      )
      if !losses.contains(loss) { losses.append(loss) }
    }
  }
}
