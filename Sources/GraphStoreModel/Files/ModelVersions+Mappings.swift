import GraphStorePredicates

extension ModelVersions {
  /// A mapping from one version to another, written by hand.
  public struct Mapping: Hashable, Sendable {
    /// The name of the version it leaves.
    public let source: String
    /// The name of the version it leads to.
    public let destination: String
    /// The file.
    public let path: String
  }

  static func mappingPaths(
    of path: String, _ format: ModelFormat, entries: [String]
  ) throws(ModelError) -> [String] {
    let folder: String
    switch format {
    case .versions where entries.contains("mappings"): folder = ModelFile.path("mappings", in: path)
    case .xcodeVersions: folder = ModelFile.directory(of: path)
    default: return []
    }
    guard try ModelFile.kind(of: folder) == .directory else { return [] }
    let isMapping = format == .versions ? MappingFile.isMapping : MappingFile.isXcodeMapping
    return try ModelFile.names(in: folder).filter(isMapping).map { ModelFile.path($0, in: folder) }
  }

  /// Reads the written mappings, in the order of the names of their files, which decide nothing else.
  ///
  /// Mappings of Xcode beside the versions that are for those of another model are left out.
  ///
  /// - Throws: ``ModelError`` for a file that cannot be read, and `mapping-bad-version` for one that names a
  ///   version that there is not.
  public func mappingFiles() throws(ModelError) -> [MappingFile] {
    var files: [MappingFile] = []
    for path in mappingPaths {
      if let file = try mappingFile(at: path) { files.append(file) }
    }
    return files
  }

  /// Reads a written mapping; nil for one of Xcode's that is for versions of another model.
  func mappingFile(at path: String) throws(ModelError) -> MappingFile? {
    let file = try MappingFile(contentsOf: path)
    if format == .xcodeVersions, !names.contains(file.source) || !names.contains(file.destination) {
      return nil
    }
    try checkVersions(of: file)
    return file
  }

  /// The written mappings, in the order of the versions they leave and lead to.
  ///
  /// - Throws: ``ModelError``, see ``mappingFiles()``.
  public func mappings() throws(ModelError) -> [Mapping] {
    let positions = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
    let found = try mappingFiles().enumerated().map { number, file in
      let order = [positions[file.source] ?? 0, positions[file.destination] ?? 0, number]
      return (
        order: order,
        mapping: Mapping(source: file.source, destination: file.destination, path: file.path ?? "")
      )
    }
    return found.sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.mapping)
  }

  private func checkVersions(of file: MappingFile) throws(ModelError) {
    let problems = [("source", file.source), ("destination", file.destination)].compactMap {
      key, name -> ModelProblem? in
      guard !names.contains(name) else { return nil }
      return ModelProblem(
        .mappingBadVersion, at: ModelPath().key(key), value: name,
        message: "\(path) has no version \"\(name)\".",
        suggestion: NearestNames.names(near: name, among: names).first,
        remedy: "The versions are \(names.joined(separator: ", ")).")
    }
    guard problems.isEmpty else { throw ModelError(file.located(problems), file: file.path) }
  }
}
