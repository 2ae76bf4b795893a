@testable import GraphStoreModel

/// A model in which every kind of thing that a drawing shows occurs once.
var drawnDefinition: ModelDefinition {
  ModelDefinition(
    name: "Everything \"drawn\"",
    entities: [
      EntityDefinition(
        "Thing", isAbstract: true,
        attributes: [
          .init("uk", .string, isOptional: false), .init("note", .string, isTransient: true),
          .init("place", .composite, elements: [.init("city", .string), .init("zip", .int32)]),
          .init("key", .string, derivation: "canonical:(uk)"),
        ],
        relationships: [
          .init(
            "parts", to: "Part", inverse: "whole", isToMany: true, isOrdered: true, isOptional: false,
            minCount: 3, maxCount: 40, deleteRule: .cascade),
          .init("cousin", to: "Thing", inverse: "cousin", deleteRule: .deny),
          .init("seen", to: "One", isToMany: true, deleteRule: .noAction),
        ],
        fetchedProperties: [.init("likes", entity: "Part")]),
      EntityDefinition("One", parent: "Thing", uniquenessConstraints: [["uk"]]),
      EntityDefinition(
        "Part", attributes: [.init("a", .int16), .init("b", .date)],
        relationships: [
          .init("whole", to: "Thing", inverse: "parts", isOptional: false),
          .init("shadow", to: "Part", isTransient: true),
        ], uniquenessConstraints: [["a"], ["a", "b"]]),
      EntityDefinition("Lonely"),
    ])
}
