import Foundation
import GraphStore

extension Workload {
  private static let properties = 20

  /// Reads a model file whole: JSON, every check and the descriptions.
  static func l1(_ part: Int, entities: Int, rounds: Int, goal: String) -> Workload {
    Workload(
      id: "L1.\(part)",
      title: "read and check a model of \(entities) entities with \(properties) properties, \(rounds) times",
      goal: goal, rows: Int64(entities * rounds),
      expected: { Answer(count: Int64(rounds * entities), sum: Int64(rounds * entities * properties)) },
      contenders: {
        let text = definition(entities).jsonData()
        return [
          PlainContender("GraphStore", .project) {
            var answer = Answer(count: 0)
            for _ in 0..<rounds {
              let model = try ManagedObjectModel(json: text)
              answer.count += Int64(model.entities.count)
              answer.sum += Int64(model.entities.reduce(0) { $0 + $1.properties.count })
            }
            return answer
          },
          PlainContender("floor: Foundation parses the JSON", .floor) {
            for _ in 0..<rounds { _ = try JSONSerialization.jsonObject(with: text) }
            return Answer(
              count: Int64(rounds * entities), sum: Int64(rounds * entities * properties))
          },
        ]
      })
  }

  /// Makes all version hashes of models that were loaded before.
  static func l1Hashes(_ part: Int, entities: Int, rounds: Int, goal: String) -> Workload {
    Workload(
      id: "L1.\(part)",
      title: "all hashes of a model of \(entities) entities with \(properties) properties, \(rounds) times",
      goal: goal, rows: Int64(entities * rounds),
      expected: { Answer(count: Int64(rounds * entities)) },
      contenders: {
        let text = definition(entities).jsonData()
        return [
          PreparedContender(
            "GraphStore", .project,
            making: { try (0..<rounds).map { _ in try ManagedObjectModel(json: text) } }
          ) { models in
            Answer(count: models.reduce(0) { $0 + Int64(Set($1.entityVersionHashesByName.values).count) })
          }
        ]
      })
  }

  /// Finds the version of a store of the oldest of twenty versions that are known (MIG-356).
  static func l1Version(_ part: Int, entities: Int, rounds: Int, goal: String) -> Workload {
    Workload(
      id: "L1.\(part)",
      title: "find the version of a store among 20 versions of \(entities) entities, \(rounds) times",
      goal: goal, rows: Int64(rounds), expected: { Answer(count: Int64(rounds)) },
      contenders: {
        let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).graphmodel"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for version in 1...20 {
          var model = definition(entities)
          model.entities[0].versionHashModifier = "\(version)"
          try model.jsonData().write(to: URL(fileURLWithPath: "\(folder)/\(version).json"))
        }
        try Data("20\n".utf8).write(to: URL(fileURLWithPath: "\(folder)/current"))
        let versions = try ModelVersions(at: folder)
        let store = folder + "/store.db"
        try PersistentStoreCoordinator.create(storeAt: store, model: versions.model(named: "1")).close()
        _ = try versions.version(ofStoreAt: store)
        return [
          PlainContender("GraphStore", .project) {
            var answer = Answer(count: 0)
            for _ in 0..<rounds where try versions.version(ofStoreAt: store)?.name == "1" {
              answer.count += 1
            }
            return answer
          }
        ]
      })
  }

  private static func definition(_ entities: Int) -> ModelDefinition {
    let types: [AttributeType] = [.string, .int64, .date, .decimal, .boolean, .double, .uuid]
    let attributes = (0..<(properties - 2)).map {
      AttributeDefinition("value\($0)", types[$0 % types.count], isOptional: $0 % 3 != 0)
    }
    return ModelDefinition(
      entities: (0..<entities).map { number in
        EntityDefinition(
          "Entity\(number)", attributes: attributes,
          relationships: [
            .init("next", to: "Entity\((number + 1) % entities)", inverse: "previous"),
            .init(
              "previous", to: "Entity\((number + entities - 1) % entities)", inverse: "next", isToMany: true),
          ], uniquenessConstraints: [["value0"]])
      })
  }
}
