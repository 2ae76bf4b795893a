import Foundation
import GraphStoreModel
import GraphStoreSQLite
import Testing

@testable import GraphStore

@Suite("Models inside stores")
struct StoreModelTests {
  @Test("MDL-328: the model of a store of this library is the one it was made with")
  func own() throws {
    let stack = try TestStack(ModelDefinition(name: "One", entities: [EntityDefinition("Thing")]))
    let loaded = try StoreModel.load(fromStoreAt: stack.path)
    #expect(loaded.model.definition == stack.coordinator.managedObjectModel.definition)
    #expect(loaded.findings.isEmpty)
  }

  @Test(
    "MDL-335: models of real stores are read without anything left over",
    .enabled(if: AppleStores.folder != nil))
  func cached() throws {
    let folder = try ForeignFolder(ForeignFolder.names.map { $0 + ".moody" })
    for name in ForeignFolder.names {
      let loaded = try StoreModel.load(fromStoreAt: folder.file(name + ".moody"))
      #expect(loaded.findings.isEmpty && loaded.model.name == name, "\(loaded.findings)")
    }
  }

  @Test(
    "MDL-384: a damaged cache is an error that names the store and what to give",
    .enabled(if: AppleStores.folder != nil))
  func damaged() throws {
    let folder = try ForeignFolder(["Moody.moody"])
    let path = folder.file("Moody.moody")
    let writer = try SQLiteConnection(path: path, mode: .readWrite)
    try writer.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = substr(Z_CONTENT, 1, length(Z_CONTENT) / 2)")
    writer.close()
    let error = #expect(throws: GraphStoreError.self) { try StoreModel.load(fromStoreAt: path) }
    #expect(error?.code == .noModel && error?.message.contains("Moody.moody") == true)
    #expect(error?.remedy.contains("Give the model") == true)
    #expect(error?.details.first?.contains("cut short") == true)
  }
}
