import CGraphStoreSQLite

extension SQLiteConnection {
  /// The body of a scalar function; what it throws ends the statement.
  public typealias ScalarFunction = (SQLiteFunctionArguments, SQLiteFunctionResult) throws -> Void

  /// Makes a function known to this connection's SQL.
  ///
  /// The function must be deterministic and without side effects: SQLite may call it once for equal
  /// arguments, and may use it in indexes.
  ///
  /// - Parameters:
  ///   - name: Its name in SQL.
  ///   - argumentCount: How many arguments it takes; -1 for any number.
  ///   - body: What it does.
  public func register(function name: String, argumentCount: Int, _ body: @escaping ScalarFunction)
    throws(SQLiteError)
  {
    let database = try unsafe openHandle()
    let context = unsafe Unmanaged.passRetained(ScalarBox(body, monitor)).toOpaque()
    // SQLite calls the destructor also when the registration fails.
    let code = unsafe sqlite3_create_function_v2(
      database, name, Int32(clamping: argumentCount), Self.functionFlags, context,
      { context, count, values in
        guard let context = unsafe context, let data = unsafe sqlite3_user_data(context) else { return }
        let result = unsafe SQLiteFunctionResult(context: context)
        let box = unsafe Unmanaged<ScalarBox>.fromOpaque(data).takeUnretainedValue()
        do {
          try unsafe box.body(
            SQLiteFunctionArguments(context: context, count: count, values: values), result)
        } catch {
          if !(error is SQLiteDamagedValue) { box.monitor.functionFailure = error }
          result.setError(error)
        }
      }, nil, nil, { if let box = unsafe $0 { unsafe Unmanaged<AnyObject>.fromOpaque(box).release() } })
    guard code == SQLITE_OK else { throw unsafe monitor.failure(code, database: database, sql: nil) }
  }

  /// The error that a scalar function threw since this was called last: the cause of the failure with which
  /// its statement ended. Damaged values are not among it; their failures are ones of damage.
  public func takeFunctionFailure() -> (any Error)? {
    defer { monitor.functionFailure = nil }
    return monitor.functionFailure
  }

  /// Makes an aggregate function known to this connection's SQL.
  ///
  /// - Parameters:
  ///   - name: Its name in SQL.
  ///   - argumentCount: How many arguments it takes; -1 for any number.
  ///   - make: Makes the state of one run.
  public func register(
    aggregate name: String, argumentCount: Int, _ make: @escaping () -> any SQLiteAggregate
  ) throws(SQLiteError) {
    let database = try unsafe openHandle()
    let context = unsafe Unmanaged.passRetained(AggregateBox(make)).toOpaque()
    let code = unsafe sqlite3_create_function_v2(
      database, name, Int32(clamping: argumentCount), Self.functionFlags, context, nil,
      { context, count, values in
        guard let context = unsafe context, let slot = unsafe AggregateBox.slot(context) else { return }
        let run: AggregateRun
        if let kept = unsafe slot.pointee {
          run = unsafe Unmanaged<AggregateRun>.fromOpaque(kept).takeUnretainedValue()
        } else if let made = unsafe AggregateBox.make(context) {
          run = made
          unsafe slot.pointee = unsafe Unmanaged.passRetained(made).toOpaque()
        } else {
          return
        }
        let result = unsafe SQLiteFunctionResult(context: context)
        do {
          try unsafe run.state.step(
            SQLiteFunctionArguments(context: context, count: count, values: values), result)
        } catch { result.setError(error) }
      },
      { context in
        guard let context = unsafe context else { return }
        let result = unsafe SQLiteFunctionResult(context: context)
        if let slot = unsafe AggregateBox.slot(context), let kept = unsafe slot.pointee {
          unsafe slot.pointee = nil
          unsafe Unmanaged<AggregateRun>.fromOpaque(kept).takeRetainedValue().state.finish(result)
        } else {
          unsafe AggregateBox.make(context)?.state.finish(result)
        }
      }, { if let box = unsafe $0 { unsafe Unmanaged<AnyObject>.fromOpaque(box).release() } })
    guard code == SQLITE_OK else { throw unsafe monitor.failure(code, database: database, sql: nil) }
  }

