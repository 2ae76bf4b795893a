import Foundation
import GraphStoreTestSupport
import Testing

/// The samples of comments as one program, which runs the one whose number its argument is.
///
/// Each sample is a function of its own. It is given what its readers have already: a context with some
/// objects of the model that `GettingStarted` prints, and two versions of that model. A sample that extends
/// types stands outside of functions.
struct CommentProgram {
  /// A sample, with what it is a sample of.
  struct Sample: Sendable, CustomTestStringConvertible {
    let number: Int
    let subject: String
    let path: String
    let block: Article.Block

    var testDescription: String { "\(subject), \(path):\(block.firstLine)" }

    /// Whether it is the body of a function.
    var isBody: Bool { !block.lines.contains { $0.hasPrefix("extension ") } }

    /// What it says that it prints; nil where it says nothing of that.
    var output: [String]? {
      let lines = block.lines.compactMap { line in
        line.firstMatch(of: /print\(.*\).*  \/\/ (.*)$/).map { String($0.1) }
      }
      return lines.isEmpty ? nil : lines
    }

    /// What it declares, of which it need not make use.
    fileprivate var names: [String] {
      block.lines.compactMap { $0.prefixMatch(of: /(?:let|var)\s(\w+)\b/).map { String($0.1) } }
    }
  }

  let samples: [Sample]

  /// Collects the samples of all modules that have pages.
  init() throws {
    let found = try SourceFile.all().flatMap { file in
      file.comments.flatMap { comment in comment.samples.map { (comment.subject, file.path, $0) } }
    }
    samples = found.enumerated().map { Sample(number: $0, subject: $1.0, path: $1.1, block: $1.2) }
  }

  /// The files that are compiled.
  func sources() throws -> [SwiftCompiler.Source] {
    let imports = [
      "import Foundation", "import GraphStore", "import GraphStoreConformance", "import GraphStoreTesting",
    ]
    let texts = imports + samples.map(text)
    return try [
      SwiftCompiler.Source(name: "Samples.swift", text: texts.joined(separator: "\n") + "\n"),
      SwiftCompiler.Source(name: "Program.swift", text: program), SampleProgram.classes(),
    ]
  }

  private func text(of sample: Sample) -> String {
    let code = sample.block.code(in: sample.path)
    guard sample.isBody else { return code }
    let parameters = Self.givens.map { "\($0): \($1)" }.joined(separator: ", ")
    let head = "@MainActor\nfunc run\(sample.number)(\(parameters)) async throws {"
    let arguments = Self.givens.map { "\($0.key): given.\($0.key)" }.joined(separator: ", ")
    let call = """
      @MainActor
      func call\(sample.number)(_ given: Given) async throws { try await run\(sample.number)(\(arguments)) }
      """
    return ([head, code] + sample.names.map { "_ = \($0)" } + ["}", call]).joined(separator: "\n")
  }

  /// What every sample has.
  private static let givens: KeyValuePairs = [
    "context": "ManagedObjectContext", "coordinator": "PersistentStoreCoordinator",
    "container": "PersistentContainer", "archive": "PersistentStoreReference",
    "model": "ManagedObjectModel", "employee": "Employee", "department": "Department",
    "project": "Project", "row": "ResultDictionary", "old": "ManagedObjectModel",
    "new": "ManagedObjectModel", "versions": "ModelVersions", "mapping": "MappingModel",
    "plan": "MigrationPlan", "controller": "FetchedResultsController<Employee>",
  ]

  /// The calls are a table: one function with all of them takes the compiler minutes.
  private var program: String {
    let fields = Self.givens.map { "  let \($0.key): \($0.value)" }
    let calls = samples.filter(\.isBody).map { "  \($0.number): call\($0.number)," }
    let arguments = Self.givens.map { "\($0.key): \($0.key)" }.joined(separator: ", ")
    return """
      import Foundation
      import GraphStore

      struct Given {
      \(fields.joined(separator: "\n"))
      }

      @MainActor
      let calls: [Int: @MainActor (Given) async throws -> Void] = [
      \(calls.joined(separator: "\n"))
      ]

      @main
      enum Program {
        @MainActor
        static func main() async throws {
      \(Self.beginning)
          let given = Given(\(arguments))
          if let number = Int(CommandLine.arguments[1]) { try await calls[number]?(given) }
        }
      }

      """
  }

  /// Makes what every sample has, and the files that samples read.
  private static let beginning = """
        let model = try CompanyModel.model
        let old = model
        var definition = old.copy()
        definition.entities[0].attributes.append(AttributeDefinition("email", .string))
        let new = try ManagedObjectModel(definition)
        let mapping = try MappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)

        func write(_ data: Data, to path: String) throws {
          let file = URL(fileURLWithPath: path)
          try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
          try data.write(to: file)
        }
        try write(old.jsonData(), to: "Company.graphmodel.json")
        try write(old.jsonData(), to: "Company.graphmodel/1.json")
        try write(new.jsonData(), to: "Company.graphmodel/2.json")
        try write(Data("2".utf8), to: "Company.graphmodel/current")
        let written = #"{"source": "1", "destination": "2", "entityMappings": []}"#
        try write(Data(written.utf8), to: "Company.graphmodel/mappings/1-2.json")
        try write(Data(written.utf8), to: "Mappings/1-2.json")
        let xcode = #"<model><entity name="Employee"/></model>"#
        try write(Data(xcode.utf8), to: "Company.xcdatamodeld/Company.xcdatamodel/contents")
        for path in ["hr.db", "hr.db.1.backup", "Tests/Fixtures/1.db"] {
          try FileManager.default.createDirectory(
            atPath: "Tests/Fixtures", withIntermediateDirectories: true)
          try CompanyModel.createStore(at: path).close()
        }
        try write(Data(), to: "Tests/Fixtures/1.expected.ndjson")
        let versions = try ModelVersions(at: "Company.graphmodel")
        let plan = try MigrationPlan(fromStoreAt: "hr.db", to: versions)

        let container = PersistentContainer(name: "Company", model: model, classes: CompanyModel.classes)
        container.persistentStoreDescriptions = [
          PersistentStoreDescription(url: URL(fileURLWithPath: "company.db"))
        ]
        try await container.loadPersistentStores()
        let context = container.viewContext
        let coordinator = container.persistentStoreCoordinator
        let archive = coordinator.persistentStores[0]
        let department = try context.insert(Department.self)
        department.name = "Engineering"
        let employee = try context.insert(Employee.self)
        employee.name = "Ada Lovelace"
        employee.salary = 82_000
        employee.badge = 2
        employee.department = department
        let project = try context.insert(Project.self)
        project.title = "Notes"
        project.members = [employee]
        try context.save()
        var listed = Employee.fetchRequest()
        listed.sortDescriptors = [try QuerySortDescriptor(parsing: "name")]
        let controller = try FetchedResultsController(fetchRequest: listed, context: context)
        try controller.performFetch()
        var counts = Employee.fetchRequest()
        counts.resultType = .dictionary
        counts.propertiesToFetch = [
          .expression(try ExpressionDescription(name: "count", parsing: "count:(SELF)"))
        ]
        let row = try context.fetchDictionaries(counts)[0]
    """
}
