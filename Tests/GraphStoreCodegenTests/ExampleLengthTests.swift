import Foundation
import GraphStoreTestSupport
import Testing

@Suite("The length of an example")
struct ExampleLengthTests {
  private static let sources = Repository.root.appendingPathComponent("Examples/staff/Sources")

  /// The lines of code of a program's model: every file but the program itself, without blank lines and
  /// comments.
  private func lines(_ target: String) throws -> Int {
    let folder = Self.sources.appendingPathComponent(target)
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0 != "Program.swift" }
      .reduce(0) { count, name in
        let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        return count
          + text.split(separator: "\n").map { $0.drop { $0 == " " } }.count {
            !$0.isEmpty && !$0.hasPrefix("//")
          }
      }
  }

  @Test("MDL-393: a model with generated classes is shorter by half and more than the same written by hand")
  func share() throws {
    let (short, long) = (try lines("Staff"), try lines("StaffByHand"))
    let saved = 1 - Double(short) / Double(long)
    #expect(saved >= 0.5, "\(short) lines instead of \(long)")
  }

  @Test("Both forms are run by the same program")
  func sameProgram() throws {
    let programs = try ["Staff", "StaffByHand"].map {
      try Data(contentsOf: Self.sources.appendingPathComponent("\($0)/Program.swift"))
    }
    #expect(programs[0] == programs[1])
  }
}
