import Foundation

/// A mapping that was read from a file: of JSON, or of Xcode's.
///
/// It knows the positions of its parts, so that findings of checking it against two models have line and
/// column.
///
/// ```swift
/// let file = try MappingFile(contentsOf: "Company.graphmodel/mappings/1-2.json")
/// print(file.source, "to", file.destination, file.mapping.entityMappings.map(\.name))
/// ```
public struct MappingFile: Sendable {
  /// The source positions of paths.
  enum Places: Sendable {
    /// Those of a tree of JSON.
    case json(bytes: [UInt8], root: JSONNode)
    /// The offsets of elements of XML, by the paths of what was made of them.
    case xml(bytes: [UInt8], offsets: [ModelPath: Int])
  }

  /// The file; nil for a text.
  public let path: String?
  /// The mapping that the file describes.
  public let mapping: MappingModel
  private let places: Places

  /// The name of the version that it leaves.
  public var source: String { mapping.source ?? "" }
  /// The name of the version that it leads to.
  public var destination: String { mapping.destination ?? "" }

  /// Reads a file: JSON, a folder `NAME.xcmappingmodel` of Xcode's, or the `xcmapping.xml` in one.
  ///
  /// - Throws: ``ModelError``: `mapping-not-found`, `mapping-unreadable`, `mapping-syntax`, or every problem
  ///   of form with line and column.
  public init(contentsOf path: String) throws(ModelError) {
    let file = try Self.place(of: path)
    do throws(ModelError) {
      try self.init(try ModelFile.read(file), path: file)
    } catch {
      throw error.ofMapping
    }
  }

  /// Reads the text of a mapping file.
  ///
  /// - Parameters:
  ///   - bytes: The JSON, or the XML of Xcode's, in UTF-8.
  ///   - path: The file that it was read from, for errors.
  /// - Throws: ``ModelError``, as ``init(contentsOf:)``.
  public init(_ bytes: some Sequence<UInt8>, path: String? = nil) throws(ModelError) {
    let bytes = Array(bytes)
    self.path = path
    switch ModelFormat.sniff(bytes) {
    case .json:
      do throws(ModelError) {
        let root = try ModelSource(bytes, file: path, kind: "a mapping file").parse()
        places = .json(bytes: bytes, root: root)
        mapping = try Self.read(root, bytes, path)
      } catch {
        throw error.ofMapping
      }
    case .compiled:
      throw ModelError(
        [
          ModelProblem(
            .mappingUnreadable, at: ModelPath(), value: path,
            message: "This is a compiled mapping, or another binary property list.",
            remedy: "Give the .xcmappingmodel that it was compiled from.")
        ], file: path)
    default:
      let found = try XcodeMappingReader.read(bytes, file: path)
      mapping = found.mapping
      places = .xml(bytes: bytes, offsets: found.offsets)
    }
  }

  private static func read(
    _ root: JSONNode, _ bytes: [UInt8], _ path: String?
  ) throws(ModelError) -> MappingModel {
    var reader = ModelReader()
    let mapping = reader.readMapping(root)
    guard reader.problems.isEmpty else {
      let places = Places.json(bytes: bytes, root: root)
      throw ModelError(places.located(reader.problems), file: path)
    }
    return mapping
  }

  /// The file that holds the mapping at a path.
  private static func place(of path: String) throws(ModelError) -> String {
    var isDirectory: ObjCBool = false
    guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw ModelError(
        [
          ModelProblem(
            .mappingNotFound, at: ModelPath(), value: path, message: "There is no mapping at \(path).")
        ], file: path)
    }
    guard isDirectory.boolValue else { return path }
    let file = ModelFile.path(XcodeMappingReader.fileName, in: path)
    guard FileManager.default.fileExists(atPath: file) else {
      throw ModelError(
        [
          ModelProblem(
            .mappingUnreadable, at: ModelPath(), value: path,
            message: "The directory \(path) is no mapping: it has no \(XcodeMappingReader.fileName).")
        ], file: path)
    }
    return file
  }

  /// Whether the name of an entry of a directory is that of a mapping.
  static func isMapping(_ name: String) -> Bool {
    isXcodeMapping(name) || (!name.hasPrefix(".") && name.lowercased().hasSuffix(".json"))
  }

  /// Whether the name of an entry of a directory is that of a mapping of Xcode's.
  static func isXcodeMapping(_ name: String) -> Bool {
    !name.hasPrefix(".") && name.lowercased().hasSuffix(".xcmappingmodel")
  }

  /// Problems with the lines and columns they are in.
  func located(_ problems: [ModelProblem]) -> [ModelProblem] { places.located(problems) }
}

extension MappingFile.Places {
  /// Problems with the lines and columns they are in, in the order of the file.
  func located(_ problems: [ModelProblem]) -> [ModelProblem] {
    guard !problems.isEmpty else { return [] }
    switch self {
    case .json(let bytes, let root):
      var places = SourcePositions(bytes, root)
      return ModelProblem.inDocumentOrder(problems.map { $0.placed(at: places.place(of: $0.path)) })
    case .xml(let bytes, let offsets):
      let positions = TextPositions(bytes)
      return ModelProblem.inDocumentOrder(
        problems.map { $0.placed(at: positions.position(of: Self.offset(of: $0.path, in: offsets))) })
    }
  }

  /// The offset of the nearest part of a path that is an element.
  private static func offset(of path: ModelPath, in offsets: [ModelPath: Int]) -> Int {
    var components = path.components
    while true {
      if let offset = offsets[ModelPath(components)] { return offset }
      guard components.popLast() != nil else { return 0 }
    }
  }
}

extension ModelProblem {
  fileprivate func placed(at place: (line: Int, column: Int)) -> ModelProblem {
    var problem = self
    problem.line = place.line
    problem.column = place.column
    return problem
  }
}

extension MappingModel {
  /// Reads a mapping file: of JSON, or of Xcode's.
  ///
  /// - Throws: ``ModelError``, see ``MappingFile/init(contentsOf:)``. Whether names and expressions fit two
  ///   models is checked by ``CheckedMapping``.
  public init(contentsOf path: String) throws(ModelError) {
    self = try MappingFile(contentsOf: path).mapping
  }

  /// Reads the JSON of a mapping file.
  ///
  /// - Throws: ``ModelError``, see ``MappingFile/init(_:path:)``.
  public init(json: some Sequence<UInt8>) throws(ModelError) {
    self = try MappingFile(json).mapping
  }
}
