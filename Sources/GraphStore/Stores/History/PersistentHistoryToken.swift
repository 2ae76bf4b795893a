import Foundation

/// A place in the histories of stores: what was read up to there, and what comes after it.
///
/// For each store that it covers it names the last transaction. It keeps its meaning across runs and
/// processes: keep it encoded, or as its ``description``, and ask with it for what has happened since.
///
/// ```swift
/// try coordinator.enableHistoryTracking(of: archive)
/// try context.save()
/// let text = try coordinator.currentPersistentHistoryToken().map(String.init(describing:)) ?? ""
/// // In another run of the program:
/// let history = try context.execute(.fetchHistory(after: PersistentHistoryToken(text)))
/// print(history.transactions.count, "more")
/// ```
public struct PersistentHistoryToken: Sendable {
  /// The last transaction in the history of one store.
  package struct Place: Sendable {
    /// The number of the transaction.
    package let number: Int64
    /// A stamp of its time, by which another history with the same numbers is told apart, as that of an older
    /// copy of the store which others have written to since; nil where it is not known.
    package let stamp: UInt32?

    package init(number: Int64, stamp: UInt32?) {
      self.number = number
      self.stamp = stamp
    }
  }

  /// By the UUID of the store.
  let places: [String: Place]

  init(_ places: [String: Place]) { self.places = places }

  init(store: String, _ place: Place) { places = [store: place] }

  /// The identifiers of the stores in whose histories it is a place.
  public var storeIdentifiers: Set<String> { Set(places.keys) }

  /// The token with another place in the history of a store, or with none.
  func replacing(_ place: Place?, of store: String) -> PersistentHistoryToken {
    var places = places
    places[store] = place
    return PersistentHistoryToken(places)
  }

  /// The place that is the later one in the history of each store.
  func merging(_ other: PersistentHistoryToken) -> PersistentHistoryToken {
    PersistentHistoryToken(places.merging(other.places) { $0.number > $1.number ? $0 : $1 })
  }
}

extension PersistentHistoryToken: Hashable {
  /// Equal where the stores and the numbers of the transactions are.
  public static func == (left: Self, right: Self) -> Bool {
    left.places.mapValues(\.number) == right.places.mapValues(\.number)
  }

  /// Hashes the stores and the numbers of the transactions.
  public func hash(into hasher: inout Hasher) { hasher.combine(places.mapValues(\.number)) }
}

extension PersistentHistoryToken.Place {
  /// The place after a transaction of a time, as the store has it.
  package init(number: Int64, time: Double) {
    let bits = time.bitPattern
    self.init(number: number, stamp: UInt32(truncatingIfNeeded: bits ^ (bits >> 32)))
  }
}

extension PersistentHistoryToken: LosslessStringConvertible {
  /// The UUIDs of the stores in order, each with the number and the stamp of a transaction, separated by
  /// commas: `3F25…:42-9c81f0e3`.
  public var description: String {
    places.sorted { $0.key < $1.key }.map { store, place in
      "\(store):\(place.number)" + (place.stamp.map { "-" + String($0, radix: 16) } ?? "")
    }.joined(separator: ",")
  }

  /// A token from its ``description``; nil for another text.
  public init?(_ description: String) {
    var places: [String: Place] = [:]
    for part in description.split(separator: ",", omittingEmptySubsequences: false) {
      let halves = part.split(separator: ":", omittingEmptySubsequences: false)
      guard halves.count == 2, let store = UUID(uuidString: String(halves[0]))?.uuidString,
        let place = Place(text: halves[1]), places[store] == nil
      else { return nil }
      places[store] = place
    }
    self.init(places)
  }
}

extension PersistentHistoryToken.Place {
  fileprivate init?(text: Substring) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard let number = parts.first.flatMap({ Int64($0) }), number >= 0, parts.count <= 2 else { return nil }
    if parts.count == 1 {
      self.init(number: number, stamp: nil)
    } else {
      guard let stamp = UInt32(parts[1], radix: 16) else { return nil }
      self.init(number: number, stamp: stamp)
    }
  }
}

extension PersistentHistoryToken: Codable {
  /// Encodes the ``description``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Decodes a ``description``.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let token = PersistentHistoryToken(text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(text)\" is no token of a history.")
    }
    self = token
  }
}
