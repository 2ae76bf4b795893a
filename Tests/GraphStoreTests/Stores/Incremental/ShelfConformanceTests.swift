import Foundation
import GraphStoreConformance
import Synchronization
import Testing

@testable import GraphStore

/// The suite that authors of stores run, over stores that answer requests: one that does all that it may be
/// asked for, one that gives nothing but nodes, and those between.
@Suite("Conformance of incremental stores")
struct ShelfConformanceTests {
  /// Shelves by the numbers under which the suite opens them.
  private final class Shelves: Sendable {
    private let behaviour: ShelfStore.Behaviour
    private let shelves = Mutex<[Int: ShelfStore]>([:])

    init(_ behaviour: ShelfStore.Behaviour) { self.behaviour = behaviour }

    func shelf(_ number: Int, _ model: ManagedObjectModel) -> ShelfStore {
      shelves.withLock { shelves in
        let shelf = shelves[number] ?? ShelfStore(model, behaviour)
        shelves[number] = shelf
        return shelf
      }
    }

    func obstruct(_ number: Int, _ isObstructed: Bool) {
      shelves.withLock { $0[number] }?.change { behaviour in
        behaviour.onCall = { call in
          if isObstructed, call == .save { throw Obstructed() }
        }
      }
    }
  }

  private struct Obstructed: Error {}

  static let behaviours: [(name: String, behaviour: ShelfStore.Behaviour)] = [
    ("everything", ShelfStore.Behaviour()),
    ("nothing but nodes", ShelfStore.Behaviour(capabilities: [])),
    ("texts", ShelfStore.Behaviour(hasTexts: true)),
    ("no windows", ShelfStore.Behaviour(capabilities: .all.subtracting([.windows, .counts]))),
    ("declines predicates", ShelfStore.Behaviour(declined: .predicate)),
    ("declines orders", ShelfStore.Behaviour(declined: .sort)),
  ]

  @Test(
    "STO-049, STO-050, FLT-177: a store that answers requests keeps every promise",
    arguments: behaviours.indices)
  func kept(_ index: Int) throws {
    let (name, behaviour) = Self.behaviours[index]
    let shelves = Shelves(behaviour)
    let lacking: Set<StoreFeature> = [.severalWriters, .history, .batchRequests, .metadata]
    var suite = StoreConformance(name, lacking: lacking) { model, number in
      let shelf = shelves.shelf(number, model)
      let coordinator = PersistentStoreCoordinator(model: model)
      shelf.use(in: coordinator, try coordinator.addStore(shelf))
      return coordinator
    }
    suite.obstruction = shelves.obstruct
    let report = suite.run()
    #expect(report.isKept, "\(report)")
    #expect(report.skipped.count == 6, "\(report)")
  }
}
