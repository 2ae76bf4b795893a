import Foundation
import GraphStore
import GraphStoreReports

/// Reader of the lines of objects of a dump into a store that is being filled.
///
/// A column that a line lacks has no value.
final class DumpObjectReader {
  /// Why a line is no object of the store.
  struct Failure: Error {
    let diagnostic: Diagnostic
    /// The place of the field among those of the line.
    var field: Int?
  }

  /// Columns by the numbers of names, for one entity.
  private struct Names {
    /// -1 for a name that was not met yet, -2 for the identifier's.
    var columns: [Int] = []
  }

  private let filling: StoreFilling
  private let values: DumpValueReader
  private var references: DumpReferences
  private var names: [Names]
  /// By entity and column.
  private let kinds: [[DumpColumnKind]]

  private static let unmet = -1
  private static let identifier = -2

  init(_ filling: StoreFilling) {
    self.filling = filling
    values = DumpValueReader(filling)
    references = DumpReferences(filling)
    names = filling.shapes.map { _ in Names() }
    kinds = filling.shapes.map { shape in shape.columns.map { DumpColumnKind($0.content) } }
  }

  /// Opens the object of a line, and sets its values.
  func read(_ record: Record) throws(Failure) {
    let (entity, key) = try self.identifier(of: record)
    filling.begin(entityAt: entity, key: key, line: record.line)
    for place in unsafe record.fields.indices {
      let field = unsafe record.fields[place]
      let column = try self.column(of: field, place, entity, record)
      if column >= 0, field.kind != .null { try set(field, place, column, entity, record) }
    }
  }

  /// The entity and the number of the object, which the line says in any place.
  private func identifier(of record: Record) throws(Failure) -> (entity: Int, key: Int64) {
    for place in unsafe record.fields.indices {
      let field = unsafe record.fields[place]
      guard field.kind == .string, Self.identifierKeys.contains(record.name(field)) else { continue }
      if let found = unsafe references.reference(record.bytes(field)) {
        guard filling.shapes[found.entity].entity.identifierKey == record.name(field) else { continue }
        return found
      }
      if place == 0 { throw badReference(record.text(field), place) }
    }
    throw Failure(
      diagnostic: Diagnostic(
        code: "bad-id", message: "the line has no id of an object",
        hints: ["an id is written as \"Employee/p1\""], exitCode: .dataError))
  }

  private static let identifierKeys: Set<String> = ["id", "objectID", "self"]

  /// The column of a name; negative for the identifier.
  @inline(__always)
  private func column(
    of field: Record.Field, _ place: Int, _ entity: Int, _ record: Record
  ) throws(Failure) -> Int {
    let number = Int(field.name)
    if number < names[entity].columns.count {
      let column = names[entity].columns[number]
      if column != Self.unmet { return column }
    }
    return try newColumn(of: field, place, entity, record)
  }

  @inline(never)
  private func newColumn(
    of field: Record.Field, _ place: Int, _ entity: Int, _ record: Record
  ) throws(Failure) -> Int {
    let (name, shape) = (record.name(field), filling.shapes[entity])
    let found: Int
    if let column = shape.column(named: name) {
      found = column
    } else if name == shape.entity.identifierKey {
      found = Self.identifier
    } else {
      let known = shape.columns.map(\.name)
      throw Failure(
        diagnostic: Diagnostic(
          code: GraphStoreError.Code.unknownKey.rawValue,
          message: "\(shape.entity.name) has no attribute or relationship \"\(name)\" that a dump has",
          hints: ["it has \(known.joined(separator: ", "))"],
          suggestions: NearestNames.names(near: name, among: known), entity: shape.entity.name,
          property: name, exitCode: .dataError), field: place)
    }
    let number = Int(field.name)
    while names[entity].columns.count <= number { names[entity].columns.append(Self.unmet) }
    names[entity].columns[number] = found
    return found
  }

  // MARK: Values

  @inline(__always)
  private func set(
    _ field: Record.Field, _ place: Int, _ column: Int, _ entity: Int, _ record: Record
  ) throws(Failure) {
    switch kinds[entity][column] {
    case .toOne: try setReference(field, place, column, record)
    case .toMany: try setMembers(field, place, column, record)
    case let kind:
      if !values.read(field, of: record, kind, column) {
        try readByModel(field, place, column, entity, record)
      }
    }
  }

