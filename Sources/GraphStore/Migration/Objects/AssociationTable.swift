import OrderedCollections

/// Table of the associations of one entity mapping: which destination objects it made for which source
/// objects, as packed keys in the order in which they were associated (MIG-215).
///
/// Nearly always objects are in the order of their keys on both sides: an association takes two words then,
/// and is found by binary search. A side on which they do not gets an index, which takes about as much again.
struct AssociationTable {
  private(set) var sources: [UInt64] = []
  private(set) var destinations: [UInt64] = []
  private var sourceIndex: AssociationIndex?
  private var destinationIndex: AssociationIndex?

  var count: Int { sources.count }

  mutating func reserveCapacity(_ count: Int) {
    sources.reserveCapacity(sources.count + count)
    destinations.reserveCapacity(destinations.count + count)
  }

  subscript(position: Int) -> (source: PackedReference, destination: PackedReference) {
    (PackedReference(bits: sources[position]), PackedReference(bits: destinations[position]))
  }

  /// Adds an association, unless it is there.
  mutating func add(_ source: PackedReference, _ destination: PackedReference) {
    var isKnown = false
    forEachPosition(ofSource: source) { isKnown = isKnown || destinations[$0] == destination.bits }
    if isKnown { return }
    Self.prepare(&sourceIndex, for: source.bits, behind: sources)
    Self.prepare(&destinationIndex, for: destination.bits, behind: destinations)
    sourceIndex?.add(source.bits)
    destinationIndex?.add(destination.bits)
    sources.append(source.bits)
    destinations.append(destination.bits)
  }

  /// Makes the index of a side with the first word that is out of order.
  private static func prepare(_ index: inout AssociationIndex?, for word: UInt64, behind words: [UInt64]) {
    guard index == nil, let last = words.last, word < last else { return }
    index = AssociationIndex(words)
  }

  /// Shows the destination objects of a source object, in the order in which they were associated.
  func forEachDestination(of source: PackedReference, _ body: (PackedReference) -> Void) {
    forEachPosition(ofSource: source) { body(PackedReference(bits: destinations[$0])) }
  }

  /// Shows the source objects of a destination object, in the order in which they were associated.
  func forEachSource(of destination: PackedReference, _ body: (PackedReference) -> Void) {
    Self.forEachPosition(of: destination.bits, in: destinations, destinationIndex) {
      body(PackedReference(bits: sources[$0]))
    }
  }

  /// The position of the first association of a destination object; nil where there is none.
  func firstPosition(ofDestination destination: PackedReference) -> Int? {
    var first: Int?
    Self.forEachPosition(of: destination.bits, in: destinations, destinationIndex) { first = first ?? $0 }
    return first
  }

  /// All destination objects, each once.
  var distinctDestinations: [PackedReference] { Self.distinct(destinations) }

  /// All source objects, each once.
  var distinctSources: [PackedReference] { Self.distinct(sources) }

  private static func distinct(_ words: [UInt64]) -> [PackedReference] {
    OrderedSet(words).map { PackedReference(bits: $0) }
  }

  private func forEachPosition(ofSource source: PackedReference, _ body: (Int) -> Void) {
    Self.forEachPosition(of: source.bits, in: sources, sourceIndex, body)
  }

  private static func forEachPosition(
    of word: UInt64, in words: [UInt64], _ index: AssociationIndex?, _ body: (Int) -> Void
  ) {
    if let index { return index.positions(of: word).forEach(body) }
    guard let last = words.last, word <= last else { return }
    var (low, high) = (0, words.count)
    while low < high {
      let middle = (low + high) / 2
      if words[middle] < word { low = middle + 1 } else { high = middle }
    }
    while low < words.count, words[low] == word {
      body(low)
      low += 1
    }
  }
}

/// Index of the positions of words in a list that is not in their order: the last position of each word, and
/// for each position the one before it with the same word.
private final class AssociationIndex {
  private let last = KeyTable<Int32>(empty: -1)
  private var previous: [Int32] = []

  init(_ words: [UInt64]) {
    previous.reserveCapacity(words.count)
    for word in words { add(word) }
  }

  /// Adds the next word of the list.
  func add(_ word: UInt64) {
    let place = unsafe last.add(Int64(bitPattern: word))
    unsafe previous.append(place.pointee)
    unsafe place.pointee = Int32(previous.count - 1)
  }

  func positions(of word: UInt64) -> [Int] {
    var found: [Int] = []
    var position = unsafe last.find(Int64(bitPattern: word))?.pointee ?? -1
    while position >= 0 {
      found.append(Int(position))
      position = previous[Int(position)]
    }
    return found.reversed()
  }
}

/// Giver of the primary keys of a migration's destination objects (MIG-217).
///
/// An object that is migrated one to one keeps its key unless another one of its table has it already. All
/// others get keys beyond every key that the source has ever assigned, so that no identifier names another
/// object.
final class DestinationKeys {
  private let layouts: [EntityLayout]
  /// By entity tree: the keys that objects of several origins have claimed; nil where no two can claim one.
  private var claims: [KeyTable<Bool>?]
  /// By entity tree: keys that were reserved and not assigned yet.
  private var reserved: [Range<Int64>]
  private static let reservation: Int64 = 256

  /// - Parameter shared: By entity tree, whether several objects may claim one key.
  init(_ layouts: [EntityLayout], shared: [Bool]) {
    self.layouts = layouts
    claims = shared.map { $0 ? KeyTable<Bool>(empty: true) : nil }
    reserved = [Range<Int64>](repeating: 0..<0, count: layouts.count)
  }

  /// The key for an object made of a source object.
  ///
  /// - Parameter mayKeep: Whether the object has none yet.
  func key(
    keeping key: Int64, _ layout: EntityLayout, mayKeep: Bool, _ session: any WriteSession
  ) throws -> Int64 {
    guard mayKeep, claim(key, layout.rootIndex) else { return try newKey(layout, session) }
    return key
  }

  private func claim(_ key: Int64, _ root: Int) -> Bool {
    guard let claims = claims[root] else { return true }
    let count = claims.count
    _ = unsafe claims.add(key)
    return claims.count > count
  }

  /// A key that no object has had.
  func newKey(_ layout: EntityLayout, _ session: any WriteSession) throws -> Int64 {
    let root = layout.rootIndex
    if reserved[root].isEmpty {
      let first = try session.reserveKeys(layouts[root], count: Int(Self.reservation))
      reserved[root] = first..<first + Self.reservation
    }
    return reserved[root].removeFirst()
  }
}
