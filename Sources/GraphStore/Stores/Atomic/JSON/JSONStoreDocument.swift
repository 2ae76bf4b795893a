import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Text of a JSON store, read piece by piece: no tree of more than one object is made.
struct JSONStoreDocument: AtomicDocument {
  private typealias Failure = JSONParser.Failure
  private typealias Key = JSONStoreFormat.Key

  private let bytes: [UInt8]
  private let parser: JSONParser
  let metadata: StoreMetadata

  /// Reads what a text says of itself; its objects, where they come last, are not looked at.
  init(_ bytes: [UInt8]) throws(AtomicDocumentFailure) {
    self.bytes = bytes
    let header: Header
    do throws(Failure) {
      parser = try JSONParser(checking: bytes)
      header = try Self.header(parser)
    } catch {
      throw Self.failure(error, in: bytes)
    }
    metadata = try header.metadata()
  }

  func read(into builder: inout AtomicStateBuilder) throws(AtomicDocumentFailure) {
    do throws(Failure) {
      try JSONStoreReader(parser).read(into: &builder)
    } catch {
      throw Self.failure(error, in: bytes)
    }
  }

  func place(of subject: AtomicDocumentFailure.Subject, _ layouts: [EntityLayout]) -> (
    line: Int, column: Int
  )? {
    let id = "\(subject.object.entity.entity.name)/p\(subject.object.key)"
    var parser = parser
    var found: Int?
    try? parser.readMembers { parser, key, _ throws(Failure) in
      guard key == Key.objects else {
        _ = try parser.value()
        return true
      }
      try parser.readItems { parser throws(Failure) in
        let node = try parser.value()
        guard found == nil, case .object(let members) = node.content,
          members.contains(where: { $0.key == Key.id && $0.value.value == .string(id) })
        else { return }
        found = members.first { $0.key == subject.property }?.keyOffset ?? node.offset
      }
      return false
    }
    return found.map { TextPositions(bytes).position(of: $0) }
  }

  private static func failure(_ failure: Failure, in bytes: [UInt8]) -> AtomicDocumentFailure {
    AtomicDocumentFailure(message: failure.message, place: TextPositions(bytes).position(of: failure.offset))
  }

  // MARK: Header

  private static func header(_ parser: JSONParser) throws(Failure) -> Header {
    var parser = parser
    var header = Header()
    try parser.readMembers { parser, key, offset throws(Failure) in
      try header.note(key, offset)
      if key == Key.objects, header.seen.isSuperset(of: Key.header) { return false }
      try header.read(key, &parser)
      return true
    }
    // Another text is no damaged store.
    if header.seen.contains(Key.format), let failure = header.unknownKey { throw failure }
    return header
  }

  /// What a text says of itself.
  private struct Header {
    private(set) var seen: Set<String> = []
    private var format: Int?
    private var writer: String?
    private var identifier: UUID?
    private var values: [String: Value] = [:]
    private var model: String?

    /// The failure of the first key that is none of a store's, which the next save would lose.
    private(set) var unknownKey: Failure?

    /// Takes note of a key, which a store has at most once.
    mutating func note(_ key: String, _ offset: Int) throws(Failure) {
      if unknownKey == nil, !Key.all.contains(key) {
        unknownKey = Failure(offset: offset, message: "A store has no key \"\(key.prefix(80))\".")
      }
      guard seen.insert(key).inserted else {
        throw Failure(offset: offset, message: "The key \"\(key)\" occurs twice.")
      }
    }

    mutating func read(_ key: String, _ parser: inout JSONParser) throws(Failure) {
      let offset = parser.offset
      switch key {
      case Key.format:
        guard case .number(let text) = try parser.value().content, let version = Int(text), version > 0 else {
          throw Failure(offset: offset, message: "This is no version of the form.")
        }
        format = version
      case Key.objects: try parser.readItems { parser throws(Failure) in _ = try parser.value() }
      case Key.model:
        let node = try parser.value()
        guard case .null = node.content else {
          model = String(decoding: parser.text(from: offset), as: UTF8.self) + "\n"
          return
        }
      case Key.writer: writer = text(try parser.value())
      case Key.identifier:
        identifier = text(try parser.value()).flatMap { UUID(uuidString: $0) }
        if identifier == nil { throw Failure(offset: offset, message: "This is no UUID.") }
      case Key.metadata: values = try metadata(&parser)
      default: _ = try parser.value()
      }
    }

    private func text(_ node: JSONNode) -> String? {
      if case .string(let text) = node.content { text } else { nil }
    }

    private func metadata(_ parser: inout JSONParser) throws(Failure) -> [String: Value] {
      var values: [String: Value] = [:]
      try parser.readMembers { parser, key, offset throws(Failure) in
        let node = try parser.value()
        guard let value = JSONMetadata.value(node.value) else {
          throw Failure(offset: node.offset, message: "This is no value of metadata.")
        }
        guard values.updateValue(value, forKey: key) == nil else {
          throw Failure(offset: offset, message: "The key \"\(key)\" occurs twice.")
        }
        return true
      }
      return values
    }

    /// - Throws: a failure of any kind, for what is missing or of another version.
    func metadata() throws(AtomicDocumentFailure) -> StoreMetadata {
      guard let format else {
        throw AtomicDocumentFailure(
          kind: .notAStore, message: "It is a JSON text without the key \"\(Key.format)\", which stores have."
        )
      }
      guard format <= JSONStoreFormat.version else {
        throw AtomicDocumentFailure(
          kind: .newerFormat,
          message:
            "It has format \(format), written by \(writer ?? "an unknown version"); this version knows formats "
            + "up to \(JSONStoreFormat.version).")
      }
      guard let identifier else {
        throw AtomicDocumentFailure(message: "The key \"\(Key.identifier)\" is missing.")
      }
      var values = values
      values[StoreMetadata.Key.model] = model.map { .string($0) }
      return StoreMetadata(identifier: identifier, values: values)
    }
  }
}
