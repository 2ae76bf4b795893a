import Foundation
import GraphStoreTestSupport
import Testing

@testable import GraphStoreModel

@Suite("The schema of models")
struct ModelSchemaTests {
  private static func read(_ name: String) throws -> JSONValue {
    let data = try Data(contentsOf: Repository.models.appendingPathComponent(name))
    return try JSONParser.parse([UInt8](data)).value
  }

  private static let schema = Result {
    JSONSchemaValidator(root: try read("graphstore.schema.json"))
  }

  private static func models() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: Repository.models.path)
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
        try ManagedObjectModel(contentsOf: Repository.models.appendingPathComponent(name).path)
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

  /// A model of the repository, or one with every key.
  private static func anyModel(_ generator: inout SeededGenerator) throws -> JSONValue {
    let names = try models() + ["every key"]
    let name = names.randomElement(using: &generator) ?? "every key"
    return name == "every key"
      ? try JSONParser.parse([UInt8](fullDefinition.jsonData())).value : try read(name)
  }

  @Test(
    "MDL-033: schema and loader refuse the same unknown keys and wrong types",
    arguments: TestSeed.sequence(400))
  func mutations(seed: TestSeed) throws {
    var generator = seed.generator
    let schema = try Self.schema.get()
    let model = try Self.anyModel(&generator)
    let path = try #require(JSONMutation.paths(model).randomElement(using: &generator))
    let mutated = mutate(model, path, &generator)
    let found = problems(JSONWriter.text(mutated))
    let refused = found.contains { [.unknownKey, .wrongType, .missingKey].contains($0.code) }
    // Values of defaults and limits are judged by the attribute's type, which a schema cannot.
    let isValue = found.contains { $0.code == .badValue }
    if !isValue { #expect(schema.accepts(mutated) == !refused, "\(seed), \(path)") }
    if found.isEmpty { #expect(schema.accepts(mutated), "\(seed), \(path)") }
  }

  @Test(
    "MDL-033: the schema accepts what the loader accepts, and refuses the words, names and numbers it refuses",
    arguments: TestSeed.sequence(300))
  func values(seed: TestSeed) throws {
    var generator = seed.generator
    let schema = try Self.schema.get()
    var model = try Self.anyModel(&generator)
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      let path = try #require(JSONMutation.paths(model).randomElement(using: &generator))
      let choice = generator.next()
      model = JSONMutation.change(model, at: path[...]) { Self.otherValue($0, choice) }
    }
    let found = problems(JSONWriter.text(model))
    if found.isEmpty { #expect(schema.accepts(model), "\(seed): \(JSONWriter.text(model))") }
    for problem in found where Self.isForSchema(problem) {
      #expect(!schema.accepts(model), "\(seed): \(problem)")
    }
  }

  /// Another value of the same type.
  private static func otherValue(_ value: JSONValue, _ choice: UInt64) -> JSONValue {
    let words = ["", "9x", "a b", "é", "x", "int16", "cascade", "ids", "rtree", "descending", "_1"]
    let numbers = ["-1", "1.5", "1e3", "0", "7", "-2.5e1"]
    switch value {
    case .string: return .string(words[Int(choice % UInt64(words.count))])
    case .number: return .number(numbers[Int(choice % UInt64(numbers.count))])
    case .bool(let flag): return .bool(!flag)
    default: return value
    }
  }

  /// Whether a schema can know a problem: names, words of a list, and whole numbers that are not negative.
  private static func isForSchema(_ problem: ModelProblem) -> Bool {
    guard case .key(let key)? = problem.path.components.last else { return false }
    switch problem.code {
    case .badName: return key == "name"
    case .badValue:
      let words = ["order", "deleteRule", "resultType"]
      let counts = ["limit", "offset", "batchSize", "minLength", "maxLength", "minCount", "maxCount"]
      if counts.contains(key) {
        return problem.value.flatMap(Double.init).map { $0 < 0 || $0 != $0.rounded() } ?? false
      }
      return words.contains(key)
    default: return false
    }
  }

  private func mutate(
    _ model: JSONValue, _ path: [JSONMutation.Step], _ generator: inout SeededGenerator
  ) -> JSONValue {
    if case .key(let key)? = path.last, Bool.random(using: &generator) {
      let isRenamed = Bool.random(using: &generator)
      return JSONMutation.change(model, at: path.dropLast()) { parent in
        guard case .object(var members) = parent else { return parent }
        let member = members.removeValue(forKey: key)
        if isRenamed { members[key + "x"] = member }
        return .object(members)
      }
    }
    let others: [JSONValue] = [nil, true, 3, "text", [], [:], ["a": 1]]
    let choice = generator.next()
    return JSONMutation.change(model, at: path[...]) { value in
      let different = others.filter { $0.typeName != value.typeName }
      return different[Int(choice % UInt64(different.count))]
    }
  }
}
