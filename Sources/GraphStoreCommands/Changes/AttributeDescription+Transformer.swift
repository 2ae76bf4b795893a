import GraphStore

extension AttributeDescription {
  /// What is wrong with a value whose transformer only the program has that made it.
  var lackOfTransformer: String {
    "\(description) needs the transformer \(transformerName ?? ""), which only the program has that made it"
  }
}
