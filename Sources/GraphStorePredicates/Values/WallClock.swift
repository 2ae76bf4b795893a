import Foundation
import Synchronization

/// Moment as the digits of its text have it: whole seconds from 2001-01-01 00:00 UTC, and what is left of a
/// second. Doubles of two times are no whole number of seconds apart where both end in .001.
struct PreciseMoment {
  var seconds: Int64
  /// The date whose digits the fraction of a second has.
  private let origin: Double

  /// Reads the digits of a date; nil for one that has no text (``DateText/range``).
  init?(_ date: Double) {
    guard DateText.range.contains(date) else { return nil }
    seconds = Int64(date.rounded(.down))
    origin = date
  }

  /// The digits of the fraction, which only telling apart and moving need: parts of dates do not.
  private var fraction: Substring {
    guard origin != origin.rounded(.down), let text = DateText.text(of: origin),
      let point = text.lastIndex(of: ".")
    else { return "" }
    return text[text.index(after: point)...].dropLast()
  }

  /// The fraction in thousand-millionths of a second.
  var nanoseconds: Int64 {
    let digits = fraction.prefix(9)
    return (Int64(digits) ?? 0) * (0..<(9 - digits.count)).reduce(1) { power, _ in power * 10 }
  }

  /// The date with these digits; nil for one that has no text.
  var date: Double? {
    let (whole, fraction) = (Double(seconds), fraction)
    guard DateText.range.contains(whole) else { return nil }
    if fraction.isEmpty { return whole }
    return DateText.text(of: whole).flatMap { DateText.seconds(from: "\($0.dropLast()).\(fraction)Z") }
  }

  /// From this moment to another one, in thousand-millionths of a second.
  func nanoseconds(to other: PreciseMoment) -> Int128 {
    (Int128(other.seconds) - Int128(seconds)) * 1_000_000_000 + Int128(other.nanoseconds - nanoseconds)
  }
}

/// Wall clock of a time zone: the date and the time of day there at a moment, in the Gregorian calendar
/// throughout.
struct WallClock {
  /// The day, 0 for 2001-01-01, a Monday.
  var day: Int64
  /// The seconds from midnight on.
  var time: Int64
  private var moment: PreciseMoment

  /// Reads the clock of a zone; nil for UTC.
  init(at moment: PreciseMoment, in zone: TimeZone?) {
    let local = moment.seconds + Self.offset(of: zone, at: moment.seconds)
    day = local.floored(by: DateText.secondsPerDay)
    time = local - day * DateText.secondsPerDay
    self.moment = moment
  }

  var civil: (year: Int64, month: Int64, day: Int64) { DateText.civil(day: day) }

  /// The moment that the clock shows: of two such the earlier, and where clocks are put forward over it, as
  /// much later.
  func moment(in zone: TimeZone?) -> PreciseMoment {
    let local = day * DateText.secondsPerDay + time
    let before = Self.offset(of: zone, at: local - Self.longestOffset)
    let after = Self.offset(of: zone, at: local + Self.longestOffset)
    let early = local - before
    let seconds = Self.offset(of: zone, at: early) == before ? early : local - after
    // In a gap neither offset leads back.
    var moment = moment
    moment.seconds = seconds + Self.offset(of: zone, at: seconds) == local ? seconds : early
    return moment
  }

  private static let longestOffset: Int64 = 86_400

  static func offset(of zone: TimeZone?, at seconds: Int64) -> Int64 {
    guard let zone else { return 0 }
    return Int64(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: Double(seconds))))
  }
}

extension WallClock {
  /// 1 for Monday to 7 for Sunday.
  var weekday: Int64 { day - day.floored(by: 7) * 7 + 1 }

  /// The week of the year by ISO 8601: the first is the one with the year's first Thursday.
  var isoWeek: Int64 {
    let thursday = day - weekday + 4
    let firstDay = DateText.day(year: DateText.civil(day: thursday).year, month: 1, day: 1)
    return (thursday - firstDay) / 7 + 1
  }

  /// The midnight at which the day begins, or the longer unit that it is in.
  func beginning(of unit: CalendarUnit) -> WallClock {
    var clock = self
    clock.time = 0
    let civil = civil
    switch unit {
    case .week: clock.day = day - weekday + 1
    case .month: clock.day = DateText.day(year: civil.year, month: civil.month, day: 1)
    case .quarter: clock.day = DateText.day(year: civil.year, month: (civil.month - 1) / 3 * 3 + 1, day: 1)
    case .year: clock.day = DateText.day(year: civil.year, month: 1, day: 1)
    default: break
    }
    return clock
  }

  /// The same time so many months later; a day that the month lacks becomes its last.
  func adding(months: Int64) -> WallClock? {
    let civil = civil
    let (total, overflow) = (civil.year * 12 + civil.month - 1).addingReportingOverflow(months)
    guard !overflow, abs(total) < 1 << 46 else { return nil }
    let year = total.floored(by: 12)
    let month = total - year * 12 + 1
    var clock = self
    clock.day = DateText.day(
      year: year, month: month, day: min(civil.day, DateReader.days(in: month, of: year)))
    return clock
  }

  /// The number of whole days to another clock, toward zero.
  func days(to other: WallClock) -> Int64 {
    let days = other.day - day
    if days > 0, other.isEarlierInDay(than: self) { return days - 1 }
    if days < 0, isEarlierInDay(than: other) { return days + 1 }
    return days
  }

  /// The number of whole months to another clock, toward zero.
  func months(to other: WallClock) -> Int64 {
    let (from, to) = (civil, other.civil)
    let months = (to.year - from.year) * 12 + to.month - from.month
    guard let reached = adding(months: months) else { return months }
    if months > 0, other.isBefore(reached) { return months - 1 }
    if months < 0, reached.isBefore(other) { return months + 1 }
    return months
  }

  private func isEarlierInDay(than other: WallClock) -> Bool {
    (time, moment.nanoseconds) < (other.time, other.moment.nanoseconds)
  }

  private func isBefore(_ other: WallClock) -> Bool {
    day < other.day || day == other.day && isEarlierInDay(than: other)
  }
}

extension Int64 {
  /// The quotient, rounded down.
  func floored(by divisor: Int64) -> Int64 {
    (self >= 0 ? self : self - divisor + 1) / divisor
  }
}

/// Time zones by the names that the language takes: `Europe/Berlin`, `UTC`, `+02:00`.
enum ZoneName {
  private static let zones = Mutex<[String: TimeZone?]>([:])

  /// The zone of a name; nil for a name that is none.
  static func zone(_ name: String) -> TimeZone? {
    zones.withLock { zones in
      if let zone = zones[name] { return zone }
      if zones.count > 1_000 { zones = [:] }
      let zone = offset(name) ?? TimeZone(identifier: name)
      zones[name] = .some(zone)
      return zone
    }
  }

  /// `+02:00`, `-0330`, `Z`.
  private static func offset(_ name: String) -> TimeZone? {
    if name == "Z" || name == "UTC" { return .gmt }
    guard let match = name.wholeMatch(of: #/([+-])([0-9]{2}):?([0-9]{2})/#), let hours = Int(match.2),
      let minutes = Int(match.3), hours <= 18, minutes < 60
    else { return nil }
    return TimeZone(secondsFromGMT: (match.1 == "-" ? -1 : 1) * (hours * 3600 + minutes * 60))
  }
}
