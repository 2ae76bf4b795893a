import Foundation
import GraphStore
import GraphStoreReports

extension CommandSession {
  /// Makes a change by a batch request, which is one transaction, or a part of the one that is open.
  ///
  /// The body may look at the result, and ask: what was written is taken back where it throws.
  func changeSet(
    isRehearsal: Bool, _ body: (ManagedObjectContext) throws -> BatchResult
  ) throws -> BatchResult {
    guard savePolicy == .everyCommand else {
      throw Diagnostic(
        code: "usage",
        message: "--batch writes to the store at once, and changes are kept until .commit here",
        hints: ["leave --batch out, or commit first"], exitCode: .usage)
    }
    return try change(isRehearsal: isRehearsal) { writer in
      let result = try body(writer.context)
      // Nothing of it has passed through objects: those that are held are read anew.
      try writer.context.refreshAllObjects()
      return result
    }
  }
}

extension ObjectSelection {
  /// Runs a body with the request for the objects of the entity, none of which is made.
  ///
  /// - Throws: `usage` for ids.
  func withRequest<Result>(_ body: (FetchRequest<ManagedObject>) throws -> Result) throws -> Result {
    guard let query else {
      throw Diagnostic(
        code: "usage", message: "--batch goes with an entity, not with ids",
        hints: ["name the entity, with --where or --all"], exitCode: .usage)
    }
    return try query.run(body)
  }
}

extension BatchUpdateRequest {
  /// A request for the changes of a command.
  ///
  /// - Throws: `usage` for what a set is not given: links, and elements of composite attributes.
  init(_ selection: FetchRequest<ManagedObject>, _ changes: [ObjectChange]) throws {
    self.init(entityName: selection.entityName, predicate: selection.predicate)
    (variables, includesSubentities) = (selection.variables, selection.includesSubentities)
    affectedStores = selection.affectedStores
    for change in changes {
      propertiesToUpdate.updateValue(try Self.value(change), forKey: change.property.name)
    }
  }

  private static func value(_ change: ObjectChange) throws -> Any? {
    switch change {
    case .attribute(_, let value): return value.isNull ? nil : value
    case .file(_, let url): return try Data(contentsOf: url)
    case .increment(let attribute, let step):
      return QueryExpression.function(.add, .key(attribute.name), QueryExpression(.constant(step)))
    case .element(let path, _):
      throw unfit(
        path.text, "is an element of a composite attribute",
        "set the whole of it: \(path.composite.name):=JSON")
    case .toOne(let relationship, _), .toMany(let relationship, _), .addMembers(let relationship, _):
      throw unfit(relationship.name, "is a relationship", "leave --batch out")
    }
  }

  private static func unfit(_ key: String, _ reason: String, _ hint: String) -> Diagnostic {
    Diagnostic(
      code: "usage", message: "\(key) \(reason), which --batch does not set", hints: [hint], property: key,
      exitCode: .usage)
  }
}
