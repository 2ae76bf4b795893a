@testable import GraphStoreModel

/// Makes definitions without problems.
struct RandomModels {
  private var random: SeededGenerator

  init(_ seed: TestSeed) { random = seed.generator }

  mutating func model() -> ModelDefinition {
    let names = (0..<Int.random(in: 1...4, using: &random)).map { "E\($0)" }
    var model = ModelDefinition(
      name: some("Model \u{e9}"), version: some("2"), entities: names.map { entity($0) },
      userInfo: info(), localization: chance() ? ["Entity/E0": "\u{1}é"] : [:],
      xcode: chance() ? ["systemVersion": "1", "own": ["x", 1]] : [:])
    for number in names.indices.dropFirst() where chance() {
      model.entities[number].parent = names[Int.random(in: 0..<number, using: &random)]
    }
    for number in names.indices { model.entities[number].relationships = relationships(names, number) }
    if chance() { link(&model) }
    if chance() {
      model.fetchRequests = [
        .init(
          "q", entity: "E0", predicate: some("E0s == $X"), sort: chance() ? ["-E0s"] : [], limit: number(),
          offset: number(), distinct: false)
      ]
    }
    if chance() { model.configurations = [.init("Half", entities: ["E0"]), .init("None", entities: [])] }
    return model
  }

  private mutating func entity(_ name: String) -> EntityDefinition {
    var entity = EntityDefinition(
      name, isAbstract: chance(), className: some("My\(name)"), renamingIdentifier: some("Old"),
      versionHashModifier: some("1"), userInfo: info(), xcode: chance() ? ["syncable": "YES"] : [:])
    entity.attributes =
      [.init("\(name)s", .string)]
      + AttributeType.allCases.filter { _ in chance() }.map { attribute(name, $0) }
    if chance() {
      entity.indexes = [
        .init(
          "i", elements: [.init("\(name)s", order: .descending), .init(expression: "lowercase:(\(name)s)")],
          predicate: some("\(name)s != nil"))
      ]
    }
    if chance() { entity.uniquenessConstraints = [["\(name)s"]] }
    if chance() {
      entity.fetchedProperties = [
        .init(
          "\(name)f", entity: name, predicate: some("\(name)s == $FETCH_SOURCE.\(name)s"),
          sort: chance() ? ["\(name)s"] : [], limit: number(), isOptional: chance(), userInfo: info())
      ]
    }
    return entity
  }

  private mutating func attribute(_ entity: String, _ type: AttributeType) -> AttributeDefinition {
    var attribute = AttributeDefinition(
      "\(entity)\(type.rawValue)", type, isOptional: chance(), isTransient: type == .undefined,
      preservesValueInHistory: chance(), renamingIdentifier: some("old"), versionHashModifier: some("é\u{2}"),
      userInfo: info(), xcode: chance() ? ["usesScalarValueType": "NO", "nested": [true]] : [:])
    if chance() { attribute.validations = [.init("SELF != nil", message: some("no"))] }
    switch type {
    case .int16, .int32, .int64, .double, .float:
      attribute.defaultValue = chance() ? .number("\(Int.random(in: 0...9, using: &random))") : nil
      attribute.minimum = chance() ? .number("-5") : nil
      attribute.maximum = chance() ? .number("1e2") : nil
    case .decimal: attribute.defaultValue = chance() ? .number("0.10") : .string("1.50")
    case .string:
      attribute.defaultValue = some("a\"<&\n\u{1}").map { .string($0) }
      attribute.minLength = chance() ? 0 : nil
      attribute.maxLength = chance() ? 9 : nil
      attribute.pattern = some("[<>&]+\\n")
    case .boolean: attribute.defaultValue = chance() ? .bool(chance()) : nil
    case .date:
      attribute.defaultValue = some("2001-01-01T00:00:00.25Z").map { .string($0) }
      attribute.minimum = some("1990-01-01").map { .string($0) }
    case .uuid: attribute.defaultValue = some("6F9619FF-8B86-D011-B42D-00C04FC964FF").map { .string($0) }
    case .uri: attribute.defaultValue = some("https://example.com/a").map { .string($0) }
    case .binary:
      attribute.defaultValue = some("AAEC").map { .string($0) }
      attribute.externalStorage = chance()
    case .transformable: attribute.transformer = some("Colour")
    case .composite:
      attribute.elements = [.init("x", .double, validations: chance() ? [.init("SELF > 1")] : [])]
    case .undefined: break
    }
    return attribute
  }

  private mutating func relationships(_ names: [String], _ owner: Int) -> [RelationshipDefinition] {
    (0..<Int.random(in: 0...2, using: &random)).map { step in
      let isToMany = chance()
      return RelationshipDefinition(
        "\(names[owner])r\(step)", to: names[Int.random(in: 0..<names.count, using: &random)],
        isToMany: isToMany,
        isOrdered: isToMany && chance(), isOptional: chance(), minCount: chance() ? 1 : 0,
        maxCount: isToMany && chance() ? 7 : 0,
        deleteRule: DeleteRule.allCases[Int.random(in: 0..<4, using: &random)],
        validations: chance() ? [.init("SELF != nil")] : [], userInfo: info())
    }
  }

  /// Joins two relationships, the first of which leads to a sub-entity of the second one's entity where there
  /// is one.
  private mutating func link(_ model: inout ModelDefinition) {
    let last = model.entities.count - 1
    let owner = model.entities[last].parent ?? model.entities[last].name
    guard let position = model.entities.firstIndex(where: { $0.name == owner }) else { return }
    var there = RelationshipDefinition(
      "there", to: model.entities[last].name, inverse: "back", isToMany: true)
    if owner != model.entities[last].name { there.xcode = ["inverseEntity": .string(owner)] }
    model.entities[0].relationships.append(there)
    model.entities[position].relationships.append(.init("back", to: "E0", inverse: "there"))
  }

  private mutating func chance() -> Bool { Bool.random(using: &random) }

  private mutating func number() -> Int { chance() ? 0 : Int.random(in: 1...50, using: &random) }

  private mutating func some(_ text: String) -> String? { chance() ? text : nil }

  private mutating func info() -> [String: JSONValue] {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: ["k": "v", "\"<": "\u{1}"]
    case 1: ["list": [1, nil, "x", ["y": 2.5]]]
    default: [:]
    }
  }
}
