/// The names a predicate or expression mentions, each once, in the order of the text.
///
/// ```swift
/// let names = try QueryPredicate(parsing: "department.name == $NAME AND salary > 0").names
/// print(names.keyPaths, names.variables)  // ["department.name", "salary"] ["NAME"]
/// ```
public struct PredicateNames: Hashable, Sendable {
  /// Every key.
  public fileprivate(set) var keys: [String] = []
  /// Every key path, as it prints.
  public fileprivate(set) var keyPaths: [String] = []
  /// Every free variable, without `$`.
  public fileprivate(set) var variables: [String] = []
  /// Every function, as it prints; registered ones too.
  public fileprivate(set) var functions: [String] = []
  /// Whether a closure is part of the tree.
  public fileprivate(set) var hasBlock = false
}

extension QueryPredicate {
  /// The names the predicate mentions.
  public var names: PredicateNames {
    NameCollector.names(nesting: TreeDepth.depth(of: self)) { $0.collect(self) }
  }

  /// Whether a closure is part of the tree.
  public var containsBlock: Bool { names.hasBlock }
}

extension QueryExpression {
  /// The names the expression mentions.
  public var names: PredicateNames {
    NameCollector.names(nesting: TreeDepth.depth(of: self)) { $0.collect(self) }
  }

  /// Whether a closure is part of the tree.
  public var containsBlock: Bool { names.hasBlock }
}

private struct NameCollector {
  var names = PredicateNames()
  private var seen: [Set<String>] = [[], [], [], []]
  private var bound: [String] = []

  /// The names that are collected, on a stack that is large enough for the tree.
  static func names(nesting: Int, _ collect: @escaping (inout NameCollector) -> Void) -> PredicateNames {
    withLargeStack(nesting: nesting) {
      var collector = NameCollector()
      collect(&collector)
      return collector.names
    }
  }

  mutating func collect(_ predicate: QueryPredicate) {
    switch predicate {
    case .constant: break
    case .block: names.hasBlock = true
    case .comparison(let comparison):
      collect(comparison.left)
      collect(comparison.right)
    case .and(let members), .or(let members):
      for member in members { collect(member) }
    case .not(let operand): collect(operand)
    }
  }

  mutating func collect(_ expression: QueryExpression) {
    switch expression.kind {
    case .variable(let name): addVariable(name)
    case .keyPath(let path):
      collect(path)
      return
    case .function(let function, _): add(function.rawValue, index: 3, list: \.functions)
    case .call(_, let name, _): add(name, index: 3, list: \.functions)
    case .block: names.hasBlock = true
    default: break
    }
    for predicate in expression.childPredicates {
      guard case .subquery(let collection, let variable, _) = expression.kind else {
        collect(predicate)
        continue
      }
      collect(collection)
      bound.append(variable)
      collect(predicate)
      bound.removeLast()
      return
    }
    for child in expression.children { collect(child) }
  }

  private mutating func collect(_ path: QueryKeyPath) {
    if let base = path.base { collect(base) }
    add(chain(path), index: 1, list: \.keyPaths)
    for step in path.steps {
      switch step {
      case .key(let key): add(key, index: 0, list: \.keys)
      case .variable(let name): addVariable(name)
      case .collectionOperator: break
      }
    }
  }

  /// The path as it prints; from a base that is no variable only its steps.
  private func chain(_ path: QueryKeyPath) -> String {
    switch path.base?.kind {
    case nil, .variable: path.description
    default: QueryKeyPath(steps: path.steps).description
    }
  }

  private mutating func addVariable(_ name: String) {
    if !bound.contains(name) { add(name, index: 2, list: \.variables) }
  }

  private mutating func add(_ name: String, index: Int, list: WritableKeyPath<PredicateNames, [String]>) {
    if seen[index].insert(name).inserted { names[keyPath: list].append(name) }
  }
}
