import Foundation
import Testing

@testable import GraphStorePredicates

@Suite("Dates as text")
struct DateTextTests {
  @Test(
    "MDL-144: ISO 8601 is read",
    arguments: [
      ("2001-01-01", 0), ("2001-01-01T00:00:00Z", 0), ("2001-01-01T00:00:01.5Z", 1.5),
      ("2000-12-31T23:59:59.25Z", -0.75),
      ("1970-01-01T00:00:00Z", -978_307_200), ("2001-01-01T02:00:00+02:00", 0),
      ("2001-01-01T00:00-0130", 5400),
      ("2000-02-29", -26_524_800), ("2001-01-01 00:00:00Z", 0), ("2001-01-01t00:00:00z", 0),
      ("2001-01-01T00:00:00,125Z", 0.125), ("2001-01-01T00:00:00+01", -3600), ("0000-01-01", -63_145_526_400),
      ("2001-01-01T00:53:28+00:53:28", 0), ("+002001-01-01", 0), ("+0002001-01-01", 0),
    ] as [(String, Double)])
  func reading(text: String, seconds: Double) {
    #expect(DateText.seconds(from: text, zone: .required) == seconds)
  }

  @Test(
    "MDL-144: what is no date is refused",
    arguments: [
      "", "2001", "2001-1-1", "2001-13-01", "2001-02-29", "2001-01-00", "2001-01-01T", "2001-01-01T24:00:00Z",
      "2001-01-01T00:60:00Z", "2001-01-01T00:00:60Z", "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00Zx",
      "2001-01-01T00:00:00+25:00", "2001-01-01T00:00:00+01:00:60", "2001-01-01T00:00:00+0100:00",
      "+12001-01-01",
      "+100000000000-01-01", "20010101", "1900-02-29", "2001-01-01Z", "٢٠٠١-٠١-٠١",
    ])
  func refused(text: String) {
    #expect(DateText.seconds(from: text) == nil)
  }

  @Test("MDL-144: a time without zone is refused where a zone is required, else it is UTC")
  func zones() {
    #expect(DateText.seconds(from: "2001-01-01T01:00:00", zone: .required) == nil)
    #expect(DateText.seconds(from: "2001-01-01T01:00:00") == 3600)
  }

  @Test(
    "STO-077: dates are printed with the fewest digits that read back",
    arguments: [
      (0, "2001-01-01T00:00:00Z"), (0.1, "2001-01-01T00:00:00.1Z"), (-0.1, "2000-12-31T23:59:59.9Z"),
      (-86_400, "2000-12-31T00:00:00Z"), (1e-7, "2001-01-01T00:00:00.0000001Z"),
      (794_188_800.123_456, "2026-03-03T00:00:00.123456Z"), (-978_307_200, "1970-01-01T00:00:00Z"),
      (252_423_993_600, "+010000-01-01T00:00:00Z"), (1e15, "+31690739-07-06T01:46:40Z"),
      (-63_145_526_401, "-000001-12-31T23:59:59Z"),
      (-0.0, "2001-01-01T00:00:00Z"),
    ] as [(Double, String)])
  func printing(seconds: Double, text: String) {
    #expect(DateText.text(of: seconds) == text)
  }

  @Test(
    "STO-077: dates beyond the calendar have no text",
    arguments: [Double.nan, .infinity, -.infinity, 1e19, -1e19])
  func outOfRange(seconds: Double) {
    #expect(DateText.text(of: seconds) == nil)
  }

  @Test("MDL-127: the ends of the range are printed and read")
  func ends() throws {
    for seconds in [DateText.range.lowerBound, DateText.range.upperBound] {
      let text = try #require(DateText.text(of: seconds))
      #expect(DateText.seconds(from: text) == seconds, "\(text)")
    }
    #expect(DateText.seconds(from: "+99999999999-12-31T23:59:59Z") == nil)
    #expect(DateText.seconds(from: "-99999999999-01-01T00:00:00Z") == nil)
  }

  @Test(
    "MDL-127, STO-077: every double reads back to the same bits",
    arguments: TestSeed.sequence(1, from: 20_010_101))
  func roundTrip(seed: TestSeed) throws {
    var generator = seed.generator
    for _ in 0..<20_000 {
      let magnitude = Double.random(in: -12...18.4, using: &generator)
      let sign: Double = Bool.random(using: &generator) ? 1 : -1
      var seconds = sign * exp2(magnitude * 3.3)
      if Bool.random(using: &generator) { seconds = (seconds * 1000).rounded() / 1000 }
      guard DateText.range.contains(seconds), let text = DateText.text(of: seconds) else { continue }
      #expect(DateText.seconds(from: text)?.bitPattern == (seconds == 0 ? 0 : seconds.bitPattern), "\(text)")
    }
    for seconds in [Double.leastNonzeroMagnitude, -.leastNonzeroMagnitude, 1.0.nextUp, -(1.0.nextDown)] {
      let text = try #require(DateText.text(of: seconds))
      #expect(DateText.seconds(from: text) == seconds)
    }
  }

  @Test("MDL-144: days agree with Foundation's calendar", arguments: TestSeed.sequence(1, from: 7))
  func calendar(seed: TestSeed) throws {
    var generator = seed.generator
    let formatter = ISO8601DateFormatter()
    for _ in 0..<500 {
      let seconds = Double(Int.random(in: -10_000_000_000...100_000_000_000, using: &generator))
      #expect(
        DateText.text(of: seconds) == formatter.string(from: Date(timeIntervalSinceReferenceDate: seconds)))
    }
  }
}
