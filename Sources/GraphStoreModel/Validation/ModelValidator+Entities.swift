import GraphStorePredicates

extension ModelValidator {
  /// The longest chain of parents. Each entity holds all inherited properties, so a chain without bound would
  /// take memory out of proportion to the file.
  static let maximumLevels = 512

  mutating func checkEntityNames() {
    var folded: [String: Int] = [:]
    for (position, entity) in definition.entities.enumerated() {
      let path = ModelPath().item("entities", position).key("name")
      guard !hasProblem(at: path) else { continue }
      checkName(entity.name, at: path)
      if let first = entityPositions[entity.name] {
        report(
          .duplicateName, at: path, value: entity.name,
          "The name \"\(entity.name)\" is already used by entities[\(first)].")
        continue
      }
      entityPositions[entity.name] = position
      let lowercased = entity.name.lowercased()
      if let first = folded[lowercased] {
        report(
          .duplicateName, at: path, value: entity.name,
          "The name differs from that of entities[\(first)] only in case, and their tables would share a name."
        )
      } else {
        folded[lowercased] = position
      }
    }
  }

  /// Finds the parent of each entity and an order with parents first.
  mutating func checkParents() {
    parents = Array(repeating: nil, count: definition.entities.count)
    for (position, entity) in definition.entities.enumerated() {
      guard let parent = entity.parent else { continue }
      let path = ModelPath().item("entities", position).key("parent")
      guard !hasProblem(at: path) else { continue }
      parents[position] = self.entity(named: parent, at: path)
    }
    breakCycles()
    var children: [[Int]] = Array(repeating: [], count: parents.count)
    for (position, parent) in parents.enumerated() {
      if let parent { children[parent].append(position) }
    }
    var pending: [Int] = parents.indices.reversed().filter { parents[$0] == nil }
    var levels = Array(repeating: 1, count: parents.count)
    while let position = pending.popLast() {
      parentsFirst.append(position)
      for child in children[position].reversed() {
        levels[child] = levels[position] + 1
        if levels[child] > Self.maximumLevels {
          reportDepth(of: child)
          levels[child] = 1
          parents[child] = nil
        }
        pending.append(child)
      }
    }
  }

  private mutating func reportDepth(of position: Int) {
    report(
      .badValue, at: ModelPath().item("entities", position).key("parent"),
      value: definition.entities[position].parent,
      "Entities inherit through at most \(Self.maximumLevels) levels.")
  }

  private mutating func breakCycles() {
    var isVisited = Array(repeating: false, count: parents.count)
    for start in parents.indices {
      var chain: [Int] = []
      var stepOf: [Int: Int] = [:]
      var position: Int? = start
      while let current = position, !isVisited[current], stepOf[current] == nil {
        stepOf[current] = chain.count
        chain.append(current)
        position = parents[current]
      }
      if let again = position, let step = stepOf[again] {
        let cycle = Array(chain[step...])
        let names = (cycle + [again]).map { definition.entities[$0].name }.joined(separator: " → ")
        let first = cycle.min() ?? again
        report(
          .inheritanceCycle, at: ModelPath().item("entities", first).key("parent"),
          value: definition.entities[first].parent, "The chain of parents returns to its start: \(names).",
          remedy: "Take the parent away from one of them.")
        for member in cycle { parents[member] = nil }
      }
      for member in chain { isVisited[member] = true }
    }
  }

  func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy {
      switch $0 {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
      default: false
      }
    }
  }

  mutating func checkName(_ name: String, at path: @autoclosure () -> ModelPath) {
    guard !isName(name) else { return }
    report(
      .badName, at: path(), value: name,
      "A name is letters, digits and underscores and does not begin with a digit; this one is \"\(name)\".")
  }

  /// Checks a name that may be any text without control characters.
  mutating func checkFreeName(_ name: String, at path: ModelPath) {
    let isFine = !name.isEmpty && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    if !isFine {
      report(
        .badName, at: path, value: name, "A name is a text that is not empty and has no control characters.")
    }
  }
}
