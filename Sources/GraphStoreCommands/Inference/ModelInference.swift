import GraphStore
import GraphStoreModel
import GraphStoreReports

/// Inference of a model from files: all of them are looked at, then entities and properties are chosen.
final class ModelInference {
  private let files: [InferenceFile]
  private let kept: KeptValues
  private let interruption: StatementInterruption
  private var databases: [DatabasePlanner] = []
  private var recordPlans: [String: PlannedEntity] = [:]
  private var plans: [PlannedEntity] = []
  private var otherChoices: [Choice] = []

  init(_ paths: [String], _ reading: InferenceFile.Reading, _ interruption: StatementInterruption) throws {
    files = try paths.map { try InferenceFile(path: $0, reading) }
    if reading.delimiter != nil, !files.contains(where: \.isCSV) {
      throw Diagnostic(
        code: "usage", message: "--delimiter is for CSV, and none of the files is",
        hints: ["leave --delimiter out, or say --from csv"], exitCode: .usage)
    }
    kept = try KeptValues()
    self.interruption = interruption
  }

  /// Looks at all files, and decides.
  func run() throws {
    try planRecords()
    for file in files {
      switch file {
      case .database(let file):
        let planner = try DatabasePlanner(
          file, keeping: kept, taken: Set(plans.map(\.name)), interruption)
        try planner.run(interruption)
        databases.append(planner)
        plans += planner.subjects.map(\.plan)
        otherChoices += planner.choices
      case .records, .tables, .schema: break
      }
    }
    try planSchemas()
    guard plans.contains(where: { !$0.attributes.isEmpty || !$0.relationships.isEmpty }) else {
      throw Diagnostic(
        code: "no-records", message: "there are no records, and no names of properties",
        hints: ["a model is made of what records have: name files that hold some"], exitCode: .dataError)
    }
  }

  /// Schemas may refer to each other.
  private func planSchemas() throws {
    let schemas = files.compactMap { file in if case .schema(let schema) = file { schema } else { nil } }
    guard !schemas.isEmpty else { return }
    let planner = try SchemaPlanner(schemas, taken: Set(plans.map(\.name)))
    try planner.run()
    plans += planner.plans
  }

  private func planRecords() throws {
    let survey = RecordSurvey(keeping: kept)
    var remarks: [(entity: String, text: String)] = []
    for file in files {
      switch file {
      case .records(let file):
        let header = try file.forEach(interruption) { members, line in
          try survey.add(members, entity: file.entity, from: file.path, at: "line \(line) of \(file.path)")
        }
        if let delimiter = header.foundDelimiter {
          remarks.append((file.entity, "columns of \(file.path) are divided by \(delimiter.words)"))
        }
        guard !header.names.isEmpty else { continue }
        let group = survey.group(named: file.entity, from: file.path)
        if !group.namesEntity { header.names.forEach { group.members.expect($0, keeping: kept) } }
      case .tables(let path, let tables):
        for (name, records) in tables {
          let entity = EntityNames.name(from: name) ?? "Record"
          for (place, record) in records.enumerated() {
            try survey.add(
              SampleValue(record).objectMembers, entity: entity, from: path,
              at: "\(name)[\(place)] of \(path)")
          }
        }
      case .database, .schema: break
      }
    }
    let planner = RecordPlanner(survey)
    try planner.run()
    plans = planner.plans.filter { !$0.attributes.isEmpty || !$0.relationships.isEmpty || !$0.fields.isEmpty }
    for subject in planner.subjects { recordPlans[subject.plan.name] = subject.plan }
    for (entity, text) in remarks {
      guard let plan = recordPlans[entity],
        let choice = plan.choices.firstIndex(where: { $0.property == nil })
      else { continue }
      plan.choices[choice].remarks.append(text)
    }
  }

  /// The model.
  var definition: ModelDefinition { ModelDefinition(entities: plans.map(\.definition)) }

  /// Why everything is as it is, entity by entity.
  var choices: [Choice] { plans.flatMap(\.choices) + otherChoices }

  /// Writes all records for an import.
  func writeRecords(to output: OutputBuffer) throws {
    let writer = PlannedRecordWriter(output, keeping: kept)
    for file in files {
      switch file {
      case .records(let file):
        try file.forEach(interruption) { members, _ in
          try write(members, entity: file.entity, by: writer)
        }
      case .tables(_, let tables):
        for (name, records) in tables {
          for record in records {
            try write(
              SampleValue(record).objectMembers, entity: EntityNames.name(from: name) ?? "Record", by: writer)
          }
        }
      case .database, .schema: break
      }
    }
    for planner in databases {
      try planner.keepLinks(interruption)
      for subject in planner.subjects {
        try planner.file.forEachRow(of: subject.table, interruption) { members, _ in
          try writer.write(members, as: subject.plan)
        }
      }
    }
    try output.flush()
  }

  private func write(_ members: [SampleMember], entity: String, by writer: PlannedRecordWriter) throws {
    guard let plan = recordPlans[RecordSurvey.entity(namedIn: members) ?? entity] else { return }
    try writer.write(members, as: plan)
  }

  /// The model as a store takes it.
  func model() throws -> ManagedObjectModel {
    do throws(ModelError) {
      return try ManagedObjectModel(definition)
    } catch {
      throw Diagnostic(
        code: "not-inferable", message: "the choices make no model: \(error)",
        hints: ["print them with graphstore model infer, and edit the model"], exitCode: .dataError)
    }
  }
}
