import Foundation
import Testing

/// Models of records: tables, JSON, and what lies within.
@Suite("graphstore model infer, of records")
struct InferRecordsTests {
  /// Files and the model that they make.
  struct Sample: CustomTestStringConvertible {
    var title: String
    var files: [(name: String, text: String)]
    var lines: [String]
    var testDescription: String { title }

    init(_ title: String, _ files: [(String, String)], _ lines: [String]) {
      self.title = title
      self.files = files.map { (name: $0.0, text: $0.1) }
      self.lines = lines
    }
  }

  static let tables: [Sample] = [
    Sample(
      "types of cells",
      [
        (
          "employees.csv",
          "id,name,wage,born,busy,rating\n1,Ada,1.50,2020-01-02,true,0.125\n2,Bob,20.00,2021-02-03,false,2\n"
        )
      ],
      [
        "Employee.id int64", "Employee.name string", "Employee.wage decimal", "Employee.born date",
        "Employee.busy boolean", "Employee.rating double", "Employee unique id",
      ]),
    Sample(
      "an empty cell is no value", [("Item.csv", "a,b\n1,\n2,x\n")], ["Item.a int64", "Item.b string?"]),
    Sample(
      "a quoted empty cell is a text", [("items.csv", "a,b\n1,\"\"\n2,x\n")],
      ["Item.a int64", "Item.b string"]),
    Sample(
      "quotes, line ends and a byte order mark",
      [("notes.csv", "\u{FEFF}title,text\r\n\"a, \"\"b\"\"\",\"two\nlines\"\r\n")],
      ["Note.title string", "Note.text string"]),
    Sample(
      "leading zeros are text", [("zips.csv", "zip,n\n00123,7\n10115,8\n")],
      ["Zip.zip string", "Zip.n int64"]),
    Sample(
      "more than 64 bits", [("a.csv", "n,m\n9223372036854775808,9223372036854775807\n")],
      ["A.n decimal", "A.m int64"]),
    Sample(
      "numbers of more digits than a double keeps are exact, such as a double is written with are none",
      [
        (
          "a.csv",
          "n,m,o,p,q\n12345678901234567890.125,12345678901234567890,0.30000000000000004,9007199254740993.5,1e3\n"
            + "1.5,0.5,0.10000000000000001,1,12345678901234567890.125\n"
        )
      ], ["A.n decimal", "A.m decimal", "A.o double", "A.p decimal", "A.q double"]),
    Sample(
      "negative numbers and exponents", [("a.csv", "n,m\n-5,1e3\n-0.5,2\n")], ["A.n double", "A.m double"]),
    Sample(
      "dates in other forms are text",
      [("a.csv", "d,e,f\n02.03.2020,2020-13-01,20200301\n")], ["A.d string", "A.e string", "A.f int64"]),
    Sample(
      "UUIDs and URIs",
      [
        ("files.csv", "uuid,link,mail\n6F9619FF-8B86-D011-B42D-00C04FC964FF,https://a.b/c?d=e,mailto:a@b.c\n")
      ],
      ["File.uuid uuid", "File.link uri", "File.mail uri", "File unique uuid"]),
    Sample("a header alone", [("empty.csv", "id,name\n")], ["Empty.id string?", "Empty.name string?"]),
    Sample(
      "an id that repeats is none", [("a.csv", "id,n\n1,1\n1,2\n")], ["A.id int64", "A.n int64"]),
    Sample(
      "names that are no identifiers, or mean something else",
      [("things.csv", "First Name,2nd,größe,名前,self,in,description,a-b,a_b\n1,2,3,4,5,6,7,8,9\n")],
      [
        "Thing.firstName int64", "Thing._2nd int64", "Thing.grosse int64", "Thing.field4 int64",
        "Thing.selfValue int64", "Thing.inValue int64", "Thing.descriptionValue int64", "Thing.aB int64",
        "Thing.a_b int64",
      ]),
    Sample(
      "tabs, escapes and \\N", [("cities.tsv", "name\tpopulation\na\\tb\t5\n\\N\t6\n")],
      ["City.name string?", "City.population int64"]),
    Sample(
      "references to another file, and to the own",
      [
        ("employees.csv", "id,department_id,managerId\n1,10,\n2,20,1\n"),
        ("departments.csv", "id,name\n10,A\n20,B\n"),
      ],
      [
        "Employee.id int64", "Employee.department one Department mandatory (employees)",
        "Employee.manager one Employee (employeesAsManager)",
        "Employee.employeesAsManager many Employee (manager)",
        "Employee unique id", "Department.id int64", "Department.name string",
        "Department.employees many Employee deny (department)", "Department unique id",
      ]),
    Sample(
      "a reference that leads to nothing stays a value",
      [("employees.csv", "id,department_id\n1,10\n2,99\n"), ("departments.csv", "id\n10\n")],
      [
        "Employee.id int64", "Employee.department_id int64", "Employee unique id", "Department.id int64",
        "Department unique id",
      ]),
    Sample(
      "a key that is called after its entity",
      [("order_items.csv", "item,product_id\n1,p1\n"), ("products.csv", "product_id,name\np1,x\n")],
      [
        "OrderItem.item int64", "OrderItem.product one Product mandatory (orderItems)",
        "Product.product_id string",
        "Product.name string", "Product.orderItems many OrderItem deny (product)",
        "Product unique product_id",
      ]),
    Sample(
      "two references to one entity",
      [("routes.csv", "from_city_id,to_city_id\n1,2\n"), ("cities.csv", "id\n1\n2\n")],
      [
        "Route.fromCity one City mandatory (routesAsFromCity)",
        "Route.toCity one City mandatory (routesAsToCity)",
        "City.id int64", "City.routesAsFromCity many Route deny (fromCity)",
        "City.routesAsToCity many Route deny (toCity)", "City unique id",
      ]),
    Sample(
      "a relationship gives way to an attribute of its name",
      [("people.csv", "city,city_id\nx,1\n"), ("cities.csv", "id\n1\n")],
      [
        "Person.city string", "Person.cityObject one City mandatory (people)", "City.id int64",
        "City.people many Person deny (cityObject)", "City unique id",
      ]),
  ]

