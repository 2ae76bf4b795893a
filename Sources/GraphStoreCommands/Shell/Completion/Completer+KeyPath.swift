extension Completer {
  /// Offers the next step of the last path of a list.
  ///
  /// - Parameter areSorted: Whether the paths have to end in something that has an order: behind a
  ///   relationship one goes on.
  func keyPaths(_ word: Word, _ entity: String?, areSorted: Bool = false) -> Completion {
    guard let entity else { return word.completion(of: [String]()) }
    let last = word.text.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
    let path = String(last.drop { $0 == "-" || $0 == "+" })
    var completion = keyPathStep(path, entity: entity, word: word)
    let steps = path.split(separator: ".", omittingEmptySubsequences: false).dropLast().map(String.init)
    guard areSorted, let place = resolve(steps, from: entity) else { return completion }
    let relationships = Set(place.keys.filter(\.isRelationship).map(\.name))
    completion.candidates = completion.candidates.map { candidate in
      relationships.contains(candidate.text)
        ? Completion.Candidate(candidate.text + ".", display: candidate.display) : candidate
    }
    return completion
  }

  /// Offers functions, and behind their colon the keys that they aggregate.
  func aggregates(_ word: Word, _ entity: String?) -> Completion {
    guard let entity else { return word.completion(of: [String]()) }
    let last = word.text.split(separator: ",", omittingEmptySubsequences: false).last ?? ""
    guard let start = last.lastIndex(where: { ":( ".contains($0) }) else {
      return word.completion(
        of: source.functions.map { Completion.Candidate($0) }, replacing: String(last), endsWord: false)
    }
    return keyPathStep(String(last[last.index(after: start)...]), entity: entity, word: word)
  }

  /// Offers the keys one step further than the path, and at its first step other words too.
  func keyPathStep(
    _ path: String, entity: String, word: Word, before: [String] = [], after: [String] = []
  ) -> Completion {
    let steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let typed = steps.last ?? ""
    guard let place = resolve(Array(steps.dropLast()), from: entity) else {
      return word.completion(of: [String]())
    }
    var names = place.keys.map(\.name)
    if place.isToMany { names += source.aggregates }
    if steps.count <= 1 { names = before + names + after }
    var completion = word.completion(of: names, replacing: typed)
    // Behind a relationship a path may go on with a dot, so no blank is put there.
    if completion.candidates.count == 1, let name = completion.candidates.first?.text,
      let key = place.keys.first(where: { $0.name == name })
    {
      if case .attribute = key.kind {} else { completion.endsWord = false }
    }
    return completion
  }

  /// Where a path leads.
  struct PathEnd {
    var keys: [CompletionKey] = []
    /// The kind of the last key; nil at the entity itself.
    var kind: CompletionKey.Kind?
    /// True behind an aggregate.
    var isNumber = false

    var isToMany: Bool {
      if case .toMany? = kind { return true }
      return false
    }
  }

  func resolve(_ path: [String], from entity: String) -> PathEnd? {
    var place = PathEnd(keys: source.keys(of: entity))
    for step in path {
      if place.isToMany, source.aggregates.contains(step) {
        place = PathEnd(isNumber: true)
        continue
      }
      if step.caseInsensitiveEquals("SELF"), place.kind == nil { continue }
      guard let key = place.keys.first(where: { $0.name == step }) else { return nil }
      switch key.kind {
      case .attribute: place = PathEnd(kind: key.kind)
      case .toOne(let next), .toMany(let next): place = PathEnd(keys: source.keys(of: next), kind: key.kind)
      }
    }
    return place
  }
}
