@testable import GraphStoreModel

/// Changes of one place in a JSON value.
enum JSONMutation {
  enum Step { case key(String), index(Int) }

  /// The ways to everything in a value.
  static func paths(_ value: JSONValue) -> [[Step]] {
    var paths: [[Step]] = []
    collect(value, [], &paths)
    return paths
  }

  private static func collect(_ value: JSONValue, _ path: [Step], _ paths: inout [[Step]]) {
    paths.append(path)
    switch value {
    case .array(let items):
      for (index, item) in items.enumerated() { collect(item, path + [.index(index)], &paths) }
    case .object(let members):
      for key in members.keys.sorted() { collect(members[key] ?? .null, path + [.key(key)], &paths) }
    default: return
    }
  }

  /// A value with what is at a path changed; for the end of the path the change gets the value itself.
  static func change(
    _ value: JSONValue, at path: ArraySlice<Step>, _ body: (JSONValue) -> JSONValue
  ) -> JSONValue {
    guard let step = path.first else { return body(value) }
    switch (step, value) {
    case (.index(let index), .array(var items)):
      items[index] = change(items[index], at: path.dropFirst(), body)
      return .array(items)
    case (.key(let key), .object(var members)):
      members[key] = change(members[key] ?? .null, at: path.dropFirst(), body)
      return .object(members)
    default: return value
    }
  }
}
