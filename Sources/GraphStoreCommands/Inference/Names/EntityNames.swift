import GraphStoreReports

/// Names of entities, made of those of files, tables and keys.
enum EntityNames {
  /// The name of an entity whose records are in something of that name: singular, with a capital; nil where
  /// no letter of it can stand in a name.
  static func name(from text: String) -> String? {
    var words = Words.words(of: text)
    // `EMPLOYEES` is a word, and no abbreviation.
    if !text.contains(where: \.isLowercase) { words = words.map { $0.lowercased() } }
    guard let last = words.popLast() else { return nil }
    words.append(Plurals.singular(last))
    let name = Words.capitalized(words)
    return name.first?.isNumber == true ? "_" + name : name
  }

  /// The name of the entity of a file's records.
  static func name(ofFile path: String) -> String {
    guard path != "-" else { return "Record" }
    var base = FileEnding.withoutGzip(path.split(separator: "/").last.map(String.init) ?? path)
    if let dot = base.lastIndex(of: "."), dot != base.startIndex { base = String(base[..<dot]) }
    for ending in [".schema", ".sample"] where base.hasSuffix(ending) { base.removeLast(ending.count) }
    return name(from: base) ?? "Record"
  }

  /// The name of a to-many relationship to objects of an entity: `OrderItem` is `orderItems`.
  static func plural(_ entity: String) -> String {
    var words = Words.words(of: entity)
    guard let last = words.popLast() else { return entity }
    guard !words.isEmpty else { return Plurals.plural(Words.camelCased([last])) }
    return Words.camelCased(words) + Words.capitalized([Plurals.plural(last)])
  }

  /// The name of a to-one relationship to an object of an entity.
  static func singular(_ entity: String) -> String { Words.camelCased(Words.words(of: entity)) }

  /// A name that is none of those that are taken.
  static func unique(_ name: String, among taken: Set<String>) -> String {
    guard taken.contains(name) else { return name }
    var number = 2
    while taken.contains("\(name)\(number)") { number += 1 }
    return "\(name)\(number)"
  }
}
