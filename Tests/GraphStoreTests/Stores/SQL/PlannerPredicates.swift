import Foundation
import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// Makes random predicates of Person, as text with variables for the constants.
struct PlannerPredicates {
  var random: SeededGenerator
  let graph: PlannerGraph
  private var arguments: [String: Value] = [:]

  init(_ random: SeededGenerator, _ graph: PlannerGraph) {
    self.random = random
    self.graph = graph
  }

  mutating func next() throws -> QueryPredicate {
    arguments = [:]
    let text = random.chance(40) ? computed() : predicate(depth: 3)
    return try QueryPredicate(parsing: text).substituting(arguments)
  }

  private mutating func predicate(depth: Int) -> String {
    guard depth > 0, random.chance(55) else { return leaf("", depth: depth) }
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1:
      return "(" + (0..<3).map { _ in predicate(depth: depth - 1) }.joined(separator: " AND ") + ")"
    case 2, 3:
      return "(" + (0..<3).map { _ in predicate(depth: depth - 1) }.joined(separator: " OR ") + ")"
    default: return "NOT (" + predicate(depth: depth - 1) + ")"
    }
  }

  static let numbers = ["age", "big", "score", "ratio", "price", "active", "salary", "budget"]
  private static let others = ["born", "token", "home", "photo"]
  static let signs = ["==", "!=", "<", "<=", ">", ">="]
  private static let options = ["", "", "[c]", "[d]", "[cd]", "[n]"]
  private static let toMany = [
    "reports", "tags", "friends", "watched", "department.members", "reports.tags", "manager.reports",
    "reports.department.members", "reports.manager", "friends.tags", "manager.department.members.tags",
  ]

  mutating func argument(_ value: (some ValueConvertible)?) -> String {
    let name = "v\(arguments.count)"
    arguments[name] = value?.queryValue ?? .null
    return "$\(name)"
  }

  mutating func constant(_ key: String) -> String {
    switch key {
    case "price":
      return random.chance(70)
        ? argument(PlannerValues.decimal(random.pick(PlannerValues.decimals)))
        : argument(random.pick(PlannerValues.integers))
    case "score", "ratio": return argument(random.pick(PlannerValues.doubles))
    case "active": return argument(random.chance(50))
    case "born": return argument(Date(timeIntervalSinceReferenceDate: random.pick(PlannerValues.dates)))
    case "token": return argument(UUID(uuidString: random.pick(PlannerValues.uuids)))
    case "home": return argument(URL(string: random.pick(["http://a.b/c", "x:y"])))
    case "photo": return argument(Data(random.pick(PlannerValues.bytes)))
    case "name", "nick": return argument(random.pick(PlannerValues.texts))
    default:
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return argument(random.pick(PlannerValues.doubles))
      case 1: return argument(PlannerValues.decimal(random.pick(PlannerValues.decimals)))
      default: return argument(random.pick(PlannerValues.integers))
      }
    }
  }

  private mutating func object(_ pool: [PlannerObject]) -> String {
    argument(random.pick(pool)._objectReference)
  }

  private mutating func leaf(_ prefix: String, depth: Int) -> String {
    var prefix = prefix
    if random.chance(25) { prefix += random.pick(["manager.", "manager.manager."]) }
    switch Int.random(in: 0..<18, using: &random) {
    case 16: return computed(prefix)
    case 0, 1: return scalar(prefix + random.pick(Self.numbers))
    case 2: return scalar(prefix + random.pick(Self.others))
    case 3, 4, 5: return text(prefix + random.pick(["name", "nick", "department.name"]))
    case 6: return "\(prefix)\(random.pick(Self.numbers + Self.others)) \(random.pick(["==", "!="])) nil"
    case 7: return keys(prefix)
    case 8: return objects(prefix)
    case 9, 10: return quantified(prefix)
    case 11: return counted(prefix)
    case 12: return subquery(prefix, depth: depth)
    case 13: return arithmetic(prefix)
    case 14: return aggregate(prefix)
    default: return random.pick(["TRUEPREDICATE", "FALSEPREDICATE"])
    }
  }

  private mutating func scalar(_ path: String) -> String {
    let key = String(path.split(separator: ".").last ?? "")
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "\(path) IN \(list(key))"
    case 1: return "\(path) BETWEEN {\(constant(key)), \(random.chance(90) ? constant(key) : "nil")}"
    case 2: return "\(constant(key)) \(random.pick(Self.signs)) \(path)"
    default: return "\(path) \(random.pick(Self.signs)) \(constant(key))"
    }
  }

  mutating func list(_ key: String) -> String {
    var members = (0..<Int.random(in: 0..<7, using: &random)).map { _ in constant(key) }
    if random.chance(25) { members.append("nil") }
    return "{" + members.joined(separator: ", ") + "}"
  }

  private mutating func text(_ path: String) -> String {
    let options = random.pick(Self.options)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return "\(path) \(random.pick(Self.signs))\(options) \(constant("name"))"
    case 1:
      return "\(path) LIKE\(options) \(argument(random.pick(PlannerValues.patterns + PlannerValues.texts)))"
    case 2:
      let pattern = random.pick(["a.*", "[A-Z]+", ".", "(?s).*e", "s\\w*e"])
      return "\(path) MATCHES\(options) \(argument(pattern))"
    case 3: return "\(path) IN\(options) \(list("name"))"
    case 4:
      return "\(path).length \(random.pick(Self.signs)) \(argument(Int.random(in: 0..<4, using: &random)))"
    case 5:
      let operation = random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "==", "<"])
      return "\(path) \(operation)\(options) nick"
    default:
      return "\(path) \(random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH"]))\(options) \(constant("name"))"
    }
  }

  private mutating func keys(_ prefix: String) -> String {
    let pool = random.pick([
      ["age", "big", "score", "ratio", "active", "budget"], ["price", "age", "big"], ["name", "nick"],
      ["born"],
    ])
    return "\(prefix)\(random.pick(pool)) \(random.pick(Self.signs)) \(random.pick(pool))"
  }

  private mutating func objects(_ prefix: String) -> String {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return "\(prefix)manager \(random.pick(["==", "!="])) \(object(graph.people))"
    case 1: return "\(prefix)manager IN {\(object(graph.people)), \(object(graph.people)), nil}"
    case 2:
      return
        "\(prefix)department \(random.pick(["==", "!="])) \(random.pick(["nil", object(graph.departments)]))"
    case 3: return "\(prefix)friends CONTAINS \(object(graph.people))"
    case 4: return "\(prefix)tags CONTAINS \(object(graph.tags))"
    case 5: return "SELF \(random.pick(["==", "!="])) \(random.pick(["manager", "department.head"]))"
    case 6:
      return
        "\(prefix)entity \(random.pick(["==", "!="])) \(argument(random.pick(["Boss", "Person", "None"])))"
    default: return "SELF IN \(random.pick(["department.members", "friends", "manager.reports"]))"
    }
  }

  private mutating func quantified(_ prefix: String) -> String {
    let path = random.pick(Self.toMany)
    let quantifier = random.pick(["ANY", "ALL", "NONE", "SOME"])
    if random.chance(15) { return "\(quantifier) \(prefix)\(path) == \(object(graph.people + graph.tags))" }
    let named = "\(prefix)\(path).name"
    if random.chance(20) { return "\(quantifier) \(named) \(random.pick(["==", "!="])) nil" }
    if random.chance(20) { return "\(quantifier) \(named) IN \(list("name"))" }
    if random.chance(20) { return "\(quantifier) \(named) \(random.pick(Self.signs)) nick" }
    let operation = random.pick(["==", "CONTAINS", "BEGINSWITH", "LIKE"])
    return "\(quantifier) \(named) \(operation)\(random.pick(Self.options)) \(constant("name"))"
  }

  private mutating func counted(_ prefix: String) -> String {
    let number = argument(Int.random(in: 0..<4, using: &random))
    if random.chance(20) {
      return
        "\(prefix)\(random.pick(Self.toMany)).@count \(random.pick(Self.signs)) "
        + "\(random.pick(Self.toMany)).@count"
    }
    return "\(prefix)\(random.pick(Self.toMany)).@count \(random.pick(Self.signs)) \(number)"
  }

  private mutating func subquery(_ prefix: String, depth: Int) -> String {
    let path = random.pick(["reports", "friends", "department.members", "reports.manager", "manager.reports"])
    let condition = leaf("$x.", depth: 0) + random.pick(["", " AND $x.age > age", " OR $x.name == name"])
    let number = argument(Int.random(in: 0..<3, using: &random))
    return "SUBQUERY(\(prefix)\(path), $x, \(condition)).@count \(random.pick(Self.signs)) \(number)"
  }

  private mutating func arithmetic(_ prefix: String) -> String {
    let operation = random.pick(["+", "-", "*", "/"])
    let left = prefix + random.pick(["age", "big", "score", "active", "born"])
    let right = left.hasSuffix("born") ? constant("age") : random.pick(["age", constant("score"), "2"])
    if left.hasSuffix("born") {
      return "(\(left) - \(random.pick(["born", "manager.born"]))) / 2 \(random.pick(Self.signs)) \(right)"
    }
    return "\(left) \(operation) \(right) \(random.pick(Self.signs)) \(constant("age"))"
  }

  private mutating func aggregate(_ prefix: String) -> String {
    let path = random.pick(["reports", "friends", "department.members", "reports.department.members"])
    let name = random.pick([
      "@min.age", "@max.age", "@sum.age", "@avg.age", "@min.name", "@max.born", "@max.price", "@min.price",
      "@sum.score", "@avg.price", "@sum.price", "@max.reports.age", "@sum.tags.weight", "@min.token",
    ])
    let key =
      name.hasSuffix("price")
      ? "price"
      : name.hasSuffix("token")
        ? "token" : name.hasSuffix("name") ? "name" : name.hasSuffix("born") ? "born" : "age"
    return "\(prefix)\(path).\(name) \(random.pick(Self.signs)) \(constant(key))"
  }
}
