import GraphStore
import GraphStoreReports
import Synchronization

/// Trace of a command or of a session: what its context does, told line by line, and the counters at the end.
final class CommandTrace {
  private let coordinator: PersistentStoreCoordinator
  private var observation: TraceObservation?
  private var kinds: Set<TraceKind> = []
  private var isVerbose = false
  private let isJSON: Bool
  private let place: StatementPlace
  /// Whether anything was to be told.
  private var wasOn = false

  /// - Parameter place: The place of the statement that runs.
  init(_ coordinator: PersistentStoreCoordinator, _ place: StatementPlace, isJSON: Bool) {
    self.coordinator = coordinator
    self.place = place
    self.isJSON = isJSON
  }

  /// Tells these kinds from now on.
  ///
  /// - Parameter isVerbose: Whether events have the place of their statement in a script, and the counters
  ///   are told whatever the kinds are.
  func tell(_ kinds: Set<TraceKind>, isVerbose: Bool) {
    guard kinds != self.kinds || isVerbose != self.isVerbose else { return }
    (self.kinds, self.isVerbose) = (kinds, isVerbose)
    observation?.cancel()
    observation = nil
    if kinds.isEmpty, !isVerbose { return }
    if !wasOn { coordinator.resetCounters() }
    wasOn = true
    if kinds.isEmpty { return }
    observation = coordinator.observe(kinds) { [isJSON, place] event in
      let origin = isVerbose ? place.text.map { (key: "at", value: TraceEvent.FieldValue.text($0)) } : nil
      Self.write(event.name, event.fields + [origin].compactMap(\.self), isJSON: isJSON)
    }
  }

  /// Ends with the counters (DGN-054).
  func end() {
    guard wasOn else { return }
    observation?.cancel()
    let counters = coordinator.counters
    let fields = [
      ("fetches", counters.fetches), ("objects", counters.fetchedObjects), ("saves", counters.saves),
      ("objectFaults", counters.objectFaults), ("relationshipFaults", counters.relationshipFaults),
      ("objectMisses", counters.objectMisses), ("relationshipMisses", counters.relationshipMisses),
      ("statements", counters.statements.total),
    ]
    Self.write(
      "total", fields.map { (key: $0.0, value: TraceEvent.FieldValue.number($0.1)) }, isJSON: isJSON)
  }

  private static func write(
    _ name: String, _ fields: [(key: String, value: TraceEvent.FieldValue)], isJSON: Bool
  ) {
    guard isJSON else {
      return Diagnostics.write(fields.reduce(name) { "\($0) \($1.key)=\($1.value.text)" })
    }
    let output = OutputBuffer.memory()
    var json = JSONBuilder(output)
    json.beginObject()
    json.member("trace", name)
    for (key, value) in fields {
      json.key(key)
      switch value {
      case .text(let text): json.value(text)
      case .number(let number): json.value(number)
      case .time(let time): json.value(time / .seconds(1))
      }
    }
    json.endObject()
    Diagnostics.writeWhole(output.consumeString())
  }
}

/// Place of the statement of a script that runs, for what is told of its work on any thread.
final class StatementPlace: Sendable {
  private let stored = Mutex<String?>(nil)

  /// The file and the line; nil outside of scripts.
  var text: String? {
    get { stored.withLock(\.self) }
    set { stored.withLock { $0 = newValue } }
  }
}
