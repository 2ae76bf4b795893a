import Foundation
import Testing

@testable import GraphStoreModel

@Suite("The schema of models")
struct ModelSchemaTests {
  private static func read(_ name: String) throws -> JSONValue {
    let data = try Data(contentsOf: modelsFolder.appendingPathComponent(name))
    return try JSONParser.parse([UInt8](data)).value
  }

  private static let schema = Result {
    JSONSchemaValidator(root: try read("graphstore.schema.json"))
  }

  private static func models() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: modelsFolder.path)
      .filter { $0.hasSuffix(".json") && !$0.hasSuffix(".schema.json") }.sorted()
  }

  @Test("MDL-033: the schema accepts every model of the repository, and so does the loader")
  func shippedModels() throws {
    let schema = JSONSchemaValidator(root: try Self.read("graphstore.schema.json"))
    let names = try Self.models()
    #expect(names.count >= 2)
    for name in names {
      #expect(schema.accepts(try Self.read(name)), "\(name)")
      #expect(throws: Never.self, "\(name)") {
        try ManagedObjectModel(contentsOf: modelsFolder.appendingPathComponent(name).path)
      }
    }
  }

  @Test("MDL-033: the schema has exactly the keys of the loader")
  func keys() throws {
    guard case .object(let root) = try Self.read("graphstore.schema.json"),
      case .object(let definitions) = root["$defs"]
    else {
      Issue.record("no definitions")
      return
    }
    func keys(_ schema: JSONValue?) -> Set<String> {
      guard case .object(let object) = schema, case .object(let properties) = object["properties"] else {
        return []
      }
      return Set(properties.keys)
    }
    #expect(keys(.object(root)) == Set(ModelKeys.model))
    #expect(keys(definitions["entity"]) == Set(ModelKeys.entity))
    #expect(keys(definitions["attribute"]) == Set(ModelKeys.attribute))
    #expect(keys(definitions["relationship"]) == Set(ModelKeys.relationship))
    #expect(keys(definitions["fetchedProperty"]) == Set(ModelKeys.fetchedProperty))
    #expect(keys(definitions["validation"]) == Set(ModelKeys.validation))
    #expect(keys(definitions["index"]) == Set(ModelKeys.index))
    #expect(keys(definitions["indexElement"]) == Set(ModelKeys.indexElement))
    #expect(keys(definitions["fetchRequest"]) == Set(ModelKeys.fetchRequest))
    #expect(keys(definitions["configuration"]) == Set(ModelKeys.configuration))
  }

  @Test("MDL-033: schema and loader refuse the same unknown keys and wrong types", arguments: 0..<UInt64(400))
  func mutations(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let schema = try Self.schema.get()
    let names = try Self.models() + ["every key"]
    let name = try #require(names.randomElement(using: &generator))
    var paths: [[Step]] = []
    let model =
      name == "every key"
      ? try JSONParser.parse([UInt8](fullDefinition.jsonData())).value : try Self.read(name)
    collect(model, [], &paths)
    let path = try #require(paths.randomElement(using: &generator))
    let mutated = mutate(model, path[...], &generator)
    let found = problems(JSONWriter.text(mutated))
    let refused = found.contains { [.unknownKey, .wrongType, .missingKey].contains($0.code) }
    // Values of defaults and limits are judged by the attribute's type, which a schema cannot.
    let isValue = found.contains { $0.code == .badValue }
    if !isValue { #expect(schema.accepts(mutated) == !refused, "seed \(seed), \(name), \(path)") }
  }

  enum Step { case key(String), index(Int) }

  private func collect(_ value: JSONValue, _ path: [Step], _ paths: inout [[Step]]) {
    paths.append(path)
    switch value {
    case .array(let items):
      for (index, item) in items.enumerated() { collect(item, path + [.index(index)], &paths) }
    case .object(let members):
      for key in members.keys.sorted() { collect(members[key] ?? .null, path + [.key(key)], &paths) }
    default: return
    }
  }

  private func mutate(
    _ value: JSONValue, _ path: ArraySlice<Step>, _ generator: inout SeededGenerator
  ) -> JSONValue {
    guard let step = path.first else { return replacement(value, &generator) }
    switch (step, value) {
    case (.index(let index), .array(var items)):
      items[index] = mutate(items[index], path.dropFirst(), &generator)
      return .array(items)
    case (.key(let key), .object(var members)):
      if path.count == 1, Bool.random(using: &generator) {
        let member = members.removeValue(forKey: key)
        if Bool.random(using: &generator) { members[key + "x"] = member }
        return .object(members)
      }
      members[key] = mutate(members[key] ?? .null, path.dropFirst(), &generator)
      return .object(members)
    default: return value
    }
  }

  private func replacement(_ value: JSONValue, _ generator: inout SeededGenerator) -> JSONValue {
    let others: [JSONValue] = [nil, true, 3, "text", [], [:], ["a": 1]]
    let different = others.filter { $0.typeName != value.typeName }
    return different.randomElement(using: &generator) ?? nil
  }
}
