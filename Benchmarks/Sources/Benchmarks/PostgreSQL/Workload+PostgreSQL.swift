#if PostgreSQL
import CFloors
import Foundation
import GraphStore
import Synchronization

/// Stores on a server, in the database whose address is in `GRAPHSTORE_TEST_POSTGRESQL`.
extension Workload {
  static func onServer(_ environment: [String: String], _ files: WorkFiles, _ programs: Programs)
    -> [Workload]
  {
    guard let address = environment["GRAPHSTORE_TEST_POSTGRESQL"] else { return [] }
    func store(_ name: String) throws -> ServerStore {
      try ServerStore(name, address: address, model: programs.model)
    }
    return [
      x1 { try store("x1") }, x2 { try store("x2") }, x3 { try store("x3") },
      x4(files) { try store("x4") }, x5 { try store("x5") },
    ]
  }

  private static func x1(_ store: @escaping () throws -> ServerStore) -> Workload {
    Workload(
      id: "X1", title: "server: fetch 200,000 objects of ten integers, read every value",
      goal: "≤ 1.5 × floor",
      expected: { Numbers.answer(rows: Numbers.fetched) },
      contenders: {
        let store = try store()
        try store.fill(rows: Numbers.fetched)
        let (coordinator, floor) = (try store.open(), try store.floor())
        return [
          PlainContender("GraphStore", .project) {
            let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
            return NumbersObject.answer(
              try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers")))
          },
          PlainContender("floor: libpq, one binary result", .floor) { try floor.fetch(store.floorTable) },
        ]
      })
  }

  private static func x2(_ store: @escaping () throws -> ServerStore) -> Workload {
    let rows = Numbers.written
    return Workload(
      id: "X2", title: "server: insert 50,000 objects of ten integers, save once", goal: "≤ 1.5 × floor",
      expected: { Numbers.answer(rows: rows) },
      contenders: {
        let store = try store()
        let floor = try store.floor()
        return [
          ServerContender("GraphStore", .project) {
            try store.fill(rows: 0)
            return ManagedObjectContext(coordinator: try store.open(), concurrencyType: .mainQueue)
          } work: { context in
            for row in 1...rows {
              try context.insert(NumbersObject.self, entityNamed: "Numbers").fill(row: row)
            }
            try context.save()
          } check: {
            try floor.numbers(in: store.table)
          },
          ServerContender("floor: COPY, binary", .floor) {
            try store.fill(rows: 0)
          } work: {
            try floor.copy(store.floorTable, rows: rows, entity: store.entity)
          } check: {
            try floor.numbers(in: store.floorTable)
          },
        ]
      })
  }

  private static func x3(_ store: @escaping () throws -> ServerStore) -> Workload {
    let rows = Numbers.written
    return Workload(
      id: "X3", title: "server: change one value in each of 50,000 loaded objects, save",
      goal: "≤ 1.5 × floor",
      expected: {
        var answer = Numbers.answer(rows: rows)
        (answer.first, answer.last, answer.sum) = (answer.first + 1, answer.last + 1, answer.sum + rows)
        return answer
      },
      contenders: {
        let store = try store()
        let floor = try store.floor()
        return [
          ServerContender("GraphStore", .project) {
            try store.fill(rows: rows)
            let context = ManagedObjectContext(coordinator: try store.open(), concurrencyType: .mainQueue)
            let objects = try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers"))
            _ = NumbersObject.answer(objects)
            return (context, objects)
          } work: { context, objects in
            for object in objects { object.i3 += 1 }
            try context.save()
          } check: {
            try floor.numbers(in: store.table)
          },
          ServerContender("floor: one UPDATE … FROM unnest", .floor) {
            try store.fill(rows: rows)
          } work: {
            try floor.update(store.floorTable, rows: rows)
          } check: {
            try floor.numbers(in: store.floorTable)
          },
        ]
      })
  }

  /// Each worker changes rows of its own, so that none is a conflict.
  private static func x4(_ files: WorkFiles, _ store: @escaping () throws -> ServerStore) -> Workload {
    let (workers, own, transactions) = (8, Int64(1_000), Int64(500))
    let rows = Int64(workers) * own
    let script = """
      \\set k :client_id * \(own) + random(1, \(own))
      SELECT * FROM TABLE WHERE object_id = :k;
      BEGIN;
      UPDATE TABLE SET i3 = i3 + 1, object_version = object_version + 1 WHERE object_id = :k;
      COMMIT;

      """
    return Workload(
      id: "X4", title: "server: eight workers that read a row, change it and commit, 500 times each",
      goal: "≤ 1.67 × pgbench (0.6 of its rate)", runs: 5,
      expected: { Answer(count: rows, sum: Numbers.answer(rows: rows).sum + Int64(workers) * transactions) },
      contenders: {
        let store = try store()
        let floor = try store.floor()
        let scriptPath = try files.template("x4.sql") { path in
          try script.replacing("TABLE", with: store.floorTable).write(
            toFile: path, atomically: true, encoding: .utf8)
        }
        func check(_ table: String) throws -> Answer {
          var answer = try floor.numbers(in: table)
          (answer.first, answer.last) = (0, 0)
          return answer
        }
        let pgbench = ChildProcess(
          executable: "pgbench",
          arguments: [
            "-n", "-M", "prepared", "-c", "\(workers)", "-j", "\(workers)", "-t", "\(transactions)", "-f",
            scriptPath,
            store.address,
          ], output: files.path("x4.out"))
        return [
          ServerContender("GraphStore", .project) {
            try store.fill(rows: rows)
            return try (0..<workers).map { _ in
              let coordinator = try store.open()
              let context = ManagedObjectContext(coordinator: coordinator)
              return try Worker(coordinator, context.performAndWait { try Worker.identifiers(in: context) })
            }
          } work: { made in
            try Worker.atOnce(workers) { number in
              try made[number].run(transactions, first: Int(own) * number, of: Int(own))
            }
          } check: {
            try check(store.table)
          },
          ServerContender("floor: pgbench", .floor) {
            try store.fill(rows: rows)
          } work: {
            try pgbench.runChecked()
          } check: {
            try check(store.floorTable)
          },
        ]
      })
  }

  /// A process of several, which has a coordinator of its own.
  private struct Worker: Sendable {
    let coordinator: PersistentStoreCoordinator
    let identifiers: [ManagedObjectID]

    init(_ coordinator: PersistentStoreCoordinator, _ identifiers: [ManagedObjectID]) {
      self.coordinator = coordinator
      self.identifiers = identifiers
    }

    /// By key.
    static func identifiers(in context: ManagedObjectContext) throws -> [ManagedObjectID] {
      try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers")).map(\.objectID).sorted()
    }

    /// Runs a body for each worker on a thread of its own, however many processors there are: they wait for
    /// the server most of the time.
    static func atOnce(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
      let failures = Mutex<[any Error]>([])
      let group = DispatchGroup()
      for number in 0..<count {
        group.enter()
        Thread.detachNewThread {
          do { try body(number) } catch { failures.withLock { $0.append(error) } }
          group.leave()
        }
      }
      group.wait()
      if let failure = failures.withLock(\.first) { throw failure }
    }

    func run(_ transactions: Int64, first: Int, of count: Int) throws {
      var numbers = SystemRandomNumberGenerator()
      for _ in 0..<transactions {
        let id = identifiers[first + Int.random(in: 0..<count, using: &numbers)]
        let context = ManagedObjectContext(coordinator: coordinator)
        try context.performAndWait {
          guard let object = try context.existingObject(with: id) as? NumbersObject else { return }
          object.i3 += 1
          try context.save()
        }
      }
    }
  }

  private static func x5(_ store: @escaping () throws -> ServerStore) -> Workload {
    let rows = Scale.rows(1_000_000)
    return Workload(
      id: "X5", title: "server: hand over ten integers of each of 1,000,000 rows",
      goal: "peak memory ≤ 64 MB",
      runs: 3, rows: rows,
      expected: { Answer(count: rows, sum: Numbers.answer(rows: rows).sum) },
      contenders: {
        let store = try store()
        try store.fill(rows: rows)
        let (coordinator, floor) = (try store.open(), try store.floor())
        let keyPaths = (0...9).map { "i\($0)" }
        return [
          PeakContender(
            PlainContender("GraphStore", .project) {
              let context = ManagedObjectContext(coordinator: coordinator, concurrencyType: .mainQueue)
              var (count, visitor) = (Int64(0), SumVisitor())
              let request = FetchRequest<NumbersObject>(entityName: "Numbers")
              try context.enumerateFields(request, keyPaths: keyPaths) { row in
                count += 1
                for field in 0..<keyPaths.count { row.visit(field, &visitor) }
              }
              return Answer(count: count, sum: visitor.sum)
            }),
          PeakContender(
            PlainContender("floor: libpq, row by row", .floor) { try floor.stream(store.floorTable) }),
        ]
      })
  }

  private struct SumVisitor: FieldVisitor {
    var sum: Int64 = 0

    mutating func integer(_ value: Int64) { sum += value }
    mutating func null() {}
    mutating func boolean(_ value: Bool) {}
    mutating func double(_ value: Double, isSingle: Bool) {}
    mutating func decimal(_ value: Decimal) {}
    mutating func decimal(whole: Int64) {}
    mutating func decimal(double: Double) {}
    mutating func text(_ utf8: UnsafeBufferPointer<UInt8>) {}
    mutating func date(_ seconds: Double) {}
    mutating func uuid(_ bytes: UnsafeBufferPointer<UInt8>) {}
    mutating func uri(_ utf8: UnsafeBufferPointer<UInt8>) {}
    mutating func data(_ bytes: UnsafeBufferPointer<UInt8>) {}
    mutating func reference(_ entityName: String, _ key: Int64) {}
    mutating func reference(_ id: ManagedObjectID) {}
    mutating func beginList() {}
    mutating func endList() {}
  }
}
#endif
