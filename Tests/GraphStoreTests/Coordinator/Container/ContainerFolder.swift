import Foundation
import GraphStore
import GraphStoreTestSupport
import Synchronization

/// Stores of containers in a folder of their own.
final class ContainerFolder {
  let folder: LayoutFolder

  init() throws { folder = try LayoutFolder() }

  func url(_ name: String) -> URL { URL(fileURLWithPath: folder.file(name)) }

  /// A container for a store of a name in the folder, which it does not migrate.
  func container(
    _ names: String..., model: ManagedObjectModel? = nil, options: [String: Value] = [:]
  ) throws -> PersistentContainer {
    let container = PersistentContainer(name: "Tests", model: try model ?? Self.model())
    container.persistentStoreDescriptions = names.map { name in
      var description = PersistentStoreDescription(url: url(name))
      description.options = options
      description.shouldMigrateStoreAutomatically = false
      return description
    }
    return container
  }

  static func model(_ change: (inout ModelDefinition) -> Void = { _ in }) throws -> ManagedObjectModel {
    var definition = TestModels.company()
    change(&definition)
    return try ManagedObjectModel(definition)
  }

  /// What the folder holds, without the shared indexes of logs, which say nothing of a store's content.
  func state() throws -> [String: Data] { try folder.state() }
}

/// What closures were given, on whatever thread.
final class Collected<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])

  var elements: [Element] { list.withLock(\.self) }

  func add(_ element: Element) { list.withLock { $0.append(element) } }
}

extension PersistentContainer {
  /// Loads the stores; gives each description's file with what kept it from being added.
  func load() -> [(file: String, code: String?)] {
    let calls = Collected<(file: String, code: String?)>()
    loadPersistentStores { description, error in
      calls.add(
        (
          description.url.lastPathComponent,
          error.map { ($0 as? GraphStoreError)?.code.rawValue ?? "\($0)" }
        ))
    }
    return calls.elements
  }

  /// Loads the one store; gives what kept it from being added.
  func loadOne() -> GraphStoreError? {
    let errors = Collected<GraphStoreError?>()
    loadPersistentStores { _, error in errors.add(error as? GraphStoreError) }
    return errors.elements.first ?? nil
  }
}
