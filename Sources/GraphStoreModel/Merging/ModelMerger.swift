/// Union of several definitions, whose names may lead from one to another.
///
/// Where models may differ, the first one counts. Names are resolved by the checks of the whole, after the
/// merge.
struct ModelMerger {
  /// Origin of an item of the merged definition.
  struct Origin {
    /// The position of the document.
    var document: Int
    /// The position in the document's list.
    var index: Int
  }

  private(set) var definition = ModelDefinition()
  private(set) var clashes: [(document: Int, problem: ModelProblem)] = []
  private(set) var findings: [ModelProblem] = []
  /// The paths that readers found problems at, in the merged definition.
  private(set) var problemPaths: Set<ModelPath> = []
  /// The origins of the items in each list of the merged definition.
  private(set) var origins: [String: [Origin]] = [:]
  private let documents: [ModelDocument]
  private var entities: [String: Int] = [:]
  private var requests: [String: Int] = [:]
  private var configurations: [String: Int] = [:]

  init(_ documents: [ModelDocument]) {
    self.documents = documents
    for (number, document) in documents.enumerated() { add(document, number) }
  }

  private mutating func add(_ document: ModelDocument, _ number: Int) {
    let part = document.definition
    definition.name = definition.name ?? part.name
    definition.version = definition.version ?? part.version
    definition.userInfo.merge(part.userInfo) { first, _ in first }
    definition.localization.merge(part.localization) { first, _ in first }
    definition.xcode.merge(part.xcode) { first, _ in first }
    definition.requiresClasses = definition.requiresClasses || part.requiresClasses
    // A name that is used twice within one model is a problem that the checks report.
    let known = (entities: entities, requests: requests, configurations: configurations)
    for (index, entity) in part.entities.enumerated() {
      let origin = Origin(document: number, index: index)
      if let place = known.entities[entity.name] {
        compare(entity, with: place, origin)
      } else {
        if entities[entity.name] == nil { entities[entity.name] = definition.entities.count }
        append("entities", origin)
        definition.entities.append(entity)
      }
    }
    for (index, request) in part.fetchRequests.enumerated() {
      let origin = Origin(document: number, index: index)
      if let place = known.requests[request.name] {
        compare(request, with: place, origin)
      } else {
        if requests[request.name] == nil { requests[request.name] = definition.fetchRequests.count }
        append("fetchRequests", origin)
        definition.fetchRequests.append(request)
      }
    }
    for (index, configuration) in part.configurations.enumerated() {
      if let place = known.configurations[configuration.name] {
        let members = Set(definition.configurations[place].entities)
        definition.configurations[place].entities += configuration.entities.filter { !members.contains($0) }
      } else {
        if configurations[configuration.name] == nil {
          configurations[configuration.name] = definition.configurations.count
        }
        append("configurations", Origin(document: number, index: index))
        definition.configurations.append(configuration)
      }
    }
  }

  /// Records the origin of the next item of a list, and which of its parts its reader found problems in.
  private mutating func append(_ list: String, _ origin: Origin) {
    let place = origins[list]?.count ?? 0
    origins[list, default: []].append(origin)
    for path in documents[origin.document].problemPaths
    where path.components.starts(with: [.key(list), .index(origin.index)]) {
      problemPaths.insert(ModelPath([.key(list), .index(place)] + path.components.dropFirst(2)))
    }
  }

  private mutating func compare(_ entity: EntityDefinition, with place: Int, _ origin: Origin) {
    let first = definition.entities[place]
    let path = ModelPath().item("entities", origin.index)
    let inHash = EntityDifference.inHash(first, entity)
    guard inHash.isEmpty else {
      clash(
        "Can't merge models with two different entities named '\(entity.name)'", differences: inHash,
        at: path, name: entity.name,
        first: origins["entities"]?[place], second: origin,
        remedy: "Versions of one model are never merged: load one at a time.")
      return
    }
    let differences = EntityDifference.inAll(first, entity)
    guard !differences.isEmpty else { return }
    findings.append(
      ModelProblem.warning(
        "merged-definitions-differ", at: ModelPath().item("entities", place),
        message: "\(entity.name) is defined twice; of what differs and does not count for the hash "
          + "(\(differences.joined(separator: ", "))) \(label(origins["entities"]?[place])) is taken, not "
          + "\(label(origin)).",
        remedy: "Keep the entity in one of the models."))
  }

  private mutating func compare(_ request: FetchRequestDefinition, with place: Int, _ origin: Origin) {
    guard definition.fetchRequests[place] != request else { return }
    clash(
      "Can't merge models with two different fetch requests named '\(request.name)'", differences: [],
      at: ModelPath().item("fetchRequests", origin.index), name: request.name,
      first: origins["fetchRequests"]?[place], second: origin,
      remedy: "Rename one of them.")
  }

  private mutating func clash(
    _ sentence: String, differences: [String], at path: ModelPath, name: String, first: Origin?,
    second: Origin, remedy: String
  ) {
    let what = differences.isEmpty ? "" : "; they differ in \(differences.joined(separator: ", "))"
    clashes.append(
      (
        second.document,
        ModelProblem(
          .mergeClash, at: path, value: name,
          message: "\(sentence): in \(label(first)) and in \(label(second))\(what).", remedy: remedy)
      ))
  }

  private func label(_ origin: Origin?) -> String {
    guard let origin else { return "the first model" }
    let document = documents[origin.document]
    return document.file ?? document.definition.name ?? document.name ?? "model \(origin.document + 1)"
  }
}
