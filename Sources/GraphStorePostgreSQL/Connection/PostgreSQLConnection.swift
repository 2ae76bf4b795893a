#if PostgreSQL
import CGraphStorePostgreSQL
import Foundation
import GraphStore

/// Connection to a server, always in libpq's pipeline mode: what belongs together goes there and back once.
///
/// One thread at a time has it.
@safe final class PostgreSQLConnection {
  /// A statement with its values.
  struct Command {
    var sql: String
    var parameters: [PostgreSQLParameter] = []
    /// Whether it is worth being prepared.
    var isRepeated = true
    /// Takes the result of one that goes before others.
    var receive: ((PostgreSQLCursor) throws -> Void)?

    init(_ sql: String, _ parameters: [PostgreSQLParameter] = []) {
      self.sql = sql
      self.parameters = parameters
    }

    /// One that the server parses each time.
    static func once(_ sql: String) -> Command {
      var command = Command(sql)
      command.isRepeated = false
      return command
    }
  }

  private let address: PostgreSQLAddress
  private let timeout: Duration
  private let stop: StopFlag
  @exclusivity(unchecked) private(set) var handle: OpaquePointer
  /// Whether nobody has used it since it was taken from the pool, so that it may have been lost meanwhile.
  @safe @exclusivity(unchecked) private var isFresh = false
  @safe @exclusivity(unchecked) private(set) var isOpen = true
  /// Statements that go before the next one: they begin transactions and set savepoints.
  @safe @exclusivity(unchecked) var prelude: [Command] = []
  /// Statements that belong to the beginning of each transaction that writes.
  @safe @exclusivity(unchecked) private(set) var transactionSettings: [String] = []
  /// Statements for the session itself that go before these.
  @safe @exclusivity(unchecked) private var settings: [Command] = []
  /// How many commands were sent whose results nobody waits for.
  @safe @exclusivity(unchecked) private var unreadCommands = 0
  @exclusivity(unchecked) private weak var stream: PostgreSQLCursor?
  /// What a statement is prepared for.
  private struct Form: Hashable {
    let sql: String
    let types: [UInt32]
  }

  /// The names of prepared statements.
  @safe @exclusivity(unchecked) private var prepared: [Form: String] = [:]
  @safe @exclusivity(unchecked) private var seen: Set<Form> = []
  @safe @exclusivity(unchecked) private var preparedCount = 0
  /// What was asked of the server since that was taken over last.
  @safe @exclusivity(unchecked) var counts = PostgreSQLCounts()
  /// Called with the text of each statement that is sent.
  @safe @exclusivity(unchecked) var onStatement: ((String) -> Void)?

  private static let mostPrepared = 256

  // MARK: Opening

  /// - Parameter stop: Is set where statements are to end at once.
  /// - Throws: ``PostgreSQLError``.
  init(_ address: PostgreSQLAddress, timeout: Duration, stop: StopFlag) throws {
    self.address = address
    self.timeout = timeout
    self.stop = stop
    unsafe handle = unsafe try Self.open(address, timeout: timeout, stop)
    prepareSession()
  }

  /// What the server is told first, or, where others get its session behind a transaction, in each one.
  ///
  /// How many rows arrays have is not known beforehand: statements look dearer than they are, and compiling
  /// one may take a hundred times as long as running it.
  private func prepareSession() {
    let (seconds, attoseconds) = timeout.components
    let milliseconds = min(max(1, seconds * 1000 + attoseconds / 1_000_000_000_000_000), 2_000_000_000)
    let values = ["lock_timeout TO \(milliseconds)", "jit TO off"]
    if address.isPooledByTransaction {
      transactionSettings = values.map { "SET LOCAL \($0)" }
    } else {
      settings = values.map { .once("SET \($0)") }
    }
  }

  /// Connects anew in the place of a connection that was lost while nobody used it.
  private func reopen() throws {
    unsafe handle = unsafe try Self.open(address, timeout: timeout, stop)
    isOpen = true
    unreadCommands = 0
    (prepared, seen) = ([:], [])
    prepareSession()
  }

