import Foundation
import GraphStoreModel
import GraphStorePredicates

@testable import GraphStore

/// Predicates over objects and their relationships.
extension AgreementPredicates {
  mutating func objects() -> String? {
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      return toOne().map { "\($0.text) \(random.pick(["==", "!="])) \(object($0.entity))" }
    case 2: return toOne().map { "\($0.text) IN {\(object($0.entity)), \(object($0.entity)), nil}" }
    case 3: return toMany(isDirect: true).map { "\($0.text) CONTAINS \(object($0.entity))" }
    case 4:
      let scope = random.pick(scopes)
      let source = scope.prefix.isEmpty ? "SELF" : String(scope.prefix.dropLast())
      guard random.chance(50), let path = toOne(), path.entity.rootEntity === scope.entity.rootEntity else {
        return "\(source) \(random.pick(["IN", "NOT IN"])) {\(object(scope.entity)), \(object(scope.entity))}"
      }
      return "\(source) \(random.pick(["==", "!="])) \(path.text)"
    default:
      guard let one = toOne(), let many = toMany(), one.entity.rootEntity === many.entity.rootEntity else {
        return nil
      }
      return random.chance(50) ? "\(one.text) IN \(many.text)" : "\(many.text) CONTAINS \(one.text)"
    }
  }

  mutating func quantified() -> String? {
    guard let path = toMany() else { return nil }
    let quantifier = random.pick(["ANY", "ALL", "NONE", "SOME", "NOT ANY", "NOT ALL"])
    if random.chance(15) { return "\(quantifier) \(path.text) == \(object(path.entity))" }
    guard let key = member(of: path, Set(AgreementModel.types)) else { return nil }
    let named = "\(quantifier) \(path.text).\(key.name)"
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return "\(named) \(random.pick(["==", "!="])) nil"
    case 1: return "\(named) IN \(list(key))"
    case 2: return "\(named) BETWEEN {\(constant(key)), \(constant(key))}"
    case 3:
      return attribute([key.type]).map { "\(named) \(random.pick(Self.signs)) \($0.text)" }
    case 4 where key.type == .string:
      let operation = random.pick(["CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "==", "<"])
      return "\(named) \(operation)\(random.pick(Self.options)) \(constant(key))"
    default: return "\(named) \(random.pick(Self.signs)) \(constant(key))"
    }
  }

  mutating func counted(depth: Int) -> String? {
    guard let path = toMany() else { return nil }
    let bound = random.pick(["0", "1", "2", "0.5", "NO", "1.0"])
    let sign = random.pick(Self.signs)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "\(bound) \(sign) \(path.text).@count"
    case 1: return "\(path.text)[SIZE] \(sign) \(bound)"
    case 2: return toMany().map { "\(path.text).@count \(sign) \($0.text).@count" }
    case 3: return attribute([.int32]).map { "\(path.text).@count \(sign) \($0.text)" }
    default: return "\(path.text).@count \(sign) \(bound)"
    }
  }

  /// A sub-query with a predicate about its variable and everything outside.
  private mutating func members(depth: Int) -> (text: String, path: Path)? {
    guard scopes.count < 3, let path = toMany() else { return nil }
    let name = "$x\(scopes.count)"
    scopes.append(Scope(prefix: name + ".", entity: path.entity))
    let condition = predicate(depth: Swift.max(0, depth - 1))
    scopes.removeLast()
    return ("SUBQUERY(\(path.text), \(name), \(condition))", path)
  }

  mutating func subquery(depth: Int) -> String? {
    guard let (text, path) = members(depth: depth) else { return nil }
    let sign = random.pick(Self.signs)
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      guard let key = member(of: path, Set(AgreementModel.types)) else { return nil }
      return "\(random.pick(["ANY", "ALL", "NONE"])) \(text).\(key.name) \(sign) \(constant(key))"
    case 1:
      guard let key = member(of: path, Self.numbers) else { return nil }
      return "\(text).\(random.pick(["@sum", "@avg", "@min", "@max"])).\(key.name) \(sign) \(number())"
    case 2: return "\(text)[SIZE] \(sign) \(path.text).@count"
    case 3: return "\(object(path.entity)) IN \(text)"
    default: return "\(text).@count \(sign) \(Int.random(in: 0..<3, using: &random))"
    }
  }

  mutating func membership(depth: Int) -> String? {
    guard let path = toMany(), let key = member(of: path, [.string, .int32, .date, .uuid, .decimal]) else {
      return nil
    }
    let word = random.pick(["IN", "NOT IN"])
    switch Int.random(in: 0..<5, using: &random) {
    case 0: return "\(constant(key)) \(word) \(path.text).\(key.name)"
    case 1: return "nil \(word) \(path.text).\(key.name)"
    case 2: return "\(path.text).\(key.name) CONTAINS \(constant(key))"
    case 3:
      guard let (text, path) = members(depth: depth), let key = member(of: path, [key.type]) else {
        return nil
      }
      return attribute([key.type]).map { "\($0.text) \(word) \(text).\(key.name)" }
    default: return attribute([key.type]).map { "\($0.text) \(word) \(path.text).\(key.name)" }
    }
  }

  mutating func aggregate() -> String? {
    guard let path = toMany() else { return nil }
    let sign = random.pick(Self.signs)
    if random.chance(30) {
      guard let key = member(of: path, [.string, .date, .uuid, .uri, .binary]) else { return nil }
      return "\(path.text).\(random.pick(["@min", "@max"])).\(key.name) \(sign) \(constant(key))"
    }
    guard let key = member(of: path, Self.numbers) else { return nil }
    if random.chance(30) {
      let name = random.pick(["sum:", "average:", "min:", "max:", "median:", "stddev:", "count:"])
      return "\(name)(\(path.text).\(key.name)) \(sign) \(number())"
    }
    return "\(path.text).\(random.pick(["@sum", "@avg", "@min", "@max"])).\(key.name) \(sign) \(number())"
  }

  /// Places in ordered relationships, which memory looks up.
  mutating func ordered() -> String? {
    guard let path = toMany(isDirect: true), path.isOrdered else { return nil }
    let place = random.pick(["FIRST", "LAST", "0", "1", "7"])
    guard random.chance(70), let key = member(of: path, Set(AgreementModel.types)) else {
      return "\(path.text)[\(place)] \(random.pick(["==", "!="])) \(object(path.entity))"
    }
    return "\(path.text)[\(place)].\(key.name) \(random.pick(Self.signs)) \(constant(key))"
  }

  /// Combined and aggregated collections, which stay in memory.
  mutating func collections() -> String? {
    guard let path = toMany(), let key = member(of: path, [.int32, .string, .decimal]) else { return nil }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      guard let other = toMany(), other.entity.rootEntity === path.entity.rootEntity else { return nil }
      let word = random.pick(["UNION", "INTERSECT", "MINUS"])
      return "count:(\(path.text) \(word) \(other.text)) \(random.pick(Self.signs)) 1"
    case 1: return "ANY \(path.text).@distinctUnionOfObjects.\(key.name) == \(constant(key))"
    case 2: return "count:(distinct:(\(path.text).\(key.name))) \(random.pick(Self.signs)) 1"
    default: return "\(constant(key)) IN mode:(\(path.text).\(key.name))"
    }
  }
}
