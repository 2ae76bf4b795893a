import Foundation
import Synchronization
import Testing

@testable import GraphStoreModel

/// Tests that set the language in force run one at a time.
@Suite("Localized texts", .serialized)
struct LocalizationTests {
  private static let json = """
    {"entities":[
      {"name":"Person","attributes":[
        {"name":"name","type":"string","optional":false,"validations":[{"predicate":"SELF != 'x'","message":"not x"}]}]},
      {"name":"Employee","parent":"Person","attributes":[{"name":"pay","type":"int32","max":9}]}],
     "localization":{"Entity/Person":"Human","Property/name":"Name","ErrorString/not x":"X is not allowed"}}
    """

  private func withLanguage(_ language: String?, _ body: () throws -> Void) rethrows {
    ModelLanguage.current = language
    defer { ModelLanguage.current = nil }
    try body()
  }

  @Test("MDL-271, MDL-274: the model file may hold texts for entities, properties and messages")
  func ofFile() throws {
    let model = try ManagedObjectModel(json: Self.json.utf8)
    let person = try model.entity(named: "Person")
    #expect(model.localizationDictionary.count == 3)
    #expect(model.localizedName(of: person) == "Human")
    #expect(model.localizedName(of: person.properties[0], in: person) == "Name")
    #expect(model.localizedErrorText("not x") == "X is not allowed")
    #expect(model.localizedErrorText("other") == "other")
    #expect(model.localizedName(of: try model.entity(named: "Employee")) == "Employee")
  }

