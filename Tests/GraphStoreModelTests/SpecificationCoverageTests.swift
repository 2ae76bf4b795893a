import Foundation
import GraphStoreTestSupport
import Testing

@Suite("Which rules of the specification tests cite")
struct SpecificationCoverageTests {
  /// What the script said of a project.
  private struct Answer {
    var status: Int32
    var output: String
    var error: String
  }

  /// Runs `.ci/spec-coverage`; its text goes to files, so that neither side waits for the other.
  private func coverage(_ arguments: String...) throws -> Answer {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = [Repository.root.appendingPathComponent(".ci/spec-coverage").path] + arguments
    let folder = try TemporaryFolder()
    let files = try ["out", "err"].map {
      try FileHandle(forUpdating: URL(fileURLWithPath: folder.write("", to: $0)))
    }
    process.standardOutput = files[0]
    process.standardError = files[1]
    try process.run()
    process.waitUntilExit()
    let texts = try files.map { file in
      try file.seek(toOffset: 0)
      return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    }
    return Answer(status: process.terminationStatus, output: texts[0], error: texts[1])
  }

  /// A project with four rules, one of them void, and a test that cites one.
  private func project() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      # Apples

      | id | rule |
      |---|---|
      | QAA-001 | An apple is `red \\| green`. |
      | QAA-002 | It falls. |
      | QAA-003 | void: see QAA-002 |
      """, to: "Tests/Specification/01-apples.md")
    try folder.write("| QBB-001 | A pear hangs (QAA-002). |\n", to: "Tests/Specification/02-pears.md")
    try folder.write("QAA-009 is told on a page that holds no rules\n", to: "Tests/Specification/notes.txt")
    try folder.write("@Test(\"QAA-001: red\") // SHA-256, UTF-016\n", to: "Tests/AppleTests/AppleTests.swift")
    try folder.write("// QAA-002\n", to: "Sources/Apple/Apple.swift")
    return folder
  }

  @Test("Every id that tests, sources and the specification cite is a rule, and no id stands twice")
  func repository() throws {
    let answer = try coverage()
    #expect(answer.status == 0)
    #expect(answer.error == "")
    #expect(answer.output.contains("MDL  "))
    #expect(answer.output.hasSuffix("\n"))
  }

  @Test("A line for each file and the total; void rules and citations outside tests are not counted")
  func table() throws {
    let folder = try project()
    let answer = try coverage("--project", folder.path)
    #expect(answer.status == 0)
    #expect(
      answer.output == """
        QAA     1 of    2 rules cited by a test   01-apples.md
        QBB     0 of    1 rules cited by a test   02-pears.md
        all     1 of    3

        """)
  }

  @Test("The rules of one file, cited or missing")
  func rules() throws {
    let folder = try project()
    #expect(
      try coverage("QAA", "--project", folder.path).output
        == "cited    QAA-001  An apple is `red \\| green`.\nmissing  QAA-002  It falls.\n")
    #expect(
      try coverage("--missing", "QAA", "--project=\(folder.path)").output == "missing  QAA-002  It falls.\n")
    #expect(
      try coverage("--missing", "--project", folder.path).output
        == "missing  QAA-002  It falls.\nmissing  QBB-001  A pear hangs (QAA-002).\n")
  }

  @Test("An id that is no rule is named with its place, in tests, sources and rules")
  func unknown() throws {
    let folder = try project()
    try folder.write("\n// QAA-002, QAA-004 and xQAA-005\n", to: "Tests/AppleTests/Unknown.swift")
    try folder.write("A page (QBB-002).\n", to: "Sources/Apple/Apple.docc/Page.md")
    try folder.write("| QCC-001 | It is as QAA-006 says. |\n", to: "Tests/Specification/03-plums.md")
    let answer = try coverage("--project", folder.path)
    #expect(answer.status == 1)
    #expect(
      Set(answer.error.split(separator: "\n")) == [
        "Tests/AppleTests/Unknown.swift:2: QAA-004 is not in the specification",
        "Sources/Apple/Apple.docc/Page.md:1: QBB-002 is not in the specification",
        "Tests/Specification/03-plums.md:1: QAA-006 is not in the specification",
      ])
    #expect(answer.output.contains("QAA     2 of    2"))
  }

  @Test("An id that stands twice is named with both places")
  func doubled() throws {
    let folder = try project()
    try folder.write("# Plums\n| QAA-002 | It rises. |\n", to: "Tests/Specification/03-plums.md")
    let answer = try coverage("--project", folder.path)
    #expect(answer.status == 1)
    #expect(
      answer.error
        == "Tests/Specification/03-plums.md:2: QAA-002 stands at Tests/Specification/01-apples.md:6 already\n"
    )
  }

  @Test("A wrong command is 64, and no specification 66")
  func usage() throws {
    let folder = try project()
    #expect(try coverage("--help").output.hasPrefix("usage: spec-coverage"))
    for arguments in ["--project", "--frobnicate", "qaa", "/nowhere"] {
      let answer = try coverage(arguments)
      #expect(answer.status == 64)
      #expect(answer.error.contains("usage: spec-coverage"))
    }
    #expect(try coverage("QZZ", "--project", folder.path).status == 64)
    let empty = try TemporaryFolder()
    #expect(try coverage("--project", empty.path).status == 66)
  }
}
