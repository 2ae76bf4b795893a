import Foundation
import GraphStorePredicates

/// Reader of Xcode's mappings: the file `xcmapping.xml` in a folder `NAME.xcmappingmodel`.
///
/// It is a store of Core Data's in XML: elements `object` with attributes, and relationships that name other
/// objects. Xcode lists every property and marks those whose expression it infers when it compiles; these are
/// inferred here. Properties that it does not list are left out, so the mapping and its entity mappings are
/// complete.
struct XcodeMappingReader {
  static let fileName = "xcmapping.xml"

  /// A mapping with the positions of its parts.
  struct Found {
    var mapping: MappingModel
    var offsets: [ModelPath: Int]
  }

  private let objects: [String: MarkupElement]
  private var offsets: [ModelPath: Int] = [:]
  private(set) var problems: [ModelProblem] = []

  /// Reads a mapping.
  ///
  /// - Throws: ``ModelError``: `mapping-syntax` for a text that is no XML or no mapping, else every problem
  ///   with its position.
  static func read(_ xml: [UInt8], file: String?) throws(ModelError) -> Found {
    let root: MarkupElement
    do throws(MarkupParser.Failure) {
      root = try MarkupParser.parse(xml, skipsDocumentType: true)
      guard root.name == "database", root.children.contains(where: { $0["type"] == XcodeMapping.model })
      else {
        throw MarkupParser.Failure(
          offset: root.offset,
          message: "A mapping of Xcode is a <database> with an object \(XcodeMapping.model).")
      }
    } catch {
      let place = TextPositions(xml).position(of: error.offset)
      throw ModelError(
        [
          ModelProblem(
            .mappingSyntax, at: ModelPath(), message: error.message, line: place.line, column: place.column)
        ], file: file)
    }
    var reader = XcodeMappingReader(root)
    let mapping = reader.readMapping(root)
    guard reader.problems.isEmpty else {
      let places = MappingFile.Places.xml(bytes: xml, offsets: reader.offsets)
      throw ModelError(places.located(reader.problems), file: file)
    }
    return Found(mapping: mapping, offsets: reader.offsets)
  }

  private init(_ root: MarkupElement) {
    let found = root.children(named: "object").compactMap { element in element["id"].map { ($0, element) } }
    objects = Dictionary(found, uniquingKeysWith: { first, _ in first })
  }

  mutating func report(_ message: String, at path: ModelPath, value: String? = nil, remedy: String? = nil) {
    problems.append(
      ModelProblem(.mappingBadValue, at: path, value: value, message: message, remedy: remedy))
  }

  mutating func report(_ error: QueryPredicateError, in text: String, at path: ModelPath) {
    problems.append(ModelProblem(mapping: error, in: text, at: path))
  }

  // MARK: Objects

  private mutating func readMapping(_ root: MarkupElement) -> MappingModel {
    var mapping = MappingModel(entityMappings: [], isComplete: true)
    guard let element = root.children.first(where: { $0["type"] == XcodeMapping.model }) else {
      return mapping
    }
    let model = XcodeMappingObject(element)
    offsets[ModelPath()] = element.offset
    mapping.source = version(model["sourcemodelpath"], key: "source", of: element)
    mapping.destination = version(model["destinationmodelpath"], key: "destination", of: element)
    let entities = related("entitymappings", of: element, at: ModelPath())
    let ordered = entities.enumerated().sorted {
      (Self.number(of: $0.element), $0.offset) < (Self.number(of: $1.element), $1.offset)
    }
    for (position, entity) in ordered.map(\.element).enumerated() {
      let path = ModelPath().item("entityMappings", position)
      offsets[path] = entity.offset
      mapping.entityMappings.append(readEntityMapping(entity, at: path))
    }
    return mapping
  }

  private static func number(of element: MarkupElement) -> Int {
    XcodeMappingObject(element)["mappingnumber"].flatMap { Int($0) } ?? Int.max
  }

