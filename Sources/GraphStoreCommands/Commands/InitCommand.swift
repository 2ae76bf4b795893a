import ArgumentParser
import Foundation
import GraphStore
import GraphStoreReports

/// `graphstore init PATH`
struct InitCommand: StoreCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make a store from a model file.",
    discussion: """
      The store carries the model: no other command needs the file. Nothing is overwritten.

      A store of a compiled model whose package lists Core Data's hashes (VersionInfo.plist in a .momd folder), and of a \
      store of Core Data's, has what Core Data writes for that model: its hashes, its metadata, and the compiled model. \
      --hashes-from takes the hashes for a model in another form. All other stores have hashes of GraphStore's own, and \
      Apple's framework does not open them.

      --type json makes a store that is one JSON text with an object a line, for a few thousand objects that people \
      and version control look at: every change writes it anew; --type xml one in the form of Core Data's XML documents, \
      --type binary one that is a binary property list. The name's ending says nothing. See graphstore help store-types.

      --seed fills the store with the records of a file, in which each names its entity, or of a folder that holds a file \
      for each entity, as import --all does: all of them, or there is no store.

      --infer makes the model too, of files of records, databases of SQLite and JSON schemas, as model infer does, and fills \
      the store with what they hold: all of it, or there is no store.

      graphstore init hr.db --model Models/company.json
      graphstore init demo.db --model Models/company.json --seed company.ndjson
      graphstore init staff.db --infer employees.csv --infer departments.csv
      graphstore init new.db --infer old.sqlite
      graphstore init hr.json --type json --model Models/company.json
      graphstore init postgresql://db.example/hr --model Models/company.json
      graphstore init shop.sqlite --model Shop.xcdatamodeld --hashes-from Shop.momd
      """)

  @Argument(help: "Where to make the store: a path, or a server's address.", completion: .file()) var path:
    String?
  @Option(help: "The type of the store (default: sqlite, or that of the server).") var type: StoreTypeName?
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Import the records of a file or a folder; may be given several times.", valueName: "file"),
    completion: .file())
  var seed: [String] = []
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Make the model, and the objects, of the records of a file; may be given several times.",
      valueName: "file"),
    completion: .file())
  var infer: [String] = []
  @OptionGroup var reading: InferenceOptions
  @OptionGroup var hashes: HashesOptions
  @OptionGroup var options: StoreCommandOptions

  var idleOptions: IdleStoreOptions? {
    IdleStoreOptions(
      options: [.readOnly, .timeout, .trace], reason: "init makes a store that nobody else has yet")
  }

  func validate() throws {
    if path != nil, isStoreGiven {
      throw ValidationError("Name the store once: as PATH or with --store.")
    }
    guard infer.isEmpty || (seed.isEmpty && hashes.source == nil && !isModelGiven) else {
      throw ValidationError(
        "--infer makes the model and the objects: leave out --model, --seed and --hashes-from.")
    }
    guard !infer.isEmpty || !reading.isGiven else {
      throw ValidationError("--from, --encoding and --delimiter are for the files of --infer.")
    }
    guard type ?? .sqlite == .sqlite || hashes.source == nil else {
      throw ValidationError("Core Data's hashes (--hashes-from) are for stores of the type sqlite.")
    }
  }

  func execute(in session: CommandSession) throws -> ExitCode {
    if path == nil, session.settings.stores.count > 1 { _ = try session.storePath() }
    guard let path = path.map(ServerAddress.shown) ?? session.settings.stores.first?.text else {
      throw Diagnostic(
        code: "usage", message: "init needs the path of the store",
        hints: ["graphstore init PATH --model FILE"],
        exitCode: .usage)
    }
    guard URL(fileURLWithPath: path).standardizedFileURL.path != "/dev/null" else {
      // The library makes a database in memory there, which would end with the command (STO-082).
      throw Diagnostic(
        code: "cannot-create", message: "\(path) keeps nothing", hints: ["name a file"],
        exitCode: .cannotCreate)
    }
    let paths = infer.isEmpty ? try session.modelPaths() : []
    let given = infer.isEmpty ? try hashes.applied(to: session.loadModel(paths), in: session) : nil
    let place = StorePlace(path: path)
    try place.checkFolder()
    var storeOptions = session.storeOptions()
    storeOptions.type = type?.type ?? (place.isOnServer ? nil : .sqlite)
    guard let model = given else { return try makeInferred(at: path, storeOptions, in: session) }
    if seed.isEmpty {
      try PersistentStoreCoordinator.create(storeAt: path, model: model, options: storeOptions).close()
    } else {
      let filling = try ImportCommand.parse(["--all", "--"] + seed)
      _ = try session.makingStore(at: path, model, storeOptions, for: .whole) {
        try filling.execute(in: session)
      }
    }
    session.inform("created \(path)  (model \(ModelWords.title(of: model)): \(Self.outline(model)))")
    if storeOptions.type == .sqlite { tellHashes(of: model, paths, in: session) }
    warnOfLimits(of: model, in: session)
    return .success
  }

  /// Makes the store of a model that is inferred, with what the files hold.
  private func makeInferred(
    at path: String, _ storeOptions: StoreOptions, in session: CommandSession
  ) throws -> ExitCode {
    try session.refuseLog(amongInputs: infer)
    // Told before the files are read, which may take long.
    guard try !StorePlace(path: path).isFilled(timeout: session.timeout) else {
      throw Diagnostic(
        code: "store-exists", message: "there is something at \(path) already",
        hints: ["choose another path"],
        exitCode: .cannotCreate)
    }
    let inference = try ModelInference(
      infer, reading.reading(timeout: session.timeout, isRepeated: true), session.interruption)
    try inference.run()
    let model = try inference.model()
    InferenceExplanation(choices: inference.choices).tell(session)
    let records = try InferredRecords(inference)
    let filling = try ImportCommand.parse(["--all", "--decode", "--", records.path])
    _ = try withExtendedLifetime(records) {
      try session.makingStore(at: path, model, storeOptions, for: .whole) {
        do {
          return try filling.execute(in: session)
        } catch var diagnostic as Diagnostic {
          // The records are no file that anybody could correct.
          diagnostic.location = nil
          diagnostic.hints = ["make the model with graphstore model infer, edit it, and import the files"]
          throw diagnostic
        }
      }
    }
    session.inform("created \(path)  (model \(ModelWords.title(of: model)): \(Self.outline(model)))")
    warnOfLimits(of: model, in: session)
    return .success
  }

  /// Says whose hashes the store records, where somebody may expect Core Data's.
  private func tellHashes(of model: ManagedObjectModel, _ paths: [String], in session: CommandSession) {
    guard let version = model.coreDataVersion else {
      let isApples = paths.contains {
        (try? ModelFormat(at: ModelReference($0).path)).map(\.isCoreData) ?? false
      }
      if isApples {
        session.inform("its hashes are GraphStore's own: Apple's framework will not open it (--hashes-from)")
      }
      return
    }
    if let obstacle = model.formOfItsOwn {
      session.inform(
        "its hashes are GraphStore's own, because \(obstacle): Apple's framework will not open it")
      return
    }
    session.inform("it has the hashes by which Core Data knows the model")
    if version.compiledModel == nil {
      session.inform(
        "it carries no model: other commands need --model \(paths.joined(separator: " --model "))")
    }
  }

  /// Says what the store cannot do yet with what the model asks, the first few places of each kind.
  private func warnOfLimits(of model: ManagedObjectModel, in session: CommandSession) {
    var check = ModelLinter()
    check.includesWarnings = false
    let findings = check.findings(in: model).filter { $0.severity == .warning }
    for (rule, found) in Dictionary(grouping: findings, by: \.code.rawValue).sorted(by: { $0.key < $1.key }) {
      let shown = found.count > Self.mostPlaces ? found.prefix(Self.mostPlaces - 1) : found[...]
      for finding in shown { session.report(DiagnosticMapper.warning(finding, file: nil)) }
      guard found.count > shown.count else { continue }
      session.report(
        Diagnostic(
          .warning, code: rule, message: "the same in \(found.count - shown.count) more places of the model",
          hints: ["graphstore model validate lists them"], exitCode: .success))
    }
  }

  /// The most places that are told of each kind.
  private static let mostPlaces = 4

  private static func outline(_ model: ManagedObjectModel) -> String {
    model.entities.map { entity in
      entity.name + (entity.superentity.map { " < \($0.name)" } ?? "")
    }.joined(separator: ", ")
  }
}
