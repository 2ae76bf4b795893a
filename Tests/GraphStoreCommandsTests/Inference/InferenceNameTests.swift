import Testing

@testable import GraphStoreCommands

@Suite("Names of inferred models")
struct InferenceNameTests {
  @Test(
    "MDL-407: entities are called by files and tables, in the singular",
    arguments: [
      ("employees.csv", "Employee"), ("data/order_items.tsv", "OrderItem"), ("People.ndjson", "Person"),
      ("CATEGORIES.csv", "Category"), ("addresses.json", "Address"), ("status.csv", "Status"),
      ("boxes.csv", "Box"), ("person.schema.json", "Person"), ("2020-sales.csv", "_2020Sale"),
      ("名.csv", "Record"),
      ("analysis.csv", "Analysis"), ("series.csv", "Series"), ("bus.csv", "Bus"), ("buses.csv", "Bus"),
      ("houses.csv", "House"), ("statuses.csv", "Status"), ("heroes.csv", "Hero"), ("days.csv", "Day"),
      ("invoiceLines.csv", "InvoiceLine"), ("-", "Record"), (".csv", "Csv"),
    ])
  func entity(_ path: String, _ name: String) { #expect(EntityNames.name(ofFile: path) == name) }

  @Test(
    "MDL-407: to-many relationships have plurals",
    arguments: [
      ("Employee", "employees"), ("OrderItem", "orderItems"), ("Category", "categories"), ("Box", "boxes"),
      ("Person", "people"), ("Day", "days"), ("URL", "urls"), ("Child", "children"),
    ])
  func plural(_ entity: String, _ name: String) { #expect(EntityNames.plural(entity) == name) }

  @Test("MDL-408: names are identifiers, none twice, and none means something else")
  func properties() {
    var names = PropertyNames()
    let fields = [
      "first_name", "First Name", "firstName", "a-b", "aB", "é", "½", "SELF", "Any", "hash", "", "x\u{0}y",
    ]
    let made = fields.enumerated().map { names.name(for: $1, place: $0 + 1) }
    #expect(
      made == [
        "first_name", "firstName", "firstName2", "aB", "aB2", "e", "_12", "SELFValue", "AnyValue",
        "hashField",
        "field11", "xY",
      ])
    #expect(Set(made).count == made.count)
    #expect(made.allSatisfy { PropertyNames.isIdentifier($0) && !PropertyNames.isReserved($0) }, "\(made)")
  }

  @Test("MDL-407: names of keys and of references")
  func keys() {
    for name in ["id", "ID", "_id", "@id", "uuid", "employee_id", "employeeId", "EmployeeID"] {
      #expect(KeyNames.isKey(name, of: "Employee"), "\(name)")
    }
    for name in ["idea", "paid", "department_id"] {
      #expect(!KeyNames.isKey(name, of: "Employee"), "\(name)")
    }
    #expect(KeyNames.stem(ofReference: "home_city_id") == ["home", "city"])
    #expect(KeyNames.stem(ofReference: "tagIds") == ["tag"])
    #expect(KeyNames.stem(ofReference: "paid") == nil)
    #expect(KeyNames.stem(ofReference: "id") == nil)
  }
}