  /// Reads a value that is not in its usual form as the model reads JSON, which says what is wrong with it.
  @inline(never)
  private func readByModel(
    _ field: Record.Field, _ place: Int, _ column: Int, _ entity: Int, _ record: Record
  ) throws(Failure) {
    guard case .attribute(let attribute) = filling.shapes[entity].columns[column].content else { return }
    do throws(ValueConversionError) {
      filling.setValue(try attribute.value(fromJSON: DumpValueReader.json(field, record)), column)
    } catch {
      throw failure(error, attribute, place)
    }
  }

  private func failure(
    _ error: ValueConversionError, _ attribute: AttributeDescription, _ place: Int
  ) -> Failure {
    Failure(
      diagnostic: Diagnostic(
        code: GraphStoreError.Code.valueType.rawValue, message: DiagnosticMapper.sentence(error.message),
        entity: attribute.entity.name,
        property: attribute.name, exitCode: .dataError), field: place)
  }

  private func setReference(
    _ field: Record.Field, _ place: Int, _ column: Int, _ record: Record
  ) throws(Failure) {
    guard field.kind == .string, let found = unsafe references.reference(record.bytes(field)) else {
      throw badReference(record.text(field), place)
    }
    try linking(place) { try filling.setReference(entityAt: found.entity, key: found.key, column) }
  }

  private func setMembers(
    _ field: Record.Field, _ place: Int, _ column: Int, _ record: Record
  ) throws(Failure) {
    guard field.kind == .array else { throw badReference(record.text(field), place) }
    var members: [(entity: Int, key: Int64)] = []
    do throws(JSONError) {
      var reader = unsafe JSONReader(record.bytes(field))
      try reader.beginArray()
      while try reader.nextElement() {
        guard try reader.peek() == .string else { break }
        let slice = try reader.string()
        let text = unsafe reader.text(slice, scratch: record.scratch)
        guard let found = unsafe references.reference(text) else {
          throw JSONError(.unexpectedCharacter, reader.string(slice), at: slice.start)
        }
        members.append(found)
      }
      try reader.end()
    } catch {
      throw badReference(record.text(field), place)
    }
    try linking(place) { try filling.setMembers(members, column) }
  }

  private func linking(_ place: Int, _ body: () throws -> Void) throws(Failure) {
    do { try body() } catch {
      let diagnostic =
        (error as? GraphStoreError).map { DiagnosticMapper.diagnostic($0) }
        ?? Diagnostic(code: "failed", message: "\(error)")
      throw Failure(diagnostic: diagnostic, field: place)
    }
  }

  private func badReference(_ text: String, _ place: Int) -> Failure {
    let shown = text.count > 80 ? text.prefix(80) + "…" : text
    return Failure(
      diagnostic: Diagnostic(
        code: "bad-id", message: "\"\(shown)\" names no object that the store can have",
        hints: ["an id is written as \"Employee/p1\", with the name of an entity that is not abstract"],
        exitCode: .dataError), field: place)
  }
}

/// Reader of ids in a dump; the names of entities are looked up once.
struct DumpReferences {
  private let filling: StoreFilling
  private var known: [(name: [UInt8], entity: Int)] = []
  /// The place of the name that was met last.
  private var last = 0

  init(_ filling: StoreFilling) { self.filling = filling }

  /// The entity and the number that an id names; nil for other text.
  mutating func reference(_ utf8: UnsafeBufferPointer<UInt8>) -> (entity: Int, key: Int64)? {
    guard let slash = unsafe utf8.lastIndex(of: UInt8(ascii: "/")), slash + 2 < utf8.count,
      unsafe utf8[slash + 1] == UInt8(ascii: "p"),
      let key = unsafe ReferenceText.number(utf8, from: slash + 2),
      let entity = unsafe entity(UnsafeBufferPointer(rebasing: utf8[..<slash]))
    else { return nil }
    return (entity, key)
  }

  private mutating func entity(_ name: UnsafeBufferPointer<UInt8>) -> Int? {
    if last < known.count, unsafe isName(known[last].name, name) { return known[last].entity }
    if let place = known.firstIndex(where: { unsafe isName($0.name, name) }) {
      last = place
      return known[place].entity
    }
    guard let entity = unsafe filling.entity(named: String(decoding: name, as: UTF8.self)) else { return nil }
    last = known.count
    unsafe known.append((Array(name), entity))
    return entity
  }

  private func isName(_ known: [UInt8], _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    unsafe known.count == name.count && known.elementsEqual(name)
  }
}
