import GraphStore

/// Text that reads as something else throughout.
enum TextLooksTypedRule: StoreRule {
  static let rule = ModelRule.textLooksTyped
  /// With fewer values nothing can be said.
  static let least = 20

  /// No leading zeros: a number with them is a label, such as a postal code.
  private static let kinds = [
    (word: "number", pattern: #"-?(0|[1-9][0-9]{0,17})(\.[0-9]+)?"#),
    (word: "date", pattern: #"[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}.*)?"#),
  ]

  static func look(at entity: StoredEntity, _ report: inout StoreLintReport) throws {
    guard entity.count >= least else { return }
    for place in entity.attributes where place.attribute.type == .string {
      guard let source = place.source, source.type == .string else { continue }
      let key = QueryExpression.key(source.name)
      let count = try entity.count(where: .compare(key, .notEqual, .constant(Value.null)))
      guard count >= least else { continue }
      for kind in kinds {
        let matching = try entity.count(where: .compare(key, .matches, .constant(kind.pattern)))
        guard matching == count else { continue }
        report.add(at: place.path, "All \(count) values of \(place.attribute) read as a \(kind.word).")
      }
    }
  }
}
