import Foundation
import GraphStoreModel
import GraphStorePredicates
import Testing

@testable import GraphStore

/// Numbers that change their types.
struct NumberConversionTests {
  /// A change of type, with values that have an equal there and values that have none.
  private struct Change: @unchecked Sendable {
    let old: AttributeType
    let new: AttributeType
    let exact: [(Any, String)]
    var inexact: [(Any, String)] = []
    var impossible: [Any] = []

    var name: String { "\(old.rawValue)_\(new.rawValue)" }
  }

  private static func decimal(_ text: String) -> Decimal { Decimal(string: text)! }

  private static let changes: [Change] = [
    Change(
      old: .int64, new: .int16,
      exact: [(Int64(0), "0"), (Int64(-32768), "-32768"), (Int64(32767), "32767"), (Int64(300), "300")],
      impossible: [Int64(32768), Int64(-32769), Int64(70_000), Int64.max, Int64.min]),
    Change(
      old: .int64, new: .int32,
      exact: [(Int64(Int32.max), "2147483647"), (Int64(Int32.min), "-2147483648")],
      impossible: [Int64(Int32.max) + 1, Int64(Int32.min) - 1]),
    Change(
      old: .int32, new: .int16, exact: [(Int32(-1), "-1")], impossible: [Int32(32768), Int32.min]),
    Change(
      old: .int16, new: .int64, exact: [(Int16.max, "32767"), (Int16.min, "-32768"), (Int16(0), "0")]),
    Change(
      old: .int64, new: .double,
      exact: [
        (Int64(1) << 53, "9007199254740992.0"), (Int64.min, "\(Double(Int64.min))"), (Int64(-3), "-3.0"),
      ], inexact: [(Int64(1) << 53 + 1, "9007199254740992.0"), (Int64.max, "\(Double(Int64.max))")]),
    Change(
      old: .int64, new: .float,
      exact: [(Int64(1) << 24, "16777216.0"), (Int64(1) << 40, "1099511627776.0"), (Int64(5), "5.0")],
      inexact: [(Int64(1) << 24 + 1, "16777216.0")]),
    Change(
      old: .int32, new: .float, exact: [(Int32.min, "-2147483648.0")],
      inexact: [(Int32.max, "2147483648.0"), (Int32(16_777_217), "16777216.0")]),
    Change(old: .int32, new: .double, exact: [(Int32.max, "2147483647.0"), (Int32.min, "-2147483648.0")]),
    Change(old: .int16, new: .float, exact: [(Int16.max, "32767.0"), (Int16.min, "-32768.0")]),
    Change(
      old: .int64, new: .decimal,
      exact: [
        (Int64.max, "9223372036854775807"), (Int64.min, "-9223372036854775808"), (Int64(0), "0"),
        (Int64(1) << 53 + 1, "9007199254740993"),
      ]),
    Change(old: .int16, new: .decimal, exact: [(Int16(-7), "-7"), (Int16(0), "0")]),
    Change(
      old: .decimal, new: .int16, exact: [(decimal("32767"), "32767"), (decimal("-32768"), "-32768")],
      inexact: [(decimal("0.5"), "0"), (decimal("1.5"), "2"), (decimal("-2.7"), "-3")],
      impossible: [decimal("32768"), decimal("1e30")]),
    Change(
      old: .decimal, new: .int64,
      exact: [
        (decimal("9223372036854775807"), "9223372036854775807"),
        (decimal("-9223372036854775808"), "-9223372036854775808"), (decimal("5.000"), "5"),
      ],
      inexact: [(decimal("9223372036854775806.7"), "9223372036854775807"), (decimal("0.1"), "0")],
      impossible: [
        decimal("9223372036854775808"), decimal("-9223372036854775809"),
        decimal("99999999999999999999999999999999999999"),
      ]),
    Change(
      old: .decimal, new: .double,
      exact: [
        (decimal("0.5"), "0.5"), (decimal("-1024"), "-1024.0"), (decimal("0.1"), "0.1"),
        (decimal("1152921504606846976"), "\(0x1p60)"), (decimal("-9223372036854775808"), "\(-0x1p63)"),
      ],
      inexact: [
        (decimal("1152921504606847000"), "\(0x1p60)"),
        (decimal("12345678901234567890123456789012345678"), "\(1.2345678901234567890123456789012345678e37)"),
      ]),
    Change(
      old: .double, new: .decimal,
      exact: [
        (0.5, "0.5"), (-3.25, "-3.25"), (1e20, "100000000000000000000"), (0.1, "0.1"),
        (0x1p60, "1152921504606846976"), (-0x1p63, "-9223372036854775808"),
      ],
      impossible: [Double.infinity, 1e300]),
    Change(
      old: .double, new: .float, exact: [(0.5, "0.5"), (1e10, "10000000000.0")],
      inexact: [(0.1, "\(Double(Float(0.1)))")], impossible: [1e300]),
    Change(
      old: .double, new: .int32, exact: [(2.0, "2"), (-0.0, "0"), (-2_147_483_648.0, "-2147483648")],
      inexact: [(2.5, "2"), (3.5, "4"), (-0.4, "0"), (2_147_483_647.4, "2147483647")],
      impossible: [2_147_483_647.5, 1e19, -Double.infinity, Double.infinity]),
    Change(
      old: .double, new: .int64, exact: [(-9.223372036854775808e18, "-9223372036854775808")],
      impossible: [9.223372036854775808e18]),
    Change(
      old: .float, new: .double, exact: [(Float(0.1), "\(Double(Float(0.1)))"), (Float(2), "2.0")]),
    Change(old: .float, new: .int16, exact: [(Float(5), "5")], inexact: [(Float(5.5), "6")]),
  ]

