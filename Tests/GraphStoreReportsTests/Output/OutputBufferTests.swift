import Foundation
import GraphStore
import Testing

@testable import GraphStoreReports

@Suite("Output buffer")
struct OutputBufferTests {
  func text(_ write: (OutputBuffer) -> Void) -> String {
    let output = OutputBuffer.memory(capacity: 1)
    write(output)
    return output.consumeString()
  }

  @Test("Whole numbers print as Swift prints them", arguments: TestSeed.sequence(1, from: 14))
  func integers(seed: TestSeed) {
    var generator = seed.generator
    var samples: [Int64] = [0, 1, -1, 9, 10, 99, 100, 9999, 10_000, .max, .min]
    for _ in 0..<2000 {
      samples.append(
        Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0..<64, using: &generator))
    }
    for value in samples { #expect(text { $0.append(integer: value) } == "\(value)", "\(seed)") }
  }

  @Test(
    "Doubles print so that they read back, and no longer than need be",
    arguments: TestSeed.sequence(1, from: 26))
  func doubles(seed: TestSeed) {
    var generator = seed.generator
    var samples: [Double] = [
      0, -0.0, 0.1, 1.5, 1e-6, 1e-7, 123456.789, 999_999_999.999999, 1e9, 1e15, 1e16, 1e300,
      .leastNonzeroMagnitude, .pi,
    ]
    for _ in 0..<2000 {
      let value = Double(bitPattern: generator.next())
      if value.isFinite { samples.append(value) }
      samples.append(Double(Int64.random(in: -1_000_000_000...1_000_000_000, using: &generator)) / 1000)
    }
    for value in samples {
      let printed = text { $0.append(double: value) }
      #expect(Double(printed)?.bitPattern == value.bitPattern, "\(seed): \(value)")
      #expect(
        (try? JSONSerialization.jsonObject(with: Data(printed.utf8), options: .fragmentsAllowed)) != nil)
      if !value.description.contains("e") { #expect(printed == value.description, "\(seed)") }
    }
  }

