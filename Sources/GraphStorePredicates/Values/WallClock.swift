import Foundation
import Synchronization

/// Wall clock of a time zone: the date and the time of day there at a moment, in the Gregorian calendar
/// throughout.
struct WallClock {
  /// The day, 0 for 2001-01-01, a Monday.
  var day: Int64
  /// The seconds from midnight on, with their fraction.
  var time: Double

  /// Reads the clock of a zone; nil for UTC.
  ///
  /// - Parameter seconds: The moment, in seconds from 2001-01-01 00:00 UTC; nil comes of one that has no text
  ///   as a date (``DateText/range``).
  init?(at seconds: Double, in zone: TimeZone?) {
    guard DateText.range.contains(seconds) else { return nil }
    let local = seconds + Self.offset(of: zone, at: seconds)
    let floor = (local / Double(DateText.secondsPerDay)).rounded(.down)
    day = Int64(floor)
    time = local - floor * Double(DateText.secondsPerDay)
  }

  var civil: (year: Int64, month: Int64, day: Int64) { DateText.civil(day: day) }

  /// The moment that the clock shows, in seconds from 2001-01-01 00:00 UTC: of two such the earlier, and where
  /// clocks are put forward over it, as much later.
  func seconds(in zone: TimeZone?) -> Double? {
    let local = Double(day) * Double(DateText.secondsPerDay) + time
    let before = Self.offset(of: zone, at: local - Self.longestOffset)
    let after = Self.offset(of: zone, at: local + Self.longestOffset)
    let early = local - before
    let seconds = Self.offset(of: zone, at: early) == before ? early : local - after
    // In a gap neither offset leads back.
    let moment = Self.offset(of: zone, at: seconds) + seconds == local ? seconds : early
    return DateText.range.contains(moment) ? moment : nil
  }

  private static let longestOffset = 86_400.0

  private static func offset(of zone: TimeZone?, at seconds: Double) -> Double {
    guard let zone else { return 0 }
    return Double(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: seconds)))
  }
}

extension WallClock {
  /// 1 for Monday to 7 for Sunday.
  var weekday: Int64 { (day % 7 + 7) % 7 + 1 }

  /// The week of the year by ISO 8601: the first is the one with the year's first Thursday.
  var isoWeek: Int64 {
    let thursday = day - weekday + 4
    let firstDay = DateText.day(year: DateText.civil(day: thursday).year, month: 1, day: 1)
    return (thursday - firstDay) / 7 + 1
  }

  /// The beginning of the unit that it is in.
  func truncated(to unit: CalendarUnit) -> WallClock {
    var clock = self
    if let seconds = unit.seconds {
      clock.time = (time / Double(seconds)).rounded(.down) * Double(seconds)
      return clock
    }
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
    let year = (total >= 0 ? total : total - 11) / 12
    let month = total - year * 12 + 1
    var clock = self
    clock.day = DateText.day(
      year: year, month: month, day: min(civil.day, DateReader.days(in: month, of: year)))
    return clock
  }

  /// The number of whole months from this clock to another one, toward zero.
  func months(to other: WallClock) -> Int64 {
    let (from, to) = (civil, other.civil)
    var months = (to.year - from.year) * 12 + to.month - from.month
    guard let reached = adding(months: months) else { return months }
    if months > 0, other.isBefore(reached) { months -= 1 }
    if months < 0, reached.isBefore(other) { months += 1 }
    return months
  }

  private func isBefore(_ other: WallClock) -> Bool { (day, time) < (other.day, other.time) }
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
