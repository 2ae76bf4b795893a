import Foundation
import GraphStoreModel

/// Reads `Employee/p2` and `x-coredata://…/Employee/p2` from bytes, without a string for each.
package struct ReferenceText {
  private let coordinator: PersistentStoreCoordinator
  private var known: [(name: [UInt8], entity: Int)] = []

  init(_ coordinator: PersistentStoreCoordinator) { self.coordinator = coordinator }

  /// The target that a text names among the records of an entity's tree.
  ///
  /// - Parameter numbersAreKeys: whether a number alone is the key of an object of the entity, and not just
  ///   an id.
  mutating func target(
    _ utf8: UnsafeBufferPointer<UInt8>, in layout: EntityLayout, numbersAreKeys: Bool
  ) -> ImportTarget {
    if let (entity, number) = unsafe reference(utf8) { return .reference(entity: entity, number: number) }
    if numbersAreKeys, !utf8.isEmpty, let number = unsafe Self.number(utf8, from: 0) {
      return .reference(entity: layout.index, number: number)
    }
    return unsafe .label(tree: layout.rootIndex, name: Array(utf8))
  }

  /// The entity and the key that a text names, if it has one of the two forms.
  mutating func reference(_ utf8: UnsafeBufferPointer<UInt8>) -> (entity: Int, number: Int64)? {
    guard let slash = unsafe utf8.lastIndex(of: UInt8(ascii: "/")), slash + 2 < utf8.count,
      unsafe utf8[slash + 1] == UInt8(ascii: "p"), let number = unsafe Self.number(utf8, from: slash + 2)
    else { return nil }
    if let entity = unsafe entity(UnsafeBufferPointer(rebasing: utf8[..<slash])) { return (entity, number) }
    guard unsafe utf8.starts(with: "x-coredata:".utf8),
      let url = unsafe URL(string: String(decoding: utf8, as: UTF8.self)),
      let id = coordinator.managedObjectID(forURIRepresentation: url)
    else { return nil }
    return (id.entityIndex, id.key)
  }

  /// The number at the end of an id; nil for one that no object has.
  package static func number(_ utf8: UnsafeBufferPointer<UInt8>, from start: Int) -> Int64? {
    guard unsafe utf8[start] != UInt8(ascii: "0"), utf8.count - start <= 15 else { return nil }
    var number: Int64 = 0
    for position in start..<utf8.count {
      let digit = unsafe utf8[position] &- 0x30
      guard digit < 10 else { return nil }
      number = number * 10 + Int64(digit)
    }
    return PackedReference.keyRange.contains(number) ? number : nil
  }

  private mutating func entity(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    for entry in known where unsafe entry.name.count == name.count && entry.name.elementsEqual(name) {
      return entry.entity
    }
    let text = unsafe String(decoding: name, as: UTF8.self)
    guard let entity = coordinator.managedObjectModel.entitiesByName[text] else { return nil }
    unsafe known.append((Array(name), entity.index))
    return entity.index
  }
}