  @Test("Decimals print in plain notation with their places kept")
  func decimals() {
    let cases: [(Int128, Int, String)] = [
      (0, 0, "0"), (0, -2, "0.00"), (0, 3, "0"), (1250, -2, "12.50"), (-5, -3, "-0.005"), (5, 3, "5000"),
      (-125, -3, "-0.125"),
      (1, 400, "1E400"), (12, -400, "12E-400"),
      (99_999_999_999_999_999_999_999_999_999_999_999_999, -38, "0.99999999999999999999999999999999999999"),
      (10_000_000_000_000_000_000, 0, "10000000000000000000"),
      (.min, 0, "-170141183460469231731687303715884105728"),
    ]
    for (significand, exponent, expected) in cases {
      let number = DecimalNumeral(
        isNegative: significand < 0, significand: significand.magnitude, exponent: exponent)
      #expect(text { $0.append(decimal: number) } == expected)
    }
    #expect(
      text { $0.append(decimal: DecimalNumeral(significand: .max, exponent: 0)) }
        == "340282366920938463463374607431768211455")
  }

  @Test(
    "Every decimal prints as a number that is the same decimal, however long it is",
    arguments: TestSeed.sequence(1, from: 302))
  func decimalRange(seed: TestSeed) throws {
    var generator = seed.generator
    let limits = [
      "1e39", "123456789012345678e60", "340282366920938463463374607431768211455", "-1e-128", "7e127",
    ]
    var values = try limits.map { try #require(Decimal(string: $0)) }
    for _ in 0..<2000 {
      let digits = (0..<Int.random(in: 1...38, using: &generator)).map { _ in
        String(Int.random(in: 0...9, using: &generator))
      }
      let sign = Bool.random(using: &generator) ? "-" : ""
      let exponent = Int.random(in: -128...127 - digits.count, using: &generator)
      values.append(try #require(Decimal(string: "\(sign)\(digits.joined())e\(exponent)")))
    }
    for value in values {
      let numeral = try #require(DecimalNumeral(value))
      let printed = text { $0.append(decimal: numeral) }
      #expect(printed == value.description, "\(seed)")
    }
  }

  @Test("Base64 is Foundation's")
  func base64() {
    for count in [0, 1, 2, 3, 4, 5, 255, 12_288, 12_289, 100_000] {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
      #expect(
        text { buffer in bytes.withUnsafeBufferPointer { buffer.append(base64: $0) } }
          == Data(bytes).base64EncodedString())
    }
  }

  @Test("Dates print in ISO 8601, whatever the century")
  func dates() {
    let cases: [(Double, String)] = [
      (0, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59.5Z"), (0.97, "2001-01-01T00:00:00.97Z"),
      (-978_307_200, "1970-01-01T00:00:00Z"), (5_097_600, "2001-03-01T00:00:00Z"),
      (-26_524_800, "2000-02-29T00:00:00Z"),
      (252_423_993_599, "9999-12-31T23:59:59Z"), (252_423_993_600, "+010000-01-01T00:00:00Z"),
      (-63_113_904_000, "0000-12-31T00:00:00Z".replacingOccurrences(of: "0000-12-31", with: "0001-01-01")),
      (-63_145_526_400, "0000-01-01T00:00:00Z"), (-63_145_526_401, "-000001-12-31T23:59:59Z"),
      (1e300, "1e+300"),
      (.infinity, "Infinity"), (-1e-20, "2000-12-31T23:59:59.99999999999999999999Z"),
    ]
    for (seconds, expected) in cases { #expect(text { $0.append(date: seconds) } == expected) }
  }

  @Test(
    "MDL-127: every date prints as text that reads back to the same bits, in any zone",
    arguments: TestSeed.sequence(1, from: 301))
  func dateRange(seed: TestSeed) throws {
    var generator = seed.generator
    let zones = [nil, "Europe/Berlin", "Asia/Kolkata", "America/New_York"].map {
      $0.flatMap { TimeZone(identifier: $0) }
    }
    for _ in 0..<4000 {
      let size = exp2(Double.random(in: -40...61, using: &generator))
      let seconds = Bool.random(using: &generator) ? size : -size
      let zone = zones.randomElement(using: &generator) ?? nil
      let printed = text { $0.append(date: seconds, in: zone) }
      #expect(DateText.seconds(from: printed) == seconds, "\(seed): \(printed)")
    }
  }

  @Test(
    "A date's fraction has the fewest digits that give the same number back, in both ways of reading it",
    arguments: TestSeed.sequence(1, from: 87))
  func dateFractions(seed: TestSeed) throws {
    var generator = seed.generator
    let formatter = ISO8601DateFormatter()
    for round in 0..<3000 {
      var seconds = Double.random(in: -3e9...3e9, using: &generator)
      if round % 2 == 0 { seconds = (seconds * 1000).rounded() / 1000 }
      let printed = text { $0.append(date: seconds) }
      let parts = printed.dropLast().split(separator: ".")
      let whole = try #require(formatter.date(from: parts[0] + "Z")).timeIntervalSinceReferenceDate
      let fraction = parts.count == 2 ? String(parts[1]) : ""
      let sum = whole + (Double("0." + (fraction.isEmpty ? "0" : fraction)) ?? .nan)
      #expect(sum == seconds, "\(seed): \(printed)")
      if round % 2 == 0 { #expect(fraction.count <= 3, "\(seed): \(printed)") }
    }
  }

  @Test("Large output reaches the file whole, through pieces of any size")
  func writesThrough() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("", to: "output")
    let descriptor = open(path, O_WRONLY)
    defer { close(descriptor) }
    let output = OutputBuffer(descriptor: descriptor, path: path)
    var expected = ""
    for size in [1, 100, 65_535, 65_536, 65_537, 300_000, 7] {
      let piece = String(repeating: "\(size)|", count: size)
      expected += piece
      output.append(piece)
    }
    try output.flush()
    #expect(try String(contentsOfFile: path, encoding: .utf8) == expected)
  }

  @Test("A full disk and a reader that has gone are told apart")
  func failures() throws {
    OutputBuffer.reportBrokenPipes()
    let full = open("/dev/full", O_WRONLY)
    defer { close(full) }
    let output = OutputBuffer(descriptor: full, path: "out.csv")
    output.append(String(repeating: "x", count: 1_000_000))
    let diskFull = #expect(throws: OutputError.self) { try output.flush() }
    #expect(diskFull?.code == .diskFull)
    #expect(diskFull?.exitCode == .ioError)

    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    close(ends[0])
    defer { close(ends[1]) }
    let broken = OutputBuffer(descriptor: ends[1], path: nil)
    broken.append("x")
    let gone = #expect(throws: OutputError.self) { try broken.flush() }
    #expect(gone?.exitCode == .brokenPipe)
    // The failure stays, so that the row loop ends at its next row.
    #expect(throws: OutputError.self) {
      try SampleResult.salaries.write(as: .ndjson, to: broken, options: WriterOptions())
    }
  }

  @Test("A JSON value is put together with commas and colons in place")
  func builder() {
    let output = OutputBuffer.memory()
    var json = JSONBuilder(output)
    json.beginObject()
    json.member("a", "x\n")
    json.member("b", 2)
    json.member("left out", [])
    json.key("c")
    json.beginArray()
    json.null()
    json.value(true)
    json.value(1.5)
    json.beginObject()
    json.endObject()
    json.value(["p", "q"])
    json.endArray()
    json.endObject()
    #expect(output.consumeString() == #"{"a":"x\n","b":2,"c":[null,true,1.5,{},["p","q"]]}"#)
  }
}
