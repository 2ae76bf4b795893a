/// Where something is in a model: keys and positions from the top, printed as `entities[2].attributes[0].optional`.
public struct ModelPath: Hashable, Sendable, CustomStringConvertible {
  /// One step of a path.
  public enum Component: Hashable, Sendable {
    /// A key of an object.
    case key(String)
    /// A position in a list, from 0.
    case index(Int)
  }

  /// The steps from the top.
  public var components: [Component]

  /// Makes a path; without steps it is the model itself.
  public init(_ components: [Component] = []) { self.components = components }

  /// The path one key further down.
  public func key(_ name: String) -> ModelPath { ModelPath(components + [.key(name)]) }

  /// The path to a list under a key, and in it to a position.
  public func item(_ name: String, _ position: Int) -> ModelPath {
    ModelPath(components + [.key(name), .index(position)])
  }

  /// The path to a position in a list.
  public func index(_ position: Int) -> ModelPath { ModelPath(components + [.index(position)]) }

  /// The printed form; the empty string for the model itself.
  public var description: String {
    var text = ""
    for component in components {
      switch component {
      case .key(let name):
        if !text.isEmpty { text += "." }
        text += name
      case .index(let position): text += "[\(position)]"
      }
    }
    return text
  }
}
