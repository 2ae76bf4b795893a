import ArgumentParser
import GraphStore
import GraphStoreReports

/// Option that says by which hashes Core Data knows the model of a new store.
struct HashesOptions: ParsableArguments {
  @Option(
    name: .customLong("hashes-from"),
    help: ArgumentHelp(
      "Record Core Data's hashes of the model: those of VersionInfo.plist (FILE#VERSION), or of a store of Core Data's.",
      valueName: "file"),
    completion: .file())
  var source: String?

  /// A model with the hashes that the option names; the model itself without the option.
  ///
  /// - Throws: ``ModelError`` and `incompatible-model` for hashes of another model; `not-supported` for a
  ///   model whose stores have a form of our own.
  func applied(to model: ManagedObjectModel, in session: CommandSession) throws -> ManagedObjectModel {
    guard let source else { return model }
    if let obstacle = model.formOfItsOwn {
      throw Diagnostic(
        code: GraphStoreError.Code.notSupported.rawValue,
        message: "a store of this model cannot have Core Data's form: \(obstacle)",
        hints: ["leave out --hashes-from: the store has hashes of its own then"], exitCode: .configuration)
    }
    let reference = ModelReference(source)
    let version =
      try StoreModel.isStore(reference.path)
      ? Self.version(ofStoreAt: reference.path, model, in: session)
      : CoreDataVersion(contentsOf: reference.path, version: reference.version, of: model)
    return try model.known(as: version)
  }

  private static func version(
    ofStoreAt path: String, _ model: ManagedObjectModel, in session: CommandSession
  ) throws -> CoreDataVersion {
    guard let version = try StoreModel.coreDataVersion(ofStoreAt: path, timeout: session.timeout) else {
      throw Diagnostic(
        code: GraphStoreError.Code.incompatibleModel.rawValue,
        message: "\(path) is a store of GraphStore's, whose hashes are its own",
        hints: ["name a store that Core Data has made, or the VersionInfo.plist of the compiled model"],
        exitCode: .configuration)
    }
    let hashes = model.entityVersionHashesByName
    let carried = try? StoreModel.load(fromStoreAt: path, timeout: session.timeout).model
    let others = hashes.keys.filter { name in
      version.hashes[name] == nil
        || carried.map { $0.entityVersionHashesByName[name] != hashes[name] } ?? false
    }
    guard others.isEmpty, version.hashes.count == hashes.count else {
      let names = Set(others).union(version.hashes.keys.filter { hashes[$0] == nil }).sorted()
      throw Diagnostic(
        code: GraphStoreError.Code.incompatibleModel.rawValue,
        message:
          "\(path) is of another version of the model, which differs in \(names.joined(separator: ", "))",
        hints: ["name a store of the same version"], exitCode: .configuration)
    }
    return version
  }
}