  private static func open(
    _ address: PostgreSQLAddress, timeout: Duration, _ stop: StopFlag
  ) throws -> OpaquePointer {
    let deadline = ContinuousClock.now + timeout
    while true {
      guard let handle = unsafe start(address) else {
        throw PostgreSQLError("There is no memory for a connection.", isConnectionLost: true)
      }
      do {
        try unsafe connect(handle, until: deadline, stop)
        unsafe configure(handle)
        return unsafe handle
      } catch let failure as PostgreSQLError {
        unsafe PQfinish(handle)
        guard failure.isStarting, .now < deadline else { throw failure }
        Thread.sleep(forTimeInterval: 0.05)
      }
    }
  }

  private static func configure(_ handle: OpaquePointer) {
    _ = unsafe PQsetnonblocking(handle, 1)
    unsafe PQsetNoticeProcessor(handle, { _, _ in }, nil)
    _ = unsafe PQenterPipelineMode(handle)
  }

  private static func start(_ address: PostgreSQLAddress) -> OpaquePointer? {
    let settings = [
      ("dbname", address.connectionInfo), ("client_encoding", "UTF8"),
      ("fallback_application_name", "graphstore"),
    ]
    let names = unsafe settings.map { unsafe strdup($0.0) }
    let texts = unsafe settings.map { unsafe strdup($0.1) }
    defer { unsafe (names + texts).forEach { unsafe free($0) } }
    let keywords = unsafe names.map { unsafe UnsafePointer($0) } + [nil]
    let values = unsafe texts.map { unsafe UnsafePointer($0) } + [nil]
    return unsafe PQconnectStartParams(keywords, values, 1)
  }

  private static func connect(
    _ handle: OpaquePointer, until deadline: ContinuousClock.Instant, _ stop: StopFlag
  ) throws {
    var state = PGRES_POLLING_WRITING
    while state != PGRES_POLLING_OK {
      if state == PGRES_POLLING_FAILED { throw unsafe PostgreSQLError(failedConnection: handle) }
      guard .now < deadline else {
        throw PostgreSQLError("The server does not answer.", isConnectionLost: true)
      }
      if stop.isSet { throw PostgreSQLError(state: "57014", "The connection was interrupted.") }
      _ = unsafe wait(
        handle, forReading: state == PGRES_POLLING_READING, forWriting: state == PGRES_POLLING_WRITING)
      state = unsafe PQconnectPoll(handle)
    }
  }

