import Foundation

/// What has become of an object or a section of a ``FetchedResultsController``.
///
/// ```swift
/// let change = FetchedResultsChange.move
/// print(change)  // move
/// ```
public enum FetchedResultsChange: Hashable, Sendable {
  /// It has come; it has a new index path only.
  case insert
  /// It has gone; it has an old index path only.
  case delete
  /// It is at another position among the others, or in another section, whatever else has changed of it.
  case move
  /// Some of its values are others; it is where it was among the others.
  case update
}

/// The forms in which a ``FetchedResultsController`` can tell of a change of its content.
///
/// ```swift
/// let forms: FetchedResultsForms = [.events, .snapshot]
/// print(forms.contains(.difference))  // false
/// ```
public struct FetchedResultsForms: OptionSet, Sendable {
  /// The flags.
  public let rawValue: Int

  /// Makes a set of flags.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Section by section, then object by object.
  public static let events = Self(rawValue: 1)
  /// The whole new content, as identifiers; it costs time in proportion to the list.
  public static let snapshot = Self(rawValue: 2)
  /// The removals and insertions of identifiers, as the standard library applies them.
  public static let difference = Self(rawValue: 4)
}

/// Who is told of the changes of a ``FetchedResultsController``.
///
/// One event of the context gives at most one batch of calls: will-change, the changes in the forms that the
/// delegate asks for, did-change. An event that changes nothing in the list gives none. Of the events
/// sections come before objects; sections are deleted, in descending order, then inserted; objects are
/// deleted, by descending old path, inserted, by ascending new path, moved, and updated. Old index paths are
/// those of the content before the batch, new ones those after it: applying the calls to a copy of the old
/// content gives the new content. Objects that only have another number since others came or went are not
/// mentioned.
///
/// All methods have an implementation that does nothing. They are called on the context's queue, while it
/// processes its changes: changes that they make are the next event.
///
/// ```swift
/// final class Printer: FetchedResultsControllerDelegate {
///   func controller(
///     _ controller: FetchedResultsController<Employee>, didChange object: Employee, at path: IndexPath?,
///     for change: FetchedResultsChange, newIndexPath: IndexPath?
///   ) { print(change, object.name) }
/// }
///
/// let printer = Printer()
/// var request = Employee.fetchRequest()
/// request.sortDescriptors = [try QuerySortDescriptor(parsing: "name")]
/// let controller = try FetchedResultsController(fetchRequest: request, context: context)
/// controller.delegate = printer
/// try controller.performFetch()
/// try context.insert(Employee.self).name = "Alan Turing"
/// try context.processPendingChanges()  // insert Alan Turing
/// ```
public protocol FetchedResultsControllerDelegate<Object>: AnyObject {
  /// The class of the listed objects.
  associatedtype Object: ManagedObject

  /// The forms in which changes are reported; `.events` unless it says otherwise.
  var reportedForms: FetchedResultsForms { get }

  /// The content is about to change; the controller still shows the old one.
  func controllerWillChangeContent(_ controller: FetchedResultsController<Object>)

  /// A section has come or gone.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - section: The section.
  ///   - index: The number that it had in the old content, if it has gone, or has in the new one.
  ///   - change: `.insert` or `.delete`.
  func controller(
    _ controller: FetchedResultsController<Object>, didChange section: FetchedResultsSection<Object>,
    at index: Int, for change: FetchedResultsChange)

  /// An object has come, gone, moved or changed.
  ///
  /// - Parameters:
  ///   - controller: The controller.
  ///   - object: The object.
  ///   - path: Its path in the old content; nil for an insertion.
  ///   - change: What has happened.
  ///   - newIndexPath: Its path in the new content; nil for a deletion.
  func controller(
    _ controller: FetchedResultsController<Object>, didChange object: Object, at path: IndexPath?,
    for change: FetchedResultsChange, newIndexPath: IndexPath?)

  /// The content has changed: the whole of it, with the identifiers of objects that stayed and have other
  /// values.
  func controller(
    _ controller: FetchedResultsController<Object>, didChangeContentWith snapshot: FetchedResultsSnapshot)

  /// The content has changed: the difference of the lists of identifiers, without sections. A moved object is
  /// removed and inserted; updated ones are not mentioned.
  func controller(
    _ controller: FetchedResultsController<Object>,
    didChangeContentWith difference: CollectionDifference<ManagedObjectID>)

  /// All changes of a batch were reported.
  func controllerDidChangeContent(_ controller: FetchedResultsController<Object>)

  /// A change could not be brought into the list: its order tears a section apart
  /// (`sections-not-contiguous`), or reading has failed. A batch that has begun ends with this; the content
  /// is that from before. The controller follows no further change until
  /// ``FetchedResultsController/performFetch()``.
  func controller(_ controller: FetchedResultsController<Object>, didFailWith error: any Error)

  /// The title of a section in the index; nil for the first character of its name.
  func controller(
    _ controller: FetchedResultsController<Object>, sectionIndexTitleForSectionName name: String
  ) -> String?
}

extension FetchedResultsControllerDelegate {
  /// `.events`.
  public var reportedForms: FetchedResultsForms { .events }

  /// Does nothing.
  public func controllerWillChangeContent(_ controller: FetchedResultsController<Object>) {}

  /// Does nothing.
  public func controller(
    _ controller: FetchedResultsController<Object>, didChange section: FetchedResultsSection<Object>,
    at index: Int, for change: FetchedResultsChange
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: FetchedResultsController<Object>, didChange object: Object, at path: IndexPath?,
    for change: FetchedResultsChange, newIndexPath: IndexPath?
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: FetchedResultsController<Object>, didChangeContentWith snapshot: FetchedResultsSnapshot
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: FetchedResultsController<Object>,
    didChangeContentWith difference: CollectionDifference<ManagedObjectID>
  ) {}

  /// Does nothing.
  public func controllerDidChangeContent(_ controller: FetchedResultsController<Object>) {}

  /// Does nothing.
  public func controller(_ controller: FetchedResultsController<Object>, didFailWith error: any Error) {}

  /// Nil: the first character of the name.
  public func controller(
    _ controller: FetchedResultsController<Object>, sectionIndexTitleForSectionName name: String
  ) -> String? { nil }
}
