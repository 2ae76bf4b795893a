import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Who is told of the changes of a fetched list.
protocol FetchedListObserver: AnyObject {
  /// Whether there is anybody to be told.
  var followsChanges: Bool { get }
  /// The list is about to change.
  func listWillChange()
  /// The list has changed.
  func listDidChange(_ changes: ListChanges, from former: FetchedList.Outline?)
  /// Whether it wants to know the outline of the list before a change.
  var needsOutline: Bool { get }
  /// The list could not take part in a change, and follows none from now on.
  func listDidFail(_ error: any Error)
}

/// The result of a fetch, in sections, that follows the changes of its context.
///
/// An event is brought into the list object by object: those that have changed are judged by the predicate,
/// and put at their new positions by bisection. Where others than the objects of the list may have altered it
/// (a predicate over a relationship), or a window has to be filled, it is fetched anew and compared.
final class FetchedList {
  /// The numbers of objects by section.
  struct Outline {
    let counts: [Int]
  }

  /// How many objects an event may concern, beyond an eighth of the list, before all are fetched.
  private static let largestEdit = 1_000
  /// How many numbers of sections an edit may set, if each object takes a section along.
  private static let largestRenumbering = 4_000_000

  let context: ManagedObjectContext
  let request: FetchRequest<ManagedObject>
  let isWindowed: Bool
  let naming: SectionNaming?
  /// The name under which the content is kept across launches; nil for none.
  let cacheName: String?
  weak var observer: (any FetchedListObserver)?

  /// The content; nil before it was fetched.
  private(set) var content: SectionedList?
  private var judge: ListJudge?
  /// Whether changes have gone by that the content does not show.
  private var isStale = false
  /// Whether an error has ended the following.
  private var hasStopped = false
  private var isRegistered = false
  /// Whether a batch is being told; what happens meanwhile is the next one.
  private var isTelling = false
  private var waiting: [ContextChanges] = []

  /// - Throws: `controller-needs-sort`, `invalid-request`, `unknown-entity`;
  ///   ``/GraphStorePredicates/QueryPredicateError`` for a key path that the entity does not have.
  init(
    _ request: FetchRequest<ManagedObject>, in context: ManagedObjectContext, sectionKeyPath: String?,
    cacheName: String?, isWindowed: Bool
  ) throws {
    self.context = context
    self.request = request
    self.isWindowed = isWindowed
    self.cacheName = cacheName
    let entity = try context.layout(named: request.entityName)
    if request.sortDescriptors.isEmpty {
      throw GraphStoreError(
        .controllerNeedsSort, "A controller for \(request.entityName) has a request without an order.",
        remedy: "Set sortDescriptors: the list needs one to say where objects belong.",
        entity: request.entityName)
    }
    guard request.resultType == .managedObject, request.includesPendingChanges else {
      throw GraphStoreError(
        .invalidRequest,
        request.includesPendingChanges
          ? "A controller lists objects; its request for \(request.entityName) asks for \(request.resultType)."
          : "A controller follows unsaved changes; its request for \(request.entityName) leaves them out.",
        remedy: request.includesPendingChanges
          ? "Leave resultType at .managedObject." : "Leave includesPendingChanges at true.",
        entity: request.entityName)
    }
    naming = try sectionKeyPath.map { try SectionNaming($0, of: entity) }
  }

  // MARK: Fetching

  /// Fetches the content anew, and follows the changes from there on.
  func fetch() throws {
    let prepared = try context.prepare(request)
    let judge = try ListJudge(prepared, naming, in: context)
    content = try contentOfCache(prepared, judge) ?? fetchedContent(by: judge)
    self.judge = judge
    isStale = false
    hasStopped = false
    register()
  }

  /// Follows the changes of the context from now on, where somebody is to be told of them.
  func register() {
    guard content != nil, observer?.followsChanges == true, !isRegistered else { return }
    isRegistered = true
    context.delivery.observers.add(self)
  }

  /// Somebody is told of changes from now on who was not before.
  func beginFollowing() {
    guard content != nil else { return }
    isStale = true
    register()
  }

