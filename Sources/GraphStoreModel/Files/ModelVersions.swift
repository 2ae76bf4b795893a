import Foundation
import GraphStorePredicates

/// The versions of a model: those of a directory (`.graphmodel`, `.xcdatamodeld`, `.momd`), or a single file
/// as one.
///
/// Making one reads the names in the directory and which version is current, and no model; each is read when
/// it is first asked for, and kept as long as the value and its copies live. To see what has changed in the
/// directory, make a new one.
///
/// ```swift
/// let versions = try ModelVersions(at: "Company.graphmodel")
/// for name in versions.names { print(name, try versions.model(named: name).versionChecksum) }
/// let current = try versions.currentModel()
/// ```
public struct ModelVersions: Sendable {
  /// The directory, or the single file.
  public let path: String
  /// The format of the model at the path.
  public let format: ModelFormat
  /// The names of all versions: piece by piece, with runs of digits as numbers, so that `10` follows `9`.
  public let names: [String]
  /// The name of the current version.
  public let currentName: String
  /// The files of written mappings, in the order of their names: those in `mappings` of a `.graphmodel`, and
  /// those of Xcode beside an `.xcdatamodeld`.
  public let mappingPaths: [String]
  private let cache = ModelVersionCache()

  /// Reads the names in a directory of versions, or at a single file; of `DIRECTORY#VERSION` there is that
  /// version alone.
  ///
  /// - Throws: ``ModelError``: `model-not-found` also for a directory without a version; `model-bad-version`
  ///   when the current version is none of them or cannot be determined; `model-unreadable`.
  public init(at text: String) throws(ModelError) {
    let reference = ModelReference(text)
    path = reference.path
    format = try ModelFormat(at: path)
    let entries = format.hasVersions ? try ModelFile.names(in: path) : []
    let names = format.hasVersions ? Self.names(entries, format) : [ModelFile.baseName(of: path)]
    guard let last = names.last else {
      throw ModelError(
        [
          ModelProblem(
            .notFound, at: ModelPath(), value: path,
            message: "There is no version in \(path): no file ends in .\(format.versionFormat.rawValue).")
        ], file: path)
    }
    if let version = reference.version {
      guard names.contains(version) else { throw CurrentVersion.unknown(version, of: path, versions: names) }
      self.names = [version]
      currentName = version
      mappingPaths = []
    } else {
      self.names = names
      currentName = try CurrentVersion.name(in: path, format, entries: entries, versions: names) ?? last
      mappingPaths = try Self.mappingPaths(of: path, format, entries: entries)
    }
  }

  private static func names(_ entries: [String], _ format: ModelFormat) -> [String] {
    entries.filter { !$0.hasPrefix(".") && ModelFormat(endingOf: $0) == format.versionFormat }
      .map(ModelFile.baseName).sorted(by: VersionOrder.precedes)
  }

  /// Whether a text can be the name of a version, that is of a file without its ending.
  package static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix(".") && !text.contains("/") && text.utf8.count <= 200
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
      && text == text.trimmingCharacters(in: .whitespacesAndNewlines) && ModelFormat(endingOf: text) == nil
  }

  /// The model's name: the base name of the directory or file.
  public var name: String { ModelFile.baseName(of: path) }

  /// The version that follows a version; nil for the last, and for a name that is none.
  public func successor(of version: String) -> String? {
    guard let position = names.firstIndex(of: version), position + 1 < names.count else { return nil }
    return names[position + 1]
  }

  /// The file or folder of a version.
  ///
  /// - Throws: `model-bad-version` with the names there are.
  public func path(of version: String) throws(ModelError) -> String {
    guard names.contains(version) else {
      throw CurrentVersion.unknown(version, of: path, versions: names)
    }
    guard format.hasVersions else { return path }
    let entries = try ModelFile.names(in: path)
    let entry = entries.first {
      ModelFormat(endingOf: $0) == format.versionFormat && ModelFile.baseName(of: $0) == version
    }
    guard let entry else { throw ModelFile.notFound([ModelFile.path(version, in: path)]) }
    return ModelFile.path(entry, in: path)
  }

  /// The model of a version, which is never merged with another version; read when it is first asked for.
  ///
  /// - Throws: ``ModelError``: `model-bad-version` for a name that is none, else what is wrong with the file.
  public func model(named version: String) throws(ModelError) -> ManagedObjectModel {
    try cache.model(named: version) { () throws(ModelError) in
      try ManagedObjectModel(try document(named: version))
    }
  }

  /// The model of the current version.
  ///
  /// - Throws: ``ModelError``.
  public func currentModel() throws(ModelError) -> ManagedObjectModel { try model(named: currentName) }

  /// Reads a version, with what its reader has to say.
  ///
  /// - Throws: ``ModelError``, see ``model(named:)``.
  public func load(named version: String) throws(ModelError) -> LoadedModel {
    try LoadedModel(try document(named: version))
  }

  func document(named version: String) throws(ModelError) -> ModelDocument {
    var document = try ModelDocument(contentsOf: try path(of: version), format.versionFormat)
    guard format.hasVersions else { return document }
    document.name = name
    document.strings = StringsLocation(besides: path)
    if format == .versions, let label = document.definition.version, label != version {
      document.findings.append(
        ModelProblem.warning(
          "version-label", at: ModelPath().key("version"),
          message: "The file of version \(version) says that it is version \(label).",
          remedy: "The file's name counts; take the key away or make it \"\(version)\"."))
    }
    return document
  }
}

extension ModelVersions {
  /// The version that a store was made with, by the hashes that its metadata records; nil when it is none of
  /// them.
  ///
  /// If versions have equal hashes, the newest counts. Versions are read from the newest on, until one fits.
  ///
  /// - Throws: ``ModelError`` for a version that cannot be read.
  public func version(
    forStoreMetadata metadata: [String: Value]
  ) throws(ModelError) -> (name: String, model: ManagedObjectModel)? {
    let hashes = StoreHashes(metadata).byEntity
    for name in names.reversed() {
      let model = try model(named: name)
      if model.entityVersionHashesByName == hashes { return (name, model) }
    }
    return nil
  }
}

/// Natural order of version names: piece by piece, with runs of digits as numbers; names that are equal in it
/// by their bytes.
enum VersionOrder {
  static func precedes(_ left: String, _ right: String) -> Bool {
    let left = Array(left.utf8)
    let right = Array(right.utf8)
    var first = left[...]
    var second = right[...]
    while !first.isEmpty, !second.isEmpty {
      let areNumbers = isDigit(first[first.startIndex]) && isDigit(second[second.startIndex])
      let one = areNumbers ? popNumber(&first) : first.popFirst().map { [$0] } ?? []
      let other = areNumbers ? popNumber(&second) : second.popFirst().map { [$0] } ?? []
      if one.count != other.count { return one.count < other.count }
      if one != other { return one.lexicographicallyPrecedes(other) }
    }
    if first.isEmpty != second.isEmpty { return first.isEmpty }
    return left.lexicographicallyPrecedes(right)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Consumes a run of digits; returns them without leading zeros, so that the longer number is the greater.
  private static func popNumber(_ text: inout ArraySlice<UInt8>) -> [UInt8] {
    let digits = text.prefix(while: isDigit)
    text = text.dropFirst(digits.count)
    return Array(digits.drop { $0 == 0x30 })
  }
}
