import Foundation

/// Objects in order and in sections: an order-statistic list, which finds the number of an object, and the
/// object of a number, without walking over all of them.
///
/// Objects lie in leaves, and each section counts those of its leaves side by side. A change moves the
/// objects of one leaf; a number is a sum of counts.
final class SectionedList {
  /// The objects of one name, all neighbours.
  final class Section {
    let name: String
    /// The number of the section in the list.
    fileprivate(set) var index = 0
    fileprivate(set) var count = 0
    fileprivate var leaves: [Leaf] = []
    /// The number of objects of each leaf.
    fileprivate var counts: [Int] = []

    fileprivate init(name: String) { self.name = name }

    /// The objects, in order.
    var objects: [ManagedObject] {
      var objects: [ManagedObject] = []
      objects.reserveCapacity(count)
      for leaf in leaves { objects += leaf.objects }
      return objects
    }

    /// The object of a number, which has to be one.
    func object(_ item: Int) -> ManagedObject {
      assert(item >= 0 && item < count)
      var (rest, number) = (item, 0)
      while rest >= counts[number] {
        rest -= counts[number]
        number += 1
      }
      return leaves[number].objects[rest]
    }
  }

  /// Some neighbours of one section.
  fileprivate final class Leaf {
    unowned let section: Section
    var number: Int
    var objects: [ManagedObject]

    init(_ section: Section, number: Int, _ objects: [ManagedObject]) {
      self.section = section
      self.number = number
      self.objects = objects
    }
  }

  /// An object in its leaf; true until the list changes.
  struct Slot {
    fileprivate let leaf: Leaf
    fileprivate let offset: Int

    var section: Section { leaf.section }
  }

  /// A gap between two neighbours, or at an end.
  struct Gap {
    fileprivate let section: Int
    fileprivate let leaf: Int
    fileprivate let offset: Int
  }

  /// A section that a new object would tear apart, or that is elsewhere.
  struct NotContiguous: Error {
    let name: String
    let other: String
  }

  static let leafCapacity = 256

  private(set) var sections: [Section] = []
  private(set) var count = 0
  /// Whether objects are in sections by name; else there is one section, also of no objects.
  let isSectioned: Bool
  private var named: [String: Section] = [:]
  /// The leaf of each object; made when one is first looked for.
  private var leaves: [ObjectIdentifier: Leaf] = [:]
  private var hasLeaves = false
  /// Objects that stand where the values belong that they had when they were judged last.
  private var settled: Set<ObjectIdentifier> = []

  init(isSectioned: Bool) {
    self.isSectioned = isSectioned
    if !isSectioned { _ = addSection("", at: 0) }
  }

  /// Makes the list of objects that are in order.
  ///
  /// - Throws: ``NotContiguous`` where objects of one name are no neighbours; what `name` throws.
  convenience init(
    _ objects: [ManagedObject], isSectioned: Bool, name: (Int, ManagedObject) throws -> String
  ) throws {
    self.init(isSectioned: isSectioned)
    guard isSectioned else {
      append(objects[...], to: sections[0])
      return
    }
    var (start, current) = (0, "")
    func close(at end: Int) throws {
      guard end > start else { return }
      if named[current] != nil { throw NotContiguous(name: current, other: sections.last?.name ?? "") }
      append(objects[start..<end], to: addSection(current, at: sections.count))
    }
    for (position, object) in objects.enumerated() {
      let name = try name(position, object)
      if position > start, name == current { continue }
      try close(at: position)
      (start, current) = (position, name)
    }
    try close(at: objects.count)
  }

  private func append(_ objects: ArraySlice<ManagedObject>, to section: Section) {
    var rest = objects
    // Half-full leaves, so that the first insertions do not split each.
    while !rest.isEmpty {
      let leaf = Leaf(section, number: section.leaves.count, Array(rest.prefix(Self.leafCapacity / 2)))
      section.leaves.append(leaf)
      section.counts.append(leaf.objects.count)
      rest = rest.dropFirst(Self.leafCapacity / 2)
    }
    section.count += objects.count
    count += objects.count
    assert(!hasLeaves)
  }

  private func addSection(_ name: String, at index: Int) -> Section {
    let section = Section(name: name)
    sections.insert(section, at: index)
    for number in index..<sections.count { sections[number].index = number }
    named[name] = section
    return section
  }

  // MARK: Finding

  /// All objects, in order.
  var objects: [ManagedObject] {
    var objects: [ManagedObject] = []
    objects.reserveCapacity(count)
    for section in sections { for leaf in section.leaves { objects += leaf.objects } }
    return objects
  }

  /// Calls a body with each object and its path, in order.
  func forEach(_ body: (ManagedObject, IndexPath) throws -> Void) rethrows {
    for section in sections {
      var item = 0
      for leaf in section.leaves {
        for object in leaf.objects {
          try body(object, IndexPath(item: item, section: section.index))
          item += 1
        }
      }
    }
  }

