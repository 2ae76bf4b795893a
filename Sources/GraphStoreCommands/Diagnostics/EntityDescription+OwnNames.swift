import GraphStore
import GraphStoreReports

extension EntityDescription {
  /// A message about a property of the entity's, in which one that it has inherited is called by the entity
  /// and not by the ancestor that declares it.
  ///
  /// - Parameter key: The name of the property, or the path of an element.
  func adopting(_ message: String, about key: String?) -> String {
    guard let key else { return message }
    var ancestor = superentity
    while let owner = ancestor {
      if message.hasPrefix("\(owner.name).\(key)") { return name + message.dropFirst(owner.name.count) }
      ancestor = owner.superentity
    }
    return message
  }

  /// Runs a body that reads values of the entity's objects; what it throws calls properties by the entity.
  func naming<Result>(_ body: () throws -> Result) throws -> Result {
    do {
      return try body()
    } catch var diagnostic as Diagnostic {
      let message = adopting(diagnostic.message, about: diagnostic.property)
      if message != diagnostic.message { (diagnostic.message, diagnostic.entity) = (message, name) }
      throw diagnostic
    }
  }
}
