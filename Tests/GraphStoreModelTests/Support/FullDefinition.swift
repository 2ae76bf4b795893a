@testable import GraphStoreModel

/// A definition in which every key differs from its default.
var fullDefinition: ModelDefinition {
  let rules = [
    ValidationDefinition("SELF != 'x'", message: "no \"x\"\n"), ValidationDefinition("SELF != 'y'"),
  ]
  return ModelDefinition(
    name: "Full", version: "3",
    entities: [
      EntityDefinition(
        "A", isAbstract: true, className: "MyA",
        attributes: [
          .init(
            "s", .string, isOptional: false, defaultValue: "é\u{1}\t", minLength: 1, maxLength: 9,
            pattern: "\\S+",
            preservesValueInHistory: true, validations: rules, renamingIdentifier: "old",
            versionHashModifier: "2",
            userInfo: ["list": [1, 2.5, nil, true, ["deep": [:]]]], xcode: ["codeGeneration": "class"]),
          .init(
            "n", .int64, isTransient: true, defaultValue: 5, minimum: 1,
            maximum: .number("9223372036854775807")),
          .init("d", .decimal, defaultValue: "0.10"), .init("b", .binary, externalStorage: true),
          .init("t", .transformable, transformer: "Colour"),
          .init("c", .composite, elements: [.init("e", .date)]),
          .init("derived", .string, derivation: "s:lowercase"), .init("u", .undefined, isTransient: true),
        ],
        relationships: [
          .init(
            "many", to: "B", inverse: "one", isToMany: true, isOrdered: true, isOptional: false,
            minCount: 3,
            maxCount: 40, deleteRule: .cascade, renamingIdentifier: "r", versionHashModifier: "m",
            userInfo: ["a": "b"], xcode: ["x": 1])
        ],
        fetchedProperties: [
          .init(
            "f", entity: "B", predicate: "one == $FETCH_SOURCE", sort: ["-x"], limit: 2, isOptional: false,
            userInfo: ["color": "Green"])
        ],
        indexes: [
          .init("i", elements: [.init("s", order: .descending), .init("c.e")], predicate: "s != nil"),
          .init("r", elements: [.init("d", kind: .rtree)]),
          .init("e", elements: [.init(expression: "lowercase:(s)")]),
        ],
        uniquenessConstraints: [["s"], ["s", "d"]], renamingIdentifier: "OldA", versionHashModifier: "1",
        userInfo: ["k": nil], xcode: ["y": []]),
      EntityDefinition(
        "B", parent: nil, attributes: [.init("x", .float)],
        relationships: [.init("one", to: "A", inverse: "many")]),
      EntityDefinition("C", parent: "B"),
    ],
    fetchRequests: [
      .init(
        "q", entity: "B", predicate: "x > $MIN", sort: ["x"], limit: 1, offset: 2, batchSize: 3,
        resultType: .dictionaries, properties: ["x"], groupBy: ["x"], having: "x > 1", distinct: true,
        prefetch: ["one"], includesSubentities: false)
    ],
    configurations: [.init("Half", entities: ["A", "B"]), .init("None", entities: [])],
    userInfo: ["checkIgnore": ["name-style"]], localization: ["Entity/A": "Ä"], xcode: ["tools": "1"])
}
