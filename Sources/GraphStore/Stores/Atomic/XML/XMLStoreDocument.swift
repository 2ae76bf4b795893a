import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Text of an XML store, read object by object: no tree of more than one object is made.
///
/// No document type is loaded, and nothing else that a text names; one that declares entities is refused
/// (STO-072).
struct XMLStoreDocument: AtomicDocument {
  private typealias Failure = MarkupParser.Failure
  private typealias Element = XMLStoreFormat.Element

  private let bytes: [UInt8]
  /// Where the objects begin.
  private let parser: MarkupParser
  private let root: MarkupElement
  /// The greatest number that was ever given to an object.
  private let lastNumber: Int64
  let metadata: StoreMetadata

  /// Reads what a text says of itself, which comes first; its objects are not looked at.
  init(_ bytes: [UInt8]) throws(AtomicDocumentFailure) {
    self.bytes = bytes
    do throws(Failure) {
      var parser = try MarkupParser(checking: bytes, maximumDepth: XMLStoreFormat.maximumDepth)
      root = try parser.readRoot()
      var info: Info?
      if root.name == Element.database {
        try parser.readChildren(of: root) { element throws(Failure) in
          info = try Info(element)
          return false
        }
      }
      self.parser = parser
      guard let info else {
        throw Failure(
          offset: root.offset, message: "A <\(Element.database)> with its \(Element.info) is none.")
      }
      lastNumber = info.lastNumber
      metadata = info.metadata
    } catch {
      throw Self.failure(error, in: bytes)
    }
    guard metadata.format ?? 0 <= StoreMetadata.currentFormat else {
      throw AtomicDocumentFailure(
        kind: .newerFormat,
        message:
          "It has format \(metadata.format ?? 0), written by a newer version of GraphStore; this version "
          + "knows formats up to \(StoreMetadata.currentFormat).")
    }
  }

  func read(into builder: inout AtomicStateBuilder) throws(AtomicDocumentFailure) {
    do throws(Failure) {
      try XMLStoreReader(builder.layouts).read(parser, root, lastNumber: lastNumber, into: &builder)
    } catch {
      throw Self.failure(error, in: bytes)
    }
  }

  func place(of subject: AtomicDocumentFailure.Subject, _ layouts: [EntityLayout]) -> (
    line: Int, column: Int
  )? {
    let reader = XMLStoreReader(layouts)
    var parser = parser
    var found: Int?
    try? parser.readChildren(of: root) { element throws(Failure) in
      guard let object = try? reader.identity(of: element), object.identifier.key == subject.object.key,
        object.identifier.entity === subject.object.entity
      else { return true }
      let property = element.children.first {
        reader.column(named: $0, of: subject.object.entity)?.property.name == subject.property
      }
      found = (property ?? element).offset
      return false
    }
    return found.map { TextPositions(bytes).position(of: $0) }
  }

  private static func failure(_ failure: Failure, in bytes: [UInt8]) -> AtomicDocumentFailure {
    AtomicDocumentFailure(message: failure.message, place: TextPositions(bytes).position(of: failure.offset))
  }

  /// What a text says of itself.
  private struct Info {
    let metadata: StoreMetadata
    let lastNumber: Int64

    init(_ element: MarkupElement) throws(Failure) {
      guard element.name == Element.info else {
        throw Failure(offset: element.offset, message: "<\(Element.info)> is expected here.")
      }
      let known = [Element.version, Element.identifier, Element.nextObject, Element.metadata]
      for (position, child) in element.children.enumerated() {
        guard known.contains(child.name) else {
          throw Failure(
            offset: child.offset, message: "<\(child.name)> is nothing that a store says of itself.")
        }
        if element.children[..<position].contains(where: { $0.name == child.name }) {
          throw Failure(offset: child.offset, message: "<\(child.name)> occurs twice.")
        }
      }
      try Self.checkVersion(element)
      guard let identifier = Self.child(element, Element.identifier).flatMap({ UUID(uuidString: $0.text) })
      else {
        throw Failure(offset: element.offset, message: "The store has no <\(Element.identifier)>.")
      }
      lastNumber = try Self.lastNumber(element)
      metadata = StoreMetadata(identifier: identifier, values: try Self.metadata(element))
    }

    private static func child(_ element: MarkupElement, _ name: String) -> MarkupElement? {
      element.children.first { $0.name == name }
    }

    private static func checkVersion(_ element: MarkupElement) throws(Failure) {
      guard let version = child(element, Element.version) else { return }
      guard Int64(version.text) == XMLStoreFormat.version else {
        throw Failure(
          offset: version.offset,
          message: "\(version.text.prefix(40)) is no version of the form that is read, which is "
            + "\(XMLStoreFormat.version).")
      }
    }

    private static func lastNumber(_ element: MarkupElement) throws(Failure) -> Int64 {
      guard let last = child(element, Element.nextObject) else { return 0 }
      guard let number = Int64(last.text), number == 0 || StoredKey.keys.contains(number) else {
        throw Failure(offset: last.offset, message: "\(last.text.prefix(40)) is no number of an object.")
      }
      return number
    }

    private static func metadata(_ element: MarkupElement) throws(Failure) -> [String: Value] {
      var values: [String: Value] = [:]
      if let metadata = child(element, Element.metadata), !metadata.children.isEmpty {
        guard metadata.children.count == 1 else {
          throw Failure(offset: metadata.offset, message: "One property list is expected in here.")
        }
        values = try XMLPropertyList.dictionary(metadata.children[0])
        if let exact = values.removeValue(forKey: XMLStoreFormat.exactMetadata) {
          guard case .data(let list) = exact,
            case .dictionary(let others)? = PropertyListReader.node(of: Array(list))?.value
          else {
            throw Failure(
              offset: metadata.offset, message: "\(XMLStoreFormat.exactMetadata) is no binary property list.")
          }
          values.merge(others) { $1 }
        }
      }
      values[StoreMetadata.Key.type] = .string(StoreType.xml.rawValue)
      return values
    }
  }
}
