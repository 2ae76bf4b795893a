extension CodeWriter {
  /// The class itself, without members.
  func writeClass(_ planned: ClassPlan) {
    line()
    let names = planned.entities.map(\.name)
    let article = names.count == 1 ? "the entity" : "the entities"
    documentation("An object of \(article) \(names.joined(separator: ", ")).")
    line("\(access)class \(planned.name): \(planned.superclass) {}")
  }

  /// Everything that the model says of a class: keys, properties and methods.
  func writeProperties(of planned: ClassPlan) {
    guard !planned.members.isEmpty || !planned.inherited.isEmpty else { return }
    line()
    block("extension \(planned.name)") { writeKeys(of: planned) }
    guard !planned.members.isEmpty else { return }
    line()
    block("extension \(planned.name)") {
      for (position, member) in planned.members.enumerated() {
        if position > 0 { line() }
        writeProperty(member)
      }
    }
    for structure in planned.members.compactMap(\.composite) {
      line()
      block("extension \(planned.name)") { write(structure) }
    }
    for member in planned.members where member.hasMethods {
      guard case .toMany(let isOrdered) = member.access else { continue }
      line()
      block("extension \(planned.name)") { writeMethods(of: member, isOrdered: isOrdered) }
    }
    writePaths(of: planned)
  }

  private func writeKeys(of planned: ClassPlan) {
    documentation(
      "The properties of \(planned.name) by name, for access without look-up and for conditions and orders.")
    block("\(access)enum \(types.keys)") {
      for (member, owner) in planned.inherited {
        documentation("`\(SwiftName.plain(member.name))`, inherited from \(owner).")
        writeKey(of: member, in: planned)
      }
      for member in planned.members {
        documentation(member.summary)
        writeKey(of: member, in: planned)
      }
    }
  }

  private func writeKey(of member: MemberPlan, in planned: ClassPlan) {
    line("\(access)static let \(member.name) = \(member.keyType(of: planned.name))(\"\(member.key)\")")
  }

  private func writeProperty(_ member: MemberPlan) {
    let key = "\(types.keys).\(member.name)"
    documentation(member.summary)
    switch member.access {
    case .optional, .toOne: writeAccessors(member, type: "\(member.type)?", reads: "self[\(key)]", key)
    case .defaultValued: writeAccessors(member, type: member.type, reads: "self[default: \(key)]", key)
    case .toMany(let isOrdered):
      let members = types[isOrdered ? "OrderedSet" : "Set"]
      writeAccessors(member, type: "\(members)<\(member.type)>", reads: "self[\(key)]", key)
    case .fetched: writeAccessors(member, type: "[\(member.type)]", reads: "self[\(key)]", key)
    }
  }

  private func writeAccessors(_ member: MemberPlan, type: String, reads: String, _ key: String) {
    let head = "\(access)var \(member.name): \(type)"
    if member.isReadOnly { return line("\(head) { \(reads) }") }
    block(head) {
      line("get { \(reads) }")
      line("set { self[\(key)] = newValue }")
    }
  }

  private func writeMethods(of member: MemberPlan, isOrdered: Bool) {
    let name = SwiftName.plain(member.name)
    let suffix = SwiftName.capitalized(name)
    let key = "\(types.keys).\(member.name)"
    let several = "some \(types["Sequence"])<\(member.type)>"
    func method(_ summary: String, head: String, body: String) {
      documentation(summary)
      line("\(access)func \(head) { \(body) }")
    }
    let place = isOrdered ? ", at the end" : ""
    method(
      "Adds an object to `\(name)`\(place); its other end follows at once.",
      head: "addTo\(suffix)(_ object: \(member.type))", body: "add(CollectionOfOne(object), to: \(key))")
    method(
      "Adds objects to `\(name)`\(place); their other ends follow at once.",
      head: "addTo\(suffix)(_ objects: \(several))", body: "add(objects, to: \(key))")
    method(
      "Takes an object out of `\(name)`; its other end follows at once.",
      head: "removeFrom\(suffix)(_ object: \(member.type))",
      body: "remove(CollectionOfOne(object), from: \(key))")
    method(
      "Takes objects out of `\(name)`; their other ends follow at once.",
      head: "removeFrom\(suffix)(_ objects: \(several))", body: "remove(objects, from: \(key))")
    guard isOrdered else { return }
    method(
      "Inserts an object into `\(name)` at a place; one that is a member already stays where it is.",
      head: "insertInto\(suffix)(_ object: \(member.type), at index: Int)",
      body: "insert(CollectionOfOne(object), into: \(key), at: index)")
    method(
      "Inserts objects into `\(name)` at a place; those that are members already stay where they are.",
      head: "insertInto\(suffix)(_ objects: \(several), at index: Int)",
      body: "insert(objects, into: \(key), at: index)")
    method(
      "Takes the object at a place out of `\(name)`.", head: "removeFrom\(suffix)(at index: Int)",
      body: "remove(at: index, from: \(key))")
    method(
      "Puts an object in the place of another in `\(name)`.",
      head: "replaceIn\(suffix)(at index: Int, with object: \(member.type))",
      body: "replace(at: index, in: \(key), with: object)")
  }
}
