import Foundation
import Synchronization
import Testing

@testable import GraphStore
@testable import GraphStoreModel

@Suite("Persistent containers")
struct PersistentContainerTests {
  /// A container whose default folder a test gives.
  private final class HomeContainer: PersistentContainer, @unchecked Sendable {
    @TaskLocal static var home = URL(fileURLWithPath: "/nowhere")

    override class var defaultDirectoryURL: URL { home }
  }

  private let place: ContainerFolder

  init() throws { place = try ContainerFolder() }

  // MARK: Models by name

  private func write(_ model: String, to path: String) throws {
    let url = place.url(path)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(#"{"entities":[{"name":"\#(model)"}]}"#.utf8).write(to: url)
  }

  @Test("STO-001: a model is found by name, folder by folder, NAME.graphmodel before NAME.json")
  func search() throws {
    let folders = ["a", "b"].map { place.url($0).path }
    func entity() throws -> String? {
      try PersistentContainer(name: "M", modelFolders: folders).managedObjectModel.entities.first?.name
    }
    try write("FourthChoice", to: "b/M.json")
    #expect(try entity() == "FourthChoice")
    try write("ThirdChoice", to: "b/M.graphmodel/1.json")
    #expect(try entity() == "ThirdChoice")
    try write("SecondChoice", to: "a/M.json")
    #expect(try entity() == "SecondChoice")
    try write("FirstChoice", to: "a/M.graphmodel/1.json")
    #expect(try entity() == "FirstChoice")
  }

  @Test("STO-001, DGN-124: with no model the error lists every path tried, in order")
  func noModel() throws {
    let error = #expect(throws: ModelError.self) { try PersistentContainer(name: "Nowhere") }
    #expect(error?.code == "model-not-found")
    #expect(error?.number == 260)
    let text = "\(try #require(error))"
    let executable = try #require(Bundle.main.executableURL).deletingLastPathComponent().path
    var folders: [String] = []
    for folder in [Bundle.main.resourcePath, executable, FileManager.default.currentDirectoryPath] {
      if let folder, !folders.contains(folder) { folders.append(folder) }
    }
    var rest = text[...]
    for folder in folders {
      for ending in ["graphmodel", "json"] {
        let path = "\(folder)/Nowhere.\(ending)"
        let found = try #require(rest.range(of: path), "\(path) in its place in \(text)")
        rest = rest[found.upperBound...]
      }
    }
  }

  @Test("STO-002, STO-013: a model that is given is taken as it is, and is the coordinator's")
  @MainActor func givenModel() throws {
    let model = try ContainerFolder.model()
    let container = PersistentContainer(name: "Anything", model: model)
    #expect(container.managedObjectModel === model)
    #expect(container.persistentStoreCoordinator.managedObjectModel === model)
    #expect(container.viewContext.coordinator === container.persistentStoreCoordinator)
    #expect(container.name == "Anything")
    #expect(container.persistentStoreDescriptions[0].url.lastPathComponent == "Anything.sqlite")
  }

  // MARK: Descriptions

  @Test("STO-003, STO-040: a new container has one description, with the defaults")
  func defaults() throws {
    let container = PersistentContainer(name: "Staff", model: try ContainerFolder.model())
    try #require(container.persistentStoreDescriptions.count == 1)
    let description = container.persistentStoreDescriptions[0]
    #expect(description.type == .sqlite)
    #expect(description.url == PersistentContainer.defaultDirectoryURL.appendingPathComponent("Staff.sqlite"))
    #expect(description.configuration == nil)
    #expect(!description.isReadOnly)
    #expect(description.timeout == .seconds(5))
    #expect(!description.shouldAddStoreAsynchronously)
    #expect(description.options.isEmpty)
  }

  @Test("STO-004: the default folder is the program's in XDG_DATA_HOME, else in ~/.local/share")
  func defaultFolder() {
    func path(_ environment: [String: String]) -> String {
      DataDirectory.url(environment: environment, home: "/home/ada", program: "staff").path
    }
    #expect(path(["XDG_DATA_HOME": "/data"]) == "/data/staff")
    #expect(path([:]) == "/home/ada/.local/share/staff")
    #expect(path(["XDG_DATA_HOME": "relative"]) == "/home/ada/.local/share/staff")
    #expect(PersistentContainer.defaultDirectoryURL.lastPathComponent == DataDirectory.program)
  }

  @Test(
    "STO-004, STO-023: the default folder is made for the user alone, when a store in it is loaded; no other is"
  )
  func makingTheFolder() throws {
    let home = place.url("data").appendingPathComponent("program")
    try HomeContainer.$home.withValue(home) {
      let container = HomeContainer(name: "Staff", model: try ContainerFolder.model())
      #expect(container.persistentStoreDescriptions[0].url.path == home.path + "/Staff.sqlite")
      container.persistentStoreDescriptions.append(PersistentStoreDescription(url: place.url("other/s.db")))
      container.persistentStoreDescriptions.swapAt(0, 1)
      container.persistentStoreDescriptions[1].options = ["unknown": .int(1)]
      #expect(container.load().map(\.code) == ["store-open", "store-option"])
      #expect(try place.state().isEmpty)
      container.persistentStoreDescriptions[1].options = ["readOnly": .bool(true)]
      #expect(container.load().map(\.code) == ["store-open", "store-not-found"])
      #expect(try place.state().isEmpty)
      container.persistentStoreDescriptions[1].options = [:]
      #expect(container.load().map(\.code) == ["store-open", nil])
      for folder in [home, home.deletingLastPathComponent()] {
        let mode = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
      }
      #expect(FileManager.default.fileExists(atPath: home.path + "/Staff.sqlite"))
      #expect(!FileManager.default.fileExists(atPath: place.url("other").path))
    }
  }

  @Test("STO-005: an edit of a description that was loaded changes nothing until it is loaded again")
  func edits() throws {
    let container = try place.container("a")
    container.persistentStoreDescriptions[0].url = place.url("b")
    #expect(container.load().map(\.file) == ["b"])
    container.persistentStoreDescriptions[0].options["readOnly"] = .bool(true)
    #expect(container.load().isEmpty)
    let coordinator = container.persistentStoreCoordinator
    #expect(coordinator.persistentStores.map(\.isReadOnly) == [false])
    coordinator.close()
    #expect(container.load().map(\.code) == [nil])
    #expect(coordinator.persistentStores.map(\.isReadOnly) == [true])
  }

  // MARK: Loading

  @Test("STO-006, STO-007: stores are opened or made in list order, and each completion has run on return")
  @MainActor func loading() throws {
    let first = try place.container("b")
    #expect(first.loadOne() == nil)
    try first.viewContext.insert("Employee", ["name": "Ada"])
    try first.viewContext.save()
    first.persistentStoreCoordinator.close()
    let container = try place.container("c", "b", "a")
    let calls = container.load()
    #expect(calls.map(\.file) == ["c", "b", "a"])
    #expect(calls.allSatisfy { $0.code == nil })
    let paths = container.persistentStoreCoordinator.persistentStores.map(\.path)
    #expect(paths == ["c", "b", "a"].map { place.url($0).path })
    let opened = try place.container("b")
    #expect(opened.loadOne() == nil)
    #expect(try opened.viewContext.all("Employee").count == 1)
  }

  @Test(
    "STO-007, STO-015: an asynchronous description is opened on another thread, where its completion runs")
  func asynchronous() async throws {
    let container = try place.container("a", "b")
    container.persistentStoreDescriptions[0].shouldAddStoreAsynchronously = true
    let threads = Collected<(file: String, isOther: Bool)>()
    let caller = pthread_self()
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let missing = Mutex(2)
      container.loadPersistentStores { description, error in
        let isSynchronous = !description.shouldAddStoreAsynchronously
        threads.add(
          (description.url.lastPathComponent, !isSynchronous && pthread_equal(pthread_self(), caller) == 0))
        #expect(error == nil)
        if missing.withLock({
          $0 -= 1; return $0 == 0
        }) {
          continuation.resume()
        }
      }
    }
    #expect(Set(threads.elements.map { "\($0.file) \($0.isOther)" }) == ["a true", "b false"])
    #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
  }