  /// A table for each change.
  private static func model(isNew: Bool) -> ModelDefinition {
    ModelDefinition(
      name: "Numbers",
      entities: changes.map { change in
        EntityDefinition(
          change.name, attributes: [AttributeDefinition("n", isNew ? change.new : change.old)])
      })
  }

  private static func store(_ values: (Change) -> [Any]) throws -> MigratedStore {
    try MigratedStore(model(isNew: false)) { context in
      for change in changes {
        try context.add(change.name)
        for value in values(change) { try context.add(change.name, ["n": value]) }
      }
    }
  }

  private static func lines(_ texts: (Change) -> [String]) -> Set<String> {
    Set(
      changes.flatMap { change in
        (["nil"] + texts(change)).enumerated().map { "\(change.name)/p\($0 + 1) n=\($1)" }
      })
  }

  @Test("MIG-080: numbers with an equal in the other type move there, nil stays nil")
  func exact() throws {
    let store = try Self.store { $0.exact.map(\.0) }
    #expect(
      try Set(store.migrated(to: Self.model(isNew: true))) == Self.lines { $0.exact.map(\.1) })
  }

  @Test(
    "MIG-080, MIG-121, MIG-122, MIG-054: numbers without an equal are refused, each change with its count")
  func inexact() throws {
    let store = try Self.store { $0.exact.map(\.0) + $0.inexact.map(\.0) + $0.impossible }
    let new = Self.model(isNew: true)
    let before = try store.contents(Self.model(isNew: false))
    let error = try expectFailure(.migrationConstraint) { try store.migrate(to: new) }
    let findings = try store.plan(to: new, checksData: true).findings
    let wanted = Self.changes.compactMap { change in
      let count = change.inexact.count + change.impossible.count
      return count == 0 ? nil : "\(change.name) \(count)"
    }
    #expect(Set(findings.map { "\($0.entity) \($0.count)" }) == Set(wanted))
    #expect(error.errors.map { $0.entity ?? "" } == findings.map(\.entity))
    let first = try #require(findings.first { $0.entity == "int64_int16" })
    #expect(first.property == "n" && first.examples.count == 5)
    #expect(first.examples[0].value == "32768" && first.examples[0].uri.hasSuffix("/int64_int16/p6"))
    #expect(try store.contents(Self.model(isNew: false)) == before)
  }

  @Test("MIG-123: with inexact conversion numbers are rounded to nearest")
  func rounded() throws {
    let store = try Self.store { $0.exact.map(\.0) + $0.inexact.map(\.0) }
    let there = try Set(store.migrated(to: Self.model(isNew: true)) { $0.allowsInexactConversion = true })
    let wanted = Self.lines { $0.exact.map(\.1) + $0.inexact.map(\.1) }
    #expect(there.symmetricDifference(wanted).sorted() == [])
  }

  @Test("MIG-123: what was rounded is told with its count, by sets and by objects", arguments: [true, false])
  func roundedCounts(bySets: Bool) throws {
    let store = try Self.store { $0.exact.map(\.0) + $0.inexact.map(\.0) }
    let result = try store.migrate(to: Self.model(isNew: true)) {
      ($0.allowsInexactConversion, $0.usesStoreSpecificMigrationManager) = (true, bySets)
    }
    let wanted = Self.changes.filter { !$0.inexact.isEmpty }.map { "\($0.name) \($0.inexact.count)" }
    #expect(Set(result.inexactFindings.map { "\($0.entity) \($0.count)" }) == Set(wanted))
  }

  @Test("MIG-123: with inexact conversion numbers out of range still refuse")
  func outOfRange() throws {
    let store = try Self.store { $0.impossible }
    let error = try expectFailure(.migrationConstraint) {
      try store.migrate(to: Self.model(isNew: true)) { $0.allowsInexactConversion = true }
    }
    let wanted = Self.changes.filter { !$0.impossible.isEmpty }.map(\.name)
    #expect(Set(error.errors.compactMap(\.entity)) == Set(wanted))
  }

  @Test("MIG-122: of many objects the count and the first ten are told")
  func firstTen() throws {
    let old = ModelDefinition.of(EntityDefinition("T", attributes: [AttributeDefinition("n", .int64)]))
    let store = try MigratedStore(old) { context in
      for number in 0..<25 { try context.insert("T", ["n": 70_000 + number]) }
    }
    let new = ModelDefinition.of(EntityDefinition("T", attributes: [AttributeDefinition("n", .int16)]))
    let error = try expectFailure(.migrationConstraint) { try store.migrate(to: new) }
    let examples = error.details.filter { $0.hasPrefix("T/p") }
    #expect(examples.count == 10 && error.message.contains("25"))
    #expect(Set(examples).count == 10)
  }
}
