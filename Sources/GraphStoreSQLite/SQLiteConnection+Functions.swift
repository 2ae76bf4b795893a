import CGraphStoreSQLite

extension SQLiteConnection {
  /// The body of a scalar function.
  public typealias ScalarFunction = (SQLiteFunctionArguments, SQLiteFunctionResult) -> Void

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
        Unmanaged<ScalarBox>.fromOpaque(box).takeUnretainedValue().body(
          SQLiteFunctionArguments(context: context, count: count, values: values),
          SQLiteFunctionResult(context: context))
      }, nil, nil, { if let box = $0 { Unmanaged<AnyObject>.fromOpaque(box).release() } })
    guard code == SQLITE_OK else { throw monitor.failure(code, database, nil) }
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
        run.state.step(
          SQLiteFunctionArguments(context: context, count: count, values: values),
          SQLiteFunctionResult(context: context))
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
    guard code == SQLITE_OK else { throw monitor.failure(code, database, nil) }
  }

  private static var functionFlags: Int32 { SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS }
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
