import GraphStore

/// An attribute that no object has a value for.
enum AlwaysNilRule: StoreRule {
  static let rule = ModelRule.alwaysNil
  /// With fewer objects nothing can be said.
  static let least = 20

  static func look(at entity: StoredEntity, _ report: inout StoreLintReport) throws {
    guard entity.count >= least else { return }
    for place in entity.attributes where place.attribute.isOptional && place.attribute.type != .composite {
      guard let source = place.source else { continue }
      let missing = try entity.count(where: .compare(.key(source.name), .equal, .constant(Value.null)))
      guard missing == entity.count else { continue }
      report.add(at: place.path, "None of \(entity.phrase(entity.count)) has a \(place.attribute.name).")
    }
  }
}
