/// How Swift is made of a model.
public struct CodegenOptions: Hashable, Sendable {
  /// Who sees the generated declarations.
  public enum Access: String, CaseIterable, Hashable, Sendable {
    /// Other modules too.
    case `public`
    /// The module only.
    case `internal`
  }

  /// Who sees the generated declarations.
  public var access: Access
  /// The names of the entities that get files; empty for all. The model's own file is made for all of them.
  public var entities: [String]

  /// Makes options.
  public init(access: Access = .internal, entities: [String] = []) {
    self.access = access
    self.entities = entities
  }
}
