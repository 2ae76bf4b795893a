/// How a store is opened.
public struct StoreOptions: Sendable {
  /// Whether the store may not be written; nothing in its folder changes then.
  public var isReadOnly: Bool
  /// How long to wait for a store that another process holds.
  public var timeout: Duration

  /// Options; by default a store can be written and five seconds are waited.
  public init(isReadOnly: Bool = false, timeout: Duration = .seconds(5)) {
    self.isReadOnly = isReadOnly
    self.timeout = timeout
  }
}
