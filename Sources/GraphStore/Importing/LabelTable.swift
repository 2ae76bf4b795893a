/// Holders of ids: of a reference by its tree and number, whatever entity of the tree it names, of another id by its bytes.
struct LabelTable<Holder> {
  private struct Name: Hashable {
    let tree: Int
    let bytes: [UInt8]
  }

  /// By entity: the root of its tree.
  private let roots: [Int]
  private var references: [PackedReference: Holder] = [:]
  private var names: [Name: Holder] = [:]

  init(roots: [Int]) { self.roots = roots }

  var count: Int { references.count + names.count }

  /// Makes room for ids like one that is given.
  mutating func reserveCapacity(_ count: Int, like label: ImportTarget) {
    switch label {
    case .reference: references.reserveCapacity(count)
    case .label: names.reserveCapacity(count)
    case .nothing, .lookup: break
    }
  }

  mutating func removeAll() {
    references.removeAll(keepingCapacity: true)
    names.removeAll(keepingCapacity: true)
  }

  /// What has an id.
  subscript(label: ImportTarget) -> Holder? {
    switch label {
    case .reference(let entity, let number):
      references[PackedReference(entity: roots[entity], key: number)]
    case .label(let tree, let bytes): names[Name(tree: tree, bytes: bytes)]
    case .nothing, .lookup: nil
    }
  }

  /// Gives an id to a holder.
  ///
  /// - Returns: the holder that had it.
  @discardableResult
  mutating func update(_ holder: Holder, for label: ImportTarget) -> Holder? {
    switch label {
    case .reference(let entity, let number):
      references.updateValue(holder, forKey: PackedReference(entity: roots[entity], key: number))
    case .label(let tree, let bytes): names.updateValue(holder, forKey: Name(tree: tree, bytes: bytes))
    case .nothing, .lookup: nil
    }
  }
}
