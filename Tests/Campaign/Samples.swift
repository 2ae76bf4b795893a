import CGraphStoreCampaign
import Foundation

/// The stores on which searches begin, made once by the command under trial.
struct Samples: Sendable {
  /// A store with its name and the file of its model.
  struct Sample: Sendable {
    var name: String
    var path: String
    var model: String
    /// An entity of the model, an attribute of it that is a number, and one that is a text.
    var entity: String
    var numberKey: String
    var textKey: String
  }

  let folder: String
  let company: Sample
  /// The same in rollback mode, as old frameworks and file systems without shared memory have it.
  let rollback: Sample
  /// The same with its last changes in the log only.
  let logged: Sample
  /// A store with an attribute of each type and relationships of each kind.
  let kinds: Sample

  var all: [Sample] { [company, rollback, logged, kinds] }

  init(folder: String, companyModel: String) {
    self.folder = folder
    func company(_ name: String) -> Sample {
      Sample(
        name: name, path: "\(folder)/\(name).db", model: companyModel, entity: "Employee",
        numberKey: "salary",
        textKey: "name")
    }
    self.company = company("company")
    rollback = company("rollback")
    logged = company("logged")
    kinds = Sample(
      name: "kinds", path: folder + "/kinds.db", model: folder + "/kinds.json", entity: "Thing",
      numberKey: "i32",
      textKey: "s")
  }

  /// Makes them by the command under trial.
  func make(setup: Setup) throws {
    try Files.makeFolder(folder)
    try Files.write(KindsModel.text, to: kinds.model)
    let path = company.path
    func run(_ arguments: [String], input: String = "") throws {
      let ending = try CommandRun(
        program: setup.command, arguments: arguments, folder: folder,
        environment: ["PATH": "/usr/bin:/bin", "HOME": folder, "LC_ALL": "C.UTF-8"],
        input: Array(input.utf8)
      ).run()
      guard ending.code == 0 else {
        throw CampaignError(message: "\(ending.commandLine)\n=> \(ending.code) \(ending.errorText)")
      }
    }
    try run(["init", path, "--model", company.model])
    try run(["import", "--all", setup.companyRecords, "-s", path])
    try run(["init", kinds.path, "--model", kinds.model])
    try run(["import", "--all", "-", "--from", "ndjson", "-s", kinds.path], input: KindsModel.records)
    for each in [path, kinds.path] { try SecondReader(each).run("PRAGMA wal_checkpoint(TRUNCATE)") }
    for each in [rollback, logged] { try Files.copy(path, to: each.path) }
    do {
      let reader = try SecondReader(rollback.path)
      _ = try reader.rows("PRAGMA journal_mode = DELETE")
    }
    // While another connection is open, the log is not taken into the file.
    let reader = try SecondReader(logged.path)
    _ = try reader.rows("SELECT count(*) FROM Z_PRIMARYKEY")
    try run(
      ["run", "-", "-s", logged.path], input: "insert Department name=Logged\nupdate Employee/p4 salary=1\n")
    try Files.copyStore(logged.path, to: folder + "/copy.db")
    withExtendedLifetime(reader) {}
    for suffix in ["-wal", "-shm"] { Files.remove(logged.path + suffix) }
    for suffix in ["", "-wal", "-shm"] {
      Files.remove(logged.path + suffix)
      try? FileManager.default.moveItem(atPath: folder + "/copy.db" + suffix, toPath: logged.path + suffix)
    }
    for each in [path, rollback.path, kinds.path] {
      for suffix in ["-wal", "-shm"] { Files.remove(each + suffix) }
    }
  }
}

