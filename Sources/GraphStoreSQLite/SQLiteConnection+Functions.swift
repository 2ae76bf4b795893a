import CGraphStoreSQLite

extension SQLiteConnection {
  /// The body of a scalar function; what it throws ends the statement.
  public typealias ScalarFunction = (SQLiteFunctionArguments, SQLiteFunctionResult) throws -> Void

  /// Makes a function known to this connection's SQL.
  ///
  /// The function must be deterministic and without side effects: SQLite may call it once for equal arguments,
  /// and may use it in indexes.
  ///
  /// - Parameters:
  ///   - name: Its name in SQL.
  ///   - argumentCount: How many arguments it takes; -1 for any number.
  ///   - body: What it does.
  public func register(function name: String, argumentCount: Int, _ body: @escaping ScalarFunction)
    throws(SQLiteError)
  {
    let database = try openHandle()
    let context = Unmanaged.passRetained(ScalarBox(body)).toOpaque()
    // SQLite calls the destructor also when the registration fails.
    let code = sqlite3_create_function_v2(
      database, name, Int32(clamping: argumentCount), Self.functionFlags, context,
      { context, count, values in
        guard let context, let box = sqlite3_user_data(context) else { return }
        let result = SQLiteFunctionResult(context: context)
        do {
          try Unmanaged<ScalarBox>.fromOpaque(box).takeUnretainedValue().body(
            SQLiteFunctionArguments(context: context, count: count, values: values), result)
        } catch { result.setError(error) }
      }, nil, nil, { if let box = $0 { Unmanaged<AnyObject>.fromOpaque(box).release() } })
    guard code == SQLITE_OK else { throw monitor.failure(code, database: database, sql: nil) }
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
    let database = try openHandle()
    let context = Unmanaged.passRetained(AggregateBox(make)).toOpaque()
    let code = sqlite3_create_function_v2(
      database, name, Int32(clamping: argumentCount), Self.functionFlags, context, nil,
      { context, count, values in
        guard let context, let slot = AggregateBox.slot(context) else { return }
        let run: AggregateRun
        if let kept = slot.pointee {
          run = Unmanaged<AggregateRun>.fromOpaque(kept).takeUnretainedValue()
        } else if let made = AggregateBox.make(context) {
          run = made
          slot.pointee = Unmanaged.passRetained(made).toOpaque()
        } else {
          return
        }
        let result = SQLiteFunctionResult(context: context)
        do {
          try run.state.step(
            SQLiteFunctionArguments(context: context, count: count, values: values), result)
        } catch { result.setError(error) }
      },
      { context in
        guard let context else { return }
        let result = SQLiteFunctionResult(context: context)
        if let slot = AggregateBox.slot(context), let kept = slot.pointee {
          slot.pointee = nil
          Unmanaged<AggregateRun>.fromOpaque(kept).takeRetainedValue().state.finish(result)
        } else {
          AggregateBox.make(context)?.state.finish(result)
        }
      }, { if let box = $0 { Unmanaged<AnyObject>.fromOpaque(box).release() } })
    guard code == SQLITE_OK else { throw monitor.failure(code, database: database, sql: nil) }
  }

  private static var functionFlags: Int32 { SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS }
}

extension SQLiteConnection {
  /// The order of two texts: less than, equal to or greater than 0.
  public typealias Collation = (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Int

  /// Gives a source of the collations that statements name; it is asked once for each name.
  ///
  /// A collation must order all texts totally, and always alike; it must not be used in a schema, since other
  /// programs do not have it.
  ///
  /// - Parameter make: Makes the collation of a name; nil where there is none of that name.
  public func provideCollations(_ make: @escaping (String) -> Collation?) {
    let source = CollationSource(make)
    collationSource = source
    sqlite3_collation_needed(handle, Unmanaged.passUnretained(source).toOpaque()) {
      context, database, _, name in
      guard let context, let name else { return }
      let source = Unmanaged<CollationSource>.fromOpaque(context).takeUnretainedValue()
      guard let collation = source.make(String(cString: name)) else { return }
      let box = Unmanaged.passRetained(CollationBox(collation)).toOpaque()
      let code = sqlite3_create_collation_v2(
        database, name, SQLITE_UTF8, box,
        { context, leftCount, left, rightCount, right in
          guard let context else { return 0 }
          let order = Unmanaged<CollationBox>.fromOpaque(context).takeUnretainedValue().order(
            CollationBox.text(left, leftCount), CollationBox.text(right, rightCount))
          return Int32(clamping: order)
        },
        { if let box = $0 { Unmanaged<CollationBox>.fromOpaque(box).release() } })
      // Unlike functions, SQLite does not call the destructor when the registration fails.
      if code != SQLITE_OK { Unmanaged<CollationBox>.fromOpaque(box).release() }
    }
  }
}

private final class CollationSource {
  let make: (String) -> SQLiteConnection.Collation?

  init(_ make: @escaping (String) -> SQLiteConnection.Collation?) {
    self.make = make
  }
}

private final class CollationBox {
  let order: SQLiteConnection.Collation

  init(_ order: @escaping SQLiteConnection.Collation) {
    self.order = order
  }

  static func text(_ start: UnsafeRawPointer?, _ count: Int32) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: Int(count))
  }
}

private final class ScalarBox {
  let body: SQLiteConnection.ScalarFunction

  init(_ body: @escaping SQLiteConnection.ScalarFunction) {
    self.body = body
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
    guard let box = sqlite3_user_data(context) else { return nil }
    return AggregateRun(Unmanaged<AggregateBox>.fromOpaque(box).takeUnretainedValue().make())
  }

  /// The place that SQLite keeps for one run, nil in it at first; nil when memory is out.
  static func slot(_ context: OpaquePointer) -> UnsafeMutablePointer<UnsafeMutableRawPointer?>? {
    sqlite3_aggregate_context(context, Int32(MemoryLayout<UnsafeMutableRawPointer?>.size))?
      .assumingMemoryBound(to: UnsafeMutableRawPointer?.self)
  }
}
