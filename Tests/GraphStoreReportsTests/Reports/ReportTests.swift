import GraphStore
import GraphStoreReports
import GraphStoreTestSupport
import Testing

@Suite("Reports into memory, without a command")
struct ReportTests {
  /// What a report appends to a buffer.
  private func text(_ write: (OutputBuffer) -> Void) -> String {
    let output = OutputBuffer.memory()
    write(output)
    return output.consumeString()
  }

  @Test("The check of a sound store finds nothing")
  func check() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("staff.db")
    try Staff(storeAt: path).context.coordinator.close()
    let report = CheckReport(try StoreCheck.run(path: path, model: nil, isQuick: false), usesColor: false)
    #expect(report.counts.failures == 0 && report.counts.summary(isRepaired: false) == nil)
    #expect(report.lines.first?.hasPrefix("ok    ") == true)
    let json = text { report.writeJSON(to: $0) }
    #expect(json.hasPrefix(#"{"ok":true,"checks":[{"name":"#))
    #expect(json.hasSuffix(#""failures":0,"warnings":0}"# + "\n"))
  }

  @Test("The explanation of a query says where its parts run")
  func explanation() throws {
    let staff = try Staff()
    let query = try EntityQuery(
      try staff.entity("Employee"), QueryText(predicates: ["salary > 70000"]),
      in: staff.context.coordinator)
    let report = ExplanationReport(
      try query.run { try staff.context.explain($0) }, isEmpty: query.isEmpty, usesColor: false)
    #expect(report.lines.first == "predicate   salary > 70000   → in the scan")
    #expect(text { report.writeJSON(to: $0) }.hasPrefix(#"{"entity":"Employee","predicate":[{"text":"#))
  }

  @Test("The preview of a deletion shows what goes along")
  func deletion() throws {
    let staff = try Staff()
    let query = try EntityQuery(
      try staff.entity("Department"), QueryText(predicates: ["name == 'Research'"]),
      in: staff.context.coordinator)
    let preview = try staff.context.deletionPreview(of: query.run { try staff.context.fetch($0) })
    let report = DeletionReport(preview)
    #expect(
      report.lines == [
        "would delete  1 Department", "              2 Employee     cascade Department.employees",
        "              3 objects deleted, 0 updated; nothing written",
      ])
    #expect(report.summary == "deletes 1 Department, 2 Employee (cascade)" && report.exitCode == .success)
    #expect(
      text { report.writeJSON(to: $0) }
        == #"{"deleted":3,"updated":0,"dryRun":true,"deletions":[{"entity":"Department","count":1},"#
        + #"{"entity":"Employee","count":2,"relationship":"Department.employees","rule":"cascade"}]}"# + "\n")
  }

  @Test("A model is outlined, compared and drawn")
  func model() throws {
    let model = try ManagedObjectModel(json: Array(Staff.model.utf8))
    let outline = ModelOutline(model)
    #expect(outline.inheritance() == ["Department", "Employee"])
    #expect(
      try outline.lines(of: model.entity(named: "Department")) == [
        "Department", "  name       string, required",
        "  employees  →→ Employee, inverse department, cascade",
      ])
    let other = try ManagedObjectModel(
      json: Array(Staff.model.replacing("salary", with: "pay").utf8)
    )
    let difference = ModelDifferenceReport(ModelDifference(from: model, to: other), usesColor: false)
    #expect(difference.summary.contains("; version hashes differ: Employee; "))
    #expect(text { difference.writeJSON(to: $0) }.hasPrefix(#"{"equal":false,"hashesDiffer":true,"#))
    let drawing = TextDiagram(ModelDiagram(model), columns: 80, glyphs: .plain).lines
    #expect(drawing.contains { $0.contains("Department") && $0.contains("Employee") })
  }

  @Test("A model's findings are listed with those about the objects of a store")
  func findings() throws {
    let staff = try Staff()
    let model = staff.context.coordinator.managedObjectModel
    let found = try StoreLint(staff.context, ModelLinter()).findings(of: model)
    let report = ModelFindingReport(
      "staff.db", found.map { ModelFindingReport.Entry(file: "staff.db", finding: $0) }, usesColor: false)
    #expect(report.count(.error) == 0)
    #expect(
      text { ModelFindingReports([report], fileCount: 1).writeJSON(to: $0) }.hasPrefix(
        #"{"file":"staff.db","ok":true,"errors":0,"#))
  }

  @Test("An export writes what an import needs")
  func export() throws {
    let staff = try Staff()
    let entity = try staff.entity("Employee")
    let section = ExportSection(
      try EntityQuery(entity, QueryText(predicates: ["name == 'Hedy'"]), in: staff.context.coordinator),
      ExportForm(entity, in: staff.context.coordinator, namesEntity: true))
    let task = ExportTask(
      context: staff.context, sections: [section], interruption: StatementInterruption(), decodes: false)
    let output = OutputBuffer.memory()
    #expect(try task.write(as: .ndjson, to: output, options: WriterOptions()) == 1)
    #expect(
      output.consumeString()
        == #"{"entity":"Employee","id":"Employee/p3","name":"Hedy","salary":65000,"department":"Department/p1"}"#
        + "\n")
  }
}
