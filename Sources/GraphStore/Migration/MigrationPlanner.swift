import Foundation
import GraphStoreModel

/// Search for the chain of mappings from the version of a store to the one that is wanted.
///
/// The chain with the fewest steps is taken, among several the one with more written mappings, then the one
/// whose versions are first (MIG-044). Mappings are inferred between a version and its successor, and
/// directly over the versions between where one of these steps cannot be inferred (MIG-045).
struct MigrationPlanner {
  /// Node of a chain: a version of the directory, or a model that is in none.
  private struct Node {
    /// The position among the versions; nil for a model that is in none of them.
    let position: Int?
    let version: ModelVersion
  }

  /// A way from one node to another.
  private struct Edge: Hashable {
    let source: Int
    let destination: Int
    let isWritten: Bool
    /// The number of steps it stands for: that of an inferred one over versions between counts for each of
    /// them.
    var span = 1
  }

  private struct Chain {
    var edges: [Edge] = []

    /// Smaller is better, part by part.
    func isBetter(than other: Chain) -> Bool {
      let spans = (edges.reduce(0) { $0 + $1.span }, other.edges.reduce(0) { $0 + $1.span })
      if spans.0 != spans.1 { return spans.0 < spans.1 }
      let written = (edges.count(where: \.isWritten), other.edges.count(where: \.isWritten))
      if written.0 != written.1 { return written.0 > written.1 }
      return edges.map(\.destination).lexicographicallyPrecedes(other.edges.map(\.destination))
    }
  }

  let path: String
  /// The version of the store, with the configuration that its model determines.
  private(set) var stored: StoredVersion
  private let isStepByStep: Bool
  private let allowsInference: Bool
  private let allowsBackward: Bool
  private var nodes: [Node] = []
  private var start = 0
  private var end = 0
  private var written: [Edge: [MappingFile]] = [:]
  private var inferred: [Edge] = []
  private var isStartKnown = true

  /// - Parameters:
  ///   - stored: The version of the store.
  ///   - versions: The versions of the directory; none for a model that is in no directory.
  ///   - mappings: Written mappings, those of the directory and others.
  ///   - isStepByStep: Whether no inferred step skips versions between.
  /// - Throws: `source-model-missing`; ``/GraphStoreModel/ModelError`` for a version that cannot be read.
  init(
    _ stored: StoredVersion, path: String, to target: ModelVersion, versions: ModelVersions?,
    mappings: [MappingFile], allowsInference: Bool, allowsBackward: Bool, isStepByStep: Bool
  ) throws {
    self.path = path
    self.stored = stored
    self.isStepByStep = isStepByStep
    self.allowsInference = allowsInference
    self.allowsBackward = allowsBackward
    for (position, name) in (versions?.names ?? []).enumerated() {
      nodes.append(
        Node(position: position, version: ModelVersion(try versions!.model(named: name), name: name)))
    }
    end = place(of: target, among: stored)
    try findStart(versions)
    self.stored.inferConfiguration(by: source.model)
    findInferred()
    for mapping in mappings { add(mapping) }
  }

  /// The version of the store.
  var source: ModelVersion { nodes[start].version }

  // MARK: Nodes

  /// The node of the wanted version: the one of its name, else the newest of its form, else one of its own.
  private mutating func place(of target: ModelVersion, among stored: StoredVersion) -> Int {
    let wanted = stored.entities(of: target.model)
    let (hashes, external) = (wanted.versionHashes, wanted.externalAttributes)
    let equals = nodes.indices.filter { node in
      let held = stored.entities(of: nodes[node].version.model)
      return held.versionHashes == hashes && held.externalAttributes == external
    }
    let named = equals.first { nodes[$0].version.name == target.name }
    let equal = equals.last
    if let found = named ?? equal {
      // Its Core Data version may have been passed with it.
      if target.model.coreDataVersion != nil {
        let version = ModelVersion(target.model, name: nodes[found].version.name)
        nodes[found] = Node(position: nodes[found].position, version: version)
      }
      return found
    }
    nodes.append(Node(position: nil, version: target))
    return nodes.count - 1
  }

  private mutating func findStart(_ versions: ModelVersions?) throws {
    if let found = nodes.lastIndex(where: { stored.isOf($0.version.model) }) {
      start = found
      return
    }
    guard let model = try stored.sourceModel() else {
      throw GraphStoreError.noSourceModel(stored, path: path, versions: versions)
    }
    isStartKnown = false
    nodes.append(Node(position: nil, version: ModelVersion(model)))
    start = nodes.count - 1
  }

  // MARK: Ways

  private mutating func findInferred() {
    guard allowsInference else { return }
    for node in nodes.indices {
      guard let position = nodes[node].position,
        let next = nodes.firstIndex(where: { $0.position == position + 1 })
      else { continue }
      inferred.append(Edge(source: node, destination: next, isWritten: false))
    }
    if nodes[start].position == nil || nodes[end].position == nil {
      inferred.append(Edge(source: start, destination: end, isWritten: false))
    }
  }

  /// Inferred ways over versions between, from where the store or a written mapping leads to where another
  /// one begins, or to the wanted version.
  private var shortcuts: [Edge] {
    guard allowsInference, !isStepByStep else { return [] }
    let anchors = Set([start, end] + written.keys.flatMap { [$0.source, $0.destination] }).sorted()
    return anchors.flatMap { source in
      anchors.compactMap { destination in
        guard let first = nodes[source].position, let last = nodes[destination].position, last - first > 1
        else { return nil }
        return Edge(source: source, destination: destination, isWritten: false, span: last - first)
      }
    }
  }

