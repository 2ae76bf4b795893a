/// An entity's name, made ready once for printing many ids: `Employee/p1`.
struct EntityLabel: Sendable {
  /// The entity's name.
  let name: String
  /// `Employee/` in UTF-8.
  let prefix: [UInt8]

  init(_ name: String) {
    self.name = name
    prefix = Array("\(name)/".utf8)
  }
}
