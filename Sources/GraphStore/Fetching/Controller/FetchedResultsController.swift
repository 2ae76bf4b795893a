import Foundation
import GraphStoreModel

/// A list of the objects of one fetch, in sections, that stays true while its context changes.
///
/// It stands between a context and whatever shows a list: it fetches once, finds out of each event of the
/// context what has come, gone, moved and changed in the list, and tells its delegate in one batch.
///
/// ```swift
/// var request = Employee.fetchRequest()
/// request.sortDescriptors = try QuerySortDescriptor.list(parsing: "department.name,name")
/// let controller = try FetchedResultsController(
///   fetchRequest: request, context: context, sectionNameKeyPath: "department.name")
/// try controller.performFetch()
/// for section in controller.sections ?? [] { print(section.name, section.numberOfObjects) }
/// ```
///
/// The content always equals a new fetch of the request in that context, with its unsaved changes, whatever
/// has caused a change: edits, undo, merges of what others have saved, refreshes. What others have saved and
/// nobody has merged is not in it. A list of what is *committed*, by any process, is one in a context of its
/// own that nobody edits and that merges everything:
///
/// ```swift
/// let committed = ManagedObjectContext(coordinator: coordinator)
/// committed.automaticallyMergesChangesFromParent = true
/// ```
///
/// An event costs in proportion to its changes, and the logarithm of the list. Where the predicate or the
/// order reads other objects than those of the list (`department.name`), a change of one of them fetches the
/// list anew and compares. The controller holds its objects, and its context; a list with a delegate or a
/// sequence of snapshots needs about 60 bytes an object for its order. It belongs to the context's queue.
public final class FetchedResultsController<Object: ManagedObject> {
  /// What the controller fetches.
  public let fetchRequest: FetchRequest<Object>
  /// The context whose objects it lists.
  public let context: ManagedObjectContext
  /// The key path whose values, as texts, are the names of the sections; nil where there are none.
  public var sectionNameKeyPath: String? { list.naming?.keyPath }
  /// The name under which the sections and the order are kept in a file; nil for none. See
  /// ``FetchedResultsCache``.
  public var cacheName: String? { list.cacheName }
  /// Whether the limit and the offset of the request hold after each change too, so that an object that
  /// leaves pulls another one in.
  public var isWindowed: Bool { list.isWindowed }
  /// Who is told of changes; it is not kept alive. Without one, and without a sequence of snapshots, the
  /// content stays as it was fetched.
  public weak var delegate: (any FetchedResultsControllerDelegate<Object>)? {
    didSet { if delegate != nil, oldValue == nil, continuations.isEmpty { list.beginFollowing() } }
  }

  private let list: FetchedList
  private var continuations: [Int: AsyncStream<FetchedResultsSnapshot>.Continuation] = [:]
  private var continuationCount = 0

  /// Makes a controller; nothing is fetched yet.
  ///
  /// The first sort descriptor has to bring the objects of one section together: it sorts by the section key
  /// path, or by something that the sections are derived from.
  ///
  /// - Parameters:
  ///   - fetchRequest: The request; it needs an order. Its batch size is honoured: a section key path that is
  ///     stored is then read by a statement of its own, and objects only as they are used.
  ///   - context: The context.
  ///   - sectionNameKeyPath: The attribute, or path through to-ones to one, that names the section of an
  ///     object: it may be transient. Nil for one section with all objects.
  ///   - cacheName: The name under which the content is kept for the next launch; nil for none. A name that
  ///     is used for several lists has that of the last one.
  ///   - isWindowed: Whether limit and offset hold after changes too; else they count for
  ///     ``performFetch()`` alone, after which nothing is pushed out of the list, or pulled in.
  /// - Throws: `controller-needs-sort` without a sort descriptor; `invalid-request` for results other than
  ///   objects, a request without pending changes, or a section key path that leads to objects;
  ///   `unknown-entity`, `class-mismatch`; ``/GraphStorePredicates/QueryPredicateError`` for a section key
  ///   path that the entity does not have.
  public init(
    fetchRequest: FetchRequest<Object>, context: ManagedObjectContext, sectionNameKeyPath: String? = nil,
    cacheName: String? = nil, isWindowed: Bool = false
  ) throws {
    self.fetchRequest = fetchRequest
    self.context = context
    list = try FetchedList(
      context.named(fetchRequest), in: context, sectionKeyPath: sectionNameKeyPath,
      cacheName: cacheName, isWindowed: isWindowed)
    list.observer = self
  }

  deinit { for continuation in continuations.values { continuation.finish() } }

  /// Fetches the content, and follows the context's changes from then on; called again it replaces the
  /// content, without telling the delegate.
  ///
  /// - Throws: `sections-not-contiguous` where the order does not keep the objects of a section together;
  ///   and as ``ManagedObjectContext/fetch(_:)-(FetchRequest<Object>)``. The former content stays then.
  public func performFetch() throws {
    try list.fetch()
    yieldSnapshot()
  }

  // MARK: Content

  /// The objects, in order, in a new array; nil before the first fetch.
  public var fetchedObjects: [Object]? { list.content.map { Self.typed($0.objects) } }

  /// The number of objects; 0 before the first fetch.
  public var count: Int { list.content?.count ?? 0 }

  /// The sections, in order; nil before the first fetch.
  ///
  /// Without a section key path there is exactly one, named "", also of no objects; else each has some.
  public var sections: [FetchedResultsSection<Object>]? { list.content?.sections.map(section) }

