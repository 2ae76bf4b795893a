import GraphStoreModel
import GraphStorePredicates

/// Type inference for the variables of a predicate, from what they are compared with.
struct PredicateVariableTypes {
  /// The variables in the order of their occurrence, with their types.
  private(set) var variables: [(name: String, type: VariableType)] = []
  private let entity: EntityDescription
  /// The entities of the variables of subqueries.
  private var members: [String: EntityDescription?] = [:]

  init(_ predicate: QueryPredicate, of entity: EntityDescription) {
    self.entity = entity
    visit(predicate)
  }

  private mutating func visit(_ predicate: QueryPredicate) {
    switch predicate {
    case .constant, .block: break
    case .and(let parts), .or(let parts): for part in parts { visit(part) }
    case .not(let operand): visit(operand)
    case .comparison(let comparison): visit(comparison)
    }
  }

  private mutating func visit(_ comparison: QueryComparison) {
    let (left, right) = (comparison.left, comparison.right)
    switch comparison.comparator {
    case .in, .between:
      visit(left, as: type(of: right))
      if case .variable = right.kind {
        visit(right, as: .list(type(of: left)))
      } else {
        visit(right, as: type(of: left))
      }
    default:
      visit(left, as: type(of: right))
      visit(right, as: type(of: left))
    }
  }

  private mutating func visit(_ expression: QueryExpression, as type: VariableType) {
    switch expression.kind {
    case .variable(let name): add(name, type)
    case .aggregate(let parts): for part in parts { visit(part, as: type) }
    case .keyPath(let path):
      if let base = path.base { visit(base, as: .anything) }
      for case .variable(let name) in path.steps { add(name, .attribute(.string)) }
    case .subquery(let collection, let variable, let predicate):
      visit(collection, as: .anything)
      var found: EntityDescription?
      if case .object(let entity) = self.type(of: collection) { found = entity }
      let hidden = members.updateValue(found, forKey: variable)
      visit(predicate)
      members[variable] = hidden
    default:
      for child in expression.children { visit(child, as: .anything) }
      for child in expression.childPredicates { visit(child) }
    }
  }

  private mutating func add(_ name: String, _ type: VariableType) {
    guard members[name] == nil else { return }
    guard let known = variables.firstIndex(where: { $0.name == name }) else {
      variables.append((name, type))
      return
    }
    if variables[known].type != type { variables[known].type = .anything }
  }

  /// The type of an expression, of the members where it is a collection.
  private func type(of expression: QueryExpression) -> VariableType {
    switch expression.kind {
    case .keyPath(let path): return type(of: path) ?? checkedType(of: expression)
    case .variable: return .anything
    case .aggregate(let parts):
      return parts.lazy.map { type(of: $0) }.first { $0 != .anything } ?? .anything
    default: return checkedType(of: expression)
    }
  }

  private func checkedType(of expression: QueryExpression) -> VariableType {
    var checker = PredicateTypeChecker(entity: entity, purpose: .evaluation)
    checker.allowsVariables = true
    do throws(QueryPredicateError) {
      return VariableType(try checker.check(expression).type)
    } catch {
      return .anything
    }
  }

  /// The type of a path that begins at the object or at the variable of a subquery, by the width of its
  /// attribute.
  private func type(of path: QueryKeyPath) -> VariableType? {
    var start = entity
    if let base = path.base {
      guard case .variable(let name) = base.kind, let member = members[name] ?? nil else { return nil }
      start = member
    }
    do throws(QueryPredicateError) {
      let found = try PredicateTypeChecker(entity: start).resolve(QueryKeyPath(steps: path.steps))
      if found.collectionOperator == nil, case .attribute(let attributes)? = found.steps.last,
        let first = attributes.first, attributes.allSatisfy({ $0.type == first.type })
      {
        return SwiftType.needsTransformableKey(first.type) ? .anything : .attribute(first.type)
      }
      return VariableType(found.type)
    } catch {
      return nil
    }
  }
}

/// Inferred type of a variable of a predicate.
indirect enum VariableType: Hashable, Sendable {
  /// Any value.
  case anything
  /// A value of an attribute's type.
  case attribute(AttributeType)
  /// An object of an entity.
  case object(EntityDescription)
  /// Several of them.
  case list(VariableType)

  init(_ type: ExpressionType) {
    self =
      switch type {
      case .boolean: .attribute(.boolean)
      case .integer: .attribute(.int64)
      case .double: .attribute(.double)
      case .float: .attribute(.float)
      case .decimal: .attribute(.decimal)
      case .string: .attribute(.string)
      case .date: .attribute(.date)
      case .uuid: .attribute(.uuid)
      case .uri: .attribute(.uri)
      case .data: .attribute(.binary)
      case .object(let entity?): .object(entity)
      case .collection(let member, _): VariableType(member)
      case .anything, .transformable, .composite, .entity, .object(nil), .dictionary: .anything
      }
  }
}
