import Foundation
import GraphStoreTestSupport
import Synchronization
import Testing

@testable import GraphStore

@Suite("Lines of a process's trace", .serialized)
struct DiagnosticLogTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "DGN-003, DGN-008, DGN-009, DGN-010: lines go to the sink, else to the file, which is made for its owner alone"
  )
  func lines() throws { try DiagnosticsTurn.alone(tellLines) }

  private func tellLines() throws {
    let stack = try TestStack(ModelDefinition(name: "Log", entities: [EntityDefinition("Logged")]))
    let path = folder.file("log")
    let name = "entity=Logged"
    let lines = Mutex<[DiagnosticLine]>([])
    Diagnostics.sink = { line in lines.withLock { if line.text.contains(name) { $0.append(line) } } }
    Diagnostics.tracedKinds = [.fetches]
    #expect(Diagnostics.tracedKinds == [.fetches])
    _ = try stack.context.count(for: FetchRequest(entityName: "Logged"))
    let told = lines.withLock(\.self)
    #expect(
      told.contains { $0.category == .trace && $0.text.hasPrefix("fetch \(name) kind=count objects=0 ") })
    #expect("\(told[0])".hasPrefix("GraphStore: trace: fetch entity="))
    Diagnostics.sink = nil
    Diagnostics.file = path
    _ = try stack.context.count(for: FetchRequest(entityName: "Logged"))
    let written = try String(contentsOfFile: path, encoding: .utf8)
    #expect(written.contains("GraphStore: trace: fetch entity=Logged kind=count objects=0"))
    #expect(written.hasSuffix("\n"))
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    Diagnostics.tracedKinds = []
    _ = try stack.context.count(for: FetchRequest(entityName: "Logged"))
    let later = try String(contentsOfFile: path, encoding: .utf8)
    #expect(later.ranges(of: name).count == written.ranges(of: name).count)
  }

  @Test("DGN-010: line ends in a text do not end the line")
  func oneLine() {
    #expect("\(DiagnosticLine(.warning, "a\nb\r\nc"))" == "GraphStore: warning: a b c")
  }
}