  /// Waits for a tenth of a second at most; false where nothing has come.
  static func wait(_ handle: OpaquePointer, forReading: Bool, forWriting: Bool) -> Bool {
    let events = (forReading ? POLLIN : 0) | (forWriting ? POLLOUT : 0)
    var descriptor = unsafe pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0)
    return unsafe poll(&descriptor, 1, 100) > 0
  }

  deinit { close() }

  func close() {
    guard isOpen else { return }
    isOpen = false
    unsafe PQfinish(handle)
  }

  /// What was asked of the server since the last call.
  func takeCounts() -> PostgreSQLCounts {
    defer { counts = PostgreSQLCounts() }
    return counts
  }

  // MARK: Statements

  /// Has a statement sent together with the next one.
  func precede(with sql: String) { prelude.append(.once(sql)) }

  /// Has a statement sent together with the next one, and its result handed over before that one's.
  func precede(with command: Command, _ receive: @escaping (PostgreSQLCursor) throws -> Void) {
    var command = command
    command.receive = receive
    prelude.append(command)
  }

  /// Forgets statements that were to be sent with the next one; false where there were none.
  func forgetPrelude() -> Bool {
    defer { prelude = [] }
    return !prelude.isEmpty
  }

  /// Runs a body before the statements that wait for the next one, which go on waiting.
  func withoutPrelude<Result>(_ body: () throws -> Result) rethrows -> Result {
    let waiting = prelude
    prelude = []
    defer { prelude = waiting }
    return try body()
  }

  /// Whether statements wait for the next one.
  var hasPrelude: Bool { !prelude.isEmpty }

  /// The text of the last statement that waits for the next one.
  var lastOfPrelude: String? { prelude.last?.sql }

  /// Forgets the last statement that waits for the next one.
  func dropLastOfPrelude() { prelude.removeLast() }

  /// Forgets the statements behind one that waits for the next one; false where that does not wait.
  func dropPrelude(behind sql: String) -> Bool {
    guard let index = prelude.lastIndex(where: { $0.sql == sql }) else { return false }
    prelude.removeSubrange((index + 1)...)
    return true
  }

  /// Runs statements in one round trip; where one fails, those behind it are not run.
  ///
  /// - Returns: Their results, those of the prelude left out.
  /// - Throws: ``PostgreSQLError``.
  @discardableResult
  func run(_ commands: [Command]) throws -> [PostgreSQLCursor] { try run(commands, trying: nil).results }

  /// Runs statements in one round trip, of which the last may fail without anything being said of the others.
  ///
  /// - Returns: The results, of which the last is nil where it has failed.
  /// - Throws: ``PostgreSQLError``.
  func run(_ commands: [Command], trying last: Command?) throws -> (
    results: [PostgreSQLCursor], last: PostgreSQLCursor?
  ) {
    try reconnecting {
      try settle()
      try postSettings()
      let leading = prelude
      let sent = try send(leading + commands + (last.map { [$0] } ?? []))
      try readUnread()
      var (cursors, tried) = try collect(sent, isLastTried: last != nil)
      prelude = []
      try Self.handOver(cursors, of: leading)
      cursors.removeFirst(leading.count)
      return (cursors, tried)
    }
  }

  private static func handOver(_ cursors: [PostgreSQLCursor], of leading: [Command]) throws {
    for (command, cursor) in zip(leading, cursors) { try command.receive?(cursor) }
  }

  /// Takes note that the connection comes from the pool.
  func refresh() { isFresh = true }

  /// Takes note that it has been used since, so that a loss is one.
  func noteUse() { isFresh = false }

  /// Does something again where the connection was lost before anybody used it: nothing has been done then.
  func reconnecting<Result>(_ body: () throws -> Result) throws -> Result {
    let begun = prelude
    do {
      let result = try body()
      isFresh = false
      return result
    } catch let failure as PostgreSQLError where failure.isConnectionLost && isFresh {
      isFresh = false
      close()
      prelude = begun
      try reopen()
      return try body()
    } catch {
      isFresh = false
      prelude = []
      throw error
    }
  }

  /// Runs one statement.
  @discardableResult
  func run(_ sql: String, _ parameters: [PostgreSQLParameter] = []) throws -> PostgreSQLCursor {
    try run([Command(sql, parameters)])[0]
  }

  /// Runs a statement whose rows are handed over as they come.
  func stream(_ sql: String, _ parameters: [PostgreSQLParameter]) throws -> PostgreSQLCursor {
    try reconnecting {
      try settle()
      try postSettings()
      let leading = prelude
      let sent = try send(leading + [Command(sql, parameters)])
      try readUnread()
      let cursors = try readPrelude(of: sent)
      prelude = []
      _ = unsafe PQsetSingleRowMode(handle)
      let cursor = PostgreSQLCursor(streaming: self)
      unsafe stream = cursor
      try Self.handOver(cursors, of: leading)
      return cursor
    }
  }

  /// Reads what precedes the last reply: rows come one by one from that on.
  ///
  /// - Returns: The results of the commands before the last.
  private func readPrelude(of sent: Sent) throws -> [PostgreSQLCursor] {
    var failure: PostgreSQLError?
    let cursors = try readResults(sent.results.dropLast(), &failure)
    for _ in 1..<(sent.results.last ?? 1) {
      if let result = unsafe try read(&failure) { unsafe PQclear(result) }
    }
    guard let failure else { return cursors }
    forgetPrepared(sent.forms)
    var ignored: PostgreSQLError?
    _ = unsafe try read(&ignored)
    try readSync()
    throw failure
  }

  /// Sends a statement whose result nobody waits for.
  func post(_ sql: String) throws {
    try settle()
    guard !forgetPrelude() else { return }
    let sent = try send([.once(sql)])
    unreadCommands = sent.results.reduce(0, +)
    _ = unsafe PQflush(handle)
  }

  private struct Sent {
    /// For each command the number of its replies.
    var results: [Int] = []
    /// The statements that were prepared.
    var forms: [Form] = []
  }

  private func send(_ commands: [Command]) throws -> Sent {
    guard isOpen else { throw PostgreSQLError("The connection is closed.", isConnectionLost: true) }
    var sent = Sent()
    for command in commands {
      onStatement?(command.sql)
      counts.statements += 1
      sent.results.append(try send(command, &sent.forms))
    }
    guard unsafe PQpipelineSync(handle) == 1 else { throw lost() }
    counts.roundTrips += 1
    return sent
  }

  private func send(_ command: Command, _ forms: inout [Form]) throws -> Int {
    let types = command.parameters.map(\.type)
    guard command.isRepeated, !address.isPooledByTransaction else {
      unsafe try bind(command.parameters) { values, lengths, formats in
        unsafe PQsendQueryParams(
          handle, command.sql, Int32(types.count), types, values, lengths, formats, 1)
      }
      return 1
    }
    let form = Form(sql: command.sql, types: types)
    var replies = 1
    var name = prepared[form]
    if name == nil, seen.contains(form) {
      preparedCount += 1
      let given = "g\(preparedCount)"
      guard unsafe PQsendPrepare(handle, given, command.sql, Int32(types.count), types) == 1 else {
        throw lost()
      }
      (prepared[form], name) = (given, given)
      forms.append(form)
      replies = 2
    }
    if let name {
      unsafe try bind(command.parameters) { values, lengths, formats in
        unsafe PQsendQueryPrepared(handle, name, Int32(types.count), values, lengths, formats, 1)
      }
    } else {
      if seen.count > Self.mostPrepared * 4 { seen = [] }
      seen.insert(form)
      unsafe try bind(command.parameters) { values, lengths, formats in
        unsafe PQsendQueryParams(
          handle, command.sql, Int32(types.count), types, values, lengths, formats, 1)
      }
    }
    return replies
  }

  private func bind(
    _ parameters: [PostgreSQLParameter],
    _ body: (
      UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
    ) -> Int32
  ) throws {
    var all: [UInt8] = []
    all.reserveCapacity(parameters.reduce(1) { $0 + ($1.bytes?.count ?? 0) })
    var starts: [Int?] = []
    for parameter in parameters {
      starts.append(parameter.bytes == nil ? nil : all.count)
      if let bytes = parameter.bytes { all.append(contentsOf: bytes) }
    }
    all.append(0)
    let lengths = parameters.map { Int32($0.bytes?.count ?? 0) }
    let formats = [Int32](repeating: 1, count: parameters.count)
    let isSent = unsafe all.withUnsafeBufferPointer { buffer in
      let base = unsafe UnsafeRawPointer(buffer.baseAddress!)
      let values = unsafe starts.map { start in
        unsafe start.map { unsafe (base + $0).assumingMemoryBound(to: CChar.self) }
      }
      return unsafe body(values, lengths, formats)
    }
    guard isSent == 1 else { throw lost() }
  }

  // MARK: Results

  /// Reads what others than the caller are still to get.
  func settle() throws {
    unsafe try stream?.readRest()
    unsafe stream = nil
    try readUnread()
    guard prepared.count > Self.mostPrepared else { return }
    prepared = [:]
    seen = []
    settings.append(.once("DEALLOCATE ALL"))
  }

  /// Sends the statements for the session itself with those that follow, but in a transaction of their own,
  /// with whose failure they would be taken back.
  func postSettings() throws {
    if settings.isEmpty { return }
    unreadCommands = try send(settings).results.reduce(0, +)
    counts.roundTrips -= 1
    settings = []
  }

  /// Reads results that nobody has waited for.
  func readUnread() throws {
    if unreadCommands == 0 { return }
    var failure: PostgreSQLError?
    for _ in 0..<unreadCommands { if let result = unsafe try read(&failure) { unsafe PQclear(result) } }
    unreadCommands = 0
    try readSync()
  }

  /// - Parameter isLastTried: Whether the last may fail without the others.
  private func collect(_ sent: Sent, isLastTried: Bool) throws -> (
    results: [PostgreSQLCursor], last: PostgreSQLCursor?
  ) {
    let needed = sent.results.count - (isLastTried ? 1 : 0)
    var (failure, failureOfLast): (PostgreSQLError?, PostgreSQLError?)
    let cursors = try readResults(sent.results[..<needed], &failure)
    let last = try readResults(sent.results[needed...], &failureOfLast).first
    try readSync()
    if failure != nil || failureOfLast != nil { forgetPrepared(sent.forms) }
    if let failure { throw failure }
    return (cursors, last)
  }

  /// Reads the results of commands, of which each has a number of replies.
  private func readResults(
    _ replies: ArraySlice<Int>, _ failure: inout PostgreSQLError?
  ) throws -> [PostgreSQLCursor] {
    var cursors: [PostgreSQLCursor] = []
    for count in replies {
      var last: OpaquePointer?
      for _ in 0..<count {
        if let former = unsafe last { unsafe PQclear(former) }
        unsafe last = unsafe try read(&failure)
      }
      if let last = unsafe last { unsafe cursors.append(PostgreSQLCursor(last)) }
    }
    return cursors
  }

  private func forgetPrepared(_ forms: [Form]) {
    for form in forms { prepared[form] = nil }
  }

  /// Reads all results of one command, and returns the last; nil where it has failed, or was left out since
  /// another one has.
  private func read(_ failure: inout PostgreSQLError?) throws -> OpaquePointer? {
    var kept: OpaquePointer?
    while let result = unsafe try nextResult() {
      switch unsafe PQresultStatus(result) {
      case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE:
        if failure == nil { failure = unsafe PostgreSQLError(result: result) }
        unsafe PQclear(result)
        if unsafe PQstatus(handle) == CONNECTION_BAD { throw lost() }
      case PGRES_PIPELINE_ABORTED: unsafe PQclear(result)
      default:
        if let kept = unsafe kept { unsafe PQclear(kept) }
        unsafe kept = unsafe result
      }
    }
    return unsafe kept
  }

  private func readSync() throws {
    while true {
      guard let result = unsafe try nextResult() else { continue }
      defer { unsafe PQclear(result) }
      if unsafe PQresultStatus(result) == PGRES_PIPELINE_SYNC { return }
    }
  }

  /// The next row of a stream as a result; nil at its end.
  func nextRow() throws -> OpaquePointer? {
    var failure: PostgreSQLError?
    while let result = unsafe try nextResult() {
      switch unsafe PQresultStatus(result) {
      case PGRES_SINGLE_TUPLE: return unsafe result
      case PGRES_FATAL_ERROR:
        failure = unsafe PostgreSQLError(result: result)
        unsafe PQclear(result)
      default: unsafe PQclear(result)
      }
    }
    try readSync()
    if let failure { throw failure }
    return nil
  }

  private var hasCancelled = false

  func nextResult() throws -> OpaquePointer? {
    hasCancelled = false
    while unsafe PQisBusy(handle) == 1 {
      let isFlushed = unsafe PQflush(handle)
      if isFlushed < 0 { throw lost() }
      if unsafe Self.wait(handle, forReading: true, forWriting: isFlushed == 1) {
        guard unsafe PQconsumeInput(handle) == 1 else { throw lost() }
      }
      cancelWhereAsked()
    }
    return unsafe PQgetResult(handle)
  }

  /// Has the server end the statement where the program, or the task, has been told to.
  func cancelWhereAsked() {
    guard !hasCancelled, stop.isSet || RequestCancellation.isPossible && RequestCancellation.isRequested
    else { return }
    hasCancelled = true
    guard let cancel = unsafe PQgetCancel(handle) else { return }
    defer { unsafe PQfreeCancel(cancel) }
    var message = [CChar](repeating: 0, count: 256)
    _ = unsafe PQcancel(cancel, &message, 256)
  }

  /// Whether the session has a transaction that has not ended.
  var isInTransaction: Bool {
    let status = unsafe PQtransactionStatus(handle)
    return isOpen && (status == PQTRANS_INTRANS || status == PQTRANS_INERROR || status == PQTRANS_ACTIVE)
  }

  // MARK: Notifications

  /// The socket, at which notifications arrive; -1 where there is none any more.
  var descriptor: Int32 { isOpen ? unsafe PQsocket(handle) : -1 }

  /// Reads what has arrived while nobody has asked for anything.
  ///
  /// - Throws: ``PostgreSQLError`` where the connection is lost.
  func receiveNotifications() throws {
    guard isOpen, unsafe PQconsumeInput(handle) == 1 else { throw lost() }
  }

  /// The text of the next notification that has been read; nil where there is none.
  func nextNotification() -> String? {
    guard isOpen, let notification = unsafe PQnotifies(handle) else { return nil }
    defer { unsafe PQfreemem(notification) }
    return unsafe notification.pointee.extra.map { unsafe String(cString: $0) } ?? ""
  }

  func lost() -> PostgreSQLError {
    guard isOpen else { return PostgreSQLError("The connection is closed.", isConnectionLost: true) }
    let failure = unsafe PostgreSQLError(connection: handle)
    close()
    return PostgreSQLError(
      failure.message.isEmpty ? "The connection was lost." : failure.message, isConnectionLost: true)
  }
}
#endif
