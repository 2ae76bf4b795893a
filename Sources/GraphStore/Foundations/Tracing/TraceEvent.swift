import Foundation

/// One thing that a context has done, as a trace records it.
///
/// Its description is the line of a trace: `fetch entity=Employee objects=12 sql=0.0003s total=0.0007s`.
///
/// ```swift
/// let trace = coordinator.observe([.fetches]) { event in
///   if case .fetch(let entity, _, let objects, _) = event.work { print(entity, objects, event.time) }
/// }
/// let employees = try context.fetch(Employee.fetchRequest())
/// trace.cancel()
/// ```
public struct TraceEvent: Sendable {
  /// Work of an event.
  public enum Work: Hashable, Sendable {
    /// A fetch request of an entity, by what was asked for.
    case fetch(entity: String, result: FetchResult, objects: Int, sqlTime: Duration)
    /// A save, by how many objects it inserted, updated and deleted; a failed one with the code of its error.
    case save(inserted: Int, updated: Int, deleted: Int, failure: String?)
    /// A fault of an object that has got its values, from the row cache or from a store.
    case objectFault(ManagedObjectID, isCached: Bool)
    /// A to-many whose members were first asked for, and were read from a store.
    case relationshipFault(source: ManagedObjectID, relationship: String, members: Int)
  }

  /// Type of the result of a fetch request.
  public enum FetchResult: String, Hashable, Sendable {
    /// Objects.
    case objects
    /// Their number.
    case count
    /// Their identifiers.
    case identifiers = "ids"
    /// Values of key paths.
    case dictionaries
  }

  /// The kind of the event; a fault that misses the row cache is reported once as a fault and once as a miss.
  public internal(set) var kind: TraceKind
  /// The work of the event.
  public let work: Work
  /// How long it took in all.
  public let time: Duration
  /// The name of the context, if it has one.
  public let contextName: String?
  /// The call stack at the origin, innermost first; nil where it was not asked for.
  public internal(set) var backtrace: [String]?
}

extension TraceEvent {
  /// The event with the call stack of the calling thread.
  var withBacktrace: TraceEvent {
    var event = self
    event.backtrace = Thread.callStackSymbols
    return event
  }
}

extension TraceEvent: CustomStringConvertible {
  /// The event as a line.
  public var description: String {
    fields.reduce(into: name) { line, field in line += " \(field.key)=\(field.value.text)" }
  }

  /// A value of a field.
  package enum FieldValue: Sendable {
    case text(String)
    case number(Int)
    case time(Duration)

    /// The value as it is written in a line; times in seconds with four decimals (DGN-021).
    package var text: String {
      switch self {
      case .text(let text): return text
      case .number(let number): return "\(number)"
      case .time(let time):
        let units = (time / .microseconds(100)).rounded()
        let (whole, rest) = Int(units).quotientAndRemainder(dividingBy: 10_000)
        return "\(whole).\(String(repeating: "0", count: 4 - "\(rest)".count))\(rest)s"
      }
    }
  }

  /// The word with which the line begins.
  package var name: String {
    switch work {
    case .fetch: "fetch"
    case .save: "save"
    case .objectFault, .relationshipFault: kind == .misses ? "miss" : "fault"
    }
  }

  /// The fields of the line, in order.
  package var fields: [(key: String, value: FieldValue)] {
    switch work {
    case .fetch(let entity, let result, let objects, let sqlTime):
      let kind: [(String, FieldValue)] = result == .objects ? [] : [("kind", .text(result.rawValue))]
      return [("entity", .text(entity))] + kind
        + [("objects", .number(objects)), ("sql", .time(sqlTime)), ("total", .time(time))]
    case .save(let inserted, let updated, let deleted, let failure):
      let counts: [(String, FieldValue)] = [
        ("inserted", .number(inserted)), ("updated", .number(updated)), ("deleted", .number(deleted)),
        ("total", .time(time)),
      ]
      return counts + (failure.map { [("failed", .text($0))] } ?? [])
    case .objectFault(let object, let isCached):
      return [("object", .text(object.shortForm))] + cacheField(isCached) + [("total", .time(time))]
    case .relationshipFault(let source, let relationship, let members):
      return [
        ("source", .text(source.shortForm)), ("relationship", .text(relationship)),
        ("members", .number(members)),
      ] + cacheField(false) + [("total", .time(time))]
    }
  }

  private func cacheField(_ isCached: Bool) -> [(String, FieldValue)] {
    kind == .misses ? [] : [("cache", .text(isCached ? "hit" : "miss"))]
  }
}

/// A kind of event that a trace records.
///
/// ```swift
/// Diagnostics.file = "trace.log"
/// Diagnostics.tracedKinds = [.fetches, .misses]
/// ```
public enum TraceKind: String, Hashable, Sendable, CaseIterable {
  /// Fetch requests, counts and requests for identifiers among them.
  case fetches
  /// Saves that reach a store, those that fail too.
  case saves
  /// Faults that fire, of objects and of to-manys, whether the row cache has the answer or not.
  case faults
  /// Faults for which a store had to be asked.
  case misses

  /// A word that names no kind.
  package struct UnknownKind: Error {
    /// The word.
    package let word: String
    /// The message, with the valid kinds.
    package var message: String {
      "there is no kind of event \"\(word)\"; there are \(TraceKind.allCases.map(\.rawValue).joined(separator: ", "))"
    }
  }

  /// The kinds of a list with commas.
  package static func kinds(in text: String) throws(UnknownKind) -> Set<TraceKind> {
    var kinds: Set<TraceKind> = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let word = part.trimmingPrefix { $0 == " " }
      guard let kind = TraceKind(rawValue: String(word)) else { throw UnknownKind(word: String(word)) }
      kinds.insert(kind)
    }
    return kinds
  }

  /// The kind as a bit of a mask.
  @inline(__always)
  var bit: UInt8 {
    switch self {
    case .fetches: 1
    case .saves: 2
    case .faults: 4
    case .misses: 8
    }
  }
}

extension TraceKind {
  /// The bits of both kinds of faults.
  @inline(__always)
  static var faultBits: UInt8 { faults.bit | misses.bit }
}

extension Set<TraceKind> {
  var mask: UInt8 { reduce(0) { $0 | $1.bit } }
}
