import Foundation
import GraphStore

/// Rule on uniqueness constraints that the store's own model does not have, and that its objects break.
enum NotUniqueRule: StoreRule {
  static let rule = ModelRule.notUnique

  static func check(_ entity: StoredEntity, report: inout LintReport) throws {
    let known = Set(entity.source.uniquenessConstraints.map { Set($0.map(\.name)) })
    for (position, constraint) in entity.entity.ownUniquenessConstraints.enumerated() {
      let names = constraint.compactMap { entity.property(for: $0)?.name }
      // Objects cannot be read in the order of what they refer to.
      guard names.count == constraint.count, constraint.allSatisfy({ $0 is AttributeDescription }),
        !known.contains(Set(names))
      else { continue }
      let duplicates = try duplicates(of: names, in: entity)
      guard duplicates > 0 else { continue }
      report.add(
        at: entity.path.item("uniquenessConstraints", position),
        "\(entity.phrase(duplicates)) of \(entity.count) \(duplicates == 1 ? "has" : "have") the same "
          + "\(constraint.map(\.name).joined(separator: ", ")) as another one.")
    }
  }

  /// How many objects have the values of an object before them; they are read in the order of the values, so
  /// that memory does not grow with their number.
  private static func duplicates(of names: [String], in entity: StoredEntity) throws -> Int {
    var request = FetchRequest(entityName: entity.source.name)
    request.predicate = .all(of: names.map { .compare(.key($0), .notEqual, .constant(Value.null)) })
    request.sortDescriptors = try names.map { name throws(QueryPredicateError) in
      try QuerySortDescriptor(parsing: "#" + name)
    }
    var last: [[UInt8]]?
    var count = 0
    try entity.context.enumerateFields(request, keyPaths: names) { row in
      let values = names.indices.map { field in
        var bytes = FieldBytes()
        row.visit(field, &bytes)
        return bytes.bytes
      }
      if values == last { count += 1 }
      last = values
    }
    return count
  }
}

/// Canonical encoding of a field's value: bytes that are equal exactly for equal values of one attribute.
struct FieldBytes: FieldVisitor {
  private(set) var bytes: [UInt8] = []

  mutating func null() {}
  mutating func boolean(_ value: Bool) { bytes.append(value ? 1 : 0) }
  mutating func integer(_ value: Int64) { append(value) }
  mutating func double(_ value: Double, isSingle: Bool) { append(value == 0 ? 0 : value) }
  mutating func decimal(_ value: Decimal) { bytes += Array("\(value)".utf8) }
  mutating func decimal(whole: Int64) { bytes += Array("\(whole)".utf8) }
  mutating func decimal(double: Double) { bytes += Array("\(Decimal(shortestTextOf: double))".utf8) }
  mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe bytes += Array(utf8) }
  mutating func date(_ seconds: Double) { append(seconds == 0 ? 0 : seconds) }
  mutating func uuid(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes += Array(bytes) }
  mutating func uri(_ utf8: UnsafeBufferPointer<UInt8>) { unsafe bytes += Array(utf8) }
  mutating func data(_ bytes: UnsafeBufferPointer<UInt8>) { unsafe self.bytes += Array(bytes) }
  mutating func reference(_ entityName: String, _ key: Int64) { append(key) }
  mutating func beginList() {}
  mutating func endList() {}

  private mutating func append<Number>(_ number: Number) {
    unsafe withUnsafeBytes(of: number) { unsafe bytes += Array($0) }
  }
}
