import Foundation
import GraphStoreSQLite
import Synchronization
import Testing

@testable import GraphStore

/// How the connections of a store are shared.
struct ConnectionPoolTests {
  private let stack: TestStack
  private let pool: SQLiteConnectionPool

  init() throws {
    stack = try TestStack(TestModels.company())
    let store = try SQLiteStore.open(stack.path, StoreOptions(timeout: .milliseconds(30)), model: nil)
    pool = store.pool
  }

  @Test("STO-267, CTX-475: four read and one writes, and a sixth waits as long as the time-out says")
  func capacity() throws {
    let readers = try (0..<4).map { _ in try pool.takeReader(takesReaderSlot: true) }
    let writer = try pool.takeWriter()
    #expect(pool.connectionCount == 5)
    #expect { _ = try pool.takeReader(takesReaderSlot: true) } throws: {
      GraphStoreError.code(.storeTimeout) ~= $0
    }
    #expect { _ = try pool.takeWriter() } throws: { GraphStoreError.code(.storeTimeout) ~= $0 }
    let apart = try pool.takeReader(takesReaderSlot: false)
    #expect(pool.connectionCount == 6)
    pool.giveBackReader(apart, takesReaderSlot: false)
    pool.giveBackReader(readers[0], takesReaderSlot: true)
    let again = try pool.takeReader(takesReaderSlot: true)
    #expect(again === readers[0] || again === apart)
    pool.giveBackWriter(writer)
    let nextWriter = try pool.takeWriter()
    #expect(nextWriter === writer || nextWriter === apart || nextWriter === readers[0])
  }

  @Test("STO-268: who uses a store alone uses one connection")
  func one() throws {
    let context = stack.context
    for number in 0..<5 {
      try context.insert("Department", ["name": "\(number)"])
      try context.save()
      _ = try context.all("Department")
    }
    #expect(stack.pool?.connectionCount == 1)
  }

  @Test("STO-267: one who waits goes on when a place is given back")
  func handedOver() throws {
    let store = try SQLiteStore.open(stack.path, StoreOptions(timeout: .seconds(20)), model: nil)
    let writer = try store.pool.takeWriter()
    let waits = DispatchSemaphore(value: 0)
    let has = DispatchSemaphore(value: 0)
    let thread = Thread {
      waits.signal()
      if let taken = try? store.pool.takeWriter() {
        store.pool.giveBackWriter(taken)
        has.signal()
      }
    }
    thread.start()
    waits.wait()
    #expect(has.wait(timeout: .now() + .milliseconds(20)) == .timedOut)
    store.pool.giveBackWriter(writer)
    #expect(has.wait(timeout: .now() + .seconds(20)) == .success)
  }

  @Test(
    "STO-277: stopping ends the statement that runs and the wait for a place, and leaves the connections usable"
  )
  func stopping() throws {
    let taken = try pool.takeReader(takesReaderSlot: true)
    pool.setStopped(true)
    #expect { _ = try pool.takeReader(takesReaderSlot: true) } throws: {
      ($0 as? SQLiteError)?.category == .interrupted
    }
    #expect { _ = try taken.connection.int64("SELECT count(*) FROM sqlite_schema") } throws: {
      ($0 as? SQLiteError)?.category == .interrupted
    }
    pool.setStopped(false)
    #expect(try taken.connection.int64("SELECT 7") == 7)
    pool.giveBackReader(taken, takesReaderSlot: true)
  }

  @Test(
    "MIG-262: who waits long for another process to write does not keep the file open meanwhile, unless it is read here; it begins once the lock is free, and ends when it is stopped",
    arguments: [false, true])
  func waitingForOthers(isRead: Bool) throws {
    let store = try SQLiteStore.open(stack.path, StoreOptions(timeout: .seconds(20)), model: nil)
    let reader = isRead ? try store.pool.takeReader(takesReaderSlot: true) : nil
    let lock = try SQLiteConnection(path: stack.path, mode: .readWrite)
    try lock.begin(.immediate)
    let ends = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    let results = Mutex<[String]>([])
    for (number, end) in ends.enumerated() {
      Thread.detachNewThread {
        do {
          let writer = try store.pool.beginWriting()
          try writer.connection.rollback()
          store.pool.giveBackWriter(writer)
          results.withLock { $0.append("begun") }
        } catch {
          results.withLock { $0.append("\((error as? SQLiteError)?.category as Any)") }
        }
        end.signal()
      }
      usleep(600_000)
      #expect(store.pool.connectionCount == (isRead ? 2 : 0))
      if number == 0 { try lock.rollback() } else { store.pool.setStopped(true) }
      #expect(end.wait(timeout: .now() + .seconds(20)) == .success)
      if number == 0 { try lock.begin(.immediate) }
    }
    #expect(
      results.withLock(\.self) == ["begun", "Optional(GraphStoreSQLite.SQLiteError.Category.interrupted)"])
    store.pool.setStopped(false)
    try lock.rollback()
    lock.close()
    if let reader { store.pool.giveBackReader(reader, takesReaderSlot: true) }
    store.close()
  }

  @Test("STO-170: a connection is not opened on a file that took the place of the store's")
  func replaced() throws {
    let first = try pool.takeReader(takesReaderSlot: true)
    let other = try TestStack(TestModels.company())
    other.coordinator.close()
    try FileManager.default.removeItem(atPath: stack.path)
    try FileManager.default.copyItem(atPath: other.path, toPath: stack.path)
    #expect { _ = try pool.takeReader(takesReaderSlot: true) } throws: {
      GraphStoreError.code(.storeReplaced) ~= $0
    }
    pool.giveBackReader(first, takesReaderSlot: true)
    #expect(try pool.takeReader(takesReaderSlot: true) === first)
  }
}
