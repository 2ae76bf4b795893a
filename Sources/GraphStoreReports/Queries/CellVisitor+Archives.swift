import Foundation
import GraphStore

extension CellVisitor {
  /// Shows the value of an archive, as JSON where it is a collection; bytes that are none, or hold what JSON
  /// has no form for, stay bytes.
  mutating func archive(_ bytes: UnsafeBufferPointer<UInt8>) {
    decodesArchives = false
    defer { decodesArchives = true }
    guard let value = try? unsafe ValueArchive.value(of: Data(bytes)) else { return unsafe data(bytes) }
    show(archived: value)
  }

  private mutating func show(archived value: Any) {
    switch value {
    case let value as Value: show(value)
    case let members as [String: Any]:
      beginDictionary()
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        key(name)
        show(archived: member)
      }
      endDictionary()
    case let members as [AnyHashable: Any]:
      show(archived: Dictionary(members.map { ("\($0.key.base)", $0.value) }) { first, _ in first })
    case let members as [Any]: show(members)
    // In an order of their own, so that a value always prints the same.
    case let members as Set<AnyHashable>: show(members.map(\.base).sorted { "\($0)" < "\($1)" })
    case let value as any ValueConvertible: show(value.queryValue)
    default: null()
    }
  }

  private mutating func show(_ members: [Any]) {
    beginValues()
    for member in members { show(archived: member) }
    endList()
  }
}
