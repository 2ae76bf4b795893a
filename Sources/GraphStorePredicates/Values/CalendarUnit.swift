/// Unit of the Gregorian calendar, by which dates are cut, moved and told apart; the raw value is its name in
/// the language.
///
/// ```swift
/// let month = try QueryExpression(parsing: "truncated:(at, 'month')")
/// print(month, CalendarUnit.allCases.count)  // truncated:(at, "month") 8
/// ```
public enum CalendarUnit: String, Hashable, Sendable, CaseIterable {
  case second, minute, hour, day
  /// Seven days from a Monday on.
  case week
  case month
  /// Three months, the first from January on.
  case quarter
  case year

  /// Whether functions of dates take a text as a time zone: `Europe/Berlin`, `UTC`, `+02:00`.
  package static func isTimeZone(_ name: String) -> Bool { ZoneName.zone(name) != nil }

  /// The seconds of a unit that always has as many; nil for those of the calendar.
  var seconds: Int64? {
    switch self {
    case .second: 1
    case .minute: 60
    case .hour: 3600
    default: nil
    }
  }

  /// The days of a unit that always has as many.
  var days: Int64? {
    switch self {
    case .day: 1
    case .week: 7
    default: nil
    }
  }

  /// The months of a unit that has as many.
  var months: Int64? {
    switch self {
    case .month: 1
    case .quarter: 3
    case .year: 12
    default: nil
    }
  }
}
