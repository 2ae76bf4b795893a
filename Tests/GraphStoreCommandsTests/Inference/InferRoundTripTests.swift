import Foundation
import GraphStore
import GraphStoreTestSupport
import Testing

/// What exports write is inferred as what it was, as far as records can tell.
@Suite("Inference of what exports write")
struct InferRoundTripTests {
  @Test("MDL-417: the company, exported and inferred", arguments: ["company.ndjson", "company"])
  func company(_ destination: String) throws {
    let tool = try CommandLineTool.staffedCompany()
    let words =
      ["export", "--all", "-o", destination] + (destination == "company" ? ["--format", "csv"] : [])
    let exported = try tool.run(CommandLineTool.executable.path, words, input: nil)
    #expect(exported.code == 0, "\(exported.errors)")
    tool.environment["GRAPHSTORE_STORE"] = nil
    let names =
      destination == "company"
      ? try FileManager.default.contentsOfDirectory(atPath: tool.path(destination)).sorted()
        .map { "company/\($0)" } : [destination]
    let made = try tool.run(
      CommandLineTool.executable.path, ["init", "new.db"] + names.flatMap { ["--infer", $0] }, input: nil)
    #expect(made.code == 0, "\(made.errors)")
    let model = try tool.run("model", "from-store", "new.db")
    let entities = try ManagedObjectModel(json: Array(model.output.utf8), name: nil)
    let employee = try entities.entity(named: "Employee")
    let types = ["name": AttributeType.string, "badge": .int64, "birthday": .date]
    for (name, type) in types { #expect(employee.attribute(named: name)?.type == type, "\(name)") }
    let relationship = employee.property(named: "department") as? RelationshipDescription
    #expect(relationship?.destination.name == "Department" && relationship?.isToMany == false)
    let count = try tool.run(
      "count", "Employee", "--where", "department.name == 'Engineering'", "--store", "new.db")
    #expect(count.output == "2\n", "\(made.errors)")
  }

  /// A column of random values, as a model has it and as a table writes it.
  private struct Column {
    var type: AttributeType
    var isOptional: Bool
    var cells: [String]
  }

  private static func column(_ rows: Int, _ generator: inout SeededGenerator) -> Column {
    let type = generator.pick([AttributeType.int64, .decimal, .double, .boolean, .date, .uuid, .uri, .string])
    let isSparse = generator.chance(30)
    var cells: [String] = []
    for row in 0..<rows {
      // The last one has a value always, so that there is one to tell by.
      guard !isSparse || row == rows - 1 || generator.chance(60) else {
        cells.append("")
        continue
      }
      let number = Int.random(in: -1_000_000...1_000_000, using: &generator)
      switch type {
      case .int64: cells.append("\(number)")
      case .decimal: cells.append("\(number).\(number.magnitude % 90 + 10)")
      case .double: cells.append("\(number).\(number.magnitude % 900 + 100)")
      case .boolean: cells.append(number > 0 ? "true" : "false")
      case .date:
        cells.append("20\(number.magnitude % 90 + 10)-0\(number.magnitude % 9 + 1)-1\(number.magnitude % 10)")
      case .uuid: cells.append(UUID().uuidString)
      case .uri: cells.append("https://example.org/\(number)")
      default:
        cells.append(
          "\"t\(arbitraryText(&generator).replacing("\"", with: "\"\"").replacing("\0", with: ""))\"")
      }
    }
    return Column(type: type, isOptional: cells.contains(""), cells: cells)
  }

  @Test(
    "MDL-417: random tables give the types that their columns were made of",
    arguments: TestSeed.sequence(12, from: 40_500))
  func randomTables(_ seed: TestSeed) throws {
    var generator = seed.generator
    let rows = Int.random(in: 1...40, using: &generator)
    let columns = (0..<Int.random(in: 1...9, using: &generator)).map { _ in Self.column(rows, &generator) }
    var text = columns.indices.map { "c\($0)" }.joined(separator: ",") + ",end\n"
    for row in 0..<rows { text += columns.map { $0.cells[row] }.joined(separator: ",") + ",1\n" }
    let folder = try InferenceFolder(["rows.csv": text])
    let lines = try folder.infer("rows.csv").lines
    let expected = columns.enumerated().map { "Row.c\($0) \($1.type.rawValue)\($1.isOptional ? "?" : "")" }
    #expect(lines == expected + ["Row.end int64"], "\(seed)")
    _ = try folder.makeStore("rows.csv")
    #expect(try folder.tool.run("count", "Row", "--store", "new.db").output == "\(rows)\n")
  }

  @Test(
    "MDL-417: damaged input ends with a code of the contract, never otherwise",
    arguments: TestSeed.sequence(6, from: 40_600))
  func damagedFiles(_ seed: TestSeed) throws {
    var generator = seed.generator
    let samples = [
      ("a.csv", "id,b\n1,\"x\"\n2,y\n"), ("a.ndjson", "{\"a\":{\"id\":1,\"b\":[{\"c\":1}]}}\n{\"a\":null}\n"),
      (
        "a.json",
        "{\"$defs\":{\"A\":{\"properties\":{\"b\":{\"$ref\":\"#/$defs/A\"},\"c\":{\"type\":\"string\"}}}}}"
      ),
    ]
    for (name, text) in samples {
      for _ in 0..<6 {
        var bytes = Array(text.utf8)
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
          let place = Int.random(in: 0..<bytes.count, using: &generator)
          switch Int.random(in: 0..<3, using: &generator) {
          case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
          case 1 where bytes.count > 1: bytes.remove(at: place)
          default: bytes.insert(generator.pick(Array("{}[]\",:\n".utf8)), at: place)
          }
        }
        let folder = try InferenceFolder()
        try Data(bytes).write(to: folder.tool.folder.appendingPathComponent(name))
        let made = try folder.failure(name)
        #expect([0, 64, 65].contains(made.code), "\(seed): \(made.errors)")
        guard made.code == 0 else { continue }
        _ = try folder.makeStore(name)
      }
    }
  }
}
