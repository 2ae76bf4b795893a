import Foundation
import GraphStore
import GraphStoreReports

/// Writer of changes to a context.
struct ChangeWriter {
  let session: CommandSession
  let context: ManagedObjectContext
  /// Where the objects come from.
  let origins = RecordOrigins()
  /// Where new objects go; nil leaves it to the save.
  let store: PersistentStoreReference?

  init(_ session: CommandSession, into store: PersistentStoreReference? = nil) throws {
    self.session = session
    self.store = store
    context = try session.context(.write)
  }

  /// Makes an object and what it is to hold.
  ///
  /// - Parameter identifier: The identifier that it gets; nil for a new one.
  func insert(_ draft: ObjectDraft, as identifier: ManagedObjectID? = nil) throws -> ManagedObject {
    let object =
      try identifier.map { try context.insert(as: $0) } ?? context.insert(entityNamed: draft.entity.name)
    if let store { try context.assign(object, to: store) }
    origins.record(object)
    try apply(draft.changes, to: object)
    return object
  }

  /// Applies changes to an object, in their order.
  func apply(_ changes: [ObjectChange], to object: ManagedObject) throws {
    try session.interruption.check()
    origins.record(object)
    for change in changes {
      switch change {
      case .attribute(let attribute, let value): try object.setQueryValue(value, forKey: attribute.name)
      case .file(let attribute, let url): try object.setData(contentsOf: url, forKey: attribute.name)
      case .element(let path, let value): try object.setValue(value, forKeyPath: path.text)
      case .increment(let attribute, let step):
        let value = try sum(
          try object.queryValue(forKey: attribute.name), step: step, attribute: attribute, object: object)
        try object.setQueryValue(value, forKey: attribute.name)
      case .toOne(let relationship, let target):
        try object.setValue(try target.map { try self.object($0) }, forKey: relationship.name)
      case .toMany(let relationship, let targets):
        try object.setValue(try targets.map { try self.object($0) }, forKey: relationship.name)
      case .addMembers(let relationship, let targets):
        try object.addObjects(try targets.map { try self.object($0) }, forKey: relationship.name)
      }
    }
  }

  /// Adds objects to a relationship, or sets the one object of a to-one.
  func link(_ objects: [ManagedObject], to object: ManagedObject, _ relationship: RelationshipDescription)
    throws
  {
    guard relationship.isToMany else { return try object.setValue(objects.first, forKey: relationship.name) }
    try object.addObjects(objects, forKey: relationship.name)
  }

  /// Removes objects from a relationship.
  func unlink(
    _ objects: [ManagedObject], from object: ManagedObject, _ relationship: RelationshipDescription
  ) throws {
    guard relationship.isToMany else { return try object.setValue(nil, forKey: relationship.name) }
    try object.removeObjects(objects, forKey: relationship.name)
  }

  /// Deletes objects, and applies the delete rules.
  func delete(_ objects: [ManagedObject]) throws {
    for object in objects { try context.delete(object) }
    try context.processPendingChanges()
  }

  private func object(_ target: ObjectTarget) throws -> ManagedObject {
    switch target {
    case .existing(let object): object
    case .new(let draft): try insert(draft)
    }
  }

  private func sum(
    _ value: Value, step: Value, attribute: AttributeDescription, object: ManagedObject
  ) throws -> Value {
    switch (value, step) {
    case (.null, _):
      throw Diagnostic(
        code: "value-type", message: "\(object.objectID.shortForm) has no \(attribute.name) to add to",
        hints: ["set it first with \(attribute.name)=…"], property: attribute.name, exitCode: .dataError)
    case (.int(let left), .int(let right)):
      let (sum, overflow) = left.addingReportingOverflow(right)
      guard !overflow else {
        throw Diagnostic(
          code: "value-out-of-range",
          message: "\(object.entity.name).\(attribute.keyPath): the sum exceeds 64 bits",
          property: attribute.name, exitCode: .dataError)
      }
      return .int(sum)
    case (.decimal(let left), .decimal(let right)): return .decimal(left + right)
    case (.double(let left), .double(let right)): return .double(left + right)
    default: return step
    }
  }
}

/// One change of an object's property, with everything that it needs found and of the right type.
enum ObjectChange {
  case attribute(AttributeDescription, Value)
  /// Sets a binary attribute to the content of a file.
  case file(AttributeDescription, URL)
  case element(ElementPath, Value)
  /// Adds a number to what is there.
  case increment(AttributeDescription, Value)
  case toOne(RelationshipDescription, ObjectTarget?)
  case toMany(RelationshipDescription, [ObjectTarget])
  case addMembers(RelationshipDescription, [ObjectTarget])

  var property: PropertyDescription {
    switch self {
    case .attribute(let attribute, _), .increment(let attribute, _), .file(let attribute, _): attribute
    case .element(let path, _): path.composite
    case .toOne(let relationship, _), .toMany(let relationship, _), .addMembers(let relationship, _):
      relationship
    }
  }
}

/// An object that a relationship is to lead to.
enum ObjectTarget {
  case existing(ManagedObject)
  /// One that has yet to be made.
  case new(ObjectDraft)
}

/// An object that is to be made, and what it is to hold.
struct ObjectDraft {
  var entity: EntityDescription
  var changes: [ObjectChange]
  /// The id that a record gives.
  var label: String?
}
