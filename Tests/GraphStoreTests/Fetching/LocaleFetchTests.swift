import Foundation
import GraphStore
import GraphStorePredicates
import Testing

struct LocaleFetchTests {
  private let stack: TestStack

  init() throws { stack = try TestStack(TestModels.company()) }

  private func names(
    _ names: [String], _ predicate: String? = nil, sort: String = "name:localized",
    request locale: String? = nil,
    limit: Int = 0
  ) throws -> [String] {
    for name in names { try stack.context.insert("Department", ["name": name]) }
    try stack.context.save()
    var request = FetchRequest(
      entityName: "Department", predicate: try predicate.map { try QueryPredicate(parsing: $0) },
      sortDescriptors: try QuerySortDescriptor.list(parsing: sort), fetchLimit: limit)
    request.locale = locale.map(Locale.init(identifier:))
    request.inMemoryEvaluation = .refused
    return try stack.context.fetch(request).compactMap { try $0.string("name") }
  }

  @Test(
    "PRD-265, PRD-266, PRD-272: the store sorts by the collation of the request's locale",
    arguments: [
      ("de_DE", ["Köln", "Kyllburg"]), ("sv_SE", ["Sundsvall", "Södertälje"]),
      ("da_DK", ["Viborg", "Ølstykke-Stenløse", "Aarhus"]),
    ])
  func sorted(locale: String, expected: [String]) throws {
    #expect(try names(expected.reversed(), request: locale) == expected)
  }

  @Test("PRD-265: without a locale of its own a request takes the context's")
  func contextLocale() throws {
    stack.context.locale = Locale(identifier: "sv_SE")
    #expect(try names(["Södertälje", "Sundsvall"]) == ["Sundsvall", "Södertälje"])
    stack.context.locale = Locale(identifier: "de_DE")
    #expect(try names([]) == ["Södertälje", "Sundsvall"])
    #expect(try names([], request: "sv_SE") == ["Sundsvall", "Södertälje"])
  }

  @Test("PRD-272: limits count in the order of the locale")
  func window() throws {
    #expect(try names(["Zug", "Ödeshög", "Orsa"], request: "sv_SE", limit: 2) == ["Orsa", "Zug"])
  }

  @Test("PRD-114: Turkish letters without case are told apart in the store")
  func turkish() throws {
    let found = "name CONTAINS[cl] 'ı'"
    #expect(try names(["DIYARBAKIR", "izmir"], found, request: "tr_TR") == ["DIYARBAKIR"])
    #expect(try names([], found, request: "en_US") == [])
  }

  @Test("PRD-229: unsaved changes do not change the order")
  func corrected() throws {
    _ = try names(["Södertälje", "Sundsvall"])
    try stack.context.insert("Department", ["name": "Örebro"])
    var request = FetchRequest(
      entityName: "Department", sortDescriptors: try QuerySortDescriptor.list(parsing: "name:localized"))
    request.locale = Locale(identifier: "sv_SE")
    let found = try stack.context.fetch(request).compactMap { try $0.string("name") }
    #expect(found == ["Sundsvall", "Södertälje", "Örebro"])
  }
}
