import CFloors

/// A connection of the C floors; closed when it goes.
final class FloorStore {
  private(set) var handle: OpaquePointer?

  init(_ path: String) throws {
    try check(floor_open(path, &handle))
  }

  deinit { floor_close(handle) }

  static func create(_ path: String) throws {
    let code = floor_create(path)
    guard code == 0 else { throw BenchmarkError("cannot create \(path): SQLite code \(code)") }
  }

  func fillNumbers(_ rows: Int64) throws { try check(floor_fill_numbers(handle, rows)) }
  /// Fills a store that keeps a history, which gets one transaction.
  func fillTrackedNumbers(_ rows: Int64) throws { try check(floor_fill_tracked_numbers(handle, rows)) }

  func fillChanges(transactions: Int64, each: Int64) throws {
    try check(floor_fill_changes(handle, transactions, each))
  }

  func fillMixed(_ rows: Int64) throws { try check(floor_fill_mixed(handle, rows)) }

  func fillTree(root: Int64, branches: Int64, leaves: Int64) throws {
    try check(floor_fill_tree(handle, root, branches, leaves))
  }

  func fetchNumbers() throws -> Answer { try answer(floor_fetch_numbers) }
  func fetchMixed() throws -> Answer { try answer(floor_fetch_mixed) }
  func stepNumbers() throws -> Answer { try answer(floor_step_numbers) }
  func stepChanges() throws -> Answer { try answer(floor_step_changes) }
  func loadNumbers() throws { try check(floor_load_numbers(handle)) }
  func updateLoaded() throws { try check(floor_update_loaded(handle)) }
  func deleteTree(root: Int64) throws { try check(floor_delete_tree(handle, root)) }

  func integer(_ sql: String) throws -> Int64 {
    var value: Int64 = 0
    try check(floor_integer(handle, sql, &value))
    return value
  }

  func selectNumbers(_ rows: Int64) throws -> Answer {
    try answer { floor_select_numbers($0, rows, $1) }
  }

  func answer(
    _ read: (OpaquePointer?, UnsafeMutablePointer<floor_answer>?) -> Int32
  ) throws -> Answer {
    var found = floor_answer()
    try check(read(handle, &found))
    return Answer(count: found.count, first: found.first, last: found.last, sum: found.sum)
  }

  func check(_ code: Int32) throws {
    guard code == 0 else {
      throw BenchmarkError("SQLite code \(code): \(String(cString: floor_message(handle)))")
    }
  }
}
