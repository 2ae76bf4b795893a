import Foundation

/// Functions of dates: their parts, cutting, moving and telling apart by units of the calendar, in UTC or in
/// a time zone. What has no result, such as a date that no text has, is nil.
enum DateFunctions {
  /// The body of a function of dates; nil for one that is none.
  static func body(_ function: QueryFunction) -> (([Value]) -> Value)? {
    switch function {
    case .truncatedDate: truncated
    case .adding: adding
    case .difference: difference
    default: part(function).map(body(ofPart:))
    }
  }

  private static func body(ofPart part: @escaping (WallClock) -> Int64) -> ([Value]) -> Value {
    { values in
      guard let moment = moment(values[0]), let zone = Zone(values, at: 1) else { return .null }
      return .int(part(WallClock(at: moment, in: zone.zone)))
    }
  }

  private static func part(_ function: QueryFunction) -> ((WallClock) -> Int64)? {
    switch function {
    case .year: { $0.civil.year }
    case .month: { $0.civil.month }
    case .day: { $0.civil.day }
    case .hour: { $0.time / 3600 }
    case .minute: { $0.time / 60 % 60 }
    case .second: { $0.time % 60 }
    case .weekday: { $0.weekday }
    case .isoWeek: { $0.isoWeek }
    default: nil
    }
  }

  /// What computes a part of a date in UTC from its seconds alone; nil for a function of anything else.
  static func partInUTC(_ function: QueryFunction) -> ((Double) -> Int64?)? {
    part(function).map { part in
      { seconds in PreciseMoment(seconds).map { part(WallClock(at: $0, in: nil)) } }
    }
  }

  private static func truncated(_ values: [Value]) -> Value {
    guard let moment = moment(values[0]), let unit = unit(values[1]), let zone = Zone(values, at: 2) else {
      return .null
    }
    if let length = unit.seconds { return beginning(of: length, before: moment.seconds, in: zone.zone) }
    let clock = WallClock(at: moment, in: zone.zone).beginning(of: unit)
    return date(Double(clock.moment(in: zone.zone).seconds))
  }

  /// The beginning of a second, minute or hour. An hour that comes twice begins twice, and one that clocks
  /// are put forward within begins when they are.
  private static func beginning(of length: Int64, before seconds: Int64, in zone: TimeZone?) -> Value {
    let offset = WallClock.offset(of: zone, at: seconds)
    let cut = (seconds + offset).floored(by: length) * length - offset
    let start = Date(timeIntervalSinceReferenceDate: Double(cut))
    guard let zone, WallClock.offset(of: zone, at: cut) != offset,
      let change = zone.nextDaylightSavingTimeTransition(after: start)?.timeIntervalSinceReferenceDate,
      change <= Double(seconds)
    else { return date(Double(cut)) }
    return date(change)
  }

  /// Seconds, minutes and hours count on; days and longer units keep the time of day.
  private static func adding(_ values: [Value]) -> Value {
    guard var moment = moment(values[0]), let unit = unit(values[2]), let zone = Zone(values, at: 3),
      let number = values[1].truncatedNumber, number.magnitude < 1 << 46
    else { return .null }
    if let length = unit.seconds {
      moment.seconds += number * length
      return date(moment.date)
    }
    var clock = WallClock(at: moment, in: zone.zone)
    if let days = unit.days {
      clock.day += number * days
    } else if let months = unit.months, let moved = clock.adding(months: number * months) {
      clock = moved
    } else {
      return .null
    }
    return date(clock.moment(in: zone.zone).date)
  }

  /// The number of whole units from one date to another, negative backwards.
  private static func difference(_ values: [Value]) -> Value {
    guard let start = moment(values[0]), let end = moment(values[1]), let unit = unit(values[2]),
      let zone = Zone(values, at: 3)
    else { return .null }
    if let length = unit.seconds {
      return .int(Int64(start.nanoseconds(to: end) / (Int128(length) * 1_000_000_000)))
    }
    let (first, last) = (WallClock(at: start, in: zone.zone), WallClock(at: end, in: zone.zone))
    if let months = unit.months { return .int(first.months(to: last) / months) }
    return .int(first.days(to: last) / (unit.days ?? 1))
  }

  /// The moment of a date, or of a text that is one.
  private static func moment(_ value: Value) -> PreciseMoment? {
    switch value {
    case .date(let date): PreciseMoment(date.timeIntervalSinceReferenceDate)
    case .string(let text): DateText.seconds(from: text).flatMap(PreciseMoment.init)
    default: nil
    }
  }

  private static func unit(_ value: Value) -> CalendarUnit? {
    if case .string(let name) = value { CalendarUnit(rawValue: name) } else { nil }
  }

  private static func date(_ seconds: Double?) -> Value {
    guard let seconds, DateText.range.contains(seconds) else { return .null }
    return .date(Date(timeIntervalSinceReferenceDate: seconds))
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