  /// The object of an index path.
  ///
  /// - Throws: `invalid-index` for a path that the content does not have.
  public func object(at indexPath: IndexPath) throws -> Object {
    let sections = list.content?.sections ?? []
    guard indexPath.count == 2, sections.indices.contains(indexPath.section),
      indexPath.item >= 0, indexPath.item < sections[indexPath.section].count
    else { throw invalidIndex("no object \(indexPath)") }
    return Self.typed(sections[indexPath.section].object(indexPath.item))
  }

  /// The index path of an object; nil for one that is not in the content.
  public func indexPath(for object: Object) -> IndexPath? { list.content?.indexPath(of: object) }

  // MARK: Index titles

  /// The titles of an index beside the list: those of the sections, in their order, each once.
  public var sectionIndexTitles: [String] {
    var known: Set<String> = []
    return (sections ?? []).map(\.indexTitle).filter { known.insert($0).inserted }
  }

  /// The title of a section in the index: what the delegate says, or the first character of the name in upper
  /// case; that of "" is empty.
  public func sectionIndexTitle(forSectionName name: String) -> String {
    delegate?.controller(self, sectionIndexTitleForSectionName: name) ?? name.prefix(1).uppercased()
  }

  /// The number of the first section with a title.
  ///
  /// - Parameters:
  ///   - title: The title.
  ///   - position: Its position in ``sectionIndexTitles``.
  /// - Throws: `invalid-index` where there is no such section.
  public func section(forIndexTitle title: String, at position: Int) throws -> Int {
    let titles = sectionIndexTitles
    guard titles.indices.contains(position), titles[position] == title,
      let section = sections?.firstIndex(where: { $0.indexTitle == title })
    else { throw invalidIndex("no index title \"\(title)\" at \(position)") }
    return section
  }

  private func invalidIndex(_ what: String) -> GraphStoreError {
    GraphStoreError(
      .invalidIndex, "A controller for \(list.request.entityName) has \(what).",
      remedy: list.content == nil
        ? "Call performFetch() first." : "Take index paths and titles from the controller's present content.",
      entity: list.request.entityName)
  }

  private func section(_ section: SectionedList.Section) -> FetchedResultsSection<Object> {
    FetchedResultsSection(section, indexTitle: sectionIndexTitle(forSectionName: section.name))
  }

  fileprivate static func typed(_ objects: [ManagedObject]) -> [Object] {
    unsafe unsafeBitCast(objects, to: [Object].self)
  }

  fileprivate static func typed(_ object: ManagedObject) -> Object {
    unsafe unsafeDowncast(object, to: Object.self)
  }

  // MARK: Snapshots

  /// The content now and after each change, for use anywhere: whoever is late gets the newest one alone.
  ///
  /// Each call gives a sequence of its own, which ends with the controller. As long as somebody holds one the
  /// list follows the changes of the context, also without a delegate.
  public var snapshots: AsyncStream<FetchedResultsSnapshot> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: FetchedResultsSnapshot.self, bufferingPolicy: .bufferingNewest(1))
    continuations[continuationCount] = continuation
    continuationCount += 1
    list.beginFollowing()
    if let snapshot { continuation.yield(snapshot) }
    return stream
  }

  /// The content as identifiers; nil before the first fetch.
  public var snapshot: FetchedResultsSnapshot? {
    list.content.map { FetchedResultsSnapshot($0, reloaded: []) }
  }

  private func yieldSnapshot(reloaded: [ManagedObjectID] = []) {
    guard !continuations.isEmpty, let content = list.content else { return }
    let snapshot = FetchedResultsSnapshot(content, reloaded: reloaded)
    for (number, continuation) in continuations {
      if case .terminated = continuation.yield(snapshot) { continuations[number] = nil }
    }
  }
}

// MARK: Delivery

extension FetchedResultsController: FetchedListObserver {
  var followsChanges: Bool { delegate != nil || !continuations.isEmpty }

  var needsOutline: Bool { delegate?.reportedForms.contains(.difference) == true }

  func listWillChange() { delegate?.controllerWillChangeContent(self) }

  func listDidChange(_ changes: ListChanges, from former: FetchedList.Outline?) {
    guard let content = list.content else { return }
    let reloaded = changes.updated.map(\.object.objectID)
    if let delegate {
      let forms = delegate.reportedForms
      if forms.contains(.events) { report(changes, to: delegate) }
      if forms.contains(.snapshot) {
        delegate.controller(self, didChangeContentWith: FetchedResultsSnapshot(content, reloaded: reloaded))
      }
      if forms.contains(.difference), let former {
        delegate.controller(self, didChangeContentWith: changes.difference(from: former, to: content))
      }
      delegate.controllerDidChangeContent(self)
    }
    yieldSnapshot(reloaded: reloaded)
  }

  private func report(_ changes: ListChanges, to delegate: any FetchedResultsControllerDelegate<Object>) {
    for (index, section) in changes.deletedSections {
      delegate.controller(self, didChange: self.section(section), at: index, for: .delete)
    }
    for (index, section) in changes.insertedSections {
      delegate.controller(self, didChange: self.section(section), at: index, for: .insert)
    }
    func report(
      _ object: ManagedObject, _ path: IndexPath?, _ change: FetchedResultsChange, _ newPath: IndexPath?
    ) {
      delegate.controller(
        self, didChange: Self.typed(object), at: path, for: change, newIndexPath: newPath)
    }
    for (object, path) in changes.deleted { report(object, path, .delete, nil) }
    for (object, path) in changes.inserted { report(object, nil, .insert, path) }
    for change in changes.moved { report(change.object, change.former, .move, change.present) }
    for change in changes.updated { report(change.object, change.former, .update, change.present) }
  }

  func listDidFail(_ error: any Error) { delegate?.controller(self, didFailWith: error) }
}

extension FetchedResultsController {
  /// The first invariant of the content that does not hold; nil where all do.
  var invariantViolation: String? { list.content?.violation }
}
