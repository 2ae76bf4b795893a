/// Singular and plural of English nouns, as far as endings tell.
enum Plurals {
  /// Nouns whose plural no ending tells, by their singular.
  private static let irregular: [String: String] = [
    "person": "people", "child": "children", "man": "men", "woman": "women", "mouse": "mice",
    "goose": "geese",
    "foot": "feet", "tooth": "teeth", "movie": "movies", "cookie": "cookies", "tie": "ties", "pie": "pies",
    "bus": "buses", "lens": "lenses", "datum": "data", "medium": "media", "criterion": "criteria",
    "index": "indices", "matrix": "matrices", "leaf": "leaves", "shelf": "shelves", "half": "halves",
    "shoe": "shoes", "cache": "caches", "axis": "axes",
  ]
  private static let singulars = Dictionary(
    irregular.map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  /// Nouns that end like plurals, or are their own.
  private static let unchanged: Set<String> = [
    "series", "species", "news", "status", "address", "process", "class", "gas", "atlas", "canvas", "lens",
    "bus",
    "sheep", "fish", "data", "media", "metadata", "settings", "https", "sms", "gps",
  ]

  /// The singular of a word, with the case of its letters.
  static func singular(_ word: String) -> String {
    let lower = word.lowercased()
    if unchanged.contains(lower) { return word }
    if let known = singulars[lower] { return keepingCase(of: word, known) }
    if lower.hasSuffix("ies"), lower.count > 4 { return String(word.dropLast(3)) + "y" }
    for ending in ["sses", "shes", "ches", "xes", "zzes", "oes", "uses"] where lower.hasSuffix(ending) {
      let isOfE = ["houses", "causes", "clauses", "pauses", "spouses", "warehouses"].contains(lower)
      return String(word.dropLast(isOfE ? 1 : 2))
    }
    if lower.hasSuffix("ss") || lower.hasSuffix("us") || lower.hasSuffix("is") || lower.count < 3 {
      return word
    }
    return lower.hasSuffix("s") ? String(word.dropLast()) : word
  }

  /// The plural of a word, with the case of its letters.
  static func plural(_ word: String) -> String {
    let lower = word.lowercased()
    if let known = irregular[lower] { return keepingCase(of: word, known) }
    if ["series", "species", "news", "sheep", "fish", "data", "media"].contains(lower) { return word }
    if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
      return String(word.dropLast()) + "ies"
    }
    let isHissing = ["s", "x", "z", "ch", "sh"].contains { lower.hasSuffix($0) }
    return word + (isHissing ? "es" : "s")
  }

  private static func keepingCase(of word: String, _ other: String) -> String {
    word.first?.isUppercase == true ? other.prefix(1).uppercased() + other.dropFirst() : other
  }
}