  /// Takes in a written mapping; one whose versions are not known leads from the store's version to the
  /// wanted one where there is no directory.
  private mutating func add(_ mapping: MappingFile) {
    let source =
      node(named: mapping.source) ?? node(withHashes: mapping.mapping.sourceHashes)
      ?? (isStartKnown ? nil : start)
    let destination =
      node(named: mapping.destination) ?? node(withHashes: mapping.mapping.destinationHashes)
      ?? (nodes[end].position == nil ? end : nil)
    let isAlone = !nodes.contains { $0.position != nil }
    guard let first = source ?? (isAlone ? start : nil), let last = destination ?? (isAlone ? end : nil),
      first != last
    else { return }
    written[Edge(source: first, destination: last, isWritten: true), default: []].append(mapping)
  }

  private func node(named name: String?) -> Int? {
    name.flatMap { name in nodes.firstIndex { $0.position != nil && $0.version.name == name } }
  }

  private func node(withHashes hashes: [String: [UInt8]]?) -> Int? {
    guard let hashes else { return nil }
    return nodes.firstIndex { $0.version.model.entityVersionHashesByName.mapValues { Array($0) } == hashes }
  }

  // MARK: Search

  /// The steps of the best chain, and the reasons why one version by version cannot be inferred, where it
  /// does.
  ///
  /// - Throws: `migration-backward`, `mapping-missing` with the refusals; ``/GraphStoreModel/ModelError`` for
  ///   a written mapping that does not check.
  func chain() throws -> (steps: [MigrationStep], refusals: [GraphStoreError]) {
    if start == end {
      // It has the version, and records other hashes than a new store of it.
      return ([try MigrationStep(from: source, to: source, configuration: stored.configuration)], [])
    }
    var refused: [Edge: GraphStoreError] = [:]
    var order: [Edge] = []
    while let chain = chain(without: refused) {
      var steps: [MigrationStep] = []
      var isRefused = false
      for edge in chain.edges {
        do {
          if let step = try step(edge) { steps.append(step) }
        } catch let error as GraphStoreError where error.code == .notInferable && !edge.isWritten {
          refused[edge] = error
          order.append(edge)
          isRefused = true
        }
      }
      if !isRefused {
        let goesOver = chain.edges.contains { $0.span > 1 }
        return (steps, goesOver ? order.filter { $0.span == 1 }.compactMap { refused[$0] } : [])
      }
    }
    if let first = nodes[start].position, let last = nodes[end].position, last < first, refused.isEmpty {
      throw GraphStoreError.backward(from: source, to: nodes[end].version, path: path)
    }
    // Why the versions between do not help is said by the steps between them.
    let reasons = order.contains { $0.span == 1 } ? order.filter { $0.span == 1 } : order
    throw GraphStoreError.noMapping(
      from: source, to: nodes[end].version, reasons: reasons.compactMap { refused[$0] }, path: path)
  }

  /// The step of a way; nil between versions of one form, whose stores are the same.
  private func step(_ edge: Edge) throws -> MigrationStep? {
    let configuration = stored.configuration
    let (source, destination) = (nodes[edge.source].version, nodes[edge.destination].version)
    if edge.span > 1 {
      let between = nodes[(edge.source + 1)..<edge.destination].map(\.version.model)
      return try MigrationStep(
        from: source, to: destination, through: between, configuration: configuration)
    }
    if !edge.isWritten, hashes(of: source) == hashes(of: destination),
      externalAttributes(of: source) == externalAttributes(of: destination)
    {
      return nil
    }
    guard let files = written[edge] else {
      return try MigrationStep(from: source, to: destination, configuration: configuration)
    }
    return try MigrationStep(from: source, to: destination, files: files, configuration: configuration)
  }

  /// Those that a store of a version has, by its configuration.
  private func hashes(of version: ModelVersion) -> [String: Data] {
    stored.hashesToRecord(of: version.model)
  }

  private func externalAttributes(of version: ModelVersion) -> Set<String> {
    stored.entities(of: version.model).externalAttributes
  }

  /// The best chain without ways that were refused; nil where none leads to the end.
  private func chain(without refused: [Edge: GraphStoreError]) -> Chain? {
    var best: [Int: Chain] = [start: Chain()]
    var pending = [start]
    let ways = Dictionary(grouping: edges.filter { refused[$0] == nil }, by: \.source)
    while let node = pending.popLast() {
      guard let chain = best[node] else { continue }
      for edge in ways[node] ?? [] {
        let longer = Chain(edges: chain.edges + [edge])
        if let known = best[edge.destination], !longer.isBetter(than: known) { continue }
        best[edge.destination] = longer
        pending.append(edge.destination)
      }
    }
    return best[end]
  }

  /// All ways; where a mapping is written none is inferred (MIG-046).
  private var edges: [Edge] {
    let forward = written.keys.filter { allowsBackward || !leadsBack($0) }
      .sorted { ($0.source, $0.destination) < ($1.source, $1.destination) }
    return forward
      + (inferred + shortcuts).filter { edge in
        !forward.contains { $0.source == edge.source && $0.destination == edge.destination }
      }
  }

  private func leadsBack(_ edge: Edge) -> Bool {
    guard let first = nodes[edge.source].position, let last = nodes[edge.destination].position else {
      return false
    }
    return last < first
  }
}
