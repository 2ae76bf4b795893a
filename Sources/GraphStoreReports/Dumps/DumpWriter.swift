import Foundation
import GraphStore

/// Writer of a whole store as text: its form, then its objects, an object a line, then their number.
package struct DumpWriter {
  private let contents: StoreContents
  private let output: OutputBuffer
  private let options: WriterOptions
  private let labels = EntityLabels()

  /// A writer of a store's contents.
  package init(_ contents: StoreContents, to output: OutputBuffer, options: WriterOptions) {
    self.contents = contents
    self.output = output
    self.options = options
  }

  /// Writes all of it.
  ///
  /// - Parameter onObject: Is told the number of each object, from 1; what it throws ends the dump.
  /// - Returns: The number of objects.
  package func run(_ onObject: (Int) throws -> Void) throws -> Int {
    try writeHeader()
    var count = 0
    let lines = contents.shapes.map(line)
    for root in contents.roots {
      try contents.forEachObject(ofTree: root) { object in
        try lines[object.shape.entity.index].write(object)
        count += 1
        try onObject(count)
      }
    }
    writeEnd(count)
    try output.flush()
    return count
  }

  private func line(_ shape: StoredShape) -> DumpLine {
    DumpLine(shape, JSONResultWriter(output, options, isArray: false), labels, contents)
  }

  /// The first line, in which nothing can do more on a terminal than be read.
  private func writeHeader() throws {
    guard options.terminal.isTerminal else {
      var writer = DumpHeaderWriter(output)
      return writer.write(contents.form)
    }
    let text = OutputBuffer.memory()
    var writer = DumpHeaderWriter(text)
    writer.write(contents.form)
    unsafe output.append(visibleJSON: text.bytes)
  }

  private func writeEnd(_ count: Int) {
    var json = JSONBuilder(output)
    json.beginObject()
    json.member(DumpFormat.endKey, count)
    json.endObject()
    output.append(byte: 0x0A)
  }
}

/// The lines of the objects of one entity.
private struct DumpLine {
  private let writer: JSONResultWriter
  private let labels: EntityLabels
  private let contents: StoreContents
  private let columns: Int

  init(
    _ shape: StoredShape, _ writer: JSONResultWriter, _ labels: EntityLabels, _ contents: StoreContents
  ) {
    self.writer = writer
    self.labels = labels
    self.contents = contents
    columns = shape.columns.count
    writer.begin(
      columns: [OutputColumn(shape.entity.identifierKey)] + shape.columns.map { OutputColumn($0.name) })
  }

  func write(_ object: StoredObject) throws {
    var visitor = DumpVisitor(writer, labels)
    writer.beginRow()
    visitor.reference(object.entityName, object.key)
    for column in 0..<columns {
      do {
        try object.checkWidth(column)
        try object.visit(column, &visitor)
      } catch  where contents.isSalvage {
        // Nothing was shown of it.
        visitor.null()
        contents.addLoss(of: column, in: object)
      }
    }
    try writer.endRow()
  }
}

/// Adapter from the values of an object to JSON that says them all: text that is no UTF-8 is written as
/// bytes.
struct DumpVisitor: FieldVisitor {
  private let writer: JSONResultWriter
  private let labels: EntityLabels

  init(_ writer: JSONResultWriter, _ labels: EntityLabels) {
    self.writer = writer
    self.labels = labels
  }

  func null() { writer.null() }

  func boolean(_ value: Bool) { writer.bool(value) }

  func integer(_ value: Int64) { writer.integer(value) }

  func double(_ value: Double, isSingle: Bool) {
    if isSingle { writer.float(Float(value)) } else { writer.double(value) }
  }

  func decimal(_ value: Decimal) { writer.decimal(DecimalNumeral(value) ?? DecimalNumeral(0)) }

  func decimal(whole: Int64) { writer.decimal(DecimalNumeral(whole)) }

  func decimal(double: Double) { writer.decimal(DecimalNumeral(shortestTextOf: double)) }

  func text(_ utf8: UnsafeBufferPointer<UInt8>) {
    guard unsafe UTF8Check.firstMalformedByte(utf8) == nil else { return unsafe malformed(utf8) }
    unsafe writer.text(utf8)
  }

  @inline(never)
  private func malformed(_ bytes: UnsafeBufferPointer<UInt8>) {
    let json = OutputBuffer.memory()
    json.append("{\"\(DumpFormat.dataTag)\":\"")
    unsafe json.append(base64: bytes)
    json.append("\"}")
    unsafe writer.json(json.bytes)
  }

  func date(_ seconds: Double) { writer.date(seconds) }

  func uuid(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe writer.uuid(bytes) }

  func uri(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe text(utf8) }

  func data(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe writer.data(bytes) }

  func reference(_ entityName: String, _ key: Int64) {
    writer.reference(labels.label(entityName), key: key, isTemporary: false)
  }

  func beginList() { writer.beginReferences() }

  func endList() { writer.endReferences() }
}
