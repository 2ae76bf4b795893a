import ArgumentParser
import Foundation
import GraphStore

/// `graphstore info`
struct InfoCommand: RecordCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Say what the store is, what it holds, and which model it follows.")

  @OptionGroup(title: "Result") var output: OutputOptions
  @OptionGroup(title: "Short forms") var short: ShortOptions
  @OptionGroup(title: "Every command") var shared: SharedOptions

  func execute(in session: CommandSession) throws -> ExitCode {
    let context = try session.context(.read)
    let coordinator = context.coordinator
    let model = coordinator.managedObjectModel
    var table = PropertyTable()
    table.add("path", .string(coordinator.storePath ?? ""))
    if let path = coordinator.storePath,
      let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    {
      table.add("size", .int(Int64(size)))
    }
    table.add("uuid", .string(coordinator.storeIdentifier ?? ""))
    table.add("type", .string("sqlite"))
    table.add("model", .string(model.name))
    table.add("version", model.versionIdentifiers.first.map { .string($0) } ?? .null)
    table.add("checksum", .string(model.versionChecksum))
    var total = 0
    for entity in model.entities where !entity.isAbstract {
      let request = FetchRequest(entityName: entity.name, includesSubentities: false)
      let count = try context.count(for: request)
      total += count
      table.add("objects.\(entity.name)", .int(Int64(count)))
    }
    table.add("objects", .int(Int64(total)))
    table.add("hashes", .string(Self.origin(ofHashesIn: coordinator)))
    for entity in model.entities {
      table.add("hash.\(entity.name)", .string(entity.versionHash.hexadecimal))
    }
    try session.write(default: .line, table)
    return .success
  }

  /// Whose hashes a store records: Core Data opens a store only if they are its own.
  private static func origin(ofHashesIn coordinator: PersistentStoreCoordinator) -> String {
    coordinator.isStoreMadeByCoreData
      ? "Core Data's" : "GraphStore's own: Apple's framework will not open the store"
  }
}
