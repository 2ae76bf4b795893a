import Foundation
import GraphStore
import Testing

private typealias Keys = Employee.Keys

/// Conditions as text, of keys and as predicates of Foundation, each of which is the same tree.
private struct Triple: Sendable, CustomTestStringConvertible {
  let text: String
  var keys: TypedPredicate<Employee>?
  var predicate: Predicate<Employee>?
  var testDescription: String { text }

  init(_ text: String, _ keys: TypedPredicate<Employee>? = nil, _ predicate: Predicate<Employee>? = nil) {
    self.text = text
    self.keys = keys
    self.predicate = predicate
  }
}

private let wanted = Decimal(50_000)
private let badges: [Int32?] = [7, 9]
private let missing: String? = nil

private let comparisons: [Triple] = [
  Triple("salary > 50000", Keys.salary > 50_000, #Predicate { $0.salary > 50_000 }),
  Triple("salary >= 50000", Keys.salary >= wanted, #Predicate { $0.salary >= wanted }),
  Triple("salary < 0.1", Keys.salary < 0.1, #Predicate { $0.salary < 0.1 }),
  Triple("salary <= 5", Keys.salary <= 5, #Predicate { $0.salary <= 5 }),
  Triple("name == 'Ada'", Keys.name == "Ada", #Predicate { $0.name == "Ada" }),
  Triple("name != 'Ada'", Keys.name != "Ada", #Predicate { $0.name != "Ada" }),
  Triple("email == nil", Keys.email == nil, #Predicate { $0.email == nil }),
  Triple("email == nil", Keys.email == missing, #Predicate { $0.email == missing }),
  Triple("email != nil", Keys.email != nil, #Predicate { $0.email != nil }),
  Triple("badge == 7", Keys.badge == 7, #Predicate { $0.badge == 7 }),
  Triple("badge IN {7, 9}", Keys.badge.in([7, 9]), #Predicate { badges.contains($0.badge) }),
  Triple("salary BETWEEN {1, 5}", Keys.salary.between(1, 5), #Predicate { (1...5).contains($0.salary) }),
  Triple(
    "salary >= 1 AND salary < 5", Keys.salary >= 1 && Keys.salary < 5,
    #Predicate { (1..<5).contains($0.salary) }),
  Triple("manager.salary < salary", Keys.manager.salary < Keys.salary),
  Triple("salary * 12 > 600000", nil, #Predicate { $0.salary * 12 > 600_000 }),
  Triple("salary - 1 == -salary", nil, #Predicate { $0.salary - 1 == -$0.salary }),
  Triple("TERNARY(email == nil, 'none', email) == 'x'", nil, #Predicate { ($0.email ?? "none") == "x" }),
  Triple(
    "TERNARY(salary > 5, 'high', 'low') == 'low'", nil,
    #Predicate { ($0.salary > 5 ? "high" : "low") == "low" }),
]

private let logic: [Triple] = [
  Triple(
    "salary > 50000 AND department.name == 'Sales'", Keys.salary > 50_000 && Keys.department.name == "Sales",
    #Predicate { $0.salary > 50_000 && $0.department?.name == "Sales" }),
  Triple(
    "name == 'a' OR name == 'b' OR name == 'c'", Keys.name == "a" || Keys.name == "b" || Keys.name == "c",
    #Predicate { $0.name == "a" || $0.name == "b" || $0.name == "c" }),
  Triple(
    "name == 'a' AND (badge == 1 OR badge == 2)", Keys.name == "a" && (Keys.badge == 1 || Keys.badge == 2),
    #Predicate { $0.name == "a" && ($0.badge == 1 || $0.badge == 2) }),
  Triple("NOT name == 'a'", !(Keys.name == "a"), #Predicate { !($0.name == "a") }),
  Triple("TRUEPREDICATE", .constant(true), .true),
  Triple("FALSEPREDICATE", .constant(false), .false),
]

private let texts: [Triple] = [
  Triple("name CONTAINS 'x'", Keys.name.contains("x"), #Predicate { $0.name.contains("x") }),
  Triple("name CONTAINS[c] 'x'", Keys.name.contains("x", .caseInsensitive)),
  Triple("name CONTAINS[cd] 'x'", Keys.name.contains("x", [.caseInsensitive, .diacriticInsensitive])),
  Triple("name BEGINSWITH 'x'", Keys.name.beginsWith("x"), #Predicate { $0.name.starts(with: "x") }),
  Triple("name ENDSWITH 'x'", Keys.name.endsWith("x")),
  Triple("name LIKE 'x*'", Keys.name.like("x*")),
  Triple("name MATCHES 'x+'", Keys.name.matches("x+")),
  Triple("name MATCHES '(?s:.*)(?:a+b)(?s:.*)'", nil, #Predicate { $0.name.contains(/a+b/) }),
  Triple("name ==[c] 'x'", Keys.name.isEqual(to: "x", .caseInsensitive)),
  Triple("name IN[c] {'x', 'y'}", Keys.name.in(["x", "y"], .caseInsensitive)),
  Triple("name == ''", Keys.name == "", #Predicate { $0.name.isEmpty }),
  Triple("length:(name) > 3", nil, #Predicate { $0.name.utf16.count > 3 }),
  Triple(
    "email != nil AND email CONTAINS 'x'", Keys.email != nil && Keys.email.contains("x"),
    #Predicate { $0.email?.contains("x") ?? false }),
]

private let relationships: [Triple] = [
  Triple("department == nil", Keys.department == nil, #Predicate { $0.department == nil }),
  Triple(
    "manager.department.name == 'x'", Keys.manager.department.name == "x",
    #Predicate { $0.manager?.department?.name == "x" }),
  Triple(
    "department.name == 'x'", Keys.department.step(Department.Keys.name) == "x",
    #Predicate { $0.department!.name == "x" }),
  Triple(
    "ANY projects.title == 'x'", Keys.projects.any.title == "x",
    #Predicate { $0.projects.contains { $0.title == "x" } }),
  Triple(
    "ALL projects.title == 'x'", Keys.projects.all.title == "x",
    #Predicate { $0.projects.allSatisfy { $0.title == "x" } }),
  Triple(
    "NONE projects.title == 'x'", Keys.projects.none.title == "x",
    #Predicate { !$0.projects.contains { $0.title == "x" } }),
  Triple("ANY projects.title CONTAINS[c] 'x'", Keys.projects.any.title.contains("x", .caseInsensitive)),
  Triple(
    "ANY projects.members.name == 'x'", Keys.projects.any.members.any.name == "x",
    #Predicate { $0.projects.contains { $0.members.contains { $0.name == "x" } } }),
  Triple(
    "SUBQUERY(projects, $x, ALL $x.members.name == 'x').@count > 0",
    Keys.projects.any.members.all.name == "x",
    #Predicate { $0.projects.contains { $0.members.allSatisfy { $0.name == "x" } } }),
  Triple(
    "ANY reports.salary > salary", Keys.reports.any.salary > Keys.salary,
    #Predicate { boss in boss.reports.contains { $0.salary > boss.salary } }),
  Triple("projects.@count > 2", Keys.projects.count > 2, #Predicate { $0.projects.count > 2 }),
  Triple("projects.@count == 0", Keys.projects.isEmpty, #Predicate { $0.projects.isEmpty }),
  Triple(
    "SUBQUERY(reports, $x, $x.salary > 5 AND $x.name == 'a').@count > 0",
    Keys.reports.contains(where: Keys.salary > 5 && Keys.name == "a"),
    #Predicate { $0.reports.contains { $0.salary > 5 && $0.name == "a" } }),
  Triple(
    "SUBQUERY(reports, $x, $x.salary > 5 AND $x.name == 'a').@count == reports.@count",
    Keys.reports.allSatisfy(Keys.salary > 5 && Keys.name == "a"),
    #Predicate { $0.reports.allSatisfy { $0.salary > 5 && $0.name == "a" } }),
  Triple(
    "SUBQUERY(reports, $x, $x.salary > 5).@count == 2", Keys.reports.count(where: Keys.salary > 5) == 2,
    #Predicate { $0.reports.filter { $0.salary > 5 }.count == 2 }),
  Triple(
    "SUBQUERY(projects, $x, $x.members.@count > 1).@count > 0",
    Keys.projects.contains(where: Project.Keys.members.count > 1),
    #Predicate { $0.projects.contains { $0.members.count > 1 } }),
  Triple("reports.@sum.salary > 5", Keys.reports.sum(of: Keys.salary) > 5),
  Triple("reports.@avg.salary > 5.5", Keys.reports.average(of: Keys.salary) > 5.5),
  Triple("reports.@max.salary < 5", Keys.reports.max(of: Keys.salary) < 5),
]

@Suite("Queries that the compiler checks")
struct CheckedQueryTests {
  private let folder: TemporaryFolder
  private let context: ManagedObjectContext

  init() throws {
    folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("company.db").path
    context = ManagedObjectContext(coordinator: try CompanyModel.createStore(at: path))
  }

  @Test(
    "FET-289, PRD-289: text, keys and predicates of Foundation give one tree and one statement",
    arguments: comparisons + logic + texts + relationships)
  fileprivate func triples(_ triple: Triple) throws {
    let expected = try QueryPredicate(parsing: triple.text)
    let sql = try context.explain(FetchRequest<Employee>(predicate: expected)).sql
    if let keys = triple.keys {
      #expect(keys.queryPredicate == expected, "\(keys.queryPredicate)")
      #expect(try context.explain(FetchRequest(where: keys)).sql == sql)
    }
    if let predicate = triple.predicate {
      let request = try FetchRequest(where: predicate)
      #expect(request.predicate == expected, "\(String(describing: request.predicate))")
      #expect(try context.explain(request).sql == sql)
    }
  }

  @Test("FET-289: objects and identifiers stand in conditions of keys and, by their URI, of Foundation")
  func objects() throws {
    let (sales, boss, ada) = try sample()
    let projects = ada.projects
    let project = try #require(projects.first)
    let cases: [(TypedPredicate<Employee>, QueryPredicate, [Employee])] = [
      (Keys.department == sales, try QueryPredicate("department == %@", sales), [ada, boss]),
      (Keys.department != sales.objectID, try QueryPredicate("department != %@", sales.objectID), []),
      (Keys.manager.in([boss]), try QueryPredicate("manager IN %@", [boss]), [ada]),
      (Keys.projects.contains(project), try QueryPredicate("projects CONTAINS %@", project), [ada]),
      (Keys.projects.any == project, try QueryPredicate("ANY projects == %@", project), [ada]),
      (Employee.evaluatedObject == boss, try QueryPredicate("SELF == %@", boss), [boss]),
      (Employee.evaluatedObject.in([ada.objectID]), try QueryPredicate("SELF IN %@", [ada.objectID]), [ada]),
    ]
    for (keys, text, found) in cases {
      #expect(keys.queryPredicate == text, "\(text)")
      #expect(try Set(context.fetch(FetchRequest(where: keys))) == Set(found), "\(text)")
    }
    let uri = sales.objectID.uriRepresentation
    let byURI = try FetchRequest(
      where: #Predicate<Employee> { $0.department?.objectID.uriRepresentation == uri })
    #expect(try Set(context.fetch(byURI)) == [ada, boss])
    #expect(byURI.predicate == .compare(.key("department"), .equal, .constant(uri)))
  }

  @Test(
    "FET-288, FET-290: requests of conditions and orders give typed objects in order, in store and memory alike"
  )
  func fetching() throws {
    let (_, boss, ada) = try sample()
    var request = FetchRequest(
      where: Keys.salary > 10 && Keys.department.name == "Sales", sortedBy: Keys.salary.descending)
    #expect(try context.fetch(request) == [boss, ada])
    request.sort(by: Keys.name.ascending)
    #expect(try context.fetch(request) == [ada, boss])
    request.select(where: Keys.reports.any.name == "Ada")
    #expect(try context.fetch(request) == [boss])
    try request.select(where: #Predicate { $0.manager?.name == "Bob" })
    try request.sort(by: [SortDescriptor(\.name)])
    #expect(try context.fetch(request) == [ada])
    #expect(try context.fetch(FetchRequest(sortedBy: Keys.name.descending, fetchLimit: 1)) == [boss])
    #expect(try [ada, boss].filtered(by: Keys.salary > 100) == [boss])
    #expect(try [ada, boss].sorted(by: Keys.salary.descending) == [boss, ada])
    #expect(
      try context.fetch(
        FetchRequest(where: TypedPredicate(#Predicate { $0.salary > 100 }) && Keys.email == nil)) == [boss])
  }

  @Test("FET-290: orders of keys and of Foundation are those of the text")
  func orders() throws {
    let cases: [(TypedSortDescriptor<Employee>, String)] = [
      (Keys.salary.ascending, "salary"), (Keys.salary.descending, "-salary"),
      (Keys.department.name.ascending, "department.name"),
      (Keys.name.ascending(.localizedStandard), "name:localizedStandard"),
      (Keys.name.descending(.caseInsensitive), "-name:caseInsensitive"),
      (Keys.reports.count.descending, "-reports.@count"), (Keys.salary.ascending.reversed, "-salary"),
      (try TypedSortDescriptor(SortDescriptor(\Employee.name)), "name"),
      (try TypedSortDescriptor(SortDescriptor(\Employee.salary, order: .reverse)), "-salary"),
      (
        try TypedSortDescriptor(SortDescriptor(\Employee.name, comparator: .lexical, order: .reverse)),
        "-name"
      ),
      (try TypedSortDescriptor(SortDescriptor(\Employee.objectID)), "objectID"),
    ]
    for (keys, text) in cases {
      #expect(QuerySortDescriptor(keys) == (try QuerySortDescriptor(parsing: text)), "\(text)")
    }
  }

  @Test("MDL-397: elements of composites, names that are no identifiers, and classes that share entities")
  func awkward() throws {
    let tag = UUID()
    let gardens: [(TypedPredicate<Garden>, QueryPredicate, Predicate<Garden>?)] = [
      (
        Garden.Keys.place.city == "Rome", try QueryPredicate(parsing: "place.city == 'Rome'"),
        #Predicate { $0.place?.city == "Rome" }
      ),
      (
        Garden.Keys.place.geo.latitude > 41, try QueryPredicate("%K > %@", "place.geo.latitude", 41.0), nil
      ),
      (Garden.Keys.place.in == 3, try QueryPredicate("%K == 3", "place.in"), nil),
      (
        Garden.Keys.place.elements_ == tag, try QueryPredicate("%K == %@", "place.elements", tag),
        #Predicate { $0.place?.elements_ == tag }
      ),
      (Garden.Keys.place == nil, try QueryPredicate(parsing: "place == nil"), nil),
      (Garden.Keys.set.extra != nil, try QueryPredicate("%K != nil", "set.extra"), nil),
    ]
    for (keys, text, predicate) in gardens {
      #expect(keys.queryPredicate == text, "\(text)")
      if let predicate { #expect(try QueryPredicate(predicate) == text, "\(text)") }
    }
    let trees: [(TypedPredicate<AppleTree>, QueryPredicate, Predicate<AppleTree>)] = [
      (
        AppleTree.Keys.in.name == "g", try QueryPredicate("%K == 'g'", "in.name"),
        #Predicate { $0.in?.name == "g" }
      ),
      (AppleTree.Keys.Type_ == "t", try QueryPredicate("%K == 't'", "Type"), #Predicate { $0.Type_ == "t" }),
      (AppleTree.Keys.text == "i", try QueryPredicate(parsing: "text == 'i'"), #Predicate { $0.text == "i" }),
      (
        AppleTree.Keys.parent != nil && AppleTree.Keys.parent.shoots.any.text == "i",
        try QueryPredicate(parsing: "parent != nil AND ANY parent.shoots.text == 'i'"),
        #Predicate { $0.parent?.shoots.contains { $0.text == "i" } == true }
      ),
      (
        AppleTree.Keys.shoots.count == 0, try QueryPredicate(parsing: "shoots.@count == 0"),
        #Predicate { $0.shoots.isEmpty }
      ),
    ]
    for (keys, text, predicate) in trees {
      #expect(keys.queryPredicate == text, "\(text)")
      #expect(try QueryPredicate(predicate) == text, "\(text)")
    }
  }

  @Test("PRD-290: what a request cannot say throws with the part, and nothing stops")
  func untranslatable() throws {
    func failure<Object: ManagedObject>(_ predicate: Predicate<Object>) -> QueryPredicateError? {
      do {
        _ = try QueryPredicate(predicate)
        return nil
      } catch { return error }
    }
    let length = failure(#Predicate<Employee> { $0.name.count > 3 })
    #expect(length?.code == .unsupportedSyntax && length?.subject == "the number of characters of a text")
    let cast = failure(#Predicate<Person> { ($0 as? Employee) != nil })
    #expect(cast?.code == .unsupportedSyntax && cast?.subject == "ConditionalCast" && cast?.hint != nil)
    let unknown = failure(#Predicate<Employee> { $0.salary > 5 && $0.department?.isFault == true })
    #expect(unknown?.code == .unknownKey && unknown?.message.hasPrefix("Department") == true)
    #expect(failure(#Predicate<Employee> { $0.email?.contains("x") != false }) == nil)
    #expect(throws: QueryPredicateError.self) {
      try QuerySortDescriptor(SortDescriptor(\Employee.entity.name))
    }
  }

  private func sample() throws -> (Department, Employee, Employee) {
    let sales = try context.insert(Department.self)
    sales.name = "Sales"
    let project = try context.insert(Project.self)
    project.title = "Compiler"
    func employee(_ name: String, _ salary: Decimal) throws -> Employee {
      let employee = try context.insert(Employee.self)
      employee.name = name
      employee.salary = salary
      employee.department = sales
      return employee
    }
    let boss = try employee("Bob", 500)
    let ada = try employee("Ada", 50)
    ada.manager = boss
    ada.addToProjects(project)
    try context.save()
    return (sales, boss, ada)
  }
}
