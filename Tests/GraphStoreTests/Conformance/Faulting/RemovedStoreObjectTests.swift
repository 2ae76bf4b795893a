import GraphStore
import Testing

@Suite("Objects of a store that is removed")
struct RemovedStoreObjectTests {
  @Test("FLT-134, FLT-135: they are invalid for good; added again, the store gives new ones")
  func again() throws {
    let stores = try SeveralStores()
    try stores.insert("Employee", ["name": "Ada"], into: 0)
    try stores.insert("Employee", ["name": "Bob"], into: 1)
    try stores.context.save()
    let all = try stores.context.all("Employee", sort: ["name"])
    let id = all[1].objectID
    try stores.coordinator.remove(stores.stores[1])
    #expect(code { _ = try all[1].string("name") } == .objectInvalidated)
    #expect(try all[0].string("name") == "Ada" && all[1].managedObjectContext == nil)
    try stores.coordinator.addStore(at: stores.path(1))
    let again = try stores.context.all("Employee", sort: ["name"])
    #expect(try again.map { try $0.string("name") } == ["Ada", "Bob"])
    #expect(again[0] === all[0] && again[1] !== all[1] && again[1].objectID.uriText == id.uriText)
    #expect(
      code { _ = try all[1].string("name") } == .objectInvalidated && all[1].managedObjectContext == nil)
  }
}
