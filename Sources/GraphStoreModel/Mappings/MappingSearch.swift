import Foundation

/// Search for the written mappings from one model to another.
///
/// Making one reads every mapping file, and no model; models are read when mappings are asked for.
///
/// ```swift
/// let search = try MappingSearch(["Company.graphmodel", "Mappings"])
/// for file in try search.files(from: old, to: new) { print(file.path ?? "-") }
/// ```
public struct MappingSearch: Sendable {
  /// A mapping file with the versions that it may be for.
  public struct Candidate: Sendable {
    /// The file.
    public let file: MappingFile
    /// The versions it names; nil where no directory of versions has both.
    public let versions: ModelVersions?
  }

  /// The mapping files, those of each path in the order of their names.
  public let candidates: [Candidate]

  /// Reads the mapping files at some paths.
  ///
  /// - Parameter paths: Models with versions, folders of mapping files, and mapping files. The versions that
  ///   a file outside of a model names are looked for in the models among them.
  /// - Throws: ``ModelError`` for a path that does not exist, and for a file that cannot be read.
  public init(_ paths: [String]) throws(ModelError) {
    var models: [ModelVersions] = []
    var found: [(file: MappingFile, versions: ModelVersions?)] = []
    for path in paths {
      if MappingFile.isMapping(path), !Self.isModel(path) {
        found.append((try MappingFile(contentsOf: path), nil))
      } else if Self.isModel(path) {
        let versions = try ModelVersions(at: path)
        models.append(versions)
        found += try versions.mappingFiles().map { ($0, versions) }
      } else {
        for name in try ModelFile.names(in: path) where MappingFile.isMapping(name) {
          let file = ModelFile.path(name, in: path)
          // Models and other files of JSON may be in the same folder.
          if MappingFile.isXcodeMapping(name) || Self.looksLikeMapping(file) {
            found.append((try MappingFile(contentsOf: file), nil))
          }
        }
      }
    }
    var paths: Set<String> = []
    candidates = found.compactMap { file, versions in
      guard file.path.map({ paths.insert($0).inserted }) ?? true else { return nil }
      let known = models.first { $0.names.contains(file.source) && $0.names.contains(file.destination) }
      return Candidate(file: file, versions: versions ?? known)
    }
  }

  /// The mapping files whose versions have the hashes of two models, in the order in which they run.
  ///
  /// A file that records the hashes it was written for is judged by them, another by the versions it names.
  ///
  /// - Throws: ``ModelError`` for a version that cannot be read.
  public func files(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(ModelError) -> [MappingFile] {
    let wanted = (source.entityVersionHashesByName, destination.entityVersionHashesByName)
    var files: [MappingFile] = []
    for candidate in candidates {
      let hashes = (try candidate.sourceHashes(), try candidate.destinationHashes())
      if hashes.0 == wanted.0, hashes.1 == wanted.1 { files.append(candidate.file) }
    }
    return files
  }

  private static func isModel(_ path: String) -> Bool {
    guard let format = try? ModelFormat(at: path) else { return false }
    return format.hasVersions
  }

  private static func looksLikeMapping(_ path: String) -> Bool {
    guard let bytes = try? ModelFile.read(path), let root = try? JSONParser.parse(bytes),
      case .object(let members) = root.content
    else { return false }
    return members.contains { $0.key == "entityMappings" }
  }
}

extension MappingSearch.Candidate {
  /// The version hashes of the source, by entity; nil where the version is not known.
  public func sourceHashes() throws(ModelError) -> [String: Data]? {
    if let recorded = file.mapping.sourceHashes { return recorded.mapValues { Data($0) } }
    return try versions?.model(named: file.source).entityVersionHashesByName
  }

  /// The version hashes of the destination, by entity; nil where the version is not known.
  public func destinationHashes() throws(ModelError) -> [String: Data]? {
    if let recorded = file.mapping.destinationHashes { return recorded.mapValues { Data($0) } }
    return try versions?.model(named: file.destination).entityVersionHashesByName
  }
}

extension MappingModel {
  /// Looks for a written mapping between two models; nil where there is none.
  ///
  /// If several fit, which are the parts of one step, this is the first; ``MappingSearch`` finds all.
  ///
  /// - Parameters:
  ///   - paths: Models with versions, folders of mapping files, and mapping files.
  ///   - source: The model that is left.
  ///   - destination: The model that is reached.
  /// - Throws: ``ModelError`` for a path that does not exist, and for a file or version that cannot be read.
  public init?(
    from paths: [String], forSourceModel source: ManagedObjectModel,
    destinationModel destination: ManagedObjectModel
  ) throws(ModelError) {
    guard let file = try MappingSearch(paths).files(from: source, to: destination).first else { return nil }
    self = file.mapping
  }
}
