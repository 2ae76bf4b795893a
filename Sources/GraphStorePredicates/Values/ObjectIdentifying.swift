/// What identifies one object: the protocol a store's object identifiers conform to so that they can be
/// carried in a ``Value``.
public protocol ObjectIdentifying: Hashable, Sendable {
  /// The identifier's URI, made on demand.
  var uriText: String { get }
}
