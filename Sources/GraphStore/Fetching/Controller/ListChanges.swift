import Foundation

/// What has become of a list in one event: which sections and objects have come, gone and moved.
///
/// Former paths are those of the list before, present ones those after all changes.
struct ListChanges {
  typealias Section = SectionedList.Section

  /// An object of the list before and after.
  struct Change {
    let object: ManagedObject
    let former: IndexPath
    let present: IndexPath
  }

  /// By descending number.
  var deletedSections: [(index: Int, section: Section)] = []
  /// By ascending number.
  var insertedSections: [(index: Int, section: Section)] = []
  /// By descending path.
  var deleted: [(object: ManagedObject, path: IndexPath)] = []
  /// By ascending path.
  var inserted: [(object: ManagedObject, path: IndexPath)] = []
  /// By ascending present path.
  var moved: [Change] = []
  /// By ascending former path.
  var updated: [Change] = []

  var isEmpty: Bool {
    deletedSections.isEmpty && insertedSections.isEmpty && deleted.isEmpty && inserted.isEmpty
      && moved.isEmpty && updated.isEmpty
  }

  /// Puts everything into the order in which it is delivered (FET-192).
  mutating func sort() {
    deletedSections.sort { $0.index > $1.index }
    insertedSections.sort { $0.index < $1.index }
    deleted.sort { $0.path > $1.path }
    inserted.sort { $0.path < $1.path }
    moved.sort { $0.present < $1.present }
    updated.sort { $0.former < $1.former }
  }

  /// Notes which sections have gone and come: two of one name are one where that leaves their order.
  ///
  /// - Parameter isKept: Whether a section that is there before and after has to count as one, since objects
  ///   in it stay where they are.
  /// - Returns: The sections before and after that are one, by name.
  mutating func noteSections(
    from former: [Section], to present: [Section], isKept: (_ former: Section, _ present: Section) -> Bool
  ) -> Set<String> {
    let numbers = Dictionary(uniqueKeysWithValues: former.enumerated().map { ($1.name, $0) })
    // For each present section the former number of the next one that is kept.
    var bounds = [Int](repeating: former.count, count: present.count)
    var bound = former.count
    for (index, section) in present.enumerated().reversed() {
      bounds[index] = bound
      if let number = numbers[section.name], isKept(former[number], section) { bound = number }
    }
    var common: Set<String> = []
    var last = -1
    for (index, section) in present.enumerated() {
      if let number = numbers[section.name], number > last,
        number < bounds[index] || isKept(former[number], section)
      {
        common.insert(section.name)
        last = number
      } else {
        insertedSections.append((index, section))
      }
    }
    for (index, section) in former.enumerated() where !common.contains(section.name) {
      deletedSections.append((index, section))
    }
    return common
  }
}

extension ListChanges {
  /// The names of most sections whose order is the same in two lists.
  private static func keptSections(from former: [Section], to present: [Section]) -> Set<String> {
    let numbers = Dictionary(uniqueKeysWithValues: former.enumerated().map { ($1.name, $0) })
    let common = present.compactMap { section in numbers[section.name].map { (section.name, $0) } }
    let inOrder = longestIncreasingSubsequence(of: common.map(\.1))
    return Set(zip(common, inOrder).compactMap { $1 ? $0.0 : nil })
  }

  /// The difference of two lists of which nothing is known but their objects.
  ///
  /// - Parameter isUpdated: Whether an object that stays has changed.
  init(from former: SectionedList, to present: SectionedList, isUpdated: (ManagedObject) -> Bool) {
    var positions: [ObjectIdentifier: (offset: Int, path: IndexPath)] = [:]
    positions.reserveCapacity(former.count)
    var offset = 0
    former.forEach { object, path in
      positions[ObjectIdentifier(object)] = (offset, path)
      offset += 1
    }
    var stayed: [(offset: Int, change: Change)] = []
    present.forEach { object, path in
      if let known = positions.removeValue(forKey: ObjectIdentifier(object)) {
        stayed.append((known.offset, Change(object: object, former: known.path, present: path)))
      } else {
        inserted.append((object, path))
      }
    }
    former.forEach { object, path in
      if positions[ObjectIdentifier(object)] != nil { deleted.append((object, path)) }
    }
    let keptSections = Self.keptSections(from: former.sections, to: present.sections)
    let common = noteSections(from: former.sections, to: present.sections) { keptSections.contains($1.name) }
    // An object whose section has changed, or counts as another one, has moved whatever its place.
    let isInSection = stayed.map { place in
      let name = present.sections[place.change.present.section].name
      return former.sections[place.change.former.section].name == name && common.contains(name)
    }
    let (inSection, elsewhere) = (
      zip(stayed, isInSection).filter(\.1).map(\.0), zip(stayed, isInSection).filter { !$0.1 }.map(\.0)
    )
    moved += elsewhere.map(\.change)
    for (place, isInOrder) in zip(inSection, longestIncreasingSubsequence(of: inSection.map(\.offset))) {
      if !isInOrder { moved.append(place.change) }
      if isInOrder, isUpdated(place.change.object) { updated.append(place.change) }
    }
    sort()
  }
}
