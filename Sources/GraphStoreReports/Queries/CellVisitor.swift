import Foundation
import GraphStore

/// Adapter from the fields of a record to a result writer: each value is one cell, in the form in which it
/// comes.
struct CellVisitor<Writer: ResultWriter>: FieldVisitor {
  let writer: Writer
  let labels: EntityLabels
  /// The list that is open; a list of references goes to the writer, every other one is gathered as JSON.
  private var list = List.none
  private var json = JSONResultBuffer()
  /// Whether archives of transformable attributes are shown as the values that they hold.
  let decodes: Bool
  /// Whether the bytes that come are such an archive.
  var decodesArchives = false

  private enum List {
    case none
    case empty
    case references
    case values(depth: Int)
  }

  init(_ writer: Writer, _ labels: EntityLabels, decodes: Bool = false) {
    self.writer = writer
    self.labels = labels
    self.decodes = decodes
  }

  mutating func null() {
    if isInList { return json.writer.null() }
    writer.null()
  }

  mutating func boolean(_ value: Bool) {
    if isInList { return json.writer.bool(value) }
    writer.bool(value)
  }

  mutating func integer(_ value: Int64) {
    if isInList { return json.writer.integer(value) }
    writer.integer(value)
  }

  mutating func double(_ value: Double, isSingle: Bool) {
    if isInList { return isSingle ? json.writer.float(Float(value)) : json.writer.double(value) }
    if isSingle { writer.float(Float(value)) } else { writer.double(value) }
  }

  mutating func decimal(_ value: Decimal) { decimal(DecimalNumeral(value) ?? DecimalNumeral(0)) }

  mutating func decimal(whole: Int64) { decimal(DecimalNumeral(whole)) }

  mutating func decimal(double: Double) { decimal(DecimalNumeral(shortestTextOf: double)) }

  private mutating func decimal(_ value: DecimalNumeral) {
    if isInList { return json.writer.decimal(value) }
    writer.decimal(value)
  }

  mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    if isInList { return unsafe json.writer.text(utf8) }
    unsafe writer.text(utf8)
  }

  mutating func date(_ seconds: Double) {
    if isInList { return json.writer.date(seconds) }
    writer.date(seconds)
  }

  mutating func uuid(_ bytes: UnsafeBufferPointer<UInt8>) {
    if isInList { return unsafe json.writer.uuid(bytes) }
    unsafe writer.uuid(bytes)
  }

  mutating func uri(_ utf8: UnsafeBufferPointer<UInt8>) {
    if isInList { return unsafe json.writer.uri(utf8) }
    unsafe writer.uri(utf8)
  }

  mutating func data(_ bytes: UnsafeBufferPointer<UInt8>) {
    if decodesArchives { return unsafe archive(bytes) }
    if isInList {
      return unsafe writer.isForPeople
        ? json.writer.text(BinaryLabel.text(of: bytes)) : json.writer.data(bytes)
    }
    unsafe writer.data(bytes)
  }

  mutating func reference(_ entityName: String, _ key: Int64) {
    // What is not saved yet is in no store.
    reference(key < 0 ? labels.label(entityName, in: nil) : labels.label(entityName), key)
  }

  mutating func reference(_ id: ManagedObjectID) {
    reference(labels.label(id.entity.name, in: id.storeName), id.number)
  }

  private mutating func reference(_ label: EntityLabel, _ key: Int64) {
    let number = key < 0 ? -key : key
    switch list {
    case .none, .references: writer.reference(label, key: number, isTemporary: key < 0)
    case .empty:
      list = .references
      writer.beginReferences()
      writer.reference(label, key: number, isTemporary: key < 0)
    case .values:
      json.separate()
      json.writer.reference(label, key: number, isTemporary: key < 0)
    }
  }

  mutating func beginList() {
    switch list {
    case .none: list = .empty
    case .empty, .references:
      list = .values(depth: 2)
      json.open()
      json.open()
    case .values(let depth):
      list = .values(depth: depth + 1)
      json.open()
    }
  }

  mutating func endList() {
    switch list {
    case .none: break
    case .empty:
      writer.beginReferences()
      writer.endReferences()
      list = .none
    case .references:
      writer.endReferences()
      list = .none
    case .values(let depth):
      json.close()
      leave(depth)
    }
  }

  /// Begins a list whose members may be dictionaries, which is JSON in one cell.
  mutating func beginValues() {
    if case .values(let depth) = list { list = .values(depth: depth + 1) } else { list = .values(depth: 1) }
    json.open()
  }

  /// Begins a dictionary, which is JSON in one cell.
  mutating func beginDictionary() {
    switch list {
    case .none: list = .values(depth: 1)
    case .empty, .references:
      list = .values(depth: 2)
      json.open()
    case .values(let depth): list = .values(depth: depth + 1)
    }
    json.open("{")
  }

  /// Names the member of a dictionary whose value is shown next.
  mutating func key(_ name: String) { json.key(name) }

  mutating func endDictionary() {
    guard case .values(let depth) = list else { return }
    json.close("}")
    leave(depth)
  }

  /// Leaves a list or dictionary; the outermost one is handed to the writer.
  private mutating func leave(_ depth: Int) {
    if depth > 1 {
      list = .values(depth: depth - 1)
    } else {
      unsafe json.consume { unsafe writer.json($0) }
      list = .none
    }
  }

  /// Whether a list is open, which a value that is no reference makes one of values.
  @inline(__always)
  private var isInList: Bool {
    mutating get {
      if case .none = list { return false }
      return enterValue()
    }
  }

  private mutating func enterValue() -> Bool {
    if case .values = list {
    } else {
      list = .values(depth: 1)
      json.open()
    }
    json.separate()
    return true
  }
}

extension CellVisitor {
  /// Begins the row of a record.
  @inline(__always)
  mutating func beginRow(_ row: some FieldRow) {
    let (name, key) = (row.entityName, row.key)
    labels.enter(row)
    writer.beginRow(key < 0 ? labels.label(name, in: nil) : labels.label(name), key: key < 0 ? -key : key)
  }

  /// Shows a value.
  mutating func show(_ value: Value) {
    switch value {
    case .null: null()
    case .bool(let flag): boolean(flag)
    case .int(let number): integer(number)
    case .double(let number): double(number, isSingle: false)
    case .decimal(let number): decimal(number)
    case .string(var text): text.withUTF8 { unsafe self.text($0) }
    case .date(let date): self.date(date.timeIntervalSinceReferenceDate)
    case .uuid(let uuid):
      unsafe withUnsafeBytes(of: uuid.uuid) { unsafe self.uuid($0.bindMemory(to: UInt8.self)) }
    case .uri(let uri):
      var text = uri.absoluteString
      text.withUTF8 { unsafe self.uri($0) }
    case .data(let data): unsafe Array(data).withUnsafeBufferPointer { unsafe self.data($0) }
    case .object(let reference):
      var text = reference.uriText
      text.withUTF8 { unsafe self.uri($0) }
    case .list(let members):
      beginList()
      for member in members { show(member) }
      endList()
    case .dictionary(let members):
      beginDictionary()
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        key(name)
        show(member)
      }
      endDictionary()
    }
  }
}
