/// A request to insert many records into a store without objects.
///
/// The records are dictionaries of attribute values, or what a closure makes of one object after the other:
///
/// ```swift
/// var number = 0
/// let request = BatchInsertRequest(Employee.self) { employee in
///   number += 1
///   employee.name = "Employee \(number)"
///   return number > 1_000
/// }
/// print(try context.execute(request).count, "inserted")  // 1000 inserted
/// ```
///
/// See ``ManagedObjectContext/execute(_:)-(BatchInsertRequest)``.
public struct BatchInsertRequest {
  /// What makes the next object, or says that there is none.
  enum Source {
    case dictionaries([[String: Any?]])
    case dictionaryHandler((inout [String: Any?]) throws -> Bool)
    case objectHandler((ManagedObject) throws -> Bool)
  }

  enum Target {
    case entity(String)
    case type(ManagedObject.Type)
  }

  let target: Target
  let source: Source
  /// The stores that take part: the first of them that can have the records gets them; nil for all.
  public var affectedStores: [PersistentStoreReference]?
  /// What the result says.
  public var resultType = BatchRequestResultType.statusOnly
  /// Whether the values have to keep all rules of the model: ranges, lengths, patterns and predicates too.
  public var validates = false
  /// Whether records of an entity with mandatory relationships are inserted, which have none then.
  public var allowsMissingRelationships = false
  /// Whether everything is done and then taken back, to see how many records would be inserted.
  public var isDryRun = false

  /// Makes a request for objects that dictionaries describe: values by the names of attributes, in the types
  /// in which attributes are set; those of a composite attribute in a dictionary.
  public init(entityName: String, objects: [[String: Any?]]) {
    target = .entity(entityName)
    source = .dictionaries(objects)
  }

  /// Makes a request for objects that a closure describes one by one: it fills an empty dictionary, and
  /// returns true when there are no more, which inserts nothing.
  public init(entityName: String, dictionaryHandler: @escaping (inout [String: Any?]) throws -> Bool) {
    target = .entity(entityName)
    source = .dictionaryHandler(dictionaryHandler)
  }

  /// Makes a request for objects of an entity that a closure describes one by one.
  ///
  /// - Parameters:
  ///   - entityName: The entity.
  ///   - handler: Sets attributes of an object that has the model's defaults, and returns true when there are
  ///     no more, which inserts nothing. The object, of the entity's class, is used again and again, is in no
  ///     context of the program's, and is not to be kept.
  public init(entityName: String, handler: @escaping (ManagedObject) throws -> Bool) {
    target = .entity(entityName)
    source = .objectHandler(handler)
  }

  /// Makes a request for objects of the entity that a class represents, which a closure describes one by one.
  ///
  /// - Parameters:
  ///   - type: The class, of which one instance is made; none of its hooks runs.
  ///   - handler: Sets attributes of an object that has the model's defaults, and returns true when there are
  ///     no more, which inserts nothing. The object is used again and again, is in no context of the
  ///     program's, and is not to be kept.
  public init<Object: ManagedObject>(
    _ type: Object.Type, handler: @escaping (Object) throws -> Bool
  ) {
    target = .type(type)
    source = .objectHandler { try handler(unsafe unsafeDowncast($0, to: Object.self)) }
  }
}
