/// Members of generated classes for conditions and orders: paths that continue after a relationship, and
/// names by key paths.
extension CodeWriter {
  /// The properties of a class behind a to-one, or of a member of a to-many.
  func writePaths(of planned: ClassPlan) {
    let members = planned.members.compactMap { member in
      pathType(of: member, in: planned).map { (member: member, type: $0) }
    }
    if !members.isEmpty {
      line()
      documentation("Paths that go on from \(planned.name): `Keys.relationship.property`.")
      block("extension \(types["ToOneSteps"]) where PathDestination: \(planned.name)") {
        for (member, type) in members {
          writePath(member.name, type, "property", member.key, member.summary)
        }
      }
    }
    for structure in planned.members.compactMap(\.composite) {
      writePaths(of: structure, named: "\(planned.name).\(structure.name)")
    }
  }

  private func writePaths(of structure: CompositePlan, named name: String) {
    line()
    documentation("Paths that go on from \(name): `Keys.attribute.element`.")
    block("extension \(types["CompositeSteps"]) where PathComposite == \(name)") {
      for element in structure.elements {
        let type = element.nested.map { "\(types["CompositePath"])<PathScope, \(name).\($0.name)>" }
        writePath(
          element.name, type ?? valuePath(element.type), "element", element.key, element.summary)
      }
    }
    for nested in structure.elements.compactMap(\.nested) {
      writePaths(of: nested, named: "\(name).\(nested.name)")
    }
  }

  private func writePath(_ name: String, _ type: String, _ method: String, _ key: String, _ summary: String) {
    documentation(summary)
    line("\(access)var \(name): \(type) { \(method)(\(SwiftLiteral.text(key))) }")
  }

  /// The type of a path to a member; nil for a fetched property, which no condition of a fetch can use.
  private func pathType(of member: MemberPlan, in planned: ClassPlan) -> String? {
    switch member.access {
    case .fetched: return nil
    case .toOne: return "\(types["ToOnePath"])<PathScope, \(member.type)>"
    case .toMany: return "\(types["ToManyPath"])<PathScope, \(member.type)>"
    case .optional, .defaultValued:
      guard let structure = member.composite else { return valuePath(member.type) }
      return "\(types["CompositePath"])<PathScope, \(planned.name).\(structure.name)>"
    }
  }

  private func valuePath(_ type: String) -> String {
    type == "Any" ? "\(types["OpaquePath"])<PathScope>" : "\(types["ValuePath"])<PathScope, \(type)>"
  }

  // MARK: Key paths

  /// The names of properties by key paths, for each class at the top of a family those of all classes below
  /// it: an extension cannot override what it inherits.
  func writeKeyPaths() {
    let written = plan.classes.filter { !$0.isManual }
    for root in written where !written.contains(where: { plan.isClass($0, above: root) }) {
      let family = written.filter { $0.name == root.name || plan.isClass(root, above: $0) }
      let entries = family.flatMap { planned in
        (planned.inherited.map(\.member) + planned.members).map { (planned.name, $0) }
      }
      guard !entries.isEmpty else { continue }
      line()
      documentation("The names of the properties of \(root.name), and of the classes below it, by key paths.")
      block("extension \(root.name): \(types["KeyPathNaming"])") {
        line("\(access)static let keyPaths: \(types["PropertyKeyPaths"]) = [")
        for (name, member) in entries {
          line("  \\\(name).\(member.name): \(SwiftLiteral.text(member.key)),")
        }
        line("]")
      }
    }
  }
}
