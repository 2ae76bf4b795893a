import Testing

@testable import GraphStoreCommands

@Suite("Classes of values")
struct ValueClassTests {
  @Test(
    "MDL-406: cells are what their form says",
    arguments: [
      ("0", ValueClass.integer), ("-7", .integer), ("9223372036854775807", .integer),
      ("9223372036854775808", .largeInteger), ("007", .text), ("+1", .text), ("1.", .text), (".5", .text),
      ("-", .text), ("1.50", .amount), ("1.5", .fraction), ("1.505", .fraction), ("1e3", .fraction),
      ("1e", .text), ("1e999", .text), ("1,50", .text), ("1 000", .text), ("true", .boolean),
      ("FALSE", .boolean),
      ("yes", .text), ("2020-01-02", .date), ("2020-01-02T03:04:05Z", .date), ("2020-1-2", .text),
      ("2020-13-01", .text), ("2020-W01-1", .text), ("20200102", .integer), ("02.01.2020", .text),
      ("6F9619FF-8B86-D011-B42D-00C04FC964FF", .uuid), ("6F9619FF-8B86-D011-B42D-00C04FC964F", .text),
      ("https://a.b", .uri), ("http://", .text), ("mailto:a@b", .uri), ("a:b", .text), ("C:\\x", .text),
      ("Employee/p12", .reference), ("a/b", .text), ("/p1", .text), ("", .text), ("NaN", .text),
      ("0x10", .text), ("--1", .text), ("1-1", .text),
    ])
  func cells(_ text: String, _ valueClass: ValueClass) { #expect(ValueClass(of: .cell(text)) == valueClass) }

  @Test("MDL-406: strings of JSON stay texts unless their form is that of a date, UUID, URI or amount")
  func strings() {
    #expect(ValueClass(of: .string("12")) == .text)
    #expect(ValueClass(of: .string("true")) == .text)
    #expect(ValueClass(of: .string("12.50")) == .amount)
    #expect(ValueClass(of: .string("2020-01-02")) == .date)
    #expect(ValueClass(of: .number("1.50")) == .amount)
    #expect(ValueClass(of: .number("-0")) == .integer)
    #expect(ValueClass(of: .null) == nil)
  }

  @Test("MDL-408: memory does not grow with the records: values that have to be compared are kept aside")
  func keptValues() throws {
    let kept = try KeptValues()
    let (first, second) = (kept.newNumber(), kept.newNumber())
    for number in 0..<1000 { #expect(try kept.insert("\(number)", of: first)) }
    #expect(try !kept.insert("7", of: first))
    for number in stride(from: 0, to: 1000, by: 3) { _ = try kept.insert("\(number)", of: second) }
    #expect(try kept.firstValue(of: second, missingFrom: first) == nil)
    #expect(try kept.firstValue(of: first, missingFrom: second) != nil)
  }
}
