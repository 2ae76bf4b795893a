import Foundation
import GraphStoreSQLite
import Testing

@Suite("Composite attributes in commands")
struct CompositeCommandTests {
  private let tool: CommandLineTool

  init() throws {
    tool = try CommandLineTool()
    try tool.write(
      """
      {"name": "People", "entities": [
        {"name": "Person", "attributes": [
          {"name": "name", "type": "string"},
          {"name": "address", "type": "composite", "attributes": [
            {"name": "city", "type": "string", "optional": false}, {"name": "number", "type": "int16"},
            {"name": "place", "type": "composite", "attributes": [{"name": "x", "type": "double"}]}]}]}]}
      """, to: "people.json")
    #expect(try tool.run("init", "people.db", "--model", "people.json").code == 0)
  }

  private func run(_ words: String...) throws -> (code: Int32, output: String, errors: String) {
    let outcome = try tool.run(CommandLineTool.executable.path, words + ["--store", "people.db"], input: nil)
    return (outcome.code, outcome.output, outcome.errors)
  }

  @Test("elements are set, printed, searched and sorted by their paths")
  func elements() throws {
    #expect(try run("insert", "Person", "name=Ada", "address.city=Rome", "address.place.x:=1.5").code == 0)
    #expect(try run("insert", "Person", "name=Bob", "address:={\"city\":\"Bern\",\"number\":7}").code == 0)
    #expect(try run("insert", "Person", "name=Cas").code == 0)
    let all = try run("fetch", "Person", "--ndjson", "--sort", "name")
    #expect(
      all.output == """
        {"id":"Person/p1","name":"Ada","address.city":"Rome","address.number":null,"address.place.x":1.5}
        {"id":"Person/p2","name":"Bob","address.city":"Bern","address.number":7,"address.place.x":null}
        {"id":"Person/p3","name":"Cas","address.city":null,"address.number":null,"address.place.x":null}

        """)
    let found = try run(
      "fetch", "Person", "--where", "address.city != nil", "--sort", "address.city", "--fields",
      "name,address", "--format", "csv")
    #expect(found.output == "name,address.city,address.number,address.place.x\nBob,Bern,7,\nAda,Rome,,1.5\n")
    #expect(try run("count", "Person", "--where", "address == nil").output == "1\n")
    #expect(try run("update", "Person/p1", "address.number=3").code == 0)
    #expect(
      try run("get", "Person/p1", "--fields", "address.number,address.city", "--format", "csv", "--no-header")
        .output == "3,Rome\n")
    #expect(try run("update", "Person/p1", "address:=null").code == 0)
    #expect(try run("count", "Person", "--where", "address == nil").output == "2\n")
    #expect(try run("check").code == 0)
  }

  @Test("what an element does not take is refused with its path")
  func refusals() throws {
    let missing = try run("insert", "Person", "address.number=7")
    #expect(missing.code == 65 && missing.errors.contains("Person.address.city") == true, "\(missing.errors)")
    let unknown = try run("insert", "Person", "address.town=Rome")
    #expect(
      unknown.code == 64 && unknown.errors.contains("Person has no element \"address.town\""),
      "\(unknown.errors)")
    let wrong = try run("insert", "Person", "address.number=many")
    #expect(wrong.code == 65 && wrong.errors.contains("[value-type]"), "\(wrong.errors)")
    #expect(try run("count", "Person").output == "0\n")
  }

  @Test("OBJ-505, OBJ-335: .validate in a shell names object and element")
  func validate() throws {
    let script = ".begin\ninsert Person address.number=7\n.validate\n.rollback\ncount Person\n"
    let outcome = try tool.run(
      CommandLineTool.executable.path, ["shell", "--store", "people.db"], input: Data(script.utf8))
    #expect(
      outcome.output.contains(
        "Person/t1.address.city: address.city is a required property [validation 1570]\n"),
      "\(outcome.output) \(outcome.errors)")
    #expect(outcome.output.hasSuffix("\n0\n"))
  }

  @Test("an export is imported again, in every format", arguments: ["ndjson", "json", "csv"])
  func roundTrip(_ format: String) throws {
    #expect(try run("insert", "Person", "name=Ada", "address.city=Rome", "address.place.x:=1.5").code == 0)
    #expect(try run("insert", "Person", "name=Cas").code == 0)
    let exported = try run("export", "Person", "-o", "out.\(format)")
    #expect(exported.code == 0 && exported.errors == "", "\(exported.errors)")
    #expect(try tool.run("init", "again.db", "--model", "people.json").code == 0)
    let imported = try tool.run("import", "Person", "out.\(format)", "--store", "again.db")
    #expect(imported.code == 0, "\(imported.errors)")
    let read = try tool.run("fetch", "Person", "--store", "again.db", "--ndjson", "--sort", "name")
    #expect(read.output == (try run("fetch", "Person", "--ndjson", "--sort", "name").output))
  }

  @Test("an import takes nested objects, and updates the elements alone that it names")
  func updates() throws {
    try tool.write(
      "{\"name\":\"Ada\",\"address\":{\"city\":\"Rome\",\"number\":7,\"place\":{\"x\":2}}}\n",
      to: "first.ndjson")
    #expect(try run("import", "Person", "first.ndjson").code == 0)
    try tool.write("name,address.city\nAda,Bern\n", to: "second.csv")
    let updated = try run("import", "Person", "second.csv", "--key", "name", "--on-conflict", "update")
    #expect(updated.code == 0, "\(updated.errors)")
    let read = try run("fetch", "Person", "--format", "csv", "--no-header", "--fields", "name,address")
    #expect(read.output == "Ada,Bern,7,2.0\n", "\(read.output)")
  }

  @Test("elements follow the whole, in whatever order they are given, and no key is given twice")
  func order() throws {
    #expect(try run("insert", "Person", "address.number=7", "address:={\"city\":\"Rome\"}").code == 0)
    try tool.write("{\"address.number\":8,\"address\":{\"city\":\"Bern\"}}\n", to: "a.ndjson")
    #expect(try run("import", "Person", "a.ndjson").code == 0)
    let read = try run(
      "fetch", "Person", "--format", "csv", "--no-header", "--fields", "address.city,address.number")
    #expect(read.output == "Rome,7\nBern,8\n")
    let twice = try run("insert", "Person", "address:={\"city\":\"A\",\"city\":\"B\"}")
    #expect(twice.code == 64 && twice.errors.contains("given twice"), "\(twice.errors)")
    try tool.write("{\"address\":{\"city\":\"A\",\"city\":\"B\"}}\n", to: "b.ndjson")
    let imported = try run("import", "Person", "b.ndjson")
    #expect(imported.code == 65 && imported.errors.contains("[duplicate-key]"), "\(imported.errors)")
  }

  @Test(
    "imports name inner composites, leave out unknown elements and read numbers for dates inside of objects")
  func importOptions() throws {
    try tool.write("{\"address.city\":\"Rome\",\"address.place\":{\"x\":3}}\n", to: "a.ndjson")
    #expect(try run("import", "Person", "a.ndjson").code == 0)
    try tool.write(
      "{\"address\":{\"city\":\"Bern\",\"town\":1},\"address.village\":2}\n", to: "b.ndjson")
    let refused = try run("import", "Person", "b.ndjson")
    #expect(refused.code == 65 && refused.errors.contains("[unknown-key]"), "\(refused.errors)")
    #expect(try run("import", "Person", "b.ndjson", "--ignore-unknown").code == 0)
    let read = try run(
      "fetch", "Person", "--format", "csv", "--no-header", "--fields", "address.city,address.place.x")
    #expect(read.output == "Rome,3.0\nBern,\n")
    try tool.write(
      """
      {"name": "Times", "entities": [{"name": "Event", "attributes": [
        {"name": "when", "type": "composite", "attributes": [{"name": "start", "type": "date"}]},
        {"name": "hidden", "type": "composite", "transient": true, "attributes": [{"name": "x", "type": "int16"}]},
        {"name": "secret", "type": "composite", "attributes": [
          {"name": "key", "type": "transformable", "transformer": "Foo"}]}]}]}
      """, to: "times.json")
    #expect(try tool.run("init", "times.db", "--model", "times.json").code == 0)
    try tool.write("{\"when\":{\"start\":0}}\n", to: "c.ndjson")
    #expect(
      try tool.run("import", "Event", "c.ndjson", "--store", "times.db", "--dates", "seconds-1970").code == 0)
    let times = try tool.run("fetch", "Event", "--store", "times.db", "--ndjson", "--fields", "when")
    #expect(times.output.contains("\"when.start\":\"1970-01-01T00:00:00Z\""), "\(times.output)")
    let hidden = try tool.run("insert", "Event", "hidden.x=1", "--store", "times.db")
    #expect(hidden.code == 64 && hidden.errors.contains("[read-only-property]"), "\(hidden.errors)")
    for words in [["secret.key=AAEC"], ["secret:={\"key\":\"AAEC\"}"]] {
      let secret = try tool.run(
        CommandLineTool.executable.path, ["insert", "Event"] + words + ["--store", "times.db"], input: nil)
      #expect(secret.code == 65 && secret.errors.contains("[transformer-missing]"), "\(secret.errors)")
    }
    try tool.write("{\"secret\":{\"key\":\"AAEC\"}}\n", to: "d.ndjson")
    let secret = try tool.run("import", "Event", "d.ndjson", "--store", "times.db")
    #expect(secret.code == 65 && secret.errors.contains("[transformer-missing]"), "\(secret.errors)")
  }

  @Test(
    "DGN-106, MDL-194: check finds composites and elements that must have a value, and archives that cannot be read"
  )
  func check() throws {
    try tool.write(
      """
      {"name": "Rules", "entities": [{"name": "Thing", "attributes": [
        {"name": "c", "type": "composite", "optional": false, "attributes": [
          {"name": "s", "type": "string", "optional": false}, {"name": "n", "type": "int16"}]},
        {"name": "t", "type": "transformable"}]}]}
      """, to: "rules.json")
    #expect(try tool.run("init", "rules.db", "--model", "rules.json").code == 0)
    for _ in 0..<3 { #expect(try tool.run("insert", "Thing", "c.s=a", "--store", "rules.db").code == 0) }
    #expect(try tool.run("check", "--store", "rules.db").code == 0)
    let connection = try SQLiteConnection(path: tool.path("rules.db"), mode: .readWrite)
    try connection.execute("UPDATE ZTHING SET ZC_S = NULL WHERE Z_PK = 1")
    try connection.execute("UPDATE ZTHING SET ZC_S = NULL, ZC_N = 5 WHERE Z_PK = 2")
    try connection.execute("UPDATE ZTHING SET ZT = x'0102' WHERE Z_PK = 3")
    connection.close()
    let found = try tool.run("check", "--store", "rules.db")
    #expect(found.code != 0)
    for text in [
      "Thing.c   1 row without a value: Thing/p1", "Thing.c.s   1 row without a value: Thing/p2",
      "Thing.t   1 row",
    ] {
      #expect(found.output.contains(text), "\(found.output)")
    }
  }

  @Test("errors name the path of an element, and an element is no key")
  func names() throws {
    let wrong = try run("insert", "Person", "address.number=many", "--error-format", "json")
    #expect(wrong.errors.contains("\"property\":\"address.number\""), "\(wrong.errors)")
    #expect(wrong.errors.contains("Person.address.number"))
    let inner = try run("insert", "Person", "address:={\"town\":1}")
    #expect(inner.code == 64 && inner.errors.contains("has no element \"address.town\""), "\(inner.errors)")
    for key in ["address", "address.city"] {
      let upsert = try run("upsert", "Person", "--key", key, "address.city=Rome")
      #expect(upsert.code == 64 && upsert.errors.contains("cannot be a key"), "\(upsert.errors)")
    }
    try tool.write(
      """
      {"entities": [{"name": "A", "attributes": [
        {"name": "c", "type": "composite", "attributes": [{"name": "SELF", "type": "string"}]}]}]}
      """, to: "bad.json")
    #expect(
      try tool.run("model", "validate", "bad.json").errors.contains("model-reserved-name")
        || tool.run("model", "validate", "bad.json").output.contains("model-reserved-name"))
  }
}
