import GraphStorePredicates

extension CompiledModelReader {
  private static let requestKeys: Set = [
    "NSEntity", "NSEntityName", "NSPredicate", "NSSortDescriptors", "NSFetchLimit", "NSFetchOffset",
    "NSBatchSize", "NSFetchBatchSize", "NSResultType", "NSIncludesSubentities", "NSPropertiesToFetch",
    "NSPropertiesToGroupBy", "NSHavingPredicate", "NSRelationshipKeyPathsForPrefetching",
    "NSReturnsDistinctResults",
    // How objects are loaded into memory, which a model's request does not decide here.
    "NSIncludesPendingChanges", "NSIncludesPropertyValues", "NSReturnsObjectsAsFaults",
    "NSShouldRefreshRefetchedObjects", "NSAllocationType", "NSAllocationSize", "NSFetchRequestFlags",
  ]

  mutating func fetchRequests(
    _ node: PropertyListNode?
  ) throws(KeyedArchiveError) -> [FetchRequestDefinition] {
    var requests: [FetchRequestDefinition] = []
    for (name, node) in try members(node) {
      let place = Place(
        path: ModelPath().item("fetchRequests", requests.count), name: "the fetch request \"\(name)\"")
      if let request = try fetchRequest(node, named: name, place) { requests.append(request) }
    }
    return requests
  }

  /// The fetch request at a node; nil, and a finding, where there is none that can be used.
  mutating func fetchRequest(
    _ node: PropertyListNode?, named name: String, _ place: Place
  ) throws(KeyedArchiveError) -> FetchRequestDefinition? {
    guard case .object(let object) = try archive.value(at: node), object.isKind(of: "NSFetchRequest") else {
      findings.add("compiled-unknown-class", at: place, message: "It has no fetch request and is left out.")
      return nil
    }
    let fields = object.fields
    findings.addUnknownKeys(of: object, besides: Self.requestKeys, place)
    guard let entity = try entityName(fields["NSEntity"], fields["NSEntityName"]) else {
      findings.add("compiled-no-destination", at: place, message: "It fetches no entity and is left out.")
      return nil
    }
    var request = FetchRequestDefinition(name, entity: entity)
    // A request without its predicate would mean something else.
    guard try readPredicates(fields, into: &request, place) else { return nil }
    request.sort = try sortKeys(fields["NSSortDescriptors"], place)
    request.limit = max(0, try integer(fields["NSFetchLimit"]))
    request.offset = max(0, try integer(fields["NSFetchOffset"]))
    request.batchSize = max(0, try integer(fields["NSBatchSize"] ?? fields["NSFetchBatchSize"]))
    request.resultType = try resultType(fields["NSResultType"], place)
    request.properties = try names(fields["NSPropertiesToFetch"]).map { ResultPropertyDefinition($0) }
    request.groupBy = try names(fields["NSPropertiesToGroupBy"])
    request.distinct = try flag(fields["NSReturnsDistinctResults"])
    request.prefetch = try names(fields["NSRelationshipKeyPathsForPrefetching"])
    if let node = fields["NSIncludesSubentities"] { request.includesSubentities = try flag(node) }
    dropMeaningless(&request, place)
    return request
  }

  /// - Returns: Whether the predicates are known, if there are some.
  private mutating func readPredicates(
    _ fields: [String: PropertyListNode], into request: inout FetchRequestDefinition, _ place: Place
  ) throws(KeyedArchiveError) -> Bool {
    let predicates = predicates
    for key in ["NSPredicate", "NSHavingPredicate"] {
      let isThere = if case .null = try archive.value(at: fields[key]) { false } else { true }
      guard isThere else { continue }
      let predicate = try known("The request", at: place) { () throws(KeyedArchiveError) in
        try predicates.predicate(at: fields[key])
      }
      guard let predicate, let text = printed(predicate, place) else { return false }
      if key == "NSPredicate" { request.predicate = text } else { request.having = text }
    }
    return true
  }

  /// The keys of an order, in the text that model files have for them.
  private mutating func sortKeys(
    _ node: PropertyListNode?, _ place: Place
  ) throws(KeyedArchiveError) -> [String] {
    guard case .list(let nodes) = try archive.value(at: node) else { return [] }
    var keys: [String] = []
    for node in nodes {
      guard case .object(let object) = try archive.value(at: node),
        let key = try text(object.fields["NSKey"]), (try? QueryKeyPath(parsing: key)) != nil
      else {
        findings.add(
          "compiled-unknown-part", at: place, message: "A sort descriptor is not known and is left out.")
        continue
      }
      let selector = try filledText(object.fields["NSSelector"]) ?? "compare:"
      guard let comparator = try? QuerySortDescriptor.Comparator(selector: selector) else {
        findings.add(
          "compiled-unknown-part", at: place,
          message: "The order by \(key) with \(selector.prefix(80)) is left out.")
        continue
      }
      let modifier = comparator == .compare ? "" : ":\(comparator.rawValue)"
      keys.append((try flag(object.fields["NSAscending"]) ? "" : "-") + key + modifier)
    }
    return keys
  }

  private mutating func resultType(
    _ node: PropertyListNode?, _ place: Place
  ) throws(KeyedArchiveError) -> FetchResultType {
    switch try integer(node) {
    case 0: return .objects
    case 1: return .ids
    case 2: return .dictionaries
    case 4: return .count
    case let number:
      findings.add(
        "compiled-bad-value", at: place,
        message: "The result type \(number) is not known; objects are fetched.")
      return .objects
    }
  }

  /// Removes settings with a meaning for dictionaries only, which Core Data ignores.
  private mutating func dropMeaningless(_ request: inout FetchRequestDefinition, _ place: Place) {
    guard request.resultType != .dictionaries else { return }
    let hasSome = request.distinct || !request.groupBy.isEmpty || request.having != nil
    if hasSome {
      findings.add(
        "compiled-bad-value", at: place, message: "Grouping and distinct results are for dictionaries only.")
    }
    request.distinct = false
    request.groupBy = []
    request.having = nil
    if request.resultType != .objects { request.properties = [] }
  }
}