  private func findLeaves() {
    if hasLeaves { return }
    hasLeaves = true
    leaves.reserveCapacity(count)
    for section in sections {
      for leaf in section.leaves { for object in leaf.objects { leaves[ObjectIdentifier(object)] = leaf } }
    }
  }

  /// The slot of an object; nil for one that is not in the list.
  func slot(of object: ManagedObject) -> Slot? {
    findLeaves()
    guard let leaf = leaves[ObjectIdentifier(object)] else { return nil }
    guard let offset = leaf.objects.firstIndex(where: { $0 === object }) else {
      preconditionFailure("the leaf of an object has it")
    }
    return Slot(leaf: leaf, offset: offset)
  }

  /// The numbers of a slot's section and of its object in that, which compare as index paths do, and faster.
  func numbers(of slot: Slot) -> (section: Int, item: Int) {
    let section = slot.leaf.section
    var item = slot.offset
    for number in 0..<slot.leaf.number { item += section.counts[number] }
    return (section.index, item)
  }

  func indexPath(of slot: Slot) -> IndexPath {
    let numbers = numbers(of: slot)
    return IndexPath(item: numbers.item, section: numbers.section)
  }

  func indexPath(of object: ManagedObject) -> IndexPath? { slot(of: object).map(indexPath) }

  /// The object behind that of a slot, in the next section too.
  func successor(of slot: Slot) -> ManagedObject? {
    let (leaf, section) = (slot.leaf, slot.leaf.section)
    if slot.offset + 1 < leaf.objects.count { return leaf.objects[slot.offset + 1] }
    if leaf.number + 1 < section.leaves.count { return section.leaves[leaf.number + 1].objects[0] }
    guard section.index + 1 < sections.count else { return nil }
    return sections[section.index + 1].leaves.first?.objects.first
  }

  /// The object before that of a slot, in the previous section too.
  func predecessor(of slot: Slot) -> ManagedObject? {
    let (leaf, section) = (slot.leaf, slot.leaf.section)
    if slot.offset > 0 { return leaf.objects[slot.offset - 1] }
    if leaf.number > 0 { return section.leaves[leaf.number - 1].objects.last }
    guard section.index > 0 else { return nil }
    return sections[section.index - 1].leaves.last?.objects.last
  }

  /// The objects before and at a path, or the ones nearest to it; nil at the ends of the list.
  func neighbours(around path: IndexPath) -> (ManagedObject, ManagedObject)? {
    guard count > 1, path.section < sections.count else { return nil }
    let section = sections[path.section]
    let item = min(max(path.item, 0), section.count - 1)
    guard let slot = slot(of: section.object(item)) else { return nil }
    if let previous = predecessor(of: slot) { return (previous, section.object(item)) }
    return successor(of: slot).map { (section.object(item), $0) }
  }

  /// The gap before the first object that a new one precedes, by bisection.
  func gap(_ precedes: (ManagedObject) throws -> Bool) rethrows -> Gap {
    if count == 0 { return Gap(section: 0, leaf: 0, offset: 0) }
    let section = try firstIndex(in: sections.count) { try precedes(sections[$0].leaves[0].objects[0]) } - 1
    if section < 0 { return Gap(section: 0, leaf: 0, offset: 0) }
    let leaves = sections[section].leaves
    let leaf = try firstIndex(in: leaves.count) { try precedes(leaves[$0].objects[0]) } - 1
    let objects = leaves[leaf].objects
    let offset = try firstIndex(in: objects.count) { try precedes(objects[$0]) }
    return Gap(section: section, leaf: leaf, offset: offset)
  }

  /// The first of some numbers for which a condition holds, which then holds for all behind it.
  private func firstIndex(in count: Int, where holds: (Int) throws -> Bool) rethrows -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if try holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  // MARK: Settling

  /// Notes that an object stands where its present values belong: those of a fetch may have been others,
  /// where somebody has saved and the context has not merged that.
  func settle(_ object: ManagedObject) { settled.insert(ObjectIdentifier(object)) }

  func isSettled(_ object: ManagedObject) -> Bool { settled.contains(ObjectIdentifier(object)) }

  // MARK: Changing

  /// Takes an object out; a section without objects goes with its last one.
  func remove(_ object: ManagedObject) {
    guard let slot = slot(of: object) else { return assertionFailure("an object of the list") }
    let (leaf, section) = (slot.leaf, slot.leaf.section)
    leaf.objects.remove(at: slot.offset)
    leaves[ObjectIdentifier(object)] = nil
    settled.remove(ObjectIdentifier(object))
    section.counts[leaf.number] -= 1
    section.count -= 1
    count -= 1
    if leaf.objects.isEmpty { remove(leaf) }
    if section.count == 0, isSectioned { remove(section) }
  }