/// A model with an attribute of each type and relationships of each kind, and objects of it.
enum KindsModel {
  static let text = """
    {"name": "Kinds", "entities": [
      {"name": "Base", "abstract": true, "attributes": [
        {"name": "s", "type": "string"}, {"name": "i32", "type": "int32", "default": 0}]},
      {"name": "Thing", "parent": "Base", "attributes": [
        {"name": "i16", "type": "int16"}, {"name": "i64", "type": "int64"}, {"name": "dec", "type": "decimal"},
        {"name": "d", "type": "double"}, {"name": "f", "type": "float"}, {"name": "b", "type": "boolean"},
        {"name": "t", "type": "date"}, {"name": "u", "type": "uuid"}, {"name": "uri", "type": "uri"},
        {"name": "bin", "type": "binary"}],
       "relationships": [
        {"name": "box", "destination": "Box", "inverse": "things"},
        {"name": "twin", "destination": "Thing", "inverse": "twinOf"},
        {"name": "twinOf", "destination": "Thing", "inverse": "twin"},
        {"name": "friends", "destination": "Base", "inverse": "friendOf", "toMany": true}],
       "uniquenessConstraints": [["i16", "s"]],
       "indexes": [{"name": "byDate", "elements": [{"property": "t"}, {"property": "i64", "order": "descending"}]}]},
      {"name": "Special", "parent": "Thing", "attributes": [{"name": "extra", "type": "string"}]},
      {"name": "Loose", "parent": "Base", "attributes": [{"name": "note", "type": "string"}],
       "relationships": []},
      {"name": "Friendly", "parent": "Base", "relationships": []},
      {"name": "Box", "attributes": [{"name": "label", "type": "string", "optional": false}],
       "relationships": [
        {"name": "things", "destination": "Thing", "inverse": "box", "toMany": true, "ordered": true,
         "deleteRule": "cascade"},
        {"name": "tags", "destination": "Tag", "inverse": "boxes", "toMany": true, "ordered": true}]},
      {"name": "Tag", "attributes": [{"name": "word", "type": "string"}],
       "relationships": [
        {"name": "boxes", "destination": "Box", "inverse": "tags", "toMany": true, "deleteRule": "deny"}]}
    ]}
    """.replacingOccurrences(
      of: #"{"name": "Friendly", "parent": "Base", "relationships": []},"#, with: ""
    ).replacingOccurrences(
      of: #"{"name": "i32", "type": "int32", "default": 0}]},"#,
      with: """
        {"name": "i32", "type": "int32", "default": 0}],
         "relationships": [{"name": "friendOf", "destination": "Thing", "inverse": "friends", "toMany": true}]},
        """)

  static let records: String = {
    var lines = ["Box", "Tag"].flatMap { entity in
      (1...4).map { number in
        entity == "Box"
          ? #"{"entity":"Box","id":"Box/b\#(number)","label":"box \#(number)","tags":["Tag/t\#(number % 4 + 1)","Tag/t\#((number + 1) % 4 + 1)"]}"#
          : #"{"entity":"Tag","id":"Tag/t\#(number)","word":"tag \#(number)"}"#
      }
    }
    for number in 1...20 {
      let entity = number % 5 == 0 ? "Special" : "Thing"
      var line =
        #"{"entity":"\#(entity)","id":"Thing/x\#(number)","s":"thing \#(number)","i16":\#(number),"i32":\#(number * 1000)"#
      if number % 3 > 0 {
        line +=
          #","i64":\#(number * 1_000_000_007),"dec":"\#(number).25","d":\#(number).5,"f":0.5,"b":\#(number % 2 == 0)"#
      }
      if number % 4 > 0 {
        line +=
          #","t":"20\#(number + 10)-03-04T05:06:07Z","u":"00000000-0000-0000-0000-0000000000\#(number + 10)""#
        line += #","uri":"http://example.org/\#(number)","bin":"AQIDBA=="#
        line += #"","box":"Box/b\#(number % 4 + 1)","friends":["Thing/x\#(number % 20 + 1)","Loose/l1"]"#
      }
      if number == 7 {
        line += #","twin":"Thing/x8","dec2":null"#.replacingOccurrences(of: #","dec2":null"#, with: "")
      }
      lines.append(line + "}")
    }
    lines.append(#"{"entity":"Loose","id":"Loose/l1","s":"loose","note":"a note"}"#)
    return lines.joined(separator: "\n") + "\n"
  }()
}
