import Foundation
import Testing

@testable import GraphStore

/// A copy of a controller's content to which every batch of events is applied, and which has to be the
/// content after each (FET-196).
final class ReplayedList: FetchedResultsControllerDelegate {
  struct Section: Equatable {
    var name: String
    var objects: [ManagedObject]
  }

  let controller: FetchedResultsController<ManagedObject>
  private(set) var sections: [Section] = []
  /// What was wrong.
  private(set) var findings: [String] = []
  /// The events of the last batches, as lines.
  private(set) var events: [String] = []
  private(set) var batches = 0
  private(set) var failures: [any Error] = []
  private(set) var snapshots: [FetchedResultsSnapshot] = []
  private(set) var isInBatch = false
  var reportedForms: FetchedResultsForms = [.events, .snapshot, .difference]
  /// Called in the middle of a batch.
  var onWillChange: () -> Void = {}

  private var flat: [ManagedObjectID] = []
  private var deletedSections: [Int] = []
  private var insertedSections: [(Int, String)] = []
  private var deleted: [(IndexPath, ManagedObject)] = []
  private var inserted: [(IndexPath, ManagedObject)] = []
  private var moved: [(from: IndexPath, to: IndexPath, object: ManagedObject)] = []
  private var updated: [(from: IndexPath, to: IndexPath, object: ManagedObject)] = []
  /// The kinds of events in their order.
  private var order: [Int] = []

  init(_ controller: FetchedResultsController<ManagedObject>) throws {
    self.controller = controller
    controller.delegate = self
    try controller.performFetch()
    begin()
  }

  /// Takes the content as it is.
  func begin() { sections = Self.content(of: controller) }

  func forget() {
    events = []
    batches = 0
    snapshots = []
  }

  static func content(of controller: FetchedResultsController<ManagedObject>) -> [Section] {
    (controller.sections ?? []).map { Section(name: $0.name, objects: $0.objects) }
  }

  var objects: [ManagedObject] { sections.flatMap(\.objects) }

  // MARK: Events

