import Foundation
import GraphStore
import GraphStoreReports

/// A place in a history, as people write it: a token or a time.
enum HistoryPlaceText {
  case token(PersistentHistoryToken)
  case time(Date)

  /// - Throws: `usage` for a text that is neither.
  init(_ text: String) throws {
    if let token = PersistentHistoryToken(text) {
      self = .token(token)
    } else if let seconds = DateText.seconds(from: text) {
      self = .time(Date(timeIntervalSinceReferenceDate: seconds))
    } else {
      throw Diagnostic(
        code: "usage", message: "\"\(text)\" is neither a token nor a time",
        hints: [
          "a token is what history list prints last; a time is like 2026-01-31 or 2026-01-31T12:00:00Z"
        ],
        exitCode: .usage)
    }
  }

  var date: Date? { if case .time(let date) = self { date } else { nil } }

  /// The request that reads what came after it.
  static func request(since text: String?) throws -> PersistentHistoryChangeRequest {
    switch try text.map(HistoryPlaceText.init) {
    case .token(let token): .fetchHistory(after: token)
    case .time(let date): .fetchHistory(after: date)
    case nil: .fetchHistory(after: nil as PersistentHistoryToken?)
    }
  }

  /// The request that removes what was before it.
  var deletion: PersistentHistoryChangeRequest {
    switch self {
    case .token(let token): .deleteHistory(before: token)
    case .time(let date): .deleteHistory(before: date)
    }
  }
}
