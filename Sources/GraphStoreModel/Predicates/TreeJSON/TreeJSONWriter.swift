import Foundation
import GraphStorePredicates

/// Serializer of trees as JSON.
struct TreeJSONWriter {
  private typealias Members = [(String, String)]

  /// Whether nodes have their range in the text.
  let writesPlaces: Bool

  func text(_ predicate: QueryPredicate, depth: Int) -> String {
    let inner = depth + 1
    switch predicate {
    case .constant(let value):
      return node("constant", members: [("value", value ? "true" : "false")], depth: depth)
    case .comparison(let comparison): return text(comparison, depth: depth)
    case .and(let members):
      return node("and", members: [("members", list(members, depth: inner))], depth: depth)
    case .or(let members):
      return node("or", members: [("members", list(members, depth: inner))], depth: depth)
    case .not(let operand):
      return node("not", members: [("operand", text(operand, depth: inner))], depth: depth)
    case .block: return node("block", members: [], depth: depth)
    }
  }

  private func text(_ comparison: QueryComparison, depth: Int) -> String {
    var members: Members = [("operator", JSONWriter.quoted(comparison.comparator.rawValue))]
    if comparison.modifier != .direct {
      members.append(("modifier", JSONWriter.quoted(comparison.modifier.rawValue)))
    }
    let options = comparison.options.text.filter(\.isLetter)
    if !options.isEmpty { members.append(("options", JSONWriter.quoted(options))) }
    members.append(("left", text(comparison.left, depth: depth + 1)))
    members.append(("right", text(comparison.right, depth: depth + 1)))
    return node("comparison", members: members, depth: depth, range: comparison.operatorRange)
  }

  func text(_ expression: QueryExpression, depth: Int) -> String {
    let (type, members) = parts(expression, depth: depth + 1)
    return node(type, members: members, depth: depth, range: expression.sourceRange)
  }

  private func parts(_ expression: QueryExpression, depth: Int) -> (String, Members) {
    func text(_ part: QueryExpression) -> String { self.text(part, depth: depth) }
    func list(_ parts: [QueryExpression]) -> String { self.list(parts, depth: depth) }
    switch expression.kind {
    case .constant(let value): return ("constant", [("value", self.text(value, depth: depth))])
    case .evaluatedObject: return ("self", [])
    case .variable(let name): return ("variable", [("name", JSONWriter.quoted(name))])
    case .keyPath(let path):
      let steps = JSONWriter.list(path.steps.map { step($0, depth: depth + 1) }, depth: depth)
      return ("keyPath", (path.base.map { [("base", text($0))] } ?? []) + [("steps", steps)])
    case .function(let function, let arguments):
      return ("function", [("name", JSONWriter.quoted(function.rawValue)), ("arguments", list(arguments))])
    case .call(let target, let name, let arguments):
      return (
        "call",
        [("name", JSONWriter.quoted(name)), ("target", text(target)), ("arguments", list(arguments))]
      )
    case .cast(let operand, let type):
      return ("cast", [("to", JSONWriter.quoted(type.rawValue)), ("operand", text(operand))])
    case .aggregate(let members): return ("aggregate", [("members", list(members))])
    case .subquery(let collection, let variable, let predicate):
      return (
        "subquery",
        [
          ("collection", text(collection)), ("variable", JSONWriter.quoted(variable)),
          ("predicate", self.text(predicate, depth: depth)),
        ]
      )
    case .ternary(let condition, let then, let otherwise):
      return (
        "ternary",
        [
          ("condition", self.text(condition, depth: depth)), ("then", text(then)),
          ("otherwise", text(otherwise)),
        ]
      )
    case .index(let collection, let index):
      let place =
        switch index {
        case .first: "\"first\""
        case .last: "\"last\""
        case .size: "\"size\""
        case .at(let position): text(position)
        }
      return ("index", [("collection", text(collection)), ("index", place)])
    case .setOperation(let setOperator, let left, let right):
      return (
        "setOperation",
        [("operator", JSONWriter.quoted(setOperator.rawValue)), ("left", text(left)), ("right", text(right))]
      )
    case .fetch(let request, let context, let countOnly):
      return (
        "fetch", [("request", text(request)), ("context", text(context)), ("countOnly", text(countOnly))]
      )
    case .block: return ("block", [])
    }
  }

  private func step(_ step: QueryKeyPath.Step, depth: Int) -> String {
    let (name, text) =
      switch step {
      case .key(let key): ("key", key)
      case .collectionOperator(let name): ("operator", name)
      case .variable(let name): ("variable", name)
      }
    return JSONWriter.object([(name, JSONWriter.quoted(text))], depth: depth)
  }

  // MARK: Constants

  private func text(_ value: Value, depth: Int) -> String {
    switch value {
    case .null: return "null"
    case .bool(let flag): return flag ? "true" : "false"
    case .int(let integer): return String(integer)
    case .double(let double):
      return double.isFinite ? double.description : tagged("$double", text: double.description, depth: depth)
    case .decimal(let decimal): return tagged("$decimal", text: decimal.description, depth: depth)
    case .string(let text): return JSONWriter.quoted(text)
    case .date(let date):
      let seconds = date.timeIntervalSinceReferenceDate
      return tagged("$date", text: DateText.text(of: seconds) ?? seconds.description, depth: depth)
    case .uuid(let uuid): return tagged("$uuid", text: uuid.uuidString, depth: depth)
    case .uri(let uri): return tagged("$url", text: uri.absoluteString, depth: depth)
    case .data(let data): return tagged("$data", text: data.base64EncodedString(), depth: depth)
    case .object(let reference): return tagged("$object", text: reference.uriText, depth: depth)
    case .list(let members):
      return JSONWriter.list(members.map { text($0, depth: depth + 1) }, depth: depth)
    case .dictionary(let members):
      let keys = members.keys.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
      let texts = keys.map { ($0, text(members[$0] ?? .null, depth: depth + 2)) }
      return JSONWriter.object(
        [("$dictionary", JSONWriter.object(texts, depth: depth + 1))], depth: depth)
    }
  }

  private func tagged(_ tag: String, text: String, depth: Int) -> String {
    JSONWriter.object([(tag, JSONWriter.quoted(text))], depth: depth)
  }

  // MARK: Nodes

  private func list(_ predicates: [QueryPredicate], depth: Int) -> String {
    JSONWriter.list(predicates.map { text($0, depth: depth + 1) }, depth: depth)
  }

  private func list(_ expressions: [QueryExpression], depth: Int) -> String {
    JSONWriter.list(expressions.map { text($0, depth: depth + 1) }, depth: depth)
  }

  private func node(_ type: String, members: Members, depth: Int, range: SourceRange? = nil) -> String {
    var all: Members = [("type", JSONWriter.quoted(type))]
    all += members
    if writesPlaces, let range { all.append(("range", "[\(range.offset), \(range.length)]")) }
    return JSONWriter.object(all, depth: depth)
  }
}