  @Test(
    "STO-008: the awaited call tries every description and throws the first error, with the others beside it")
  func awaited() async throws {
    try Data("no store".utf8).write(to: place.url("bad"))
    let container = try place.container("bad", "good", "gone")
    container.persistentStoreDescriptions[2].isReadOnly = true
    let error = await #expect(throws: GraphStoreError.self) { try await container.loadPersistentStores() }
    #expect(error?.code == .notAStore)
    #expect(error?.underlyingErrors.compactMap { ($0 as? GraphStoreError)?.code } == [.storeNotFound])
    #expect(error?.errors.isEmpty == true)
    #expect(container.persistentStoreCoordinator.persistentStores.map(\.path) == [place.url("good").path])
  }

  @Test(
    "STO-009: a description that fails leaves the others mounted and its file as it was; only it is tried again"
  )
  @MainActor func failing() throws {
    let other = try place.container(
      "other", model: ContainerFolder.model { $0.entities[0].attributes.append(.init("more", .string)) })
    #expect(other.loadOne() == nil)
    other.persistentStoreCoordinator.close()
    try Data("no store".utf8).write(to: place.url("text"))
    try Data().write(to: place.url("empty"))
    let before = try place.state()
    let container = try place.container("text", "good", "other", "empty")
    #expect(container.load().map(\.code) == ["not-a-store", nil, "incompatible-model", "not-a-store"])
    var after = try place.state()
    after = after.filter { !$0.key.hasPrefix("good") }
    #expect(after == before)
    try container.viewContext.insert("Employee", ["name": "Ada"])
    try container.viewContext.save()
    try FileManager.default.removeItem(at: place.url("text"))
    let again = container.load()
    #expect(again.map(\.file) == ["text", "other", "empty"])
    #expect(again.map(\.code) == [nil, "incompatible-model", "not-a-store"])
    #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
  }

