/// An entity's name, made ready once for printing many ids: `Employee/p1`.
struct EntityLabel: Sendable {
  /// The entity's name.
  let name: String
  /// `Employee/p` in UTF-8.
  let permanentPrefix: [UInt8]
  /// `Employee/t` in UTF-8.
  let temporaryPrefix: [UInt8]

  init(_ name: String) {
    self.name = name
    permanentPrefix = Array("\(name)/p".utf8)
    temporaryPrefix = Array("\(name)/t".utf8)
  }
}
