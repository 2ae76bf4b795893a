/// Protocol of all classes of managed objects, whose members have the type of the class.
///
/// Each class has requests for its own objects:
///
/// ```swift
/// let all = try context.fetch(Employee.fetchRequest())
/// let wellPaid = try context.fetch(Employee.sortedFetchRequest(with: QueryPredicate("salary > %@", 90_000)))
/// ```
public protocol FetchableObject: AnyObject {}

extension ManagedObject: FetchableObject {}