  static let documents: [Sample] = [
    Sample(
      "types of JSON, null and what is missing",
      [
        (
          "a.ndjson",
          "{\"i\":1,\"d\":1.5,\"m\":1.50,\"b\":true,\"s\":\"12\",\"n\":null}\n{\"i\":2,\"d\":2.5,\"m\":2.25,\"b\":false,\"s\":\"x\",\"extra\":1}\n"
        )
      ],
      [
        "A.i int64", "A.d double", "A.m decimal", "A.b boolean", "A.s string", "A.n string?",
        "A.extra int64?",
      ]),
    Sample(
      "amounts as texts", [("a.json", "[{\"price\":\"1.50\"},{\"price\":\"12.00\"}]")], ["A.price decimal"]),
    Sample(
      "one object is one record", [("settings.json", "{\"theme\": \"dark\", \"size\": 12}")],
      ["Settings.theme string", "Settings.size int64"]),
    Sample(
      "an object of lists is a file of entities",
      [("db.json", "{\"people\":[{\"id\":1,\"city_id\":5}],\"cities\":[{\"id\":5,\"name\":\"x\"}]}")],
      [
        "Person.id int64", "Person.city one City mandatory (people)", "Person unique id", "City.id int64",
        "City.name string", "City.people many Person deny (city)", "City unique id",
      ]),
    Sample(
      "objects without a key become composite attributes",
      [
        (
          "a.ndjson",
          "{\"at\":{\"street\":\"x\",\"geo\":{\"lat\":1.5,\"tags\":[1]}}}\n{\"at\":{\"street\":\"y\"}}\n"
        )
      ],
      ["A.at composite(street string, geo composite(lat double?, tags transformable?)?)"]),
    Sample(
      "objects without a value are none",
      [
        (
          "a.ndjson",
          "{\"p\":{}}\n{\"p\":{\"b\":null}}\n{\"p\":{\"b\":1,\"c\":{}}}\n{\"p\":{\"c\":{\"d\":1}}}\n"
        )
      ],
      ["A.p composite(b int64?, c composite(d int64?)?)?"]),
    Sample(
      "objects with a key become entities",
      [
        (
          "posts.ndjson",
          "{\"author\":{\"id\":7,\"name\":\"x\"}}\n{\"author\":{\"id\":7,\"name\":\"x\"}}\n{}\n"
        )
      ],
      [
        "Post.author one Author (posts)", "Author.id int64", "Author.name string",
        "Author.posts many Post (author)", "Author unique id",
      ]),
    Sample(
      "objects of one key that differ have no identity",
      [("a.ndjson", "{\"p\":{\"id\":7,\"name\":\"x\"}}\n{\"p\":{\"id\":7,\"name\":\"y\"}}\n")],
      ["A.p composite(id int64, name string)"]),
    Sample(
      "lists of objects belong to their record",
      [("orders.ndjson", "{\"id\":1,\"lines\":[{\"n\":1},{\"n\":2}]}\n{\"id\":2,\"lines\":[]}\n")],
      [
        "Order.id int64", "Order.lines many Line ordered cascade (order)", "Order unique id", "Line.n int64",
        "Line.order one Order mandatory (lines)",
      ]),
    Sample(
      "lists of objects that several records share",
      [("posts.ndjson", "{\"tags\":[{\"id\":\"a\"},{\"id\":\"b\"}]}\n{\"tags\":[{\"id\":\"a\"}]}\n")],
      ["Post.tags many Tag ordered (posts)", "Tag.id string", "Tag.posts many Post (tags)", "Tag unique id"]),
    Sample(
      "one object in several elements of a list",
      [
        (
          "orders.ndjson",
          "{\"lines\":[{\"n\":1,\"product\":{\"id\":5,\"name\":\"x\"}},{\"n\":2,\"product\":{\"id\":5,\"name\":\"x\"}}]}\n"
        )
      ],
      [
        "Order.lines many Line ordered cascade (order)", "Line.n int64",
        "Line.order one Order mandatory (lines)",
        "Line.product one Product mandatory (lines)", "Product.id int64", "Product.name string",
        "Product.lines many Line deny (product)", "Product unique id",
      ]),
    Sample(
      "one object twice in a list has no identity there",
      [("a.ndjson", "{\"parts\":[{\"id\":1},{\"id\":1}]}\n")],
      ["A.parts many Part ordered cascade (a)", "Part.id int64", "Part.a one A mandatory (parts)"]),
    Sample(
      "lists of keys of another file",
      [
        ("posts.ndjson", "{\"tagIds\":[1,2]}\n{\"tagIds\":[2]}\n"),
        ("tags.ndjson", "{\"id\":1}\n{\"id\":2}\n"),
      ],
      ["Post.tags many Tag ordered (posts)", "Tag.id int64", "Tag.posts many Post (tags)", "Tag unique id"]),
    Sample(
      "lists of plain values, mixed values, and keys that are data",
      [("a.ndjson", "{\"l\":[1,\"x\",null],\"m\":1,\"e\":{}}\n{\"l\":[],\"m\":[1],\"e\":{}}\n")],
      ["A.l transformable", "A.m transformable", "A.e transformable"]),
    Sample(
      "lists of lists, and objects in objects with lists",
      [("a.ndjson", "{\"g\":[[1,2],[3]],\"o\":{\"p\":{\"q\":[{\"r\":1}]}}}\n")],
      [
        "A.g transformable", "A.o one O mandatory cascade (a)", "O.a one A mandatory (o)",
        "O.p one P mandatory cascade (o)", "P.o one O mandatory (p)", "P.q many Q ordered cascade (p)",
        "Q.r int64",
        "Q.p one P mandatory (q)",
      ]),
    Sample(
      "records of an export, which name their entity",
      [
        (
          "all.ndjson",
          "{\"entity\":\"Team\",\"id\":\"Team/p1\",\"name\":\"x\"}\n{\"entity\":\"Person\",\"id\":\"Person/p4\",\"team\":\"Team/p1\",\"friends\":[\"Person/p4\"]}\n"
        )
      ],
      [
        "Team.name string", "Team.people many Person deny (team)", "Person.team one Team mandatory (people)",
        "Person.friends many Person ordered (peopleAsFriends)",
        "Person.peopleAsFriends many Person (friends)",
      ]),
  ]