  private static var functionFlags: Int32 { SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS }
}

extension SQLiteConnection {
  /// The order of two texts: less than, equal to or greater than 0.
  public typealias Collation = (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Int

  /// Sets the source of the collations that statements name; it is called once for each name.
  ///
  /// A collation must order all texts totally, and always alike; it must not be used in a schema, since other
  /// programs do not have it.
  ///
  /// - Parameter make: Makes the collation of a name; nil where there is none of that name.
  public func provideCollations(_ make: @escaping (String) -> Collation?) {
    let source = unsafe CollationSource(make)
    collationSource = source
    unsafe sqlite3_collation_needed(handle, Unmanaged.passUnretained(source).toOpaque()) {
      context, database, _, name in
      guard let context = unsafe context, let name = unsafe name else { return }
      let source = unsafe Unmanaged<CollationSource>.fromOpaque(context).takeUnretainedValue()
      guard let collation = unsafe source.make(String(cString: name)) else { return }
      let box = unsafe Unmanaged.passRetained(CollationBox(collation)).toOpaque()
      let code = unsafe sqlite3_create_collation_v2(
        database, name, SQLITE_UTF8, box,
        { context, leftCount, left, rightCount, right in
          guard let context = unsafe context else { return 0 }
          let order = unsafe Unmanaged<CollationBox>.fromOpaque(context).takeUnretainedValue().order(
            CollationBox.text(left, leftCount), CollationBox.text(right, rightCount))
          return Int32(clamping: order)
        },
        { if let box = unsafe $0 { unsafe Unmanaged<CollationBox>.fromOpaque(box).release() } })
      // Unlike functions, SQLite does not call the destructor when the registration fails.
      if code != SQLITE_OK { unsafe Unmanaged<CollationBox>.fromOpaque(box).release() }
    }
  }
}

@safe private final class CollationSource {
  let make: (String) -> SQLiteConnection.Collation?

  init(_ make: @escaping (String) -> SQLiteConnection.Collation?) {
    unsafe self.make = unsafe make
  }
}

@safe private final class CollationBox {
  let order: SQLiteConnection.Collation

  init(_ order: @escaping SQLiteConnection.Collation) {
    unsafe self.order = unsafe order
  }

  static func text(_ start: UnsafeRawPointer?, _ count: Int32) -> UnsafeBufferPointer<UInt8> {
    unsafe UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: Int(count))
  }
}

private final class ScalarBox {
  let body: SQLiteConnection.ScalarFunction
  let monitor: SQLiteMonitor

  init(_ body: @escaping SQLiteConnection.ScalarFunction, _ monitor: SQLiteMonitor) {
    self.body = body
    self.monitor = monitor
  }
}

private final class AggregateRun {
  let state: any SQLiteAggregate

  init(_ state: any SQLiteAggregate) {
    self.state = state
  }
}

private final class AggregateBox {
  let make: () -> any SQLiteAggregate

  init(_ make: @escaping () -> any SQLiteAggregate) {
    self.make = make
  }

  static func make(_ context: OpaquePointer) -> AggregateRun? {
    guard let box = unsafe sqlite3_user_data(context) else { return nil }
    return unsafe AggregateRun(Unmanaged<AggregateBox>.fromOpaque(box).takeUnretainedValue().make())
  }

  /// The storage that SQLite keeps for one run, nil in it at first; nil when memory is out.
  static func slot(_ context: OpaquePointer) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    unsafe sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeMutableRawPointer?>.size))?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}

/// The state of one run of an aggregate function.
public protocol SQLiteAggregate: AnyObject {
  /// Takes in one row; only `result.setError(_:)` may be used on the result, and what is thrown ends the
  /// statement.
  func step(_ arguments: SQLiteFunctionArguments, _ result: SQLiteFunctionResult) throws
  /// Returns the result after the last row.
  func finish(_ result: SQLiteFunctionResult)
}
