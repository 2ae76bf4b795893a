import Foundation
import GraphStore

/// Writer of the first line of a dump: what is to be known of a store besides its objects.
struct DumpHeaderWriter {
  private var json: JSONBuilder

  init(_ output: OutputBuffer) { json = JSONBuilder(output) }

  mutating func write(_ form: StoreForm) {
    json.beginObject()
    json.member(DumpFormat.versionKey, DumpFormat.version)
    json.member("uuid", form.identifier.uuidString)
    if let configuration = form.configuration { json.member("configuration", configuration) }
    if form.tracksHistory {
      json.key("history")
      json.value(true)
    }
    json.member("paired", form.paired)
    writeKeys(form.greatestKeys)
    json.key("metadata")
    write(.dictionary(form.metadata))
    json.key("model")
    write(form.model)
    if let version = form.coreDataVersion { write(version) }
    json.endObject()
    json.output.append(byte: 0x0A)
  }

  private mutating func writeKeys(_ keys: [String: Int64]) {
    json.key("keys")
    json.beginObject()
    for (name, key) in keys.sorted(by: { $0.key < $1.key }) { json.member(name, Int(key)) }
    json.endObject()
  }

  /// The model as the text of a model file, on one line.
  private mutating func write(_ model: ManagedObjectModel) {
    // Without a name that is only that of the store's file.
    let text = Self.withoutSpace([UInt8](model.jsonData()))
    unsafe text.withUnsafeBufferPointer { unsafe json.raw($0) }
  }

  /// JSON without the white space between its tokens.
  private static func withoutSpace(_ text: [UInt8]) -> [UInt8] {
    var (isInString, isEscaped) = (false, false)
    return text.filter { byte in
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        return true
      }
      if byte == UInt8(ascii: "\"") { isInString = true }
      return byte > 0x20
    }
  }

  /// What Core Data knows the model by.
  private mutating func write(_ version: CoreDataVersion) {
    json.key("coreData")
    json.beginObject()
    json.key("hashes")
    json.beginObject()
    for (name, hash) in version.hashes.sorted(by: { $0.key < $1.key }) {
      json.member(name, hash.base64EncodedString())
    }
    json.endObject()
    if let model = version.compiledModel { json.member("model", model.base64EncodedString()) }
    json.endObject()
  }

  // MARK: Metadata

  /// A value of a property list, by its type: what JSON lacks has a tag.
  private mutating func write(_ value: Value) {
    switch value {
    case .null: json.null()
    case .bool(let flag): json.value(flag)
    case .int(let number): json.value(Int(number))
    case .double(let number): json.value(number)
    case .string(let text): json.value(text)
    case .date(let date): tagged("$date") { $0.append(date: date.timeIntervalSinceReferenceDate) }
    case .data(let data): tagged(DumpFormat.dataTag) { $0.append(data.base64EncodedString()) }
    case .decimal(let number): tagged("$decimal") { $0.append("\(number)") }
    case .uuid(let uuid): tagged("$uuid") { $0.append(uuid.uuidString) }
    case .uri(let uri): tagged("$url") { $0.append(uri.absoluteString) }
    case .object(let reference): json.value(reference.uriText)
    case .list(let members):
      json.beginArray()
      for member in members { write(member) }
      json.endArray()
    case .dictionary(let members):
      json.beginObject()
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        json.key(name)
        write(member)
      }
      json.endObject()
    }
  }

  private mutating func tagged(_ tag: String, _ write: (OutputBuffer) -> Void) {
    let text = OutputBuffer.memory()
    write(text)
    json.beginObject()
    json.member(tag, text.consumeString())
    json.endObject()
  }
}
