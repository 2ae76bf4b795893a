import GraphStorePredicates

/// The parts of a request as people read them.
enum SQLPartText {
  static func text(of predicate: QueryPredicate) -> String {
    "\(predicate)"
  }

  static func text(of descriptor: QuerySortDescriptor) -> String {
    let keys = descriptor.keyPath.steps.map { step in
      switch step {
      case .key(let key): key
      case .collectionOperator(let name): "@\(name)"
      case .variable(let name): "$\(name)"
      }
    }
    var text = (descriptor.ascending ? "" : "-") + (keys.isEmpty ? "SELF" : keys.joined(separator: "."))
    if descriptor.comparator != .compare { text += ":\(descriptor.comparator.rawValue)" }
    return text
  }
}
