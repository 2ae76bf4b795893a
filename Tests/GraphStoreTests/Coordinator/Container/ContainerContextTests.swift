import Testing

@testable import GraphStore

@Suite("Contexts of a container")
struct ContainerContextTests {
  @Test(
    "CTX-013, CTX-014, CTX-015, CTX-016, CTX-017, CTX-018, CTX-021, CTX-024: they have the defaults of all contexts; the view context is the main queue's, others have their own"
  )
  @MainActor func defaults() throws {
    let container = try ContainerFolder().container("s")
    let (view, background) = (container.viewContext, container.newBackgroundContext())
    #expect(view.concurrencyType == .mainQueue && background.concurrencyType == .privateQueue)
    let plain = ManagedObjectContext(
      coordinator: container.persistentStoreCoordinator, concurrencyType: .privateQueue)
    for context in [view, background, plain] {
      #expect(
        context.name == nil && context.shouldDeleteInaccessibleFaults && context.fetching.sharesRowCache)
      context.performAndWait { #expect(context.userInfo.isEmpty && !context.hasChanges) }
      #expect(context.undoManager == nil && context.propagatesDeletesAtEndOfEvent)
      #expect(context.stalenessInterval == 0 && context.mergePolicy.type == .error)
      #expect(context.performAndWait { !context.retainsRegisteredObjects })
      #expect(context.source === container.persistentStoreCoordinator)
    }
  }
}
