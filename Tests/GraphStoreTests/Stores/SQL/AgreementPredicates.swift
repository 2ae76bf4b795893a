import Foundation
import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// Makes random predicates of any entity of a model, from the whole language, as text with variables for
/// constants.
struct AgreementPredicates {
  /// What keys can begin at: the object under test, or the variable of a sub-query.
  struct Scope {
    var prefix: String
    var entity: EntityDescription
  }

  var random: SeededGenerator
  let copies: [AgreementObject]
  let model: ManagedObjectModel
  var scopes: [Scope] = []
  private(set) var arguments: [String: Value] = [:]

  static let signs = ["==", "!=", "<", "<=", ">", ">="]
  static let options = ["", "", "", "[c]", "[d]", "[cd]", "[n]", "[l]", "[cl]", "[cdl]"]

  init(_ random: SeededGenerator, _ graph: AgreementGraph) {
    self.random = random
    copies = graph.copies
    model = graph.model
  }

  mutating func next(of entity: EntityDescription) throws -> QueryPredicate {
    arguments = [:]
    scopes = [Scope(prefix: "", entity: entity)]
    return try QueryPredicate(parsing: predicate(depth: 3)).substituting(arguments)
  }

  mutating func argument(_ value: Value) -> String {
    let name = "v\(arguments.count)"
    arguments[name] = value
    return "$\(name)"
  }

  mutating func predicate(depth: Int) -> String {
    guard depth > 0, random.chance(50) else { return leaf(depth: depth) }
    let word = random.pick([" AND ", " AND ", " OR ", " OR ", "NOT "])
    if word == "NOT " { return "NOT (" + predicate(depth: depth - 1) + ")" }
    let members = (0..<Int.random(in: 2...3, using: &random)).map { _ in predicate(depth: depth - 1) }
    return "(" + members.joined(separator: word) + ")"
  }

  private mutating func leaf(depth: Int) -> String {
    for _ in 0..<4 {
      if let text = tryLeaf(depth: depth) { return text }
    }
    return random.pick(["TRUEPREDICATE", "FALSEPREDICATE"])
  }

  private mutating func tryLeaf(depth: Int) -> String? {
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1, 2: return comparison(Self.numbers)
    case 3: return comparison(random.pick([[.date], [.uuid], [.uri], [.boolean]]))
    case 4, 5: return text()
    case 6: return bytes()
    case 7: return missing()
    case 8: return computed(depth: depth)
    case 9: return objects()
    case 10, 11: return quantified()
    case 12: return counted(depth: depth)
    case 13: return subquery(depth: depth)
    case 14: return membership(depth: depth)
    case 15: return aggregate()
    case 16: return entity()
    case 17: return keys()
    case 18: return ordered()
    default: return collections()
    }
  }

  static let numbers: Set<AttributeType> = [.int16, .int32, .int64, .double, .float, .decimal, .boolean]

  // MARK: Single values

  private mutating func comparison(_ types: Set<AttributeType>) -> String? {
    guard let path = attribute(types) else { return nil }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "\(path.text) \(random.pick(["IN", "NOT IN"])) \(list(path.attribute))"
    case 1:
      let upper = random.chance(90) ? constant(path.attribute) : "nil"
      return "\(path.text) BETWEEN {\(constant(path.attribute)), \(upper)}"
    case 2: return "\(constant(path.attribute)) \(random.pick(Self.signs)) \(path.text)"
    case 3: return "noindex:(\(path.text)) \(random.pick(Self.signs)) \(constant(path.attribute))"
    default: return "\(path.text) \(random.pick(Self.signs)) \(constant(path.attribute))"
    }
  }

  private mutating func text() -> String? {
    guard let path = attribute([.string]) else { return nil }
    let options = random.pick(Self.options)
    let other = random.chance(30) ? attribute([.string])?.text : nil
    let operand = other ?? constant(path.attribute)
    switch Int.random(in: 0..<9, using: &random) {
    case 0: return "\(path.text) \(random.pick(Self.signs))\(options) \(operand)"
    case 1:
      let pattern = argument(.string(random.pick(PlannerValues.patterns + PlannerValues.texts)))
      return "\(path.text) LIKE\(options) \(pattern)"
    case 2:
      let pattern = argument(.string(random.pick([".*", "[a-z]+", "a.", "s.*e", "İ?i*", "(a|b)*", "\\w+"])))
      return "\(path.text) MATCHES\(options) \(pattern)"
    case 3: return "\(path.text) IN\(options) \(list(path.attribute))"
    case 4: return "\(operand) \(random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH"]))\(options) \(path.text)"
    case 5: return "\(path.text) IN\(options) \(operand)"
    case 6: return "\(path.text) BETWEEN\(options) {\(constant(path.attribute)), \(operand)}"
    default:
      return "\(path.text) \(random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH"]))\(options) \(operand)"
    }
  }

  private mutating func bytes() -> String? {
    guard let path = attribute([.binary]) else { return nil }
    let operation = random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "IN", "==", "!=", "<", ">="])
    return random.chance(70)
      ? "\(path.text) \(operation) \(constant(path.attribute))"
      : "\(constant(path.attribute)) \(operation) \(path.text)"
  }

  private mutating func missing() -> String? {
    let path = random.chance(70) ? attribute(Set(AgreementModel.types))?.text : toOne()?.text
    return path.map { "\($0) \(random.pick(["==", "!="])) nil" }
  }

  private mutating func keys() -> String? {
    let types: Set<AttributeType> = random.pick([
      Self.numbers, [.string], [.date], [.uuid], [.uri], [.binary],
    ])
    guard let left = attribute(types), let right = attribute(types) else { return nil }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return "\(left.text) IN {\(right.text), \(constant(left.attribute)), nil}"
    case 1: return "\(left.text) BETWEEN {\(right.text), \(constant(left.attribute))}"
    default: return "\(left.text) \(random.pick(Self.signs)) \(right.text)"
    }
  }

  private mutating func entity() -> String {
    let path = random.chance(60) ? random.pick(scopes).prefix : toOne().map { $0.text + "." } ?? ""
    let name = argument(.string(random.pick(model.entities.map(\.name) + ["None"])))
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return "\(path)entity \(random.pick(["==", "!="])) \(name)"
    case 1: return "\(path)entity.name IN {\(name), 'E0', 'E1'}"
    default: return "\(name) == \(path)entity"
    }
  }
}
