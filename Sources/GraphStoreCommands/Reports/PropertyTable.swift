import Foundation
import GraphStore

/// One record of names and values that belong to no object.
struct PropertyTable: ResultTask {
  static let showsObjects = false
  private var rows: [(name: String, value: Value)] = []

  mutating func add(_ name: String, _ value: Value) { rows.append((name, value)) }

  func run(_ writer: some ResultWriter) throws {
    var visitor = CellVisitor(writer, EntityLabels())
    writer.begin(columns: rows.map { OutputColumn($0.name) })
    writer.beginRow()
    for row in rows { visitor.show(row.value) }
    try writer.endRow()
    try writer.end()
  }
}

/// Records of a name and a value.
struct PropertyList: ResultTask {
  static let showsObjects = false
  var rows: [(name: String, value: Value)]
  /// The names of the two columns.
  var names = ("key", "value")

  func run(_ writer: some ResultWriter) throws {
    var visitor = CellVisitor(writer, EntityLabels())
    writer.begin(columns: [OutputColumn(names.0), OutputColumn(names.1)])
    for row in rows {
      writer.beginRow()
      writer.text(row.name)
      visitor.show(row.value)
      try writer.endRow()
    }
    try writer.end()
  }
}

extension CellVisitor {
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