  @Test("MDL-406, MDL-407, MDL-408: tables", arguments: tables)
  func inferTables(_ sample: Sample) throws { try expect(sample) }

  @Test("MDL-406, MDL-409: JSON, and objects within it", arguments: documents)
  func inferDocuments(_ sample: Sample) throws { try expect(sample) }

  private func expect(_ sample: Sample) throws {
    let folder = try InferenceFolder()
    for file in sample.files { try folder.tool.write(file.text, to: file.name) }
    let made = try folder.tool.run(
      CommandLineTool.executable.path, ["model", "infer"] + sample.files.map(\.name), input: nil)
    #expect(made.code == 0, "\(made.errors)")
    try folder.tool.write(made.output, to: "model.json")
    #expect(try folder.tool.run("model", "validate", "model.json").code == 0)
    #expect(Self.lines(made.output) == sample.lines, "\(made.errors)")
    // The same files fill a store, in which all is as the model says.
    let words = ["init", "new.db"] + sample.files.flatMap { ["--infer", $0.name] }
    let store = try folder.tool.run(CommandLineTool.executable.path, words, input: nil)
    #expect(store.code == 0, "\(store.errors)")
    let check = try folder.tool.run("check", "--store", "new.db")
    #expect(check.code == 0, "\(check.output)")
  }