  @Test("MDL-272: a text under the entity goes before that of an ancestor, and that before the general one")
  func lookup() throws {
    var definition = try ManagedObjectModel(json: Self.json.utf8).definition
    func name() throws -> String {
      let model = try ManagedObjectModel(definition)
      let employee = try model.entity(named: "Employee")
      return model.localizedName(of: try #require(employee.property(named: "name")), in: employee)
    }
    #expect(try name() == "Name")
    definition.localization["Property/name/Entity/Person"] = "Person's name"
    #expect(try name() == "Person's name")
    definition.localization["Property/name/Entity/Employee"] = "Employee's name"
    #expect(try name() == "Employee's name")
    definition.localization = [:]
    #expect(try name() == "name")
  }

  @Test("MDL-273: messages about objects use the localized names, and rules their localized text")
  func messages() throws {
    var definition = try ManagedObjectModel(json: Self.json.utf8).definition
    definition.localization["Entity/Employee"] = "Staff"
    definition.localization["Property/pay"] = "Salary"
    let model = try ManagedObjectModel(definition)
    let employee = try model.entity(named: "Employee")
    let name = try #require(employee.attribute(named: "name"))
    let pay = try #require(employee.attribute(named: "pay"))
    #expect(name.validate(.null, in: employee).map(\.message) == ["Name is a required property"])
    #expect(pay.validate(.int(10), in: employee).first?.message.hasPrefix("Staff.Salary: ") == true)
    let rule = try #require(name.validations.first)
    #expect(name.violation(of: rule, value: .string("x")).message == "X is not allowed")
  }

  @Test(
    "MDL-275: the strings file beside the model wins over it, key by key",
    arguments: ["Firm.json", "Firm.graphmodel/1.json"])
  func stringsFile(file: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.json, to: file)
    try folder.write(
      "\"Entity/Person\" = \"Being\";\n\"Entity/Employee\" = \"Staff\";", to: "FirmModel.strings")
    let path = folder.path + "/" + (file.split(separator: "/").first ?? "")
    let model = try ManagedObjectModel(contentsOf: path)
    #expect(
      model.localizationDictionary == [
        "Entity/Person": "Being", "Entity/Employee": "Staff", "Property/name": "Name",
        "ErrorString/not x": "X is not allowed",
      ])
    #expect(model.definition.localization["Entity/Person"] == "Human")
  }

  @Test("MDL-275: BASE + Model also where the base name ends in Model")
  func baseName() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.json, to: "JimsModel.json")
    try folder.write("\"Entity/Person\" = \"Jim\";", to: "JimsModelModel.strings")
    #expect(try ManagedObjectModel(contentsOf: path).localizationDictionary["Entity/Person"] == "Jim")
  }

  @Test("MDL-276: the folder of the language in force wins over the plain file, a region over its language")
  func languages() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.json, to: "Firm.json")
    try folder.write(
      "\"Entity/Person\" = \"Being\"; \"Entity/Employee\" = \"Staff\";", to: "FirmModel.strings")
    try folder.write(
      "\"Entity/Person\" = \"Mensch\"; \"Property/pay\" = \"Lohn\";", to: "de.lproj/FirmModel.strings")
    try folder.write("\"Property/pay\" = \"Gehalt\";", to: "de-AT.lproj/FirmModel.strings")
    let model = try ManagedObjectModel(contentsOf: path)
    func texts() -> [String?] {
      ["Entity/Person", "Entity/Employee", "Property/pay"].map { model.localizationDictionary[$0] }
    }
    withLanguage("de") { #expect(texts() == ["Mensch", "Staff", "Lohn"]) }
    withLanguage("de_AT") { #expect(texts() == ["Mensch", "Staff", "Gehalt"]) }
    withLanguage("fr") { #expect(texts() == ["Being", "Staff", nil]) }
  }

  @Test("MDL-276: the language comes from LC_ALL, LC_MESSAGES or LANG, the first that says something")
  func environment() {
    let environments: [([String: String], String?)] = [
      ([:], nil), (["LANG": "de_DE.UTF-8"], "de_DE"), (["LC_ALL": "", "LANG": "fr"], "fr"),
      (["LC_ALL": "es@euro", "LC_MESSAGES": "it", "LANG": "fr"], "es"),
      (["LC_MESSAGES": "it", "LANG": "fr"], "it"),
      (["LC_ALL": "C", "LANG": "fr"], nil), (["LANG": "POSIX"], nil), (["LANG": "C.UTF-8"], nil),
      (["LANG": "../../etc"], nil),
    ]
    for (environment, language) in environments {
      #expect(ModelLanguage.language { environment[$0] } == language, "\(environment)")
    }
    #expect(ModelLanguage.folders(for: "../x").isEmpty)
  }

  @Test("MDL-278: strings files are read when a text is first needed")
  func lazily() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.json, to: "Firm.json")
    let model = try ManagedObjectModel(contentsOf: path)
    try folder.write("\"Entity/Person\" = \"Later\";", to: "FirmModel.strings")
    #expect(model.localizedName(of: model.entities[0]) == "Later")
    try folder.write("\"Entity/Person\" = \"Too late\";", to: "FirmModel.strings")
    #expect(model.localizedName(of: model.entities[0]) == "Later")
  }

  @Test("MDL-278: a strings file that cannot be parsed is told once and ignored")
  func unreadable() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.json, to: "Firm.json")
    let strings = try folder.write("\n\"Entity/Person\" \"Being\";", to: "FirmModel.strings")
    let notices = Notices()
    ModelWarning.handler = { notices.add($0) }
    defer { ModelWarning.handler = nil }
    let model = try ManagedObjectModel(contentsOf: path)
    for _ in 0..<3 { #expect(model.localizedName(of: model.entities[0]) == "Human") }
    let mine = notices.all.filter { $0.message.hasPrefix(strings) }
    #expect(mine.count == 1)
    #expect(mine.first?.code == "strings-unreadable" && mine.first?.severity == .error)
    #expect(mine.first?.line == 2)
    #expect(model.localizationFindings == mine)
  }

  @Test("MDL-279: texts can be read at any time; what is set in code wins over all files")
  func setInCode() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.json, to: "Firm.json")
    try folder.write(
      "\"Entity/Person\" = \"Being\"; \"Entity/Employee\" = \"Staff\";", to: "FirmModel.strings")
    var copy = try ManagedObjectModel(contentsOf: path).copy()
    copy.localization["Entity/Person"] = "Somebody"
    let texts = try ManagedObjectModel(copy).localizationDictionary
    #expect(texts["Entity/Person"] == "Somebody" && texts["Entity/Employee"] == "Staff")
  }

  @Test("MDL-057: a merged model has the strings files of its parts, the first before the second")
  func merged() throws {
    let folder = try TemporaryFolder()
    let first = try folder.write(#"{"entities":[{"name":"A"}]}"#, to: "One.json")
    let second = try folder.write(
      #"{"entities":[{"name":"B"}],"localization":{"Entity/A":"2"}}"#, to: "Two.json")
    try folder.write("\"Entity/A\" = \"1\";", to: "OneModel.strings")
    try folder.write("\"Entity/A\" = \"3\"; \"Entity/B\" = \"4\";", to: "TwoModel.strings")
    let merged = try ManagedObjectModel(mergingContentsOf: [first, second])
    #expect(merged.localizationDictionary == ["Entity/A": "1", "Entity/B": "4"])
  }

  @Test("MDL-280: texts change no codes, and no names but those for people")
  func codes() throws {
    let model = try ManagedObjectModel(json: Self.json.utf8)
    let person = try model.entity(named: "Person")
    #expect(person.name == "Person" && model.entitiesByName["Human"] == nil)
    let name = try #require(person.attribute(named: "name"))
    #expect(name.validate(.null).map(\.code) == [.missingMandatoryProperty])
  }
}

private final class Notices: Sendable {
  private let list = Mutex<[ModelProblem]>([])

  var all: [ModelProblem] { list.withLock { $0 } }

  func add(_ finding: ModelProblem) { list.withLock { $0.append(finding) } }
}
