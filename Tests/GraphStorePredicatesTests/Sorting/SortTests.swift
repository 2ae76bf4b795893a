import Foundation
import GraphStorePredicates
import Testing

@Suite struct SortTests {
  func names(_ values: [String], _ comparator: QuerySortDescriptor.Comparator, _ locale: String) throws
    -> [String]
  {
    let descriptor = try QuerySortDescriptor(key: "self", comparator: comparator)
    let sorted = try values.map(Value.string).sorted(using: [descriptor], locale: Locale(identifier: locale))
    return sorted.compactMap(\.text)
  }

  @Test("PRD-019: a key named SELF is told from the object itself, printed and read back")
  func escapedSelf() throws {
    for text in ["SELF.#SELF.l", "#SELF.l", "-#SELF"] {
      let sort = try QuerySortDescriptor.list(parsing: text)
      #expect(try QuerySortDescriptor.list(parsing: sort.map(\.description).joined(separator: ",")) == sort)
    }
    #expect(try QuerySortDescriptor(parsing: "SELF.l") == QuerySortDescriptor(parsing: "l"))
  }

  @Test("PRD-215: descriptors read from their text and print it again")
  func parsing() throws {
    let list = try QuerySortDescriptor.list(parsing: "-salary, department.name:localizedStandard,age:desc")
    #expect(list.map(\.description) == ["-salary", "department.name:localizedStandard", "-age"])
    let customary = try QuerySortDescriptor.list(
      parsing: "-s:localizedStandardCompare:,t:caseInsensitiveCompare,u:localizedCompare:desc,v:compare:")
    #expect(
      customary.map(\.description) == ["-s:localizedStandard", "t:caseInsensitive", "-u:localized", "v"])
    #expect(throws: QueryPredicateError.self) { try QuerySortDescriptor(parsing: "s:localizedStandard:") }
    #expect(list[0].reversed == (try QuerySortDescriptor(key: "salary")))
  }

  @Test(
    "PRD-215, PRD-299: expressions are keys, with modifiers behind them",
    arguments: [
      ("year:(at)", "year:(at)"), ("-year:(at):nulls-last", "-year:(at)"),
      ("salary * 12:DESC:Nulls-First", "-salary * 12:nulls-first"), ("+-salary", "+-salary"),
      ("TERNARY(a == 'x, y', b, c):localized", "TERNARY(a == \"x, y\", b, c):localized"),
      ("bitwiseAnd:with:(a, 3)", "a & 3"), ("-(a - b)", "-a - b"), ("(name)", "name"),
      ("name:nulls-last", "name:nulls-last"), ("-name:NULLS-LAST", "-name"), ("name:nulls-first", "name"),
      ("-(nil)", "-(nil)"), (" + (TRUE)", "(YES)"), ("(YES).a", "(YES.a)"), ("(tags[c])", "(tags[c])"),
      ("a + desc", "a + desc"),
    ])
  func expressions(text: String, printed: String) throws {
    let list = try QuerySortDescriptor.list(parsing: "\(text), b")
    #expect(list.count == 2 && list[0].description == printed)
    #expect(try QuerySortDescriptor(parsing: printed) == list[0])
    #expect(list[0].reversed.reversed == list[0] && list[0].reversed != list[0])
  }

  @Test("PRD-215: the words of SQL are told as they are written here")
  func wordsOfSQL() {
    for (text, hint) in [
      ("salary desc nulls last", "salary:desc:nulls-last"), ("name NULLS FIRST", "name:nulls-first"),
      ("a + b DESC", "a + b:desc"),
    ] {
      let error = #expect(throws: QueryPredicateError.self) { try QuerySortDescriptor(parsing: text) }
      #expect(error?.hint == "Write \(hint).")
    }
  }

  @Test("PRD-223, PRD-298: nil stands before small values, or where it is put")
  func nilPlaces() throws {
    let rows: [[String: Value]] = [["a": .int(2)], [:], ["a": .int(1)], ["a": .double(.nan)]]
    func order(_ text: String) throws -> [Value] {
      try rows.sorted(using: [QuerySortDescriptor(parsing: text)]).map {
        ($0["a"] ?? .null).isNaN ? .null : $0["a"] ?? .null
      }
    }
    let (up, down): ([Value], [Value]) = ([.int(1), .int(2)], [.int(2), .int(1)])
    let none: [Value] = [.null, .null]
    #expect(try order("a") == none + up)
    #expect(try order("-a") == down + none)
    #expect(try order("a:nulls-last") == up + none)
    #expect(try order("-a:nulls-first") == none + down)
    let last = try QuerySortDescriptor(key: "a", nilPlacement: .last)
    #expect(last.order(.null, .int(1)) == .orderedDescending && last.order(.null, .null) == .orderedSame)
    #expect(last.reversed == (try QuerySortDescriptor(parsing: "-a:nulls-first")))
    #expect(try QuerySortDescriptor(key: "a").placingNils(.last) == last)
  }

  @Test(
    "PRD-215: contradictory, repeated and missing modifiers are errors with their position",
    arguments: [
      ("-a:asc", 3), ("a:asc:desc", 6), ("a:compare:localized", 10), ("b,a:", 4), ("a..b", 0), ("", 0),
    ])
  func badModifiers(text: String, offset: Int) {
    #expect { try QuerySortDescriptor.list(parsing: text) } throws: {
      let error = $0 as? QueryPredicateError
      return error?.code == .syntax && error?.offset == offset
    }
  }

  @Test("PRD-217: any other selector throws unsupported-sort with the known message")
  func selectors() throws {
    #expect(try QuerySortDescriptor.Comparator(selector: "localizedStandardCompare:") == .localizedStandard)
    #expect { try QuerySortDescriptor.Comparator(selector: "frob:") } throws: {
      let error = $0 as? QueryPredicateError
      return error?.code == .unsupportedSort
        && error?.message == "unsupported NSSortDescriptor selector: frob:"
    }
  }

  @Test("PRD-218, PRD-219: plain order is by bytes, caseInsensitive by folded bytes")
  func plainOrder() throws {
    #expect(try names(["b", "A", "a", "B", "é"], .compare, "en") == ["A", "B", "a", "b", "é"])
    #expect(try names(["b", "A", "C"], .caseInsensitive, "en") == ["A", "b", "C"])
  }

  @Test("PRD-266: localized order follows the locale")
  func localizedOrder() throws {
    #expect(try names(["Kyllburg", "Köln"], .localized, "de_DE") == ["Köln", "Kyllburg"])
    #expect(try names(["Södertälje", "Sundsvall"], .localized, "sv_SE") == ["Sundsvall", "Södertälje"])
    #expect(
      try names(["Ølstykke-Stenløse", "Viborg"], .localizedStandard, "da_DK") == [
        "Viborg", "Ølstykke-Stenløse",
      ])
  }

  @Test("PRD-221: localizedStandard compares runs of digits by value, and different strings are never equal")
  func standardOrder() throws {
    #expect(
      try names(["file10", "File2", "file1"], .localizedStandard, "en_US") == ["file1", "File2", "file10"])
    let descriptor = try QuerySortDescriptor(key: "self", comparator: .localizedStandard)
    #expect(descriptor.order("007".queryValue, "7".queryValue) != .orderedSame)
  }

  @Test("PRD-223, PRD-228: nil comes first ascending and last descending; equal keys keep their order")
  func nilAndStability() throws {
    let values: [Value] = [
      object(["a": 2, "b": 1]), object(["b": 2]), object(["a": 2, "b": 3]), object(["a": 1, "b": 4]),
    ]
    func order(_ text: String) throws -> [Value] {
      try values.sorted(using: QuerySortDescriptor.list(parsing: text)).map { value in
        if case .dictionary(let members) = value { return members["b"] ?? .null }
        return .null
      }
    }
    #expect(try order("a") == [.int(2), .int(4), .int(1), .int(3)])
    #expect(try order("-a") == [.int(1), .int(3), .int(4), .int(2)])
    #expect(try order("-a,-b") == [.int(3), .int(1), .int(4), .int(2)])
  }

  @Test("A long sort is ended by the check that it calls again and again")
  func interrupted() throws {
    struct Interrupted: Error {}
    let evaluator = try SortEvaluator([QuerySortDescriptor(parsing: "SELF")])
    let values = (0..<5000).map { QueryOperand.value(.int(Int64($0 * 7919 % 5000))) }
    for last in [1, 4, 20] {
      var checks = 0
      #expect(throws: Interrupted.self) {
        try evaluator.sortedPositions(of: values) {
          checks += 1
          if checks == last { throw Interrupted() }
        }
      }
      #expect(checks == last)
    }
  }

  @Test("FET-290: descriptors are equal by key path, direction and comparator, wherever they stood in a text")
  func equality() throws {
    let list = try QuerySortDescriptor.list(parsing: "a, -a, a:localized, b")
    #expect(
      try list[0] == QuerySortDescriptor(key: "a")
        && list[1] == QuerySortDescriptor(key: "a", ascending: false))
    #expect(try list[2] == QuerySortDescriptor(key: "a", comparator: .localized))
    #expect(Set(list).count == 4 && Set(list).contains(list[1].reversed))
  }
}
