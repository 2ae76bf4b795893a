import Foundation
import GraphStorePredicates
import Testing

private struct RecordID: ObjectIdentifying {
  let number: Int
  var uriText: String { "x-coredata://store/Person/p\(number)" }
}

private final class Person: PropertySource, Hashable {
  let id: RecordID
  let name: String
  var manager: Person?
  var reports: [Person] = []
  var readsOfReports = 0

  init(_ number: Int, _ name: String) {
    id = RecordID(number: number)
    self.name = name
  }

  static func == (left: Person, right: Person) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(id) }

  var _objectReference: ObjectReference? { ObjectReference(id) }

  func _operand(forKey key: PropertyKey) throws -> QueryOperand {
    switch key.name {
    case "name": return .value(.string(name))
    case "manager": return manager.map { .source($0) } ?? .null
    case "reports":
      readsOfReports += 1
      return .collection(reports.map { .source($0) }, isOrdered: false)
    default: throw QueryPredicateError(.unknownKey, "There is no key \(key.name).")
    }
  }

  func _count(forKey key: PropertyKey) throws -> Int? {
    key.name == "reports" ? reports.count : nil
  }
}

@Suite struct PropertySourceTests {
  private let boss = Person(1, "Ada")
  private let clerk = Person(2, "Bob")
  private let intern = Person(3, "Cy")

  init() {
    boss.reports = [clerk, intern]
    clerk.manager = boss
    intern.manager = boss
  }

  @Test("PRD-089, PRD-122: paths go through to-ones, and through a missing one to nil")
  func paths() throws {
    let people = [boss, clerk, intern]
    #expect(try people.filtered(by: QueryPredicate(parsing: "manager.name == 'Ada'")) == [clerk, intern])
    #expect(try people.filtered(by: QueryPredicate(parsing: "manager.manager.name == nil")) == people)
    #expect(try Set(people).filtered(by: QueryPredicate(parsing: "manager == nil")) == [boss])
  }

  @Test("PRD-151: objects compare by record, also with identifiers")
  func identity() throws {
    #expect(try QueryPredicate("manager == %@", boss.id).evaluate(with: clerk))
    #expect(try QueryPredicate("reports CONTAINS %@", clerk.id).evaluate(with: boss))
    #expect(try QueryPredicate("SELF IN %@", [boss.id, clerk.id]).evaluate(with: boss))
    #expect(try !QueryPredicate("SELF IN %@", [boss.id, clerk.id]).evaluate(with: intern))
    let text = "SELF == CAST('x-coredata://store/Person/p3', 'NSManagedObjectID')"
    #expect(try QueryPredicate(parsing: text).evaluate(with: intern))
    #expect(try QueryPredicate(parsing: "ANY reports.manager == SELF").evaluate(with: boss))
  }

  @Test("PRD-129: a count does not read the members when the source can tell it")
  func countWithoutMembers() throws {
    #expect(try QueryPredicate(parsing: "reports.@count == 2").evaluate(with: boss))
    #expect(boss.readsOfReports == 0)
  }

  @Test("PRD-178: an unordered collection has a size but no positions")
  func unordered() throws {
    #expect(try QueryPredicate(parsing: "reports[SIZE] == 2").evaluate(with: boss))
    #expect { try QueryPredicate(parsing: "reports[0] == nil").evaluate(with: boss) } throws: {
      ($0 as? QueryPredicateError)?.code == .unorderedCollection
    }
  }

  @Test("PRD-127: an object without the key throws")
  func unknownKey() {
    #expect { try QueryPredicate(parsing: "salary > 1").evaluate(with: boss) } throws: {
      ($0 as? QueryPredicateError)?.code == .unknownKey
    }
  }

  @Test("A value is three words wide at most")
  func valueSize() {
    #expect(MemoryLayout<Value>.size <= 24)
    #expect(MemoryLayout<ObjectReference>.size == MemoryLayout<Int>.size)
  }
}
