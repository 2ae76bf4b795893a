import Foundation
import GraphStoreSQLite
import Testing

@testable import GraphStore

/// The version of a row (`Z_OPT`), which each saved update raises and asks for.
@Suite("Row versions")
struct RowVersionTests {
  /// Reads the file as another program does.
  private func text(_ stack: TestStack, _ sql: String) throws -> String {
    let raw = try SQLiteConnection(path: stack.path, mode: .readOnly)
    defer { raw.close() }
    return try raw.string(sql) ?? "NULL"
  }

  private func change(_ stack: TestStack, _ sql: String) throws {
    let raw = try SQLiteConnection(path: stack.path, mode: .readWrite)
    defer { raw.close() }
    try raw.execute(sql)
  }

  private func things(_ values: [String: Any]) throws -> (TestStack, ManagedObject) {
    let stack = try TestStack(TestModels.types)
    let thing = try stack.context.insert("Thing", values)
    try stack.context.save()
    return (stack, thing)
  }

  @Test("STO-231: Z_OPT is 1 after the insertion and grows by 1 with each saved update")
  func versions() throws {
    let (stack, thing) = try things(["text": "a"])
    for version in 1...4 {
      #expect(try text(stack, "SELECT Z_PK || ' ' || Z_ENT || ' ' || Z_OPT FROM ZTHING") == "1 1 \(version)")
      try thing.setValue("v\(version)", forKey: "text")
      try stack.context.save()
    }
  }

  @Test("STO-248: a change of a transient attribute alone writes no row")
  func transient() throws {
    let (stack, thing) = try things(["text": "a"])
    try thing.setValue("x", forKey: "passing")
    let statements = try stack.recordedStatements { try stack.context.save() }
    // It is looked at: somebody else may have changed the record (CTX-105).
    #expect(!statements.contains { $0.contains("ZTHING") && !$0.hasPrefix("SELECT") })
    #expect(try text(stack, "SELECT Z_OPT FROM ZTHING") == "1")
  }

  @Test("CTX-479: where nobody else has saved, the conflict check of 1,000 changed objects runs no statement")
  func unchangedVersions() throws {
    let (stack, _) = try things(["text": "a"])
    for number in 1..<1_000 { try stack.context.insert("Thing", ["text": "\(number)"]) }
    try stack.context.save()
    for thing in try stack.context.all("Thing") { try thing.setValue("changed", forKey: "text") }
    let statements = try stack.recordedStatements { try stack.context.save() }
    let rows = statements.filter { $0.contains("ZTHING") }
    #expect(rows.count == 1_000 && rows.allSatisfy { $0.hasPrefix("UPDATE") })
    #expect(try text(stack, "SELECT count(*) || ' ' || min(Z_OPT) FROM ZTHING") == "1000 2")
  }

  @Test("STO-249: an update sets the changed columns and Z_OPT, and asks for the key and the old version")
  func updates() throws {
    let (stack, thing) = try things(["text": "a", "small": 1, "ratio": 0.5])
    try thing.setValue("b", forKey: "text")
    try thing.setValue(2, forKey: "small")
    let updates = try stack.recordedStatements { try stack.context.save() }.filter { $0.hasPrefix("UPDATE") }
    try #require(updates.count == 1)
    let parts = updates[0].split(separator: " WHERE ")
    try #require(parts.count == 2)
    for (column, isSet) in [
      ("ZTEXT", true), ("ZSMALL", true), ("Z_OPT", true), ("ZRATIO", false), ("ZFLAG", false),
    ] {
      #expect(parts[0].contains(column) == isSet, "\(column)")
    }
    #expect(parts[1].contains("Z_PK") && parts[1].contains("Z_OPT"))
    try change(stack, "UPDATE ZTHING SET Z_OPT = Z_OPT + 1, ZTEXT = 'theirs'")
    try thing.setValue("c", forKey: "text")
    #expect { try stack.context.save() } throws: { ($0 as? GraphStoreError)?.code == .mergeConflict }
    #expect(try text(stack, "SELECT ZTEXT || Z_OPT FROM ZTHING") == "theirs3")
  }
}
