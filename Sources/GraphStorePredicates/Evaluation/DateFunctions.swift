import Foundation

/// Functions of dates: their parts, cutting, moving and telling apart by units of the calendar, in UTC or in a
/// time zone. What has no result, such as a date that no text has, is nil.
enum DateFunctions {
  /// The body of a function of dates; nil for one that is none.
  static func body(_ function: QueryFunction) -> (([Value]) -> Value)? {
    switch function {
    case .year: part(\.civil.year)
    case .month: part(\.civil.month)
    case .day: part(\.civil.day)
    case .hour: part { Int64($0.time) / 3600 }
    case .minute: part { Int64($0.time) / 60 % 60 }
    case .second: part { Int64($0.time) % 60 }
    case .weekday: part(\.weekday)
    case .isoWeek: part(\.isoWeek)
    case .truncatedDate: truncated
    case .adding: adding
    case .difference: difference
    default: nil
    }
  }

  private static func part(_ part: @escaping (WallClock) -> Int64) -> ([Value]) -> Value {
    { values in
      guard let seconds = moment(values[0]), let zone = Zone(values, at: 1),
        let clock = WallClock(at: seconds, in: zone.zone)
      else { return .null }
      return .int(part(clock))
    }
  }

  private static func truncated(_ values: [Value]) -> Value {
    guard let seconds = moment(values[0]), let unit = unit(values[1]), let zone = Zone(values, at: 2),
      let clock = WallClock(at: seconds, in: zone.zone)
    else { return .null }
    return self.date(clock.truncated(to: unit).seconds(in: zone.zone))
  }

  /// Seconds, minutes and hours count on; days and longer units keep the time of day.
  private static func adding(_ values: [Value]) -> Value {
    guard let seconds = moment(values[0]), let unit = unit(values[2]), let zone = Zone(values, at: 3),
      let number = values[1].truncatedNumber, number.magnitude < 1 << 46
    else { return .null }
    if let length = unit.seconds {
      let moved = seconds + Double(number) * Double(length)
      return self.date(DateText.range.contains(moved) ? moved : nil)
    }
    guard var clock = WallClock(at: seconds, in: zone.zone) else { return .null }
    if let days = unit.days {
      clock.day += number * days
    } else if let months = unit.months, let moved = clock.adding(months: number * months) {
      clock = moved
    } else {
      return .null
    }
    return self.date(clock.seconds(in: zone.zone))
  }

  /// The number of whole units from one date to another, negative backwards.
  private static func difference(_ values: [Value]) -> Value {
    guard let start = moment(values[0]), let end = moment(values[1]), let unit = unit(values[2]),
      let zone = Zone(values, at: 3)
    else { return .null }
    guard let first = WallClock(at: start, in: zone.zone), let last = WallClock(at: end, in: zone.zone) else {
      return .null
    }
    if let length = unit.seconds { return .int(Int64(((end - start) / Double(length)).rounded(.towardZero))) }
    if let months = unit.months { return .int(first.months(to: last) / months) }
    var days = last.day - first.day
    if days > 0, last.time < first.time { days -= 1 }
    if days < 0, last.time > first.time { days += 1 }
    return .int(days / (unit.days ?? 1))
  }

  /// The seconds from 2001 on of a date, or of a text that is one.
  private static func moment(_ value: Value) -> Double? {
    switch value {
    case .date(let date): date.timeIntervalSinceReferenceDate
    case .string(let text): DateText.seconds(from: text)
    default: nil
    }
  }

  private static func unit(_ value: Value) -> CalendarUnit? {
    if case .string(let name) = value { CalendarUnit(rawValue: name) } else { nil }
  }

  private static func date(_ seconds: Double?) -> Value {
    seconds.map { .date(Date(timeIntervalSinceReferenceDate: $0)) } ?? .null
  }

  /// The zone that an argument names, UTC where there is none.
  private struct Zone {
    let zone: TimeZone?

    init?(_ values: [Value], at index: Int) {
      guard index < values.count else {
        zone = nil
        return
      }
      guard case .string(let name) = values[index], let zone = ZoneName.zone(name) else { return nil }
      self.zone = zone == .gmt ? nil : zone
    }
  }
}
