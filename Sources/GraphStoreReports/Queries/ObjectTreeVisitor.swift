import Foundation
import GraphStore

/// Field visitor that shows related objects, each as a dictionary, in place of their ids.
struct ObjectTreeVisitor<Writer: ResultWriter>: FieldVisitor {
  private var cells: CellVisitor<Writer>
  /// The objects that the values may refer to.
  private var related: [ManagedObjectID: ObjectTree] = [:]

  init(_ cells: CellVisitor<Writer>) { self.cells = cells }

  /// Writes the row of an object.
  mutating func write(_ tree: ObjectTree) throws(OutputError) {
    cells.beginRow(tree.row)
    related = tree.related
    for field in tree.columns.fields { show(field, of: tree) }
    try cells.writer.endRow()
  }

  private mutating func show(_ field: Int, of tree: ObjectTree) {
    switch field {
    case ResultColumns.identifier: cells.reference(tree.row.objectID)
    case ResultColumns.absent: cells.null()
    default:
      if cells.decodes { cells.decodesArchives = tree.columns.archives[field] }
      tree.row.visit(field, &self)
    }
  }

  mutating func reference(_ id: ManagedObjectID) {
    guard let tree = related[id] else { return cells.reference(id) }
    let outer = related
    related = tree.related
    cells.beginDictionary()
    for (column, field) in zip(tree.columns.columns, tree.columns.fields) {
      cells.key(column.name)
      show(field, of: tree)
    }
    cells.endDictionary()
    related = outer
  }

  mutating func beginList() {
    if related.isEmpty { cells.beginList() } else { cells.beginValues() }
  }

  mutating func endList() { cells.endList() }

  mutating func reference(_ entityName: String, _ key: Int64) { cells.reference(entityName, key) }
  mutating func null() { cells.null() }
  mutating func boolean(_ value: Bool) { cells.boolean(value) }
  mutating func integer(_ value: Int64) { cells.integer(value) }
  mutating func double(_ value: Double, isSingle: Bool) { cells.double(value, isSingle: isSingle) }
  mutating func decimal(_ value: Decimal) { cells.decimal(value) }
  mutating func decimal(whole: Int64) { cells.decimal(whole: whole) }
  mutating func decimal(double: Double) { cells.decimal(double: double) }
  mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe cells.text(utf8) }
  mutating func date(_ seconds: Double) { cells.date(seconds) }
  mutating func uuid(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe cells.uuid(bytes) }
  mutating func uri(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe cells.uri(utf8) }
  mutating func data(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe cells.data(bytes) }
}