  func controllerWillChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
    if isInBatch { findings.append("a batch within a batch") }
    isInBatch = true
    batches += 1
    if Self.content(of: controller) != sections { findings.append("the new content is shown too early") }
    flat = objects.map(\.objectID)
    (deletedSections, insertedSections, deleted, inserted) = ([], [], [], [])
    (moved, updated, order) = ([], [], [])
    onWillChange()
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>,
    didChange section: FetchedResultsSection<ManagedObject>,
    at index: Int, for change: FetchedResultsChange
  ) {
    events.append("\(change) section \(section.name) \(index)")
    switch change {
    case .delete:
      order.append(0)
      deletedSections.append(index)
      if sections[index].name != section.name { findings.append("section \(index) was not \(section.name)") }
    case .insert:
      order.append(1)
      insertedSections.append((index, section.name))
    case .move, .update: findings.append("a section was \(change)")
    }
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChange object: ManagedObject,
    at path: IndexPath?, for change: FetchedResultsChange, newIndexPath: IndexPath?
  ) {
    func text(_ path: IndexPath?) -> String { path.map { "\($0.section).\($0.item)" } ?? "-" }
    events.append("\(change) \(text(path)) \(text(newIndexPath))")
    switch (change, path, newIndexPath) {
    case (.delete, let path?, nil):
      order.append(2)
      deleted.append((path, object))
    case (.insert, nil, let path?):
      order.append(3)
      inserted.append((path, object))
    case (.move, let path?, let new?):
      order.append(4)
      moved.append((path, new, object))
    case (.update, let path?, let new?):
      order.append(5)
      updated.append((path, new, object))
    default: findings.append("\(change) has the wrong paths")
    }
    if let path, sections[path.section].objects[path.item] !== object {
      findings.append("\(change) of an object that was not at \(path)")
    }
    if let newIndexPath, (try? controller.object(at: newIndexPath)) !== object {
      findings.append("\(change) of an object that is not at \(newIndexPath)")
    }
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
    if !isInBatch { findings.append("the end of no batch") }
    isInBatch = false
    if order.isEmpty { findings.append("an empty batch") }
    if order != order.sorted() { findings.append("the order of events is \(order)") }
    checkOrder()
    apply()
    if Self.content(of: controller) != sections {
      findings.append("replayed \(describe(sections)), not \(describe(Self.content(of: controller)))")
    }
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>,
    didChangeContentWith snapshot: FetchedResultsSnapshot
  ) {
    snapshots.append(snapshot)
    let content = Self.content(of: controller)
    if snapshot.sections.map(\.name) != content.map(\.name)
      || snapshot.sections.map(\.objectIDs) != content.map({ $0.objects.map(\.objectID) })
    {
      findings.append("the snapshot is not the content")
    }
    if Set(snapshot.reloadedObjectIDs) != Set(updated.map(\.object.objectID)) {
      findings.append("the snapshot reloads others than were updated")
    }
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>,
    didChangeContentWith difference: CollectionDifference<ManagedObjectID>
  ) {
    let new = Self.content(of: controller).flatMap { $0.objects.map(\.objectID) }
    if flat.applying(difference) != new { findings.append("the difference does not lead to the content") }
    let removed = Set(difference.removals.map(Self.identifier))
    let expected = Set(deleted.map(\.1.objectID) + moved.map(\.object.objectID))
    if removed != expected { findings.append("the difference removes others than the events") }
  }

  func controller(_ controller: FetchedResultsController<ManagedObject>, didFailWith error: any Error) {
    isInBatch = false
    failures.append(error)
  }

  private static func identifier(_ change: CollectionDifference<ManagedObjectID>.Change) -> ManagedObjectID {
    switch change {
    case .insert(_, let id, _), .remove(_, let id, _): id
    }
  }

  // MARK: Replaying

  private func checkOrder() {
    func isSorted<T: Comparable>(_ values: [T]) -> Bool { values == values.sorted() }
    if !isSorted(deletedSections.reversed()) || !isSorted(insertedSections.map(\.0))
      || !isSorted(deleted.map(\.0).reversed()) || !isSorted(inserted.map(\.0))
      || !isSorted(updated.map(\.from))
    {
      findings.append("events of a kind are not in order: \(events.suffix(20))")
    }
    let objects =
      (deleted + inserted).map { ObjectIdentifier($0.1) }
      + (moved + updated).map { ObjectIdentifier($0.object) }
    if Set(objects).count != objects.count { findings.append("an object has two events") }
    for change in updated
    where sections[change.from.section].name != controller.sections?[change.to.section].name {
      findings.append("an update leads to another section")
    }
  }

  private func apply() {
    let names = sections.map(\.name)
    for path in (deleted.map(\.0) + moved.map(\.from)).sorted().reversed() {
      sections[path.section].objects.remove(at: path.item)
    }
    for index in deletedSections.sorted().reversed() {
      if !sections[index].objects.isEmpty {
        findings.append("section \(names[index]) is deleted with objects")
      }
      sections.remove(at: index)
    }
    for (index, name) in insertedSections { sections.insert(Section(name: name, objects: []), at: index) }
    let added = inserted.map { ($0.0, $0.1) } + moved.map { ($0.to, $0.object) }
    for (path, object) in added.sorted(by: { $0.0 < $1.0 }) {
      guard sections.indices.contains(path.section), path.item <= sections[path.section].objects.count else {
        return findings.append("\(path) is not there")
      }
      sections[path.section].objects.insert(object, at: path.item)
    }
    for change in updated where sections[change.to.section].objects[change.to.item] !== change.object {
      findings.append("an updated object is not at \(change.to)")
    }
  }

  private func describe(_ sections: [Section]) -> String {
    sections.map { "\($0.name): \($0.objects.map { $0.objectID.shortForm })" }.joined(separator: "; ")
  }
}
