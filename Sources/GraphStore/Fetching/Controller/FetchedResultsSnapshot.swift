import Foundation

/// The content of a ``FetchedResultsController`` at one time, as identifiers: a value for use anywhere.
///
/// ```swift
/// if let snapshot = controller.snapshot {
///   print(snapshot.sections.map(\.name), snapshot.count)
/// }
/// ```
public struct FetchedResultsSnapshot: Hashable, Sendable {
  /// A section of the content.
  public struct Section: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The identifiers of the objects, in order.
    public let objectIDs: [ManagedObjectID]
  }

  /// The sections, in order.
  public let sections: [Section]
  /// The identifiers of objects that have stayed where they were since the last snapshot, with other values.
  public let reloadedObjectIDs: [ManagedObjectID]

  init(_ content: SectionedList, reloaded: [ManagedObjectID]) {
    sections = content.sections.map { Section(name: $0.name, objectIDs: $0.objects.map(\.objectID)) }
    reloadedObjectIDs = reloaded
  }

  /// The number of objects.
  public var count: Int { sections.reduce(0) { $0 + $1.objectIDs.count } }

  /// The identifiers of all objects, in order.
  public var objectIDs: [ManagedObjectID] { sections.flatMap(\.objectIDs) }
}

extension ListChanges {
  /// The changes as a difference of the lists without sections.
  func difference(
    from former: FetchedList.Outline, to present: SectionedList
  ) -> CollectionDifference<ManagedObjectID> {
    func starts(_ counts: [Int]) -> [Int] {
      counts.reduce(into: [0]) { starts, count in starts.append((starts.last ?? 0) + count) }
    }
    let (old, new) = (starts(former.counts), starts(present.sections.map(\.count)))
    func offset(_ path: IndexPath, _ starts: [Int]) -> Int { starts[path.section] + path.item }
    var changes: [CollectionDifference<ManagedObjectID>.Change] = []
    for (object, path) in deleted {
      changes.append(.remove(offset: offset(path, old), element: object.objectID, associatedWith: nil))
    }
    for (object, path) in inserted {
      changes.append(.insert(offset: offset(path, new), element: object.objectID, associatedWith: nil))
    }
    for change in moved {
      let (from, to) = (offset(change.former, old), offset(change.present, new))
      let id = change.object.objectID
      changes.append(.remove(offset: from, element: id, associatedWith: to))
      changes.append(.insert(offset: to, element: id, associatedWith: from))
    }
    guard let difference = CollectionDifference(changes) else {
      preconditionFailure("each offset occurs once")
    }
    return difference
  }
}
