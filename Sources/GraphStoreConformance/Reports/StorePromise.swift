/// Promise that stores of every type keep: one of the suite's.
///
/// ```swift
/// for promise in StoreConformance.promises where promise.needs.contains(.history) {
///   print(promise.name)  // history.changes
/// }
/// ```
public struct StorePromise: Hashable, Sendable {
  /// The name, such as `relationships.ordered`.
  public let name: String
  /// The rule in one sentence.
  public let rule: String
  /// The features without which it is skipped.
  public let needs: Set<StoreFeature>
}

extension StorePromise: CustomStringConvertible {
  /// The name and the rule.
  public var description: String { "\(name): \(rule)" }
}
