import Foundation
import GraphStore
import GraphStoreReports

/// The first line of a dump: what is to be known of the store besides its objects.
struct DumpHeader {
  let form: StoreForm

  /// - Throws: `not-a-dump` for another line, `dump-newer` for a version of the format that is not known, and
  ///   what is wrong with a member.
  init(_ record: Record, file: String) throws {
    var members: [String: Record.Field] = [:]
    for field in unsafe Array(record.fields) { members[record.name(field)] = field }
    guard let number = members[DumpFormat.versionKey], number.kind == .integer,
      let version = Int(record.text(number))
    else { throw Self.notADump("its first line says no version of the format", file: file) }
    guard version <= DumpFormat.version else { throw Self.newer(version, file: file) }
    do { form = try Self.form(record, members) } catch {
      throw Self.located(error, record, file)
    }
  }

  private static func form(_ record: Record, _ members: [String: Record.Field]) throws -> StoreForm {
    guard let modelField = members["model"], modelField.kind == .object else {
      throw wrong("it has no model")
    }
    let model = try LoadedModel(json: record.text(modelField)).model
    guard let uuid = members["uuid"].flatMap({ UUID(uuidString: record.text($0)) }) else {
      throw wrong("its uuid is none")
    }
    var form = StoreForm(model: model, identifier: uuid)
    form.coreDataVersion = try members["coreData"].map { try version(record.text($0)) }
    form.configuration = members["configuration"].map(record.text)
    form.tracksHistory = members["history"]?.kind == .true
    if let field = members["paired"] { form.paired = try texts(json(record.text(field))) }
    if let field = members["keys"] { form.greatestKeys = try keys(json(record.text(field)), model) }
    if let field = members["metadata"] { form.metadata = try metadata(record.text(field)) }
    return form
  }

  // MARK: Members

  private static func json(_ text: String) throws -> JSONValue { try JSONText.value(Array(text.utf8)) }

  private static func texts(_ json: JSONValue) throws -> [String] {
    guard case .array(let items) = json else { throw wrong("paired is no list") }
    return items.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }

  private static func keys(_ json: JSONValue, _ model: ManagedObjectModel) throws -> [String: Int64] {
    guard case .object(let members) = json else { throw wrong("keys is no object") }
    return try members.mapValues { value in
      guard case .number(let text) = value, let key = Int64(text), key >= 0, key < 1 << 47 else {
        throw wrong("keys has a number that no id can have")
      }
      return key
    }
  }

  private static func metadata(_ text: String) throws -> [String: Value] {
    guard case .dictionary(let values) = try JSONArgument.operand(text, option: "metadata").value else {
      throw wrong("metadata is no object")
    }
    return values
  }

  private static func version(_ text: String) throws -> CoreDataVersion {
    guard case .object(let members) = try json(text), case .object(let listed)? = members["hashes"] else {
      throw wrong("coreData has no hashes")
    }
    let hashes = try listed.mapValues { value in
      guard let hash = data(value) else { throw wrong("coreData has a hash that is none") }
      return hash
    }
    return CoreDataVersion(hashes: hashes, compiledModel: members["model"].flatMap(data))
  }

  private static func data(_ json: JSONValue) -> Data? {
    if case .string(let text) = json { Data(base64Encoded: text) } else { nil }
  }

  // MARK: Problems

  private static func wrong(_ what: String) -> Diagnostic {
    Diagnostic(
      code: "not-a-dump", message: "the first line of the dump is wrong: \(what)", exitCode: .dataError)
  }

  static func notADump(_ reason: String, file: String) -> Diagnostic {
    Diagnostic(
      code: "not-a-dump", message: "\(InputError.name(file)) is no dump: \(reason)",
      location: Diagnostic.Location(file: file, line: 1),
      hints: ["make one with graphstore dump; records of any kind are read by graphstore import"],
      exitCode: .dataError)
  }

  private static func newer(_ version: Int, file: String) -> Diagnostic {
    Diagnostic(
      code: "dump-newer",
      message:
        "\(InputError.name(file)) has version \(version) of the format, and this version reads \(DumpFormat.version)",
      location: Diagnostic.Location(file: file, line: 1), hints: ["load it with a newer graphstore"],
      exitCode: .configuration)
  }

  private static func located(_ error: any Error, _ record: Record, _ file: String) -> any Error {
    var diagnostic: Diagnostic
    switch error {
    case let error as Diagnostic:
      diagnostic = error
      diagnostic.exitCode = .dataError
    case let error as ModelError: diagnostic = wrong(error.problems.first?.message ?? "\(error)")
    case let error as JSONError: diagnostic = wrong(error.message)
    default: return error
    }
    diagnostic.location = Diagnostic.Location(file: file, line: record.line)
    return diagnostic
  }
}
