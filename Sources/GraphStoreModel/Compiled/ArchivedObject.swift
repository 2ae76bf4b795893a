/// An object of a keyed archive whose class is none of Foundation's collections and values.
struct ArchivedObject {
  /// Its number in the archive.
  let number: Int
  /// The name of its class, and those of the classes above it.
  let classNames: [String]
  /// What it encoded, by key.
  let fields: [String: PropertyListNode]

  var className: String { classNames.first ?? "" }

  func isKind(of name: String) -> Bool { classNames.contains(name) }
}