  private func remove(_ leaf: Leaf) {
    let section = leaf.section
    section.leaves.remove(at: leaf.number)
    section.counts.remove(at: leaf.number)
    for number in leaf.number..<section.leaves.count { section.leaves[number].number = number }
  }

  private func remove(_ section: Section) {
    sections.remove(at: section.index)
    named[section.name] = nil
    for number in section.index..<sections.count { sections[number].index = number }
  }

  /// Puts an object into a gap, as a member of the section of a name.
  ///
  /// - Throws: ``NotContiguous`` where the gap does not touch the section; nothing has changed then.
  func insert(_ object: ManagedObject, named name: String, in gap: Gap) throws {
    findLeaves()
    let present = gap.section < sections.count ? sections[gap.section] : nil
    guard isSectioned, let present else { return insert(object, in: present ?? addSection(name, at: 0), gap) }
    let isBefore = gap.leaf == 0 && gap.offset == 0
    let isBehind =
      gap.leaf == present.leaves.count - 1 && gap.offset == present.leaves[gap.leaf].objects.count
    if present.name == name { return insert(object, in: present, gap) }
    guard isBefore || isBehind else { throw NotContiguous(name: present.name, other: name) }
    let next = gap.section + (isBefore ? 0 : 1)
    if next < sections.count, sections[next].name == name {
      return insert(object, in: sections[next], Gap(section: next, leaf: 0, offset: 0))
    }
    if named[name] != nil { throw NotContiguous(name: name, other: present.name) }
    insert(object, in: addSection(name, at: next), Gap(section: next, leaf: 0, offset: 0))
  }

  private func insert(_ object: ManagedObject, in section: Section, _ gap: Gap) {
    if section.leaves.isEmpty {
      section.leaves.append(Leaf(section, number: 0, []))
      section.counts.append(0)
    }
    let leaf = section.leaves[gap.leaf]
    assert(gap.offset <= leaf.objects.count)
    leaf.objects.insert(object, at: gap.offset)
    leaves[ObjectIdentifier(object)] = leaf
    section.counts[leaf.number] += 1
    section.count += 1
    count += 1
    if leaf.objects.count > Self.leafCapacity { split(leaf) }
  }

  private func split(_ leaf: Leaf) {
    let section = leaf.section
    let middle = leaf.objects.count / 2
    let other = Leaf(section, number: leaf.number + 1, Array(leaf.objects[middle...]))
    leaf.objects.removeSubrange(middle...)
    section.leaves.insert(other, at: other.number)
    section.counts.insert(other.objects.count, at: other.number)
    section.counts[leaf.number] = leaf.objects.count
    for number in other.number..<section.leaves.count { section.leaves[number].number = number }
    for object in other.objects { leaves[ObjectIdentifier(object)] = other }
  }

  /// Puts objects back that were taken out of a list of some sections, to which nothing was added since.
  func restore(_ names: [String], _ removed: [(object: ManagedObject, path: IndexPath)]) {
    var groups = names.map { named[$0]?.objects ?? [] }
    for (object, path) in removed.sorted(by: { $0.path < $1.path }) {
      groups[path.section].insert(object, at: path.item)
    }
    (sections, named, leaves, hasLeaves, settled, count) = ([], [:], [:], false, [], 0)
    for (name, objects) in zip(names, groups) {
      append(objects[...], to: addSection(name, at: sections.count))
    }
  }

  // MARK: Invariants

  /// The first invariant that does not hold; nil where all do.
  var violation: String? {
    var total = 0
    for (index, section) in sections.enumerated() {
      if section.index != index { return "section \(index) has the number \(section.index)" }
      if isSectioned, section.count == 0 { return "section \(section.name) is empty" }
      if named[section.name] !== section { return "section \(section.name) is not known by its name" }
      if section.counts != section.leaves.map(\.objects.count) { return "counts of \(section.name)" }
      if section.count != section.counts.reduce(0, +) { return "the count of \(section.name)" }
      for (number, leaf) in section.leaves.enumerated() {
        if leaf.number != number || leaf.section !== section { return "leaf \(number) of \(section.name)" }
        if leaf.objects.isEmpty { return "leaf \(number) of \(section.name) is empty" }
        if leaf.objects.count > Self.leafCapacity { return "leaf \(number) of \(section.name) is too large" }
        for object in leaf.objects where hasLeaves && leaves[ObjectIdentifier(object)] !== leaf {
          return "the leaf of \(object.objectID)"
        }
      }
      total += section.count
    }
    if named.count != sections.count { return "names of sections" }
    if hasLeaves, leaves.count != total { return "leaves of objects" }
    return total == count ? nil : "the count"
  }
}
