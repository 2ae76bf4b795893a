import GraphStore
import GraphStoreReports

/// Trace of a command or of a session: what its context does, told line by line, and the counters at the end.
final class CommandTrace {
  private let coordinator: PersistentStoreCoordinator
  private var observation: TraceObservation?
  private var kinds: Set<TraceKind> = []
  private let isJSON: Bool
  /// Whether anything was to be told.
  private var wasOn = false

  init(_ coordinator: PersistentStoreCoordinator, isJSON: Bool) {
    self.coordinator = coordinator
    self.isJSON = isJSON
  }

  /// Tells these kinds from now on.
  func tell(_ kinds: Set<TraceKind>) {
    guard kinds != self.kinds else { return }
    self.kinds = kinds
    observation?.cancel()
    observation = nil
    if kinds.isEmpty { return }
    if !wasOn { coordinator.resetCounters() }
    wasOn = true
    observation = coordinator.observe(kinds) { [isJSON] event in
      Self.write(event.name, event.fields, isJSON: isJSON)
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