  /// The content by the cache, corrected by unsaved changes, or fetched and kept there; nil without a cache.
  private func contentOfCache(
    _ prepared: ManagedObjectContext.PreparedFetch, _ judge: ListJudge
  ) throws -> SectionedList? {
    guard let cacheName, let key = cacheKey(prepared) else { return nil }
    let correction = context.correction(of: prepared)
    let isChanged = correction != nil
    // What a window lacks, and records that match by changes of others, are not in the cache.
    if isChanged, judge.hasWindow || correction?.dependsOnOthers == true || naming?.isOfOwnValue == false {
      return nil
    }
    if let cached = try cachedContent(named: cacheName, key, prepared) {
      if isChanged { try correct(cached, by: judge) }
      return cached
    }
    if isChanged { return nil }
    let content = try fetchedContent(by: judge)
    // Somebody may have committed meanwhile.
    if cacheKey(prepared) == key { keepContent(content, named: cacheName, key) }
    return content
  }

  private func correct(_ content: SectionedList, by judge: ListJudge) throws {
    var candidates = ListCandidates()
    for object in context.unsaved.objects { candidates.add(object, .all) }
    for object in context.insertedObjects { candidates.add(object, .all) }
    do { _ = try ListEdit(candidates, in: content, by: judge).carryOut() } catch {
      throw (error as? SectionedList.NotContiguous).map(notContiguous) ?? error
    }
  }

  /// - Parameter isFollowing: Whether the context's objects stay as they are.
  private func fetchedContent(by judge: ListJudge, isFollowing: Bool = false) throws -> SectionedList {
    var request = request
    if isFollowing { request.shouldRefreshRefetchedObjects = false }
    let objects = try context.fetch(request)
    do {
      guard let naming else { return try SectionedList(objects, isSectioned: false) { _, _ in "" } }
      // Naming objects that are read in blocks would read them all (FET-185).
      if request.fetchBatchSize > 0, request.readsIdentityAlone, let names = try storedNames(objects) {
        return try SectionedList(objects, isSectioned: true) { position, _ in names[position] }
      }
      var reader = SectionNameReader(naming)
      do { return try SectionedList(objects, isSectioned: true) { try reader.name(of: $1) } } catch {
        guard error is SectionedList.NotContiguous else { throw error }
        // Others may have saved since, and the store has sorted by other values than the objects still have.
        reader = SectionNameReader(naming)
        return try SectionedList(judge.sorted(objects), isSectioned: true) { try reader.name(of: $1) }
      }
    } catch let error as SectionedList.NotContiguous { throw notContiguous(error) }
  }

  /// The names of the sections by position as the store has them, read by a statement of their own; nil where
  /// it has none.
  private func storedNames(_ objects: [ManagedObject]) throws -> [String]? {
    guard let naming, naming.isStored else { return nil }
    var names: [String] = []
    names.reserveCapacity(objects.count)
    try context.enumerateFields(request, keyPaths: [naming.keyPath]) { row in
      names.append(row.sectionName)
    }
    // Somebody may have committed between the two.
    return names.count == objects.count ? names : nil
  }

  private func notContiguous(_ error: SectionedList.NotContiguous) -> GraphStoreError {
    let order = request.sortDescriptors.map { "\($0)" }.joined(separator: ",")
    return GraphStoreError(
      .sectionsNotContiguous,
      "The order \(order) of \(request.entityName) tears the section \"\(error.name)\" apart: objects of \"\(error.other)\" are among its own.",
      remedy:
        "Sort by \(naming?.keyPath ?? "the section") first, or by a key that keeps equal sections together.",
      entity: request.entityName, property: naming?.keyPath)
  }

  // MARK: Following

  private func stop(_ error: any Error) {
    hasStopped = true
    observer?.listDidFail((error as? SectionedList.NotContiguous).map(notContiguous) ?? error)
  }

  /// Follows an event, and then those that happened while it was told.
  private func followAll(_ changes: ContextChanges) {
    waiting.append(changes)
    if isTelling { return }
    while !waiting.isEmpty {
      let next = waiting.removeFirst()
      guard !hasStopped else { return waiting = [] }
      do { try follow(next) } catch { stop(error) }
    }
  }

