/// Names that are taken within one table, or among tables and indexes; engines tell them apart without regard to
/// the case of letters of ASCII.
struct SQLNameSpace {
  private var taken: Set<String> = []

  init(reserved: [String] = []) {
    for name in reserved { taken.insert(Self.key(name)) }
  }

  /// Takes the name, or, if that is taken, the name with the first of the suffixes 1, 2, 3 … that is free.
  mutating func claim(_ name: String) -> String {
    let suffix = claimSuffix([name])
    return name + suffix
  }

  /// Takes all the names with one suffix: none, or the first of 1, 2, 3 … with which all are free.
  mutating func claimSuffix(_ names: [String]) -> String {
    var suffix = ""
    var count = 0
    while names.contains(where: { taken.contains(Self.key($0 + suffix)) }) {
      count += 1
      suffix = String(count)
    }
    for name in names { taken.insert(Self.key(name + suffix)) }
    return suffix
  }

  private static func key(_ name: String) -> String {
    String(decoding: name.utf8.map { (0x61...0x7a).contains($0) ? $0 - 0x20 : $0 }, as: UTF8.self)
  }
}
