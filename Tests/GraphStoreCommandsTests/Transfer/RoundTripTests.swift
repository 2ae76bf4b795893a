import Foundation
import GraphStore
import Testing

@testable import GraphStoreCommands

@Suite("What is exported imports back equal")
struct RoundTripTests {
  @Test("Random graphs through NDJSON, JSON and folders of tables", arguments: TestSeed.sequence(3, from: 1))
  func roundTrip(seed: TestSeed) throws {
    var graph = RandomGraph(seed)
    let folder = try TransferFolder(model: try graph.modelText)
    let coordinator = try PersistentStoreCoordinator.open(storeAt: folder.path("store.db"))
    try graph.fill(ManagedObjectContext(coordinator: coordinator))
    coordinator.close()
    let original = try folder.export(["--all"])
    let records = try Self.records(original, folder.model)
    for (format, size) in [("ndjson", "3"), ("json", "7"), ("csv", "5"), ("tsv", "1000")] {
      let copy = "copy-\(format)-\(size).db"
      try folder.makeStore(copy)
      let file = folder.path("all.\(format)")
      try? FileManager.default.removeItem(atPath: file)
      try folder.run(["export", "--all", "--format", format, "-o", file])
      let from = format == "ndjson" || format == "json" ? [] : ["--from", format]
      try folder.run(["import", "--all", file, "--batch-size", size] + from, store: copy)
      let again = try folder.export(["--all"], store: copy)
      let found = try Self.records(again, folder.model)
      #expect(found.count == records.count, "\(seed), \(format), batches of \(size)")
      let difference = zip(found, records).first { $0 != $1 }
      #expect(difference == nil, "\(seed), \(format), batches of \(size)")
      #expect(
        try folder.run(["check", "--quiet"], store: copy) == .success, "\(seed), \(format), \(size)")
    }
    try folder.makeStore("kept.db")
    try folder.run(["import", "--all", folder.path("all.ndjson"), "--keep-ids"], store: "kept.db")
    #expect(try folder.export(["--all"], store: "kept.db") == original, "\(seed), kept ids")
  }

  /// The records with their ids replaced by their places, and the members of relationships without order
  /// sorted.
  private static func records(_ text: String, _ model: String) throws -> [String] {
    let model = try ManagedObjectModel(json: Array(model.utf8), name: nil)
    let objects = try text.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
    }
    var places: [String: String] = [:]
    for (place, object) in objects.enumerated() {
      places[(object["objectID"] ?? object["id"]) as? String ?? ""] = "#\(place)"
    }
    return objects.map { object in
      object.sorted { $0.key < $1.key }.map { key, value in
        let entity = model.entitiesByName[object["entity"] as? String ?? ""]
        guard entity?.isIdentifierKey(key) == true || entity?.relationship(named: key) != nil else {
          return "\(key)=\(value)"
        }
        guard let list = value as? [String] else { return "\(key)=\(places["\(value)"] ?? "\(value)")" }
        let members = list.map { places[$0] ?? $0 }
        return "\(key)=\(entity?.relationship(named: key)?.isOrdered == true ? members : members.sorted())"
      }.joined(separator: " ")
    }
  }
}
