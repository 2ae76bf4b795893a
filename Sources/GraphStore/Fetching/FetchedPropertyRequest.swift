import Foundation
import GraphStoreModel
import GraphStorePredicates

/// The request of a fetched property for one owner.
///
/// The variables of its predicate are replaced by values that are taken anew each time (REL-351), and become
/// constants in the tree: no value can change its structure (REL-352).
struct FetchedPropertyRequest {
  private static let source = "FETCH_SOURCE"
  private static let description = "FETCHED_PROPERTY"

  let owner: ManagedObject
  let property: FetchedPropertyDescription

  /// - Throws: `unknown-key` for a path that the owner, or the description, does not have; `argument-type`
  ///   for `$FETCHED_PROPERTY` without a path.
  func request() throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: property.destination.name, predicate: try property.predicate.map(bound),
      sortDescriptors: property.sortDescriptors, fetchLimit: property.limit)
  }

  private func bound(_ predicate: QueryPredicate) throws -> QueryPredicate {
    let paths = try predicate.mapExpressions { expression throws in
      guard case .keyPath(let path) = expression.kind, case .variable(let name)? = path.base?.kind,
        let value = try self.value(of: name, path.steps)
      else { return expression }
      return QueryExpression(.constant(value), sourceRange: expression.sourceRange)
    }
    if paths.names.variables.contains(Self.description) {
      throw QueryPredicateError(
        .argumentType, "$\(Self.description) is a description, which is no value.",
        hint: "Write $\(Self.description).name, or $\(Self.description).userInfo with a key.",
        subject: "$" + Self.description)
    }
    return try paths.substituting([Self.source: Value.object(ObjectReference(owner.objectID))])
  }

  /// The value that a path from a variable leads to; nil for a variable of another name.
  private func value(of variable: String, _ steps: [QueryKeyPath.Step]) throws -> Value? {
    switch variable {
    case Self.source:
      let path = QueryExpression(.keyPath(QueryKeyPath(steps: steps)))
      return try ExpressionEvaluator(path).operand(for: .source(owner)).value
    case Self.description: return try described(steps)
    default: return nil
    }
  }

  /// The value of a path in the property's description (REL-350).
  private func described(_ steps: [QueryKeyPath.Step]) throws -> Value {
    switch steps.first {
    case .key("name") where steps.count == 1: return .string(property.name)
    case .key("userInfo") where steps.count > 1:
      var value: JSONValue? = .object(property.userInfo)
      for step in steps.dropFirst() {
        guard case .key(let key) = step, case .object(let members) = value else { return .null }
        value = members[key]
      }
      return value.map { Value($0) } ?? .null
    default:
      let path = QueryKeyPath(base: .variable(Self.description), steps: steps).description
      throw QueryPredicateError(
        .unknownKey, "\(path) is nothing that the description of a fetched property has.",
        hint: "Write $\(Self.description).name, or $\(Self.description).userInfo with a key.", subject: path)
    }
  }
}

extension Value {
  /// A value of a model file's user info: a whole number as an integer, another one as a decimal.
  fileprivate init(_ json: JSONValue) {
    switch json {
    case .null, .object: self = .null
    case .bool(let flag): self = .bool(flag)
    case .string(let text): self = .string(text)
    case .array(let members): self = .list(members.map { Value($0) })
    case .number(let text):
      if let whole = Int64(text) {
        self = .int(whole)
      } else {
        let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
        self = decimal.map { .decimal($0) } ?? .null
      }
    }
  }
}

extension ManagedObject {
  /// The objects of a fetched property, in the order of its sort descriptors.
  ///
  /// The first call fetches them, with the values that the object has at that time for `$FETCH_SOURCE`; later
  /// ones return the same array without a statement, whatever has changed, until the object is refreshed,
  /// rolled back, turned into a fault, or ``dropFetchedProperties()`` is called. ``value(forKey:)`` returns
  /// the same array.
  ///
  /// - Throws: `unknown-key`; `wrong-property-kind` for what is no fetched property; as
  ///   ``ManagedObjectContext/fetch(_:)->[ManagedObject]``, and then nothing is kept.
  public final func fetchedObjects(forKey key: String) throws -> [ManagedObject] {
    checkQueue()
    let property = try property(forKey: key)
    guard let description = entity.properties[property.number] as? FetchedPropertyDescription else {
      throw GraphStoreError(
        .wrongPropertyKind, "\(entity.name).\(key) is no fetched property.", remedy: "Use value(forKey:).",
        entity: entity.name, property: key, objectID: objectID)
    }
    return try fetchedObjects(of: description)
  }

  /// Releases the arrays of all fetched properties: the next read of each fetches anew.
  ///
  /// For objects that were never saved too, which cannot be refreshed. Nothing counts as changed by it.
  public final func dropFetchedProperties() {
    checkQueue()
    extra?.fetched = [:]
  }

  /// The description of a fetched property.
  final func fetchedProperty(_ property: PropertyLayout) -> FetchedPropertyDescription? {
    guard property.kind == .none else { return nil }
    return entity.properties[property.number] as? FetchedPropertyDescription
  }

  /// The objects of a fetched property, kept since they were fetched.
  final func fetchedObjects(of property: FetchedPropertyDescription) throws -> [ManagedObject] {
    if let kept = extra?.fetched[property.number] { return kept }
    try realize()
    try checkUsable()
    guard let context else {
      throw GraphStoreError(
        .objectDetached,
        "\(objectID.shortForm) was deleted, and \(property.name) cannot be fetched any more.",
        remedy: "Read it before the deletion is saved.", entity: entity.name, property: property.name,
        objectID: objectID)
    }
    let found = try context.fetch(FetchedPropertyRequest(owner: self, property: property).request())
    ensureExtra().fetched[property.number] = found
    context.fetching.keepsFetchedProperties = true
    return found
  }
}
