/// Directed graph over some relationships of a model: an edge leads to each that may be followed from a
/// destination.
struct RelationshipGraph {
  private let relationships: [LintedModel.Relationship]
  private let successors: [[Int]]

  /// A graph of the relationships at the passed positions.
  init(_ positions: [Int], in model: LintedModel) {
    relationships = positions.map { model.relationships[$0] }
    var declared: [Int: [Int]] = [:]
    for (node, relationship) in relationships.enumerated() {
      declared[relationship.entity, default: []].append(node)
    }
    successors = relationships.map { relationship in
      guard let destination = relationship.destination else { return [] }
      let owners = model.lineage(of: destination).dropFirst().reversed() + model.family(of: destination)
      return owners.flatMap { declared[$0] ?? [] }
    }
  }

  /// The shortest way that begins with a relationship and ends where that can be followed again; nil where
  /// there is none.
  func cycle(through start: Int) -> [LintedModel.Relationship]? {
    var previous: [Int: Int] = [:]
    var pending = [start]
    var position = 0
    while position < pending.count {
      let node = pending[position]
      position += 1
      for next in successors[node] {
        if next == start {
          var way = [node]
          while let before = previous[way[way.count - 1]] { way.append(before) }
          return way.reversed().map { relationships[$0] }
        }
        if previous[next] == nil {
          previous[next] = node
          pending.append(next)
        }
      }
    }
    return nil
  }

  /// The sets of relationships that lead to each other, by the node of each; one that leads nowhere back has
  /// a set of its own.
  func components() -> [Int] {
    var component = Array(repeating: -1, count: successors.count)
    var order = Array(repeating: -1, count: successors.count)
    var lowest = order
    var open: [Int] = []
    var isOpen = Array(repeating: false, count: successors.count)
    var count = 0
    var found = 0
    for root in successors.indices where order[root] < 0 {
      var path = [(node: root, next: 0)]
      while let (node, next) = path.last {
        if next == 0 {
          order[node] = count
          lowest[node] = count
          count += 1
          open.append(node)
          isOpen[node] = true
        }
        if next < successors[node].count {
          path[path.count - 1].next += 1
          let successor = successors[node][next]
          if order[successor] < 0 {
            path.append((successor, 0))
          } else if isOpen[successor] {
            lowest[node] = min(lowest[node], order[successor])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last?.node { lowest[parent] = min(lowest[parent], lowest[node]) }
        guard lowest[node] == order[node] else { continue }
        while let member = open.popLast() {
          isOpen[member] = false
          component[member] = found
          if member == node { break }
        }
        found += 1
      }
    }
    return component
  }
}