  /// The name of a version in the path of its model: `Moody 2` of
  /// `Migrations/Moody.xcdatamodeld/Moody 2.xcdatamodel`.
  private mutating func version(_ path: String?, key: String, of element: MarkupElement) -> String? {
    if let path, !path.isEmpty { return ModelFile.baseName(of: path) }
    report("The mapping does not say which model is its \(key).", at: ModelPath().key(key))
    return nil
  }

  /// The objects that a relationship of an object names, in the order of the file.
  private mutating func related(
    _ name: String, of element: MarkupElement, at path: ModelPath
  ) -> [MarkupElement] {
    let links = element.children(named: "relationship").first { $0["name"] == name }
    let names = (links?["idrefs"] ?? "").split(separator: " ").map(String.init)
    var found: [MarkupElement] = []
    for name in names {
      if let object = objects[name] {
        found.append(object)
      } else {
        report("The object \(name) is missing.", at: path, value: name)
      }
    }
    return found.sorted { $0.offset < $1.offset }
  }

  private mutating func readEntityMapping(_ element: MarkupElement, at path: ModelPath) -> EntityMapping {
    let object = XcodeMappingObject(element)
    var mapping = EntityMapping(
      object["name"], from: object["sourcename"], to: object["destinationname"],
      policyName: object["migrationpolicyclassname"],
      isComplete: true)
    mapping.kind = kind(object["mappingtypename"], at: path.key("type"))
    mapping.filter = filter(of: object, at: path.key("where"))
    mapping.userInfo = userInfo(of: object, at: path.key("userInfo"))
    for (position, child) in related("attributemappings", of: element, at: path).enumerated() {
      let place = path.item("attributes", position)
      offsets[place] = child.offset
      mapping.attributeMappings.append(readPropertyMapping(child, at: place))
    }
    for (position, child) in related("relationshipmappings", of: element, at: path).enumerated() {
      let place = path.item("relationships", position)
      offsets[place] = child.offset
      mapping.relationshipMappings.append(readPropertyMapping(child, at: place))
    }
    return mapping
  }

  /// The kind for Xcode's type of an entity mapping; nil where it leaves it to the compiler.
  private mutating func kind(_ name: String?, at path: ModelPath) -> EntityMapping.Kind? {
    guard let name, name != "Undefined" else { return nil }
    if let kind = EntityMapping.Kind(rawValue: name.lowercased()) { return kind }
    report("The mapping type \"\(name)\" is not known.", at: path, value: name)
    return nil
  }

  private mutating func readPropertyMapping(_ element: MarkupElement, at path: ModelPath) -> PropertyMapping {
    let object = XcodeMappingObject(element)
    var mapping = PropertyMapping(object["name"] ?? "", .inferred)
    if mapping.name.isEmpty { report("A property mapping has no name.", at: path.key("name")) }
    mapping.userInfo = userInfo(of: object, at: path.key("userInfo"))
    if let text = object["sourcekeypath"] {
      let from = expression(text, at: path.key("from"))
      if let name = object["sourcemappingname"] {
        mapping.value = .objects(ofMapping: name, from: from)
      } else {
        mapping.value = .expression(from)
      }
    } else if let expression = archived(object["valueexpressiondata"], at: path.key("value")) {
      mapping.value = .expression(expression)
    } else if object["autogenerateexpression"] == "0" {
      mapping.value = .none
    }
    return mapping
  }
}

/// The names of Xcode's objects.
enum XcodeMapping {
  static let model = "XDDEVMAPPINGMODEL"
}

/// The attributes of an object, without those that are empty.
struct XcodeMappingObject {
  private let values: [String: String]

  init(_ element: MarkupElement) {
    let pairs = element.children(named: "attribute").compactMap { attribute -> (String, String)? in
      guard let name = attribute["name"], !attribute.text.isEmpty else { return nil }
      return (name, attribute.text)
    }
    values = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
  }

  subscript(name: String) -> String? { values[name] }

  /// The value of the attribute of text, under any name, that holds a predicate.
  var predicate: String? {
    values.first { $0.key.hasSuffix("predicate") || $0.key.hasSuffix("predicatestring") }?.value
  }
}
