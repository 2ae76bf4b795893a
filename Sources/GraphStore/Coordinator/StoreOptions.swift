/// How a store is opened.
public struct StoreOptions: Sendable {
  /// Whether the store may not be written; nothing in its folder changes then.
  public var isReadOnly: Bool
  /// How long to wait for a store that another process holds.
  public var timeout: Duration
  /// The configuration of the model whose entities the store holds; nil for all entities.
  ///
  /// A store that is opened under the model that it carries has, for nil, the configuration that it was made with.
  public var configuration: String?

  /// How long a statement waits for another process that writes, unless something else is said.
  public static let defaultTimeout: Duration = .seconds(5)

  /// Options; by default a store can be written, five seconds are waited, and the store holds all entities.
  public init(
    isReadOnly: Bool = false, timeout: Duration = StoreOptions.defaultTimeout, configuration: String? = nil
  ) {
    self.isReadOnly = isReadOnly
    self.timeout = timeout
    self.configuration = configuration
  }
}