  private func follow(_ changes: ContextChanges) throws {
    guard let content, let judge else { return }
    if !changes.invalidatedAll.isEmpty {
      isStale = true
      return try replace(by: SectionedList(isSectioned: naming != nil)) { _ in false }
    }
    var candidates = try judge.candidates(in: changes, of: content)
    let isReached = judge.isReached(by: changes) || judge.mayMiss(changes)
    let isConcerned = !candidates.isEmpty || judge.selectsAny(of: changes.mergedRecords)
    if isStale || isLarge(candidates, content) || isReached && (isWindowed || !judge.hasWindow)
      || isWindowed && isConcerned
    {
      return try fetchAnew { candidates.isUpdated($0) }
    }
    // Which others a change reaches is not known: within a window those that are in it are judged anew.
    if isReached { candidates.add(content.objects) }
    var edit = try ListEdit(candidates, in: content, by: judge)
    if edit.isEmpty { return }
    try tell {
      // Whoever was told may have changed something, or fetched the content anew.
      guard self.content === content else { return ListChanges() }
      if !waiting.isEmpty || context.hasUnprocessedChanges {
        candidates.doubtKept()
        edit = try ListEdit(candidates, in: content, by: judge)
      }
      do {
        let changes = try edit.carryOut()
        if try !edit.isInOrder(changes) { isStale = true }
        return changes
      } catch is SectionedList.NotContiguous where !judge.hasWindow {
        // Objects whose changes are still to be merged may stand where they do not belong.
        return try change(to: fetchedContent(by: judge, isFollowing: true)) { candidates.isUpdated($0) }
      }
    }
    if isStale, !judge.hasWindow { try fetchAnew { _ in false } }
  }

  /// Whether it is dearer to place each object than to fetch all.
  private func isLarge(_ candidates: ListCandidates, _ content: SectionedList) -> Bool {
    guard judge?.hasWindow == false else { return false }
    return candidates.count > Self.largestEdit + content.count / 8
      || candidates.count * content.sections.count > Self.largestRenumbering
  }

  private func fetchAnew(isUpdated: (ManagedObject) -> Bool) throws {
    guard let judge else { return }
    isStale = false
    try replace(by: fetchedContent(by: judge, isFollowing: true), isUpdated: isUpdated)
  }

  /// Puts another content in the place of the present one.
  private func replace(by new: SectionedList, isUpdated: (ManagedObject) -> Bool) throws {
    guard let content else { return }
    let changes = ListChanges(from: content, to: new, isUpdated: isUpdated)
    if changes.isEmpty { return self.content = new }
    try tell {
      // Whoever was told may have fetched the content anew.
      guard self.content === content else { return ListChanges() }
      self.content = new
      return changes
    }
  }

  private func change(to new: SectionedList, isUpdated: (ManagedObject) -> Bool) -> ListChanges {
    guard let content else { return ListChanges() }
    self.content = new
    return ListChanges(from: content, to: new, isUpdated: isUpdated)
  }

  /// Tells a batch: that something is going to change, and what has.
  private func tell(_ change: () throws -> ListChanges) throws {
    isTelling = true
    defer { isTelling = false }
    let outline =
      observer?.needsOutline == true ? content.map { Outline(counts: $0.sections.map(\.count)) } : nil
    observer?.listWillChange()
    observer?.listDidChange(try change(), from: outline)
  }
}

extension FetchedList: ChangeConsumer {
  func contextDidChange(_ changes: ContextChanges) {
    guard content != nil, let observer, !hasStopped else { return }
    guard observer.followsChanges else { return isStale = true }
    followAll(changes)
  }

  var wantsMergedRecords: Bool { observer?.followsChanges == true && !hasStopped }
}

extension FieldRow {
  /// The text of the first field.
  fileprivate var sectionName: String {
    var collector = ValueCollector(objectID.scope)
    return collector.value(of: self, 0).text ?? ""
  }
}
