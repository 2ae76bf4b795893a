/// The labels of entities met so far.
final class EntityLabels {
  private var last = EntityLabel("")
  private var known: [String: EntityLabel] = [:]

  /// The label of an entity; rows in a line mostly have the same.
  func label(_ name: String) -> EntityLabel {
    if last.name == name { return last }
    if let label = known[name] {
      last = label
      return label
    }
    last = EntityLabel(name)
    known[name] = last
    return last
  }
}
