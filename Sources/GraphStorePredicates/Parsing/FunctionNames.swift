/// Spellings of functions.
enum FunctionNames {
  /// Known names without meaning here.
  static let unsupported: Set<String> = ["distanceToLocation:fromLocation:"]

  private static let special: Set<String> = ["castObject:toType:", "objectFrom:withIndex:"]

  /// Other words for functions, which print by their own names.
  private static let synonyms: KeyValuePairs<String, QueryFunction> = ["avg:": .average, "mean:": .average]

  private static let bySpelling: [String: [QueryFunction]] = {
    var functions: [String: [QueryFunction]] = [:]
    for (name, function) in QueryFunction.allCases.map({ ($0.rawValue, $0) }) + Array(synonyms) {
      functions[name, default: []].append(function)
      if let bare = bareName(name) { functions[bare, default: []].append(function) }
    }
    return functions
  }()

  /// Every name as it prints.
  static let all: [String] = QueryFunction.allCases.map(\.rawValue) + special.sorted()

  static func isKnown(_ spelling: String) -> Bool {
    bySpelling[spelling] != nil || special.contains(spelling)
  }

  static func functions(named spelling: String) -> [QueryFunction] {
    bySpelling[spelling] ?? []
  }

  /// The name of a one-part function without its colon.
  private static func bareName(_ name: String) -> String? {
    guard name.hasSuffix(":") else { return nil }
    let bare = name.dropLast()
    return bare.contains(":") ? nil : String(bare)
  }
}

extension QueryFunction {
  /// The aggregate function of a word: `sum`, `average` or, which is the same, `avg` and `mean`; nil for
  /// every other word.
  package static func aggregate(named word: String) -> QueryFunction? {
    FunctionNames.functions(named: word + ":").first(where: \.isAggregate)
  }
}