  @Test("A store that another process makes at the same moment is opened by both")
  func together() async throws {
    let containers = try (0..<4).map { _ in try place.container("s") }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for container in containers { group.addTask { try await container.loadPersistentStores() } }
      try await group.waitForAll()
    }
    #expect(containers.allSatisfy { $0.persistentStoreCoordinator.persistentStores.count == 1 })
  }

  @Test("Loading from several threads at once mounts each description once")
  func loadingOnce() async throws {
    let container = try place.container("a", "b")
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { try await container.loadPersistentStores() } }
      try await group.waitForAll()
    }
    #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
  }

  // MARK: Contexts

  @Test("STO-010, DGN-127: until a store is mounted, requests and saves with changes throw no-store")
  @MainActor func noStore() throws {
    let container = try place.container("s")
    let context = container.viewContext
    func expectNoStore(_ body: () throws -> Void) {
      let error = #expect(throws: GraphStoreError.self) { try body() }
      #expect(error?.code == .noStore)
      #expect(error?.number == 136005)
    }
    try context.save()
    expectNoStore { _ = try context.fetch(FetchRequest(entityName: "Employee")) }
    expectNoStore { _ = try context.count(for: FetchRequest(entityName: "Employee")) }
    let object = try context.insert("Employee", ["name": "Ada"])
    expectNoStore { try context.save() }
    #expect(object.isInserted)
    #expect(container.loadOne() == nil)
    try context.save()
    #expect(try context.all("Employee").count == 1)
  }

  @Test(
    "STO-011: background contexts are new ones over the coordinator, and a task's is let go of afterwards")
  @MainActor func background() async throws {
    let container = try place.container("s")
    #expect(container.loadOne() == nil)
    let first = container.newBackgroundContext()
    #expect(first !== container.newBackgroundContext() && first !== container.viewContext)
    #expect(first.coordinator === container.persistentStoreCoordinator)
    let used = WeakContext()
    let count = try await container.performBackgroundTask { context in
      used.context = context
      try context.insert("Employee", ["name": "Ada"])
      try context.save()
      return try context.all("Employee").count
    }
    #expect(count == 1)
    for _ in 0..<1000 where used.context != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(used.context == nil)
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      container.enqueueBackgroundTask { context in
        used.context = context
        continuation.resume()
      }
    }
    for _ in 0..<1000 where used.context != nil { try await Task.sleep(for: .milliseconds(1)) }
    #expect(used.context == nil)
    #expect(try container.viewContext.all("Employee").count == 1)
  }

  private final class WeakContext: @unchecked Sendable {
    private let lock = NSLock()
    private weak var held: ManagedObjectContext?

    var context: ManagedObjectContext? {
      get { lock.withLock { held } }
      set { lock.withLock { held = newValue } }
    }
  }

  @Test("STO-014: a context that was made before the stores sees what is added later")
  func byHand() throws {
    let coordinator = PersistentStoreCoordinator(model: try ContainerFolder.model())
    let context = ManagedObjectContext(coordinator: coordinator)
    try coordinator.addStore(at: place.url("s").path)
    try context.insert("Employee", ["name": "Ada"])
    try context.save()
    #expect(try ManagedObjectContext(coordinator: coordinator).all("Employee").count == 1)
  }

  @Test("STO-016: opening reads no rows: as many statements with a thousand as with none")
  @MainActor func openingCost() throws {
    func cost(_ name: String, _ count: Int) throws -> Int {
      let made = try place.container(name)
      #expect(made.loadOne() == nil)
      for number in 0..<count { try made.viewContext.insert("Employee", ["salary": number]) }
      try made.viewContext.save()
      made.persistentStoreCoordinator.close()
      let container = try place.container(name)
      #expect(container.loadOne() == nil)
      return container.persistentStoreCoordinator.statementCount
    }
    #expect(try cost("many", 1000) == cost("none", 0))
  }

  @Test("Classes that are given represent the container's objects")
  @MainActor func classes() throws {
    final class Worker: ManagedObject {}
    var definition = TestModels.company()
    definition.entities[1].className = "Worker"
    let container = PersistentContainer(
      name: "Tests", model: try ManagedObjectModel(definition), classes: ["Worker": Worker.self])
    container.persistentStoreDescriptions = [PersistentStoreDescription(url: place.url("s"))]
    #expect(container.loadOne() == nil)
    #expect(try container.viewContext.insert(entityNamed: "Employee") is Worker)
  }
}
