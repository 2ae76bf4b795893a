/// A kind of event that a trace tells (DGN-003).
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
    /// What is wrong, with the kinds that there are.
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
