import Foundation
import GraphStorePredicates
import Testing

/// Functions of dates, against Foundation's calendar where the two have one meaning.
@Suite("Functions of dates") struct CalendarFunctionTests {
  private func value(_ text: String, _ values: [String: Value] = [:]) throws -> Value {
    try ExpressionEvaluator(QueryExpression(parsing: text)).value(for: .value(.dictionary(values)))
  }

  private func date(_ text: String) throws -> Value {
    .date(Date(timeIntervalSinceReferenceDate: try #require(DateText.seconds(from: text))))
  }

  private func text(_ value: Value) -> String {
    guard case .date(let date) = value else { return "\(value)" }
    return DateText.text(of: date.timeIntervalSinceReferenceDate) ?? "-"
  }

  @Test("PRD-291: parts of a date, in UTC and in a zone")
  func parts() throws {
    let at = ["at": try date("2024-12-30T23:59:58.75Z")]
    for (name, part) in [
      ("year", 2024), ("month", 12), ("day", 30), ("hour", 23), ("minute", 59), ("second", 58),
      ("weekday", 1),
      ("isoWeek", 1),
    ] as [(String, Int64)] {
      #expect(try value("\(name):(at)", at) == .int(part), "\(name)")
    }
    #expect(try value("day:(at, 'Europe/Berlin')", at) == .int(31))
    #expect(try value("hour:(at, 'Europe/Berlin')", at) == .int(0))
    #expect(try value("hour:(at, '-03:30')", at) == .int(20))
    #expect(try value("minute:(at, '-0330')", at) == .int(29))
    #expect(try value("year:(at, 'UTC')", at) == .int(2024))
    #expect(try value("year:('2026-05-14')") == .int(2026))
    #expect(try value("difference:('2026-05-14', '2026-06-14', 'month')") == .int(1))
    #expect(try value("year:('soon')") == .null)
    #expect(try value("year:(at, 'Nowhere/City')", at) == .null)
    #expect(try value("year:(at)", ["at": .null]) == .null)
    #expect(try value("year:(at)", ["at": .date(Date(timeIntervalSinceReferenceDate: .infinity))]) == .null)
    #expect(try value("year:(at)", ["at": try date("-000044-03-15")]) == .int(-44))
  }

  @Test(
    "PRD-292: the beginning of each unit, and of a day that a clock is put forward at its beginning",
    arguments: [
      ("second", "2026-05-14T13:47:59Z"), ("minute", "2026-05-14T13:47:00Z"),
      ("hour", "2026-05-14T13:00:00Z"),
      ("day", "2026-05-14T00:00:00Z"), ("week", "2026-05-11T00:00:00Z"), ("month", "2026-05-01T00:00:00Z"),
      ("quarter", "2026-04-01T00:00:00Z"), ("year", "2026-01-01T00:00:00Z"),
    ])
  func truncated(_ unit: String, _ expected: String) throws {
    let at = ["at": try date("2026-05-14T13:47:59.5Z")]
    #expect(text(try value("truncated:(at, '\(unit)')", at)) == expected)
  }

  @Test("PRD-292: units of a zone, whose offset is not the same all year")
  func zones() throws {
    let summer = ["at": try date("2026-07-01T22:30:00Z")]
    #expect(text(try value("truncated:(at, 'month', 'Europe/Berlin')", summer)) == "2026-06-30T22:00:00Z")
    #expect(text(try value("truncated:(at, 'year', 'Europe/Berlin')", summer)) == "2025-12-31T23:00:00Z")
    #expect(text(try value("truncated:(at, 'day', 'Asia/Kolkata')", summer)) == "2026-07-01T18:30:00Z")
    // Clocks went from 23:59:59 to 01:00:00 here, so that the day begins an hour later.
    let noMidnight = ["at": try date("2018-11-04T12:00:00Z")]
    #expect(
      text(try value("truncated:(at, 'day', 'America/Sao_Paulo')", noMidnight)) == "2018-11-04T03:00:00Z")
  }

  @Test("PRD-293: moving by units, over short months and clocks that change")
  func moving() throws {
    let at = ["at": try date("2024-01-31T10:00:00Z")]
    for (arguments, expected) in [
      ("1, 'month'", "2024-02-29T10:00:00Z"), ("13, 'month'", "2025-02-28T10:00:00Z"),
      ("-2, 'month'", "2023-11-30T10:00:00Z"), ("1, 'quarter'", "2024-04-30T10:00:00Z"),
      ("-1, 'year'", "2023-01-31T10:00:00Z"), ("2, 'week'", "2024-02-14T10:00:00Z"),
      ("-31, 'day'", "2023-12-31T10:00:00Z"), ("36, 'hour'", "2024-02-01T22:00:00Z"),
      ("-1, 'second'", "2024-01-31T09:59:59Z"), ("1.9, 'day'", "2024-02-01T10:00:00Z"),
    ] {
      #expect(text(try value("adding:(at, \(arguments))", at)) == expected, "\(arguments)")
    }
    let eve = ["at": try date("2026-03-28T12:00:00Z")]
    #expect(text(try value("adding:(at, 1, 'day', 'Europe/Berlin')", eve)) == "2026-03-29T11:00:00Z")
    #expect(text(try value("adding:(at, 24, 'hour', 'Europe/Berlin')", eve)) == "2026-03-29T12:00:00Z")
    #expect(try value("adding:(at, 9223372036854775807, 'year')", at) == .null)
    #expect(try value("adding:(at, 1, 'fortnight')", at) == .null)
  }

  @Test(
    "PRD-292: an hour that comes twice begins twice, and one that clocks are put forward within begins then")
  func hoursOfChanges() throws {
    for (zone, at, unit, expected) in [
      ("Europe/Berlin", "2031-10-26T00:10:00Z", "hour", "2031-10-26T00:00:00Z"),
      ("Europe/Berlin", "2031-10-26T01:10:00Z", "hour", "2031-10-26T01:00:00Z"),
      ("Europe/Berlin", "2031-10-26T01:10:59.5Z", "minute", "2031-10-26T01:10:00Z"),
      ("America/St_Johns", "1992-04-05T03:31:01Z", "hour", "1992-04-05T03:31:00Z"),
    ] {
      let found = try value("truncated:(at, '\(unit)', '\(zone)')", ["at": try date(at)])
      #expect(text(found) == expected, "\(zone) \(at)")
    }
  }

  @Test("PRD-293: fractions of seconds stay as their digits are, and are compared by them")
  func fractions() throws {
    let values = ["a": try date("1970-01-01T00:00:00.001Z"), "b": try date("2013-03-16T00:00:00.001Z")]
    #expect(try value("difference:(a, b, 'day')", values) == .int(15_780))
    #expect(try value("difference:(a, b, 'second')", values) == .int(1_363_392_000))
    #expect(try value("difference:(b, a, 'hour')", values) == .int(-378_720))
    let spring = ["a": try date("1983-04-24T07:00:01.001Z")]
    #expect(text(try value("adding:(a, 9, 'month')", spring)) == "1984-01-24T07:00:01.001Z")
    #expect(try value("adding:(a, 9, 'month')", spring) == date("1984-01-24T07:00:01.001Z"))
    #expect(text(try value("adding:(a, -86400, 'second')", spring)) == "1983-04-23T07:00:01.001Z")
  }

  @Test("PRD-293: whole units between two dates")
  func differences() throws {
    for (from, to, unit, expected) in [
      ("2008-02-29", "2026-02-27", "year", 17), ("2008-02-29", "2026-02-28", "year", 18),
      ("2008-02-29", "2026-03-01", "year", 18),
      ("2024-01-31", "2024-02-29", "month", 1), ("2024-02-29", "2024-01-31", "month", 0),
      ("2024-03-15", "2024-01-15", "month", -2), ("2024-01-01", "2024-12-31", "quarter", 3),
      ("2026-01-01T10:00:00Z", "2026-01-02T09:00:00Z", "day", 0),
      ("2026-01-02T09:00:00Z", "2026-01-01T08:00:00Z", "day", -1), ("2026-01-01", "2026-01-15", "week", 2),
      ("2026-01-01", "2026-01-02", "hour", 24), ("2026-01-01T00:00:30Z", "2026-01-01", "minute", 0),
    ] as [(String, String, String, Int64)] {
      let values = ["a": try date(from), "b": try date(to)]
      #expect(try value("difference:(a, b, '\(unit)')", values) == .int(expected), "\(from) \(to) \(unit)")
    }
  }

  @Test("PRD-291, PRD-292, PRD-293: as Foundation's calendar has it", arguments: TestSeed.sequence(2))
  func calendar(_ seed: TestSeed) throws {
    var random = seed.generator
    for name in ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu"] {
      var calendar = Calendar(identifier: .iso8601)
      calendar.timeZone = try #require(TimeZone(identifier: name))
      for _ in 0..<300 {
        // From 1900 to 2100.
        let moment = Date(
          timeIntervalSinceReferenceDate: Double.random(in: -3.187e9...3.124e9, using: &random).rounded())
        let at = ["at": Value.date(moment)]
        let parts = calendar.dateComponents(
          [.year, .month, .day, .hour, .minute, .second, .weekday, .weekOfYear], from: moment)
        let expected = [
          parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second,
          parts.weekday.map { ($0 + 5) % 7 + 1 }, parts.weekOfYear,
        ]
        let found = try ["year", "month", "day", "hour", "minute", "second", "weekday", "isoWeek"].map {
          try value("\($0):(at, '\(name)')", at).truncated
        }
        #expect(found == expected, "\(seed) \(name) \(moment)")
        for (unit, component) in [
          ("day", Calendar.Component.day), ("month", .month), ("year", .year), ("week", .weekOfYear),
        ] {
          let start = try #require(calendar.dateInterval(of: component, for: moment)?.start)
          #expect(
            try value("truncated:(at, '\(unit)', '\(name)')", at) == .date(start),
            "\(seed) \(name) \(moment) \(unit)")
        }
        let months = Int.random(in: -40...40, using: &random)
        let moved = try #require(calendar.date(byAdding: .month, value: months, to: moment))
        let ours = try value("adding:(at, \(months), 'month', '\(name)')", at)
        // The last days of a month are for months that have them.
        guard (1...28).contains(parts.day ?? 0) else { continue }
        // Within the hour that a clock is put back over, and the one that it is put forward over, others choose
        // otherwise.
        guard case .date(let date) = ours else { Issue.record("\(seed) \(moment): no date"); continue }
        #expect(abs(date.timeIntervalSince(moved)) <= 3600, "\(seed) \(name) \(moment) + \(months)")
      }
    }
  }
}

extension Value {
  fileprivate var truncated: Int? { if case .int(let number) = self { Int(number) } else { nil } }
}