  private static func lines(_ model: String) -> [String] {
    (try? InferenceFolder.lines(.init(json: Array(model.utf8), name: nil))) ?? []
  }

  @Test("MDL-406: standard input is NDJSON, or what --from says")
  func standardInput() throws {
    let tool = try CommandLineTool()
    let json = try tool.run("model", "infer", "-", input: "{\"a\":1}\n")
    #expect(json.code == 0 && json.output.contains("\"Record\""), "\(json.errors)")
    let table = try tool.run("model", "infer", "-", "--from", "csv", input: "a\n1\n")
    #expect(table.code == 0 && table.output.contains("int64"), "\(table.errors)")
  }

  @Test("MDL-406: -o writes the model, and asks before a file is replaced")
  func output() throws {
    let folder = try InferenceFolder(["a.csv": "a\n1\n"])
    #expect(try folder.tool.run("model", "infer", "a.csv", "-o", "m.json").code == 0)
    #expect(try folder.tool.run("model", "validate", "m.json").code == 0)
    #expect(try folder.tool.run("model", "infer", "a.csv", "-o", "m.json").code == 4)
    #expect(try folder.tool.run("model", "infer", "a.csv", "-o", "m.xcdatamodel").code == 64)
    #expect(try folder.tool.run("model", "infer", "a.csv", "-o", "./a.csv", "--yes").code == 64)
  }

