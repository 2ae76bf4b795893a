import Foundation

/// The kinds of model file.
///
/// ```swift
/// let format = try ModelFormat(at: "Company.xcdatamodeld")
/// print(format.isCoreData, format.hasVersions)  // true true
/// ```
public enum ModelFormat: String, CaseIterable, Hashable, Sendable {
  /// One JSON file.
  case json
  /// A directory `NAME.graphmodel` with a JSON file for each version.
  case versions = "graphmodel"
  /// A folder `NAME.xcdatamodel` of Xcode's, with one file `contents`.
  case xcodeModel = "xcdatamodel"
  /// A folder `NAME.xcdatamodeld` of Xcode's, with an `.xcdatamodel` for each version.
  case xcodeVersions = "xcdatamodeld"
  /// A compiled model of Apple's tools.
  case compiled = "mom"
  /// A folder `NAME.momd` with a compiled model for each version.
  case compiledVersions = "momd"

  /// Whether it is one of Xcode's or of Core Data's.
  public var isCoreData: Bool { self != .json && self != .versions }

  /// Whether it is a directory of versions.
  public var hasVersions: Bool {
    switch self {
    case .versions, .xcodeVersions, .compiledVersions: true
    case .json, .xcodeModel, .compiled: false
    }
  }

  /// The format of one version in a directory of versions; the format itself where it has no versions.
  public var versionFormat: ModelFormat {
    switch self {
    case .versions: .json
    case .xcodeVersions: .xcodeModel
    case .compiledVersions: .compiled
    case .json, .xcodeModel, .compiled: self
    }
  }

  /// The format that a path's ending asks for, in either case of letters; nil for any other ending.
  public init?(endingOf path: String) {
    let name = ModelFile.lastComponent(of: path)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
      let format = Self(rawValue: name[name.index(after: dot)...].lowercased())
    else { return nil }
    self = format
  }

  /// The format of what is at a path: by its ending, else by what it holds.
  ///
  /// - Throws: ``ModelError`` `model-not-found`; `model-unreadable` for a directory that is no model.
  public init(at path: String) throws(ModelError) {
    // A store that is no file.
    if path.contains("://"), EmbeddedModels.isStore(path) {
      self = .json
      return
    }
    let kind = try ModelFile.kind(of: path)
    if path.lowercased().hasSuffix(".omo") {
      throw ModelFile.unreadable(
        path, "\(path) is the optimised form of a compiled model, which only Core Data reads.",
        remedy: "Give the .mom file beside it, or the .momd folder.")
    }
    if let format = Self(endingOf: path), format.isDirectory == (kind == .directory) {
      self = format
    } else {
      self = try kind == .directory ? Self.sniff(directory: path) : Self.sniff(file: path)
    }
  }

  /// Whether models of this kind are directories.
  private var isDirectory: Bool {
    switch self {
    case .json, .compiled: false
    case .versions, .xcodeModel, .xcodeVersions, .compiledVersions: true
    }
  }

  private static func sniff(directory path: String) throws(ModelError) -> ModelFormat {
    let names = try ModelFile.names(in: path)
    if names.contains("contents") { return .xcodeModel }
    let endings = Set(names.compactMap { ModelFormat(endingOf: $0) })
    if names.contains(".xccurrentversion") || endings.contains(.xcodeModel) { return .xcodeVersions }
    if names.contains("VersionInfo.plist") || endings.contains(.compiled) { return .compiledVersions }
    if names.contains("current"), endings.contains(.json) { return .versions }
    throw ModelFile.unreadable(path, "\(path) is a directory, not a model file.")
  }

  /// A store, which may be long, is detected without reading all of it.
  private static func sniff(file path: String) throws(ModelError) -> ModelFormat {
    EmbeddedModels.isStore(path) ? .json : sniff(try ModelFile.read(path))
  }

  /// The format of a file's bytes: a binary property list, XML, else JSON.
  static func sniff(_ bytes: [UInt8]) -> ModelFormat {
    if bytes.starts(with: Array("bplist".utf8)) { return .compiled }
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF]
    return bytes.first { !blanks.contains($0) } == UInt8(ascii: "<") ? .xcodeModel : .json
  }
}
