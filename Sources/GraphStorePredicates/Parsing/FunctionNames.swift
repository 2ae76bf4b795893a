/// Spellings of functions.
enum FunctionNames {
  /// Known names without meaning here.
  static let unsupported: Set<String> = ["distanceToLocation:fromLocation:"]

  private static let special: Set<String> = ["castObject:toType:", "objectFrom:withIndex:"]

  private static let bySpelling: [String: [QueryFunction]] = {
    var functions: [String: [QueryFunction]] = [:]
    for function in QueryFunction.allCases {
      functions[function.rawValue, default: []].append(function)
      if let bare = bareName(function) { functions[bare, default: []].append(function) }
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
  private static func bareName(_ function: QueryFunction) -> String? {
    let name = function.rawValue
    guard name.hasSuffix(":") else { return nil }
    let bare = name.dropLast()
    return bare.contains(":") ? nil : String(bare)
  }
}
