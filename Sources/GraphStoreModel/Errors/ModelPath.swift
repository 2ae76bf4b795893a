/// Path to a part of a model: keys and positions from the top, printed as
/// `entities[2].attributes[0].optional`.
///
/// A persistent linked list from the last step to the first: a path is made for everything that is checked
/// and read only where something is found, so it shares the steps of the one it extends, and costs one small
/// object.
public struct ModelPath: Sendable, CustomStringConvertible {
  /// One step of a path.
  public enum Component: Hashable, Sendable {
    /// A key of an object.
    case key(String)
    /// A position in a list, from 0.
    case index(Int)
  }

  private final class Step: Sendable {
    let before: Step?
    let component: Component

    init(_ component: Component, after before: Step?) {
      self.before = before
      self.component = component
    }
  }

  private var last: Step?

  /// Makes a path; without steps it is the model itself.
  public init(_ components: [Component] = []) {
    for component in components { last = Step(component, after: last) }
  }

  private init(_ component: Component, after path: ModelPath) {
    last = Step(component, after: path.last)
  }

  /// The steps from the top.
  public var components: [Component] {
    get {
      var components: [Component] = []
      var step = last
      while let current = step {
        components.append(current.component)
        step = current.before
      }
      return components.reversed()
    }
    set { self = ModelPath(newValue) }
  }

  /// The path one key further down.
  public func key(_ name: String) -> ModelPath { ModelPath(.key(name), after: self) }

  /// The path to a list under a key, and in it to a position.
  public func item(_ name: String, _ position: Int) -> ModelPath { key(name).index(position) }

  /// The path to a position in a list.
  public func index(_ position: Int) -> ModelPath { ModelPath(.index(position), after: self) }

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

extension ModelPath: Hashable {
  /// Whether both have the same steps.
  public static func == (left: ModelPath, right: ModelPath) -> Bool {
    left.last === right.last || left.components == right.components
  }

  /// Hashes the steps.
  public func hash(into hasher: inout Hasher) { hasher.combine(components) }
}