  @Test("MDL-410: each choice is a line that says why, how many, and what did not fit")
  func explanation() throws {
    let folder = try InferenceFolder([
      "employees.csv": "id,Start Date,code,dept_id\n1,2020-01-01,7,1\n2,,n/a,1\n", "depts.csv": "id\n1\n",
    ])
    let told = try folder.infer("employees.csv", "depts.csv").told.split(separator: "\n").map(String.init)
    #expect(told[0] == "Employee: entity; 2 records; from employees.csv")
    #expect(
      told[1]
        == "Employee.id: int64, mandatory; 2 of 2 have a value; all are whole numbers; unique, as a key is")
    #expect(
      told[2]
        == "Employee.startDate: date, optional; called \"Start Date\" there; 1 of 2 have a value; all are dates of ISO 8601"
    )
    #expect(
      told[3]
        == "Employee.code: string, mandatory; 2 of 2 have a value; values of several kinds, which only text holds; 1 texts; 1 whole numbers, first \"7\" at line 2 of employees.csv"
    )
    #expect(
      told[4]
        == "Employee.dept: to-one Dept, mandatory; called \"dept_id\" there; 2 of 2 have a value; every value is the id of a Dept; inverse Dept.employees"
    )
    #expect(try folder.failure("employees.csv", "--quiet").errors.isEmpty)
  }

  @Test("MDL-410: with --error-format json each choice is an object")
  func explanationAsJSON() throws {
    let folder = try InferenceFolder(["a.csv": "n\n1\n"])
    let made = try folder.failure("a.csv", "--error-format", "json")
    let lines = made.errors.split(separator: "\n").map(String.init)
    #expect(
      lines == [
        #"{"choice":{"entity":"A","type":"entity","records":1,"reason":"from a.csv"}}"#,
        #"{"choice":{"entity":"A","property":"n","field":"n","type":"int64","optional":false,"values":1,"records":1,"reason":"all are whole numbers"}}"#,
      ])
  }

  /// Input that is wrong: the file, its text, further arguments, the exit code, and what is said.
  static let failures: [(name: String, text: String?, arguments: [String], code: Int32, says: String)] = [
    ("missing.csv", nil, [], 66, "there is no file"),
    ("a.csv", "", [], 65, "the input is empty"),
    ("a.csv", "a;b\n1;2\n", ["--delimiter", ","], 65, "--delimiter ';'"),
    ("a.csv", "a,a\n1,2\n", [], 65, "a.csv:1: error: the header names the column \"a\" twice"),
    ("a.csv", "a,\n1,2\n", [], 65, "column 2 of the header has no name"),
    ("a.csv", "a,b\n1\n", [], 65, "a.csv:2: error: the record has 1 field, the header 2"),
    ("a.csv", "a,b\n1,\"x\n", [], 65, "never closed"),
    ("a.ndjson", "{\"a\":1}\n{\"a\":\n", [], 65, "a.ndjson:2:"),
    ("a.ndjson", "[1]\n", [], 65, "a record must be a JSON object"),
    ("a.ndjson", "{\"a\":{\"b\":1,\"b\":2}}\n", [], 65, "given twice"),
    ("a.json", "{\"a\":1}\n{\"a\":2}\n", [], 65, "--from ndjson"),
    ("a.json", "[]", [], 65, "there are no records"),
    ("a.json", "[{}]", [], 65, "there are no records"),
    ("a.json", "nope", [], 65, "a.json:1:1"),
    ("a.tsv", "a\tb\n1\n", [], 65, "a.tsv:2"),
    ("a.xyz", "a,b\n1,2\n", [], 64, "cannot tell the format"),
    ("old.db", "no database", [], 65, "is no database of SQLite"),
    ("old.sqlite", "", [], 65, "is empty"),
    ("a.csv", "a\n1\n", ["--from", "xml"], 64, "--from"),
    ("a.csv", "a\n1\n", ["--delimiter", "xx"], 64, "--delimiter takes one"),
    ("a.ndjson", "{\"a\":1}\n", ["--delimiter", ";"], 64, "--delimiter is for CSV"),
  ]

  @Test("MDL-411: what is wrong is told with file, line, cause and remedy", arguments: failures.indices)
  func failure(_ index: Int) throws {
    let (name, text, arguments, code, says) = Self.failures[index]
    let folder = try InferenceFolder(text.map { [name: $0] } ?? [:])
    let made = try folder.tool.run(
      CommandLineTool.executable.path, ["model", "infer", name] + arguments, input: nil)
    #expect(made.code == code, "\(made.errors)")
    #expect(made.errors.contains(says), "\(made.errors)")
    #expect(made.output.isEmpty)
    let store = try folder.tool.run(
      CommandLineTool.executable.path, ["init", "new.db", "--infer", name] + arguments, input: nil)
    #expect(store.code == code, "\(store.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.tool.folder.path).count <= 1)
  }

  @Test("MDL-406: another delimiter, said, in a file of unknown form, or found in the header")
  func delimiters() throws {
    let folder = try InferenceFolder(["a.csv": "x;y\n1;2\n", "b.txt": "x|y\n1|2\n"])
    #expect(try folder.infer("a.csv", "--delimiter", ";").lines == ["A.x int64", "A.y int64"])
    #expect(try folder.infer("b.txt", "--delimiter", "|").lines == ["B.x int64", "B.y int64"])
    #expect(try folder.infer("a.csv").lines == ["A.x int64", "A.y int64"])
    let told = try folder.tool.run("model", "infer", "a.csv")
    #expect(told.errors.contains("columns of a.csv are divided by semicolons"), "\(told.errors)")
  }
}
