import GraphStoreModel
import GraphStorePredicates

extension MigrationStep {
  /// An entity or property of the source, by name.
  struct LossSubject: Hashable, Sendable {
    let entity: String
    let property: String?
  }

  /// Something that the step leaves behind.
  struct Loss: Sendable {
    let path: String
    let reason: String
    /// What of the source is lost, if that can be counted.
    let subject: LossSubject?
    let remedy: String?
  }

  /// What the step leaves behind, in the order of the models; what written mappings use is not lost.
  var losses: [Loss] {
    var losses = difference.changes.compactMap(loss)
    for mapping in mappings.flatMap(\.entityMappings) where mapping.filter != nil && !mapping.isInferred {
      guard let source = mapping.source else { continue }
      losses.append(
        Loss(
          path: source.name, reason: "objects that \(mapping.name) does not take may be left behind",
          subject: nil,
          remedy: nil))
    }
    return losses
  }

  private func loss(_ change: ModelChange) -> Loss? {
    guard case .lossy(let reason) = change.effect, let subject = subject(change), !isUsed(subject) else {
      return nil
    }
    return Loss(
      path: [subject.entity, subject.property].compactMap { $0 }.joined(separator: "."), reason: reason,
      subject: subject, remedy: change.remedy)
  }

  /// What of the source a change is about.
  private func subject(_ change: ModelChange) -> LossSubject? {
    guard let name = change.entity else { return nil }
    let new = destination.model.entitiesByName[name]
    let old = new.flatMap { difference.pairing.source(of: $0) } ?? source.model.entitiesByName[name]
    guard let old else { return nil }
    guard let path = change.name, change.subject != .entity else {
      return LossSubject(entity: old.name, property: nil)
    }
    if change.kind != .removed, let new, let property = new.property(named: path),
      let origin = difference.pairing.source(of: property, in: new)
    {
      return LossSubject(entity: old.name, property: origin.name)
    }
    return LossSubject(entity: old.name, property: path)
  }

  /// Whether a written mapping takes the objects, or has the property in an expression.
  private func isUsed(_ subject: LossSubject) -> Bool {
    let written = mappings.flatMap(\.entityMappings).filter { !$0.isInferred }
    guard let property = subject.property else {
      return written.contains { $0.source?.name == subject.entity && $0.destination != nil }
    }
    return written.contains { mapping in
      mapping.attributes.contains { names(property, $0.value) }
        || mapping.relationships.contains { names(property, $0.value) }
    }
  }

  private func names(_ property: String, _ value: CheckedAttributeMapping.Source) -> Bool {
    switch value {
    case .expression(let expression): expression.hasKey(property)
    case .attribute, .defaultValue, .derived: false
    }
  }

  private func names(_ property: String, _ value: CheckedRelationshipMapping.Source) -> Bool {
    switch value {
    case .expression(let expression), .objects(_, let expression): expression.hasKey(property)
    case .relationship(let relationship): relationship.name == property
    case .empty: false
    }
  }
}

extension QueryExpression {
  /// Whether a key path in the expression has a step of a name.
  fileprivate func hasKey(_ name: String) -> Bool {
    "\(self)".split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains { $0 == name }
  }
}
