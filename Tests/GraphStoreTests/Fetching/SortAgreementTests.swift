import Foundation
import GraphStore
import Testing

struct SortAgreementTests {
  private let stack: TestStack
  private let labs: ManagedObject

  init() throws {
    stack = try TestStack(TestModels.company(isOrdered: true))
    labs = try stack.context.insert("Department", ["name": "Labs"])
    let sales = try stack.context.insert("Department", ["name": "Sales"])
    for (position, name) in ["b", "B", "Ä", "a10", "a9", "á", "z"].enumerated() {
      let object = try stack.context.insert(
        position == 3 ? "Manager" : "Employee", ["name": name, "salary": Int64(position % 3)])
      if position != 5 {
        try object.setValue(position == 6 ? sales : labs, forKey: "department")
      }
    }
    let members = try labs.objects(forKey: "employees")
    try labs.setValue(
      [members[4], members[0], members[2], members[1], members[3]], forKey: "employees")
    try stack.context.save()
  }

  @Test(
    "PRD-224, PRD-225, PRD-229: a corrected fetch, and a sort in memory, have the order of the store",
    arguments: [
      "name", "-name", "objectID", "-objectID", "SELF", "-SELF,name", "salary,-objectID", "department",
      "-department", "department,objectID", "department.name,-name", "name:caseInsensitive", "name:localized",
      "-name:localizedStandard", "name:localizedCaseInsensitive,objectID", "entity.name,name",
      "reports.@count,-SELF", "department.employees.@count,name", "department.name:nulls-last,name",
      "-department.name:nulls-first,-name", "length:(name),-name", "-(salary * 2 + length:(name)),name",
      "uppercase:(name):localized,name",
      "TERNARY(department == nil, nil, salary):nulls-last,-SELF",
      "CAST(salary, 'NSDecimalNumber') / 2:desc,name",
    ])
  func agreement(text: String) throws {
    var request = FetchRequest(entityName: "Employee")
    request.sortDescriptors = try QuerySortDescriptor.list(parsing: text)
    let stored = try stack.context.fetch(request)
    #expect(stored.count == 7)
    #expect(
      try stored.reversed().sorted(
        using: request.sortDescriptors + [QuerySortDescriptor(parsing: "objectID")]
      )
      .map(\.objectID) == sortedWithTies(request))
    // Something changed elsewhere, so that the answer is made in memory.
    try stack.context.insert("Project", ["name": "P"])
    #expect(try stack.context.fetch(request).map(\.objectID) == stored.map(\.objectID))
    var trimmed = request
    trimmed.fetchLimit = 3
    trimmed.fetchOffset = 1
    #expect(try stack.context.fetch(trimmed).map(\.objectID) == stored.dropFirst().prefix(3).map(\.objectID))
  }

  /// The store's answer where ties are settled by the key.
  private func sortedWithTies(_ request: FetchRequest<ManagedObject>) throws -> [ManagedObjectID] {
    var request = request
    request.sortDescriptors += try [QuerySortDescriptor(parsing: "objectID")]
    return try stack.newContext().fetch(request).map(\.objectID)
  }

  @Test("PRD-225, STO-261: the place in the relationship counts as it is in memory")
  func changedPlaces() throws {
    var request = FetchRequest(
      entityName: "Employee", predicate: try QueryPredicate("department == %@", labs))
    request.sortDescriptors = try [QuerySortDescriptor(parsing: "department")]
    let before = try stack.context.fetch(request)
    try labs.setValue(Array(before.reversed()), forKey: "employees")
    #expect(try stack.context.fetch(request) == before.reversed())
    #expect(try before.sorted(using: request.sortDescriptors) == before.reversed())
  }

  @Test("PRD-226, PRD-225: what has no order cannot be sorted by in memory either")
  func refusals() throws {
    let employees = try stack.context.all("Employee")
    for text in ["spouse", "projects", "nam"] {
      #expect(throws: QueryPredicateError.self) {
        try employees.sorted(using: [QuerySortDescriptor(parsing: text)])
      }
    }
  }
}
