import Foundation
import GraphStoreModel
import GraphStoreTestSupport
import Testing

@testable import GraphStore

@Suite("XML stores")
struct XMLStoreTests {
  private let folder: AtomicFolder

  init() throws { folder = try AtomicFolder(.xml) }

  private func made() throws -> ManagedObjectContext {
    let context = try folder.make(TestModels.company(isOrdered: true))
    let department = try context.insert("Department", ["name": "R&D <Tools>"])
    try context.save()
    let ada = try context.insert("Employee", ["name": "Ada", "salary": 3, "department": department])
    try context.save()
    let bob = try context.insert("Employee", ["name": "Bob", "department": department])
    try bob.setValue(ada, forKey: "manager")
    try ada.setValue([bob], forKey: "friends")
    try context.save()
    return context
  }

  private static func objects(_ text: String) -> [Substring] {
    let start = text.range(of: "    <object")?.lowerBound ?? text.endIndex
    return text[start...].split(separator: "\n")
  }

  @Test(
    "STO-066, STO-067, STO-068, STO-074, STO-060: one element a line, in the form of Core Data's documents, byte for byte"
  )
  func text() throws {
    _ = try made()
    let text = try folder.text()
    #expect(
      text.hasPrefix(
        """
        <?xml version="1.0" encoding="UTF-8" standalone="no"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo>
                <version>134481920</version>
                <UUID>
        """.dropLast(0)))
    #expect(
      text.contains(
        "\n        <nextObjectID>3</nextObjectID>\n        <metadata>\n            <plist version=\"1.0\">\n")
    )
    #expect(
      text.contains(
        "\n                    <key>NSStoreModelVersionHashes</key>\n                    <dict>\n"))
    #expect(!text.contains("NSStoreType"))
    #expect(text.hasSuffix("\n    </object>\n</database>\n"))
    let objects = Self.objects(text).filter { !$0.contains("></relationship>") || $0.contains("idrefs") }
    #expect(
      objects == [
        #"    <object type="DEPARTMENT" id="z1">"#,
        #"        <attribute name="name" type="string">R&amp;D &lt;Tools&gt;</attribute>"#,
        #"        <relationship name="employees" type="0/0" destination="EMPLOYEE" idrefs="z2 z3"></relationship>"#,
        "    </object>",
        #"    <object type="EMPLOYEE" id="z2">"#,
        #"        <attribute name="name" type="string">Ada</attribute>"#,
        #"        <attribute name="salary" type="int64">3</attribute>"#,
        #"        <relationship name="department" type="0/1" destination="DEPARTMENT" idrefs="z1"></relationship>"#,
        #"        <relationship name="reports" type="0/0" destination="EMPLOYEE" idrefs="z3"></relationship>"#,
        #"        <relationship name="friends" type="0/0" destination="EMPLOYEE" idrefs="z3"></relationship>"#,
        "    </object>",
        #"    <object type="EMPLOYEE" id="z3">"#,
        #"        <attribute name="name" type="string">Bob</attribute>"#,
        #"        <relationship name="department" type="0/1" destination="DEPARTMENT" idrefs="z1"></relationship>"#,
        #"        <relationship name="manager" type="0/1" destination="EMPLOYEE" idrefs="z2"></relationship>"#,
        #"        <relationship name="friends" type="0/0" destination="EMPLOYEE" idrefs="z2"></relationship>"#,
        "    </object>",
        "</database>",
      ])
    #expect(
      text.contains(#"        <relationship name="spouse" type="0/1" destination="EMPLOYEE"></relationship>"#)
    )
  }

  /// A store as Core Data writes it, of one department and two people.
  private static let foreign = """
    <?xml version="1.0"?>
    <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

    <database>
        <databaseInfo>
            <version>134481920</version>
            <UUID>7DFA6DAB-A071-4B34-8DFB-BAC65DD66FDE</UUID>
            <nextObjectID>109</nextObjectID>
            <metadata>
                <plist version="1.0">
                    <dict>
                        <key>NSPersistenceFrameworkVersion</key>
                        <integer>640</integer>
                        <key>NSStoreModelVersionHashes</key>
                        <dict>
                            <key>Note</key>
                            <data>
    \t\tAQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=
    \t\t</data>
                            <key>Owner</key>
                            <data>
    \t\tISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0+P0A=
    \t\t</data>
                        </dict>
                        <key>NSStoreModelVersionHashesVersion</key>
                        <integer>3</integer>
                        <key>NSStoreModelVersionIdentifiers</key>
                        <array>
                            <string></string>
                        </array>
                        <key>their own</key>
                        <string>kept &amp; safe</string>
                    </dict>
                </plist>
            </metadata>
        </databaseInfo>
        <object type="OWNER" id="z104">
            <attribute name="fullname" type="string">Ada</attribute>
            <relationship name="notes" type="0/0" destination="NOTE" idrefs="z103 z102"></relationship>
        </object>
        <object type="NOTE" id="z102">
            <attribute name="writtenat" type="date">445103622.25000000000000000000</attribute>
            <attribute name="weight" type="float">0.10000000149011611938</attribute>
            <attribute name="isread" type="bool">1</attribute>
            <attribute name="text" type="string"></attribute>
            <attribute name="picture" type="binary">
    \t\tAQID
    \t\tBAUG
    \t\t</attribute>
            <relationship name="owner" type="1/1" destination="OWNER" idrefs="z104"></relationship>
        </object>
        <object type="NOTE" id="z103">
            <attribute name="text" type="string">  two  </attribute>
            <relationship name="owner" type="1/1" destination="OWNER" idrefs="z104"></relationship>
        </object>
    </database>
    """

  private static let foreignModel = ModelDefinition(
    name: "Notes",
    entities: [
      EntityDefinition(
        "Owner", attributes: [AttributeDefinition("fullName", .string)],
        relationships: [
          RelationshipDefinition("notes", to: "Note", inverse: "owner", isToMany: true)
        ]),
      EntityDefinition(
        "Note",
        attributes: [
          AttributeDefinition("writtenAt", .date), AttributeDefinition("weight", .float),
          AttributeDefinition("isRead", .boolean), AttributeDefinition("text", .string),
          AttributeDefinition("picture", .binary),
        ],
        relationships: [RelationshipDefinition("owner", to: "Owner", inverse: "notes")]),
    ])

  @Test(
    "STO-066, STO-073: a store of Core Data's opens with a model, and stays one when it is saved: ids, metadata, counter"
  )
  func foreign() throws {
    try folder.write(Array(Self.foreign.utf8))
    _ = try expectFailure(.noModel) { _ = try folder.open() }
    let context = try folder.open(model: ManagedObjectModel(Self.foreignModel))
    let owner = try context.all("Owner")[0]
    #expect(owner.objectID.shortForm == "Owner/p104")
    #expect(try owner.string("fullName") == "Ada")
    let notes = try context.all("Note").sorted { $0.objectID.key < $1.objectID.key }
    #expect(notes.map(\.objectID.shortForm) == ["Note/p102", "Note/p103"])
    #expect(
      try notes[0].value(forKey: "writtenAt") as? Date == Date(timeIntervalSinceReferenceDate: 445_103_622.25)
    )
    #expect(try notes[0].queryValue(forKey: "weight") == .double(Double(Float(0.1))))
    #expect(try notes[0].queryValue(forKey: "isRead") == .bool(true))
    #expect(try notes.map { try $0.string("text") } == ["", "  two  "])
    #expect(try notes[0].value(forKey: "picture") as? Data == Data([1, 2, 3, 4, 5, 6]))
    #expect(try notes[0].object(forKey: "owner") === owner)
    let third = try context.insert("Note", ["text": "three", "owner": owner])
    try context.save()
    #expect(third.objectID.shortForm == "Note/p110")
    let text = try folder.text()
    #expect(text.contains("<nextObjectID>110</nextObjectID>") && !text.contains("_GS"))
    #expect(text.contains("<string>kept &amp; safe</string>"))
    #expect(text.contains("<UUID>7DFA6DAB-A071-4B34-8DFB-BAC65DD66FDE</UUID>"))
    #expect(text.contains(#"<attribute name="writtenat" type="date">445103622.25</attribute>"#))
    #expect(
      text.contains(#"<relationship name="notes" type="0/0" destination="NOTE" idrefs="z102 z103 z110">"#))
    let again = try folder.open(model: ManagedObjectModel(Self.foreignModel))
    #expect(try again.all("Note").count == 3)
    var other = Self.foreignModel
    other.entities[0].name = "Keeper"
    other.entities[1].relationships[0].destination = "Keeper"
    _ = try expectFailure(.incompatibleModel) { _ = try folder.open(model: ManagedObjectModel(other)) }
  }

  @Test("STO-071: names that differ only in case stand in their own, and are told apart")
  func sameNames() throws {
    let model = ModelDefinition(
      name: "Cases",
      entities: [
        EntityDefinition(
          "Item",
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("Name", .string),
            AttributeDefinition("other", .string),
          ])
      ])
    let context = try folder.make(model)
    try context.insert("Item", ["name": "small", "Name": "great", "other": "x"])
    try context.save()
    let text = try folder.text()
    #expect(text.contains(#"<object type="ITEM" id="z1">"#))
    #expect(text.contains(#"<attribute name="Name" case="exact" type="string">great</attribute>"#))
    #expect(text.contains(#"<attribute name="other" type="string">x</attribute>"#))
    let read = try folder.open()
    let item = try read.all("Item")[0]
    #expect(try item.string("name") == "small" && item.string("Name") == "great")
  }

  @Test(
    "STO-070: what XML forbids is Base64 of its bytes, a carriage return a reference, and all else as it is, blanks too"
  )
  func strings() throws {
    let context = try folder.make(TestModels.company())
    let texts = [
      "a\u{1}b", "\u{FFFE}", "\r\n\t x ", "]]>", "", " ", "&amp;", "<![CDATA[x]]>", "\u{85}\u{2028}",
      "e\u{301}", "é",
    ]
    for text in texts { try context.insert("Department", ["name": text]) }
    try context.save()
    let text = try folder.text()
    #expect(text.contains(#"<attribute name="name" type="string" encoding="base64">YQFi</attribute>"#))
    #expect(text.contains("type=\"string\">&#13;\n\t x </attribute>"))
    let read = try folder.open().all("Department").sorted { $0.objectID.key < $1.objectID.key }
    #expect(try read.map { Array((try $0.string("name") ?? "").utf8) } == texts.map { Array($0.utf8) })
  }

  @Test(
    "STO-061, STO-066: copies keep the keys of their objects, those too that objects of other entities have")
  func sameKeys() throws {
    let json = try AtomicFolder(.json)
    let context = try json.make(TestModels.company())
    let department = try context.insert("Department", ["name": "D"])
    try context.insert("Employee", ["name": "E", "department": department])
    try context.insert("Project", ["name": "P"])
    try context.save()
    let coordinator = context.coordinator
    try coordinator.migratePersistentStore(
      coordinator.persistentStores[0], to: URL(fileURLWithPath: folder.path()), type: .xml)
    let text = try folder.text()
    #expect(text.contains(#"<object type="EMPLOYEE" id="z2" key="1">"#))
    #expect(text.contains(#"destination="EMPLOYEE" idrefs="z2">"#))
    let read = try folder.open()
    #expect(
      try AtomicFolder.content(read) == AtomicFolder.content(ManagedObjectContext(coordinator: coordinator)))
    let employee = try read.all("Employee")[0]
    #expect(employee.objectID.shortForm == "Employee/p1")
    #expect(try employee.object(forKey: "department")?.objectID.shortForm == "Department/p1")
    let next = try read.insert("Desk", ["name": "X"])
    try read.save()
    #expect(next.objectID.key > 3)
    let bytes = try folder.bytes()
    let later = try folder.open()
    try later.insert("Desk", ["name": "Y"])
    try later.save()
    try later.all("Desk", "name == 'Y'").forEach(later.delete)
    try later.save()
    let counter = try Regex("<nextObjectID>[0-9]+<")
    let (before, after) = (String(decoding: bytes, as: UTF8.self), try folder.text())
    #expect(before.replacing(counter, with: "") == after.replacing(counter, with: ""))
  }

  @Test(
    "STO-107, STO-066: metadata of every kind are kept as they are, those too that no XML property list holds"
  )
  func metadata() throws {
    let context = try made()
    let coordinator = context.coordinator
    var metadata = try coordinator.metadata()
    let values: [String: Value] = [
      "text": .string(" x\r\n<&>\" "), "flag": .bool(true), "whole": .int(.max), "real": .double(5),
      "infinite": .double(.infinity), "control": .string("\u{1}"), "key\u{2}": .int(1),
      "second": .date(Date(timeIntervalSinceReferenceDate: 86_400)),
      "date": .date(Date(timeIntervalSinceReferenceDate: 0.1)), "bytes": .data(Data([0, 255])),
      "far": .date(Date(timeIntervalSinceReferenceDate: 1e14)),
      "list": .list([.int(1), .list([]), .dictionary([:])]),
      "nested": .dictionary(["a": .dictionary(["b\u{0}": .double(-.infinity)])]),
    ]
    metadata.merge(values) { $1 }
    try coordinator.setMetadata(metadata, for: coordinator.persistentStores[0])
    try context.save()
    let read = try folder.open().coordinator.metadata()
    for (key, value) in values { #expect(read[key] == value, "\(key)") }
    #expect(read == metadata)
    let text = try folder.text()
    #expect(text.contains("<date>2001-01-02T00:00:00Z</date>"))
    #expect(text.contains("<key>_GSExactMetadata</key>"))
  }

  /// Edits of the text, and a part of what is said of each.
  private static let damages: [(find: String, replacement: String, message: String)] = [
    (#""int64">3<"#, #""int32">3.5<"#, "salary cannot be \"3.5\""),
    (#""int64">3<"#, #""int32">99999999999999999999<"#, "salary cannot be"),
    (#"name="salary""#, #"name="salry""#, "no attribute \"salry\""),
    (#"name="manager""#, #"name="salary""#, "no relationship \"salary\""),
    (#"<attribute name="salary" type="int64">3</attribute>"#, "<other/>", "expected here"),
    (#"<attribute name="salary" type="int64">3</attribute>"#, "text", "No text"),
    (
      #"<attribute name="salary" type="int64">3<"#, #"<attribute name="salary" x="1" type="int64">3<"#,
      "\"x\""
    ),
    (
      #"<attribute name="salary" type="int64">3<"#, #"<attribute name="salary" type="int64"><b/><"#,
      "No element"
    ),
    (
      #"<attribute name="salary" type="int64">"#,
      #"<attribute name="name" type="string">A</attribute><attribute name="salary" type="int64">"#,
      "occurs twice"
    ),
    (#"type="string">Ada"#, #"type="string" encoding="rot13">Ada"#, "encoding"),
    (#"type="string">Ada"#, #"type="string" encoding="base64">A*"#, "name cannot be"),
    (#"type="string">Ada"#, #"type="string" encoding="base64">/w=="#, "name cannot be"),
    (#"type="EMPLOYEE" id="z3""#, #"type="EMPLOYEE" id="z2""#, "two objects"),
    (#"type="EMPLOYEE" id="z3""#, #"type="EMPLOYEE" id="z2" key="7""#, "two objects"),
    (#"type="EMPLOYEE" id="z3""#, #"type="EMPLOYEE" id="z3" key="x""#, "no key"),
    (#"type="EMPLOYEE" id="z3""#, #"type="ROBOT" id="z3""#, "no entity \"ROBOT\""),
    (#"type="EMPLOYEE" id="z3""#, #"type="EMPLOYEE" case="odd" id="z3""#, "case"),
    (#"type="EMPLOYEE" id="z3""#, #"type="EMPLOYEE" id="z0""#, "no id"),
    (#"type="EMPLOYEE" id="z3""#, #"type="EMPLOYEE" id="z99999999999999999999""#, "no id"),
    (#"type="EMPLOYEE" id="z3""#, #"type="EMPLOYEE" id="z+3""#, "no id"),
    (#"type="EMPLOYEE" id="z3""#, #"type="EMPLOYEE""#, "no id"),
    (#"type="EMPLOYEE" id="z3""#, #"id="z3""#, "no entity"),
    (
      #"name="manager" type="0/1" destination="EMPLOYEE" idrefs="z2""#, #"name="manager" idrefs="z9""#,
      "not there"
    ),
    (
      #"name="manager" type="0/1" destination="EMPLOYEE" idrefs="z2""#, #"name="manager" idrefs="z1""#,
      "does not"
    ),
    (
      #"name="manager" type="0/1" destination="EMPLOYEE" idrefs="z2""#, #"name="manager" idrefs="z2 z3""#,
      "at most"
    ),
    (#"name="friends" type="0/0" destination="EMPLOYEE" idrefs="z3""#, #"name="friends""#, "lacks"),
    (
      #"name="friends" type="0/0" destination="EMPLOYEE" idrefs="z3""#, #"name="friends" idrefs="z3 z3""#,
      "twice"
    ),
    (
      #"name="friends" type="0/0" destination="EMPLOYEE" idrefs="z3""#, #"name="friends" idrefs="3""#, "no id"
    ),
    (#"idrefs="z2 z3""#, #"idrefs="z2""#, "lacks"),
    (#"idrefs="z2 z3""#, #"idrefs="z3 z2 z9""#, "not there"),
    ("<nextObjectID>3<", "<nextObjectID>999999999999999<", "no number"),
    ("<nextObjectID>3<", "<nextObjectID>-1<", "no number"),
    ("<UUID>", "<UUID>x", "no <UUID>"),
    ("<version>134481920<", "<version>1<", "no version"),
    ("    <databaseInfo>", "    <object/><databaseInfo>", "expected here"),
    ("<metadata>", "<metadata><x/>", "property list"),
    ("<plist version=\"1.0\">", "<plist version=\"1.0\"><array/>", "property list"),
    ("<integer>", "<integer>x", "no value of metadata"),
    ("        <nextObjectID>", "        <more/><nextObjectID>", "<more>"),
    ("\n</database>\n", "", "no end"),
    ("\n</database>\n", "\n</database>\n<database/>", "after the root"),
    ("\n</database>\n", "\n</databases>\n", "ends nothing"),
    ("    </object>\n</database>", "    </objekt>\n</database>", "ends nothing"),
    ("\n</database>\n", "\nx</database>\n", "No text"),
    (">Ada<", ">A\u{1}<", "control"),
    (">Ada<", ">&bomb;<", "no entity"),
    (">Ada<", ">A & B<", "&amp;"),
    (
      "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">",
      "<!DOCTYPE database [<!ENTITY a \"b\">]>", "document type"
    ),
    (
      "<!DOCTYPE database SYSTEM \"file:///System/Library/DTDs/CoreData.dtd\">",
      "<!DOCTYPE database [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>", "document type"
    ),
    (">Ada<", ">" + String(repeating: "<b>", count: 300) + "<", "too deeply"),
  ]

  @Test(
    "STO-055, STO-072, DGN-185: damage of any kind is refused, with its place and what is wrong",
    arguments: damages.indices)
  func damage(_ number: Int) throws {
    _ = try made()
    let damage = Self.damages[number]
    let text = try folder.text()
    let range = try #require(text.range(of: damage.find), "\(damage.find)")
    try folder.write(Array(text.replacingCharacters(in: range, with: damage.replacement).utf8))
    let error = try expectFailure(.storeCorrupt) { _ = try folder.open() }
    #expect(error.message.contains(damage.message), "\(error.message)")
    #expect(error.message.contains(", line ") && error.message.contains(", column "), "\(error.message)")
    #expect(error.number == 259 && error.message.contains(folder.path()))
  }

  @Test("STO-055: a contradiction that shows only at the end is told with the line of the property")
  func place() throws {
    _ = try made()
    let text = try folder.text().replacing(#"idrefs="z2 z3""#, with: #"idrefs="z3""#)
    try folder.write(Array(text.utf8))
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let line = try #require(lines.firstIndex { $0.contains("name=\"employees\"") })
    let error = try expectFailure(.storeCorrupt) { _ = try folder.open() }
    #expect(error.message.contains("line \(line + 1), column 9"), "\(error.message)")
  }

  @Test("STO-072: elements nest 256 levels, and not one more; no entities of a document grow")
  func nesting() throws {
    _ = try made()
    let text = try folder.text()
    let key = "                    <key>zz</key>\n"
    for (depth, isRead) in [(250, true), (251, false)] {
      // database, databaseInfo, metadata, plist and dict are five levels, and the text is the last one.
      let nested =
        String(repeating: "<array>", count: depth) + "<true/>" + String(repeating: "</array>", count: depth)
      let end = try #require(text.range(of: "                </dict>\n            </plist>"))
      var changed = text
      changed.insert(contentsOf: key + nested, at: end.lowerBound)
      try folder.write(Array(changed.utf8))
      if isRead {
        _ = try folder.open()
      } else {
        #expect(try expectFailure(.storeCorrupt) { _ = try folder.open() }.message.contains("too deeply"))
      }
    }
    let bomb = (1...20).map { "<!ENTITY e\($0) \"&e\($0 - 1);&e\($0 - 1);\">" }.joined()
    try folder.write(
      Array(text.replacing("database SYSTEM", with: "database [<!ENTITY e0 \"x\">\(bomb)] SYSTEM").utf8))
    _ = try expectFailure(.storeCorrupt) { _ = try folder.open() }
  }

  @Test("STO-073, STO-042: xmlValidate holds what elements say of types and limits against the model")
  func validated() throws {
    _ = try made()
    let options = try StoreOptions(["xmlValidate": .bool(true)], type: .xml)
    #expect(try folder.open("store", options).all("Employee").count == 2)
    let text = try folder.text()
    for (find, replacement, message) in [
      (#""salary" type="int64""#, #""salary" type="int16""#, "salary is of type \"int16\""),
      (#""employees" type="0/0""#, #""employees" type="1/1""#, "employees is of type \"1/1\""),
      (#"destination="DEPARTMENT""#, #"destination="EMPLOYEE""#, "department leads to"),
    ] {
      try folder.write(Array(text.replacing(find, with: replacement, maxReplacements: 1).utf8))
      #expect(try folder.open().all("Employee").count == 2)
      let error = try expectFailure(.storeCorrupt) { _ = try folder.open("store", options) }
      #expect(error.number == 259 && error.message.contains(message), "\(error.message)")
      #expect(error.message.contains(", line "))
    }
    _ = try expectFailure(.storeOption) { _ = try StoreOptions(["xmlValidate": .bool(true)], type: .json) }
  }

  @Test("STO-021, STO-079: other XML is no store; a byte-order mark is; a newer form is refused as such")
  func otherTexts() throws {
    _ = try made()
    let text = try folder.text()
    for other in ["<?xml version=\"1.0\"?><model/>", "<?xml version=\"1.0\"?>\n<!DOCTYPE plist>\n<plist/>"] {
      try folder.write(Array(other.utf8), to: "other")
      #expect(StoreType.detected(at: folder.path("other")) == nil)
      _ = try expectFailure(.notAStore) { _ = try folder.open("other") }
    }
    try folder.write([0xEF, 0xBB, 0xBF] + Array(text.utf8))
    #expect(try folder.open().all("Employee").count == 2)
    let bare = text.replacing(/<\?xml.*\?>\n<!DOCTYPE.*>\n\n/, with: "")
    try folder.write(Array(bare.utf8))
    #expect(try folder.open().all("Employee").count == 2)
    let newer = text.replacing(
      "<key>_GSFormat</key>\n                    <integer>1<",
      with: "<key>_GSFormat</key>\n                    <integer>2<")
    try folder.write(Array(newer.utf8))
    #expect(newer != text)
    #expect(try expectFailure(.storeOpen) { _ = try folder.open() }.number == 134_080)
  }

  @Test("STO-055, DGN-185: a document that is cut anywhere is refused")
  func cut() throws {
    _ = try made()
    let bytes = try folder.bytes()
    var options = StoreOptions(isReadOnly: true)
    options.type = .xml
    for end in stride(from: 0, to: bytes.count - 1, by: 97) {
      try folder.write(Array(bytes[..<end]))
      #expect(throws: GraphStoreError.self, "\(end)") { try folder.open("store", options) }
    }
  }

  @Test(
    "OBJ-295, STO-067: composites are their elements by path, and data with external storage lies in the text"
  )
  func otherKinds() throws {
    let model = ModelDefinition(
      name: "Kinds",
      entities: [
        EntityDefinition(
          "Place",
          attributes: [
            AttributeDefinition(
              "address", .composite, elements: [.init("city", .string), .init("zip", .int64)]),
            AttributeDefinition("picture", .binary, externalStorage: true),
          ])
      ])
    let context = try folder.make(model)
    let place = try context.insert(entityNamed: "Place")
    try place.setValue("Köln", forKeyPath: "address.city")
    let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
    try place.setValue(data, forKey: "picture")
    try context.save()
    #expect(try folder.text().contains(#"<attribute name="address.city" type="string">Köln</attribute>"#))
    let read = try folder.open().fetch(FetchRequest(entityName: "Place"))[0]
    #expect(try read.value(forKeyPath: "address.city") as? String == "Köln")
    #expect(try read.value(forKey: "picture") as? Data == data)
    #expect(try folder.names() == ["store"])
  }

  /// What Xcode's mappings hold, as far as the files show it.
  private static let mappingModel: ModelDefinition = {
    let property: (String) -> [RelationshipDefinition] = { inverse in
      [RelationshipDefinition("entityMapping", to: "XDDevEntityMapping", inverse: inverse)]
    }
    return ModelDefinition(
      name: "Mappings",
      entities: [
        EntityDefinition(
          "XDDevMappingModel",
          attributes: ["sourceModelPath", "destinationModelPath"].map { AttributeDefinition($0, .string) }
            + ["sourceModelData", "destinationModelData"].map { AttributeDefinition($0, .binary) },
          relationships: [
            RelationshipDefinition(
              "entityMappings", to: "XDDevEntityMapping", inverse: "mappingModel", isToMany: true)
          ]),
        EntityDefinition(
          "XDDevEntityMapping",
          attributes: [
            "name", "sourceName", "destinationName", "mappingTypeName", "migrationPolicyClassName",
            "sourceFilterPredicateString",
          ].map { AttributeDefinition($0, .string) } + [
            AttributeDefinition("mappingNumber", .int16),
            AttributeDefinition("autogenerateExpression", .boolean),
          ],
          relationships: [
            RelationshipDefinition("mappingModel", to: "XDDevMappingModel", inverse: "entityMappings"),
            RelationshipDefinition(
              "attributeMappings", to: "XDDevAttributeMapping", inverse: "entityMapping", isToMany: true),
            RelationshipDefinition(
              "relationshipMappings", to: "XDDevRelationshipMapping", inverse: "entityMapping", isToMany: true
            ),
          ]),
        EntityDefinition(
          "XDDevPropertyMapping", isAbstract: true,
          attributes: [
            AttributeDefinition("name", .string), AttributeDefinition("autogenerateExpression", .boolean),
            AttributeDefinition("valueExpressionData", .binary),
            AttributeDefinition("sourceKeyPath", .string), AttributeDefinition("sourceMappingName", .string),
          ]),
        EntityDefinition(
          "XDDevAttributeMapping", parent: "XDDevPropertyMapping",
          relationships: property("attributeMappings")),
        EntityDefinition(
          "XDDevRelationshipMapping", parent: "XDDevPropertyMapping",
          relationships: property("relationshipMappings")),
      ])
  }()

  @Test(
    "STO-066, STO-073: Xcode's mappings, which Core Data wrote, are refused without their model, and read and saved with it",
    .enabled(if: Repository.sharedData("apple/mappings") != nil))
  func mappings() throws {
    let real = try #require(Repository.sharedData("apple/mappings"))
    let model = try ManagedObjectModel(Self.mappingModel)
    var counts: [String: Int] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: real.path).sorted() {
      let bytes = Array(try Data(contentsOf: real.appendingPathComponent(name + "/xcmapping.xml")))
      try folder.write(bytes, to: name)
      #expect(StoreType.detected(at: folder.path(name)) == .xml)
      _ = try expectFailure(.noModel) { _ = try folder.open(name) }
      let context = try folder.open(name, model: model)
      for entity in model.entities where !entity.isAbstract {
        counts[entity.name, default: 0] += try context.all(entity.name).count
      }
      let before = try AtomicFolder.content(context)
      try #require(!before.isEmpty)
      let mapping = try context.all("XDDevMappingModel")[0]
      try mapping.setValue("elsewhere", forKey: "sourceModelPath")
      let added = try context.insert("XDDevEntityMapping", ["name": "new", "mappingModel": mapping])
      try context.save()
      let counter = try #require(String(decoding: bytes, as: UTF8.self).firstMatch(of: /nextObjectID>(\d+)</))
        .output.1
      #expect(added.objectID.key == Int64(counter).map { $0 + 1 })
      let text = try folder.text(name)
      #expect(!text.contains("_GS") && text.contains("0plcXXRN7XHKl5CcF+fwriFmUpON3ZtcI/AfK748aWc="))
      let again = try folder.open(name, model: model)
      #expect(try AtomicFolder.content(again).count == before.count + 1)
      try again.delete(again.all("XDDevEntityMapping", "name == 'new'")[0])
      try again.save()
      let kept = before.filter { !$0.hasPrefix("XDDevMappingModel") }
      #expect(
        try AtomicFolder.content(folder.open(name, model: model)).filter {
          !$0.hasPrefix("XDDevMappingModel")
        } == kept)
    }
    #expect(
      counts == [
        "XDDevAttributeMapping": 73, "XDDevRelationshipMapping": 20, "XDDevEntityMapping": 11,
        "XDDevMappingModel": 4,
      ])
  }
}
