import Foundation
import GraphStorePredicates

/// Writer whose cells are plain text: all but the JSON ones.
///
/// A conforming class says where a cell begins and ends and how free text is made safe; the rest is the same
/// for all.
protocol PlainResultWriter: ResultWriter {
  /// Where a cell's text goes.
  var cells: OutputBuffer { get }
  var timeZone: TimeZone? { get }
  /// What stands between the ids of a to-many cell.
  var referenceSeparator: StaticString { get }
  /// The list of ids that is being written.
  var references: ReferenceList { get set }

  func beginCell()
  func endCell()
}

/// State of a list of ids that is being written.
enum ReferenceList: Sendable {
  case none
  case empty
  case filled
}

extension PlainResultWriter {
  var isForPeople: Bool { true }

  func beginRow(_ entity: EntityLabel, key: Int64) { beginRow() }

  func bool(_ value: Bool) {
    beginCell()
    if value { cells.append(literal: "true") } else { cells.append(literal: "false") }
    endCell()
  }

  func integer(_ value: Int64) {
    beginCell()
    cells.append(integer: value)
    endCell()
  }

  func double(_ value: Double) {
    beginCell()
    if value.isFinite { cells.append(double: value) } else { cells.append(nonFinite: value) }
    endCell()
  }

  func float(_ value: Float) {
    beginCell()
    if value.isFinite { cells.append(float: value) } else { cells.append(nonFinite: Double(value)) }
    endCell()
  }

  func decimal(_ value: DecimalNumeral) {
    beginCell()
    cells.append(decimal: value)
    endCell()
  }

  func date(_ seconds: Double) {
    beginCell()
    cells.append(date: seconds, in: timeZone)
    endCell()
  }

  func uuid(_ bytes: UnsafeBufferPointer<UInt8>) {
    beginCell()
    unsafe cells.append(uuid: bytes)
    endCell()
  }

  func uri(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe text(utf8) }

  /// Who reads a table is told what the data are; those that programs read have them.
  func data(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe text(BinaryLabel.text(of: bytes)) }

  func reference(_ entity: EntityLabel, key: Int64, isTemporary: Bool) {
    switch references {
    case .none: beginCell()
    case .empty: references = .filled
    case .filled: cells.append(literal: referenceSeparator)
    }
    cells.append(entity, key: key, isTemporary: isTemporary)
    if case .none = references { endCell() }
  }

  func beginReferences() {
    beginCell()
    references = .empty
  }

  func endReferences() {
    references = .none
    endCell()
  }

  func json(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe text(utf8) }
}
