import GraphStorePredicates

extension QueryPredicate {
  /// The tree as JSON text of two spaces a level, with every node and its parts.
  ///
  /// A node is an object with its `type`: `constant`, `comparison`, `and`, `or` and `not` for predicates;
  /// `constant`, `self`, `variable`, `keyPath`, `function`, `call`, `cast`, `aggregate`, `subquery`,
  /// `ternary`, `index`, `setOperation` and `fetch` for expressions. Operators, functions and types have
  /// their printed names. Constants are plain JSON, with one-key objects for what JSON lacks: `$decimal`,
  /// `$date`, `$uuid`, `$url`, `$data`, `$object`, `$dictionary`, and `$double` for NaN and the infinities. A
  /// number with point or exponent is a double. Equal trees are written as equal text.
  ///
  /// - Parameter places: Also writes the range of each node in its source text: `range` is offset and length
  ///   in UTF-8 bytes. Equal trees from different texts then differ.
  /// - Throws: `unsupported-syntax` for a tree with a closure, `predicate-too-deep`.
  public func treeJSON(places: Bool = false) throws(QueryPredicateError) -> String {
    guard !containsBlock else { throw TreeJSON.closure }
    return try TreeJSON.run(nesting: TreeDepth.depth(of: self)) {
      TreeJSONWriter(writesPlaces: places).text(self, depth: 0)
    }
  }

  /// Reads a tree from the JSON text that ``treeJSON(places:)`` returns.
  ///
  /// - Throws: `predicate-syntax` with the position in the JSON text, `predicate-too-deep`.
  public init(treeJSON text: String) throws(QueryPredicateError) {
    self = try TreeJSON.read(text) { reader, node throws(QueryPredicateError) in
      let tree = try reader.predicate(node)
      guard TreeDepth.depth(of: tree) <= TreeDepth.maximum else { throw .tooDeep() }
      return tree
    }
  }
}

extension QueryExpression {
  /// The tree as JSON text; see ``QueryPredicate/treeJSON(places:)``.
  public func treeJSON(places: Bool = false) throws(QueryPredicateError) -> String {
    guard !containsBlock else { throw TreeJSON.closure }
    return try TreeJSON.run(nesting: TreeDepth.depth(of: self)) {
      TreeJSONWriter(writesPlaces: places).text(self, depth: 0)
    }
  }

  /// Reads a tree from the JSON text that ``treeJSON(places:)`` returns.
  ///
  /// - Throws: `predicate-syntax` with the position in the JSON text, `predicate-too-deep`.
  public init(treeJSON text: String) throws(QueryPredicateError) {
    self = try TreeJSON.read(text) { reader, node throws(QueryPredicateError) in
      let tree = try reader.expression(node)
      guard TreeDepth.depth(of: tree) <= TreeDepth.maximum else { throw .tooDeep() }
      return tree
    }
  }
}

/// Names and limits shared by writing and reading of trees as JSON.
enum TreeJSON {
  /// The maximum depth of JSON for a tree, and some for nested constants.
  private static let deepestText = TreeDepth.maximum * 3 + 100

  static var closure: QueryPredicateError {
    QueryPredicateError(
      .unsupportedSyntax, "A closure has no form in JSON.", hint: "Write the condition as text.",
      subject: "BLOCKPREDICATE")
  }

  static func run(
    nesting: Int, _ work: @escaping () -> String
  ) throws(QueryPredicateError) -> String {
    guard nesting <= TreeDepth.maximum else { throw .tooDeep() }
    return withLargeStack(nesting: nesting, work)
  }

  static func read<Tree>(
    _ text: String,
    _ read: @escaping (TreeJSONReader, JSONNode) throws(QueryPredicateError) -> Tree
  ) throws(QueryPredicateError) -> Tree {
    let bytes = Array(text.utf8)
    let nesting = bytes.count { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
    return try withLargeStack(nesting: nesting) { () throws(QueryPredicateError) in
      let reader = TreeJSONReader(source: text)
      let node: JSONNode
      do throws(JSONParser.Failure) {
        node = try JSONParser.parse(bytes, maximumDepth: deepestText)
      } catch {
        throw reader.error(error.message, at: error.offset)
      }
      return try read(reader, node)
    }
  }
}
