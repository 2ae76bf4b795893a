/// Objects that one wave of a deletion marks, so that hooks which read their objects cost a statement a tree
/// (REL-243).
///
/// Nothing is looked for until the first of them fires.
final class DeletionWave {
  private let find: () throws -> [ManagedObject]
  private var found: [ManagedObject]?
  private var roots: Set<Int> = []

  /// - Parameter find: Finds the faults of the wave.
  init(_ find: @escaping () throws -> [ManagedObject]) { self.find = find }

  /// The faults of the tree of one that fires, once for each tree; none after that.
  func faults(firingWith object: ManagedObject) throws -> [ManagedObject] {
    let root = object.layout.rootIndex
    guard roots.insert(root).inserted else { return [] }
    let all = try found ?? find()
    found = all
    return all.filter { $0.layout.rootIndex == root && $0.state.contains(.fault) }
  }
}
