import Foundation
import GraphStorePredicates

/// Lazy decoder of keyed archives: a flat list of objects that name each other by number.
///
/// Only requested objects are built, one level at a time. Objects may be referenced by many nodes, or in
/// circles, so all reading is charged to one budget that grows with the archive's size.
final class KeyedArchive {
  private let objects: [PropertyListNode]
  private let top: [String: PropertyListNode]
  private var budget: Int
  private var classNames: [Int: [String]] = [:]

  /// Opens an archive in a binary property list.
  ///
  /// - Parameter budget: How many parts may be read beyond those that the archive's size allows.
  init(_ bytes: [UInt8], budget extra: Int = 4096) throws(KeyedArchiveError) {
    guard BinaryPropertyList.isOne(bytes) else {
      throw .damaged("It is no binary property list, as compiled models are.")
    }
    guard case .dictionary(let parts)? = BinaryPropertyList.node(of: bytes) else {
      throw .damaged("Its property list is damaged.")
    }
    guard case .list(let objects)? = parts["$objects"], case .dictionary(let top)? = parts["$top"] else {
      throw .damaged("Its property list is no keyed archive.")
    }
    self.objects = objects
    self.top = top
    budget = bytes.count * 2 + extra
  }

  /// The object that the archive was made of.
  var root: ArchivedValue {
    get throws(KeyedArchiveError) { try value(at: top["root"]) }
  }

  /// The reference to the root object of the archive.
  var topReference: PropertyListNode? { top["root"] }

  /// The class of the object of a number, and those above it; empty for what has none.
  func className(of number: Int) throws(KeyedArchiveError) -> [String] {
    guard objects.indices.contains(number), case .dictionary(let fields) = objects[number] else { return [] }
    return try className(at: fields["$class"])
  }

  /// The value of a node; nothing where there is no node.
  func value(at node: PropertyListNode?) throws(KeyedArchiveError) -> ArchivedValue {
    switch node {
    case nil: return .null
    case .reference(let number)?:
      guard objects.indices.contains(number) else {
        throw .damaged("It names an object \(number), and has \(objects.count).")
      }
      // The first object means nil.
      return number == 0 ? .null : try object(number)
    case .list(let items)?:
      try spend(items.count)
      return .list(items)
    case let node?: return try plain(node)
    }
  }

  /// The number by which a node references an object; nil for a value that the node holds itself.
  func number(at node: PropertyListNode?) -> Int? {
    if case .reference(let number)? = node { number } else { nil }
  }

  /// The value of a number, which has no parts.
  func leaf(_ number: Int, of what: String) throws(KeyedArchiveError) -> ArchivedValue {
    guard objects.indices.contains(number) else {
      throw .damaged("The archive of \(what) lacks its content.")
    }
    return try plain(objects[number])
  }

  /// The encoded fields of the object of a number.
  func fields(of number: Int) throws(KeyedArchiveError) -> [String: PropertyListNode] {
    guard objects.indices.contains(number), case .dictionary(let fields) = objects[number] else { return [:] }
    try spend(1)
    return fields
  }

  private func object(_ number: Int) throws(KeyedArchiveError) -> ArchivedValue {
    guard case .dictionary(let fields) = objects[number] else { return try plain(objects[number]) }
    try spend(1)
    let names = try className(at: fields["$class"])
    let object = ArchivedObject(number: number, classNames: names, fields: fields)
    for name in names {
      if let value = try foundationValue(object, name) { return value }
    }
    return .object(object)
  }

  private func plain(_ node: PropertyListNode) throws(KeyedArchiveError) -> ArchivedValue {
    switch node {
    case .null: return .null
    case .string(let text): try spend(1 + text.utf8.count / 16)
    case .data(let data): try spend(1 + data.count / 16)
    default: try spend(1)
    }
    guard let value = node.value else { throw .damaged("An object stands where its number is expected.") }
    return .value(value)
  }

  private func className(at node: PropertyListNode?) throws(KeyedArchiveError) -> [String] {
    guard let number = number(at: node), objects.indices.contains(number) else {
      throw .damaged("An object has no class.")
    }
    if let known = classNames[number] { return known }
    guard case .dictionary(let fields) = objects[number], case .string(let name)? = fields["$classname"]
    else {
      throw .damaged("An object's class has no name.")
    }
    var names = [name]
    if case .list(let items)? = fields["$classes"] {
      for case .string(let ancestor) in items where !names.contains(ancestor) {
        // Real chains have up to five classes.
        guard names.count < 16 else { break }
        names.append(ancestor)
      }
    }
    classNames[number] = names
    return names
  }

  /// Charges the reading of some items.
  func spend(_ count: Int) throws(KeyedArchiveError) {
    budget -= count
    if budget < 0 { throw .damaged("Its objects name each other more often than its size allows.") }
  }
}

/// Error in an archive, or in a part of it.
struct KeyedArchiveError: Error {
  /// Extent of the damage.
  enum Extent {
    /// Nothing of the archive can be trusted.
    case archive
    /// One part has a meaning that is not known here; the rest may be read.
    case part
  }

  let extent: Extent
  /// A sentence.
  let message: String

  static func damaged(_ message: String) -> KeyedArchiveError {
    KeyedArchiveError(extent: .archive, message: message)
  }

  static func unknown(_ message: String) -> KeyedArchiveError {
    KeyedArchiveError(extent: .part, message: message)
  }
}

/// Decoded value at one node of a keyed archive, one level deep.
enum ArchivedValue {
  /// Nothing.
  case null
  /// A number, text, date, or another value without parts.
  case value(Value)
  /// A list or a set, whose members have the order of the archive.
  case list([PropertyListNode])
  /// A dictionary, whose members have the order of the archive.
  case dictionary([(key: PropertyListNode, value: PropertyListNode)])
  /// Any other object.
  case object(ArchivedObject)
}

/// An object of a keyed archive whose class is none of Foundation's collections and values.
struct ArchivedObject {
  /// Its number in the archive.
  let number: Int
  /// The name of its class, and those of the classes above it.
  let classNames: [String]
  /// The encoded fields, by key.
  let fields: [String: PropertyListNode]

  var className: String { classNames.first ?? "" }

  func isKind(of name: String) -> Bool { classNames.contains(name) }
}
