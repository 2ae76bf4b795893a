import Foundation
import GraphStore
import GraphStoreModel
import GraphStoreReports

/// File that a model is inferred from, by what it holds.
enum InferenceFile {
  case records(RecordFile)
  /// One JSON object whose members are lists of records.
  case tables(path: String, [(name: String, records: [JSONNode])])
  case database(DatabaseFile)
  case schema(SchemaFile)

  /// How files are read.
  struct Reading {
    var format: InputFormat?
    var encoding: TextEncoding?
    var delimiter: String?
    var timeout: Duration
    /// Whether the files are read twice.
    var isRepeated: Bool
  }

  /// Whether it is a table with cells between delimiters that may be chosen.
  var isCSV: Bool {
    if case .records(let file) = self { file.format == .csv } else { false }
  }

  /// Opens a file, and looks at what it holds.
  init(path: String, _ reading: Reading) throws {
    guard !Self.isStream(path) else {
      guard !reading.isRepeated else {
        throw Diagnostic(
          code: "usage", message: "\(InputError.name(path)) can be read only once, and is needed twice",
          hints: ["write it to a file first"], exitCode: .usage)
      }
      self = .records(try Self.records(path, reading))
      return
    }
    let file: InputFile
    let bytes: InputFile
    do throws(InputError) {
      bytes = try InputFile(path: path, as: .bytes)
      file = try InputFile(path: path, as: .text(reading.encoding))
    } catch {
      throw Diagnostic(
        code: error.code.rawValue, message: error.message, location: Diagnostic.Location(file: path),
        hints: [error.code == .isDirectory ? "name the files in it" : "look at its name and its permissions"],
        exitCode: error.exitCode)
    }
    if try Self.start(of: bytes, path).starts(with: DatabaseFile.signature) {
      guard reading.format == nil else {
        throw Diagnostic(
          code: "usage", message: "\(path) is a database, and --from is for records",
          hints: ["leave --from out"],
          exitCode: .usage)
      }
      self = .database(try DatabaseFile(path: path, timeout: reading.timeout))
      return
    }
    let start = try Self.start(of: file, path)
    guard !start.starts(with: DatabaseFile.signature) else {
      throw Diagnostic(
        code: "not-a-database", message: "\(path) is a database that is compressed",
        location: Diagnostic.Location(file: path), hints: ["unpack it first: gunzip -k \(path)"],
        exitCode: .dataError)
    }
    try Self.refuseDatabase(path, size: file.size ?? 0, reading)
    let format = reading.format ?? InputFormat(path: path)
    if format == .json, reading.format == nil, let size = file.size, size < SchemaFile.sizeLimit,
      Self.beginsObject(start), let whole = try Self.wholeObject(path, reading)
    {
      self = whole
      return
    }
    self = .records(try Self.records(path, reading))
  }

  /// Whether a path is standard input, a pipe or the like, of which nothing can be read twice.
  private static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard path != "-" else { return true }
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }

  private static func records(_ path: String, _ reading: Reading) throws -> RecordFile {
    let format: InputFormat
    do throws(InputError) {
      format = try InputFormat.choose(
        reading.format, path: path, encoding: reading.encoding, hasDelimiter: reading.delimiter != nil)
    } catch {
      throw Diagnostic(
        code: error.code.rawValue, message: error.message,
        hints: ["a database of SQLite is told by its first bytes, whatever its name"],
        exitCode: error.exitCode)
    }
    return RecordFile(
      path: path, format: format, encoding: reading.encoding,
      delimiter: ImportCommand.delimiter(reading.delimiter),
      entity: EntityNames.name(ofFile: path))
  }

  /// A file that is called a database, and is none.
  private static func refuseDatabase(_ path: String, size: Int, _ reading: Reading) throws {
    let endings = [".db", ".sqlite", ".sqlite3", ".db3", ".gstore"]
    guard reading.format == nil, reading.delimiter == nil,
      endings.contains(where: path.lowercased().hasSuffix)
    else { return }
    throw Diagnostic(
      code: "not-a-database", message: size == 0 ? "\(path) is empty" : "\(path) is no database of SQLite",
      location: Diagnostic.Location(file: path), hints: ["of records say the form with --from"],
      exitCode: .dataError)
  }

  /// The first bytes of a file.
  private static func start(of file: InputFile, _ path: String) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = try unsafe bytes.withUnsafeMutableBufferPointer { buffer -> Int in
      guard let base = buffer.baseAddress else { return 0 }
      do throws(InputError) {
        var count = 0
        while count < buffer.count {
          let got = try unsafe file.read(into: base + count, count: buffer.count - count)
          if got == 0 { break }
          count += got
        }
        return count
      } catch {
        throw Self.diagnostic(error, path)
      }
    }
    return Array(bytes.prefix(count))
  }

  private static func diagnostic(_ error: InputError, _ path: String) -> Diagnostic {
    Diagnostic(
      code: error.code.rawValue, message: error.message,
      location: Diagnostic.Location(file: path, line: error.line, column: error.column),
      hints: error.encodingHints, exitCode: error.exitCode)
  }

  private static func beginsObject(_ bytes: [UInt8]) -> Bool {
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
  }

  private static func tree(_ bytes: [UInt8]) -> JSONNode? {
    guard var parser = try? JSONParser(checking: bytes), let root = try? parser.value(),
      (try? parser.readEnd()) != nil
    else { return nil }
    return root
  }

  /// What a file of one JSON object is, where it is no record; nil of a record, and of what is no JSON, whose
  /// reader tells the place.
  private static func wholeObject(_ path: String, _ reading: Reading) throws -> InferenceFile? {
    let bytes: [UInt8]
    do throws(InputError) {
      bytes = try InputFile.contents(
        path: path, limit: SchemaFile.sizeLimit, as: "a schema", of: .text(reading.encoding))
    } catch  where error.code == .valueTooLarge {
      return nil
    } catch {
      throw Self.diagnostic(error, path)
    }
    guard let root = tree(bytes), !root.repeatsKeys else { return nil }
    if SchemaFile.isSchema(root) { return .schema(SchemaFile(path: path, bytes: bytes, root: root)) }
    guard let members = root.members, !members.isEmpty,
      members.allSatisfy({ $0.value.items?.allSatisfy { $0.members != nil } == true }),
      members.contains(where: { $0.value.items?.isEmpty == false })
    else { return nil }
    return .tables(path: path, members.map { ($0.key, $0.value.items ?? []) })
  }
}

extension JSONNode {
  /// Whether an object has a key twice.
  fileprivate var repeatsKeys: Bool {
    switch content {
    case .object(let members):
      Set(members.map(\.key)).count < members.count || members.contains { $0.value.repeatsKeys }
    case .array(let items): items.contains { $0.repeatsKeys }
    case .null, .bool, .number, .string: false
    }
  }
}

extension SampleValue {
  /// The value of a JSON tree.
  init(_ node: JSONNode) {
    switch node.content {
    case .null: self = .null
    case .bool(let flag): self = .bool(flag)
    case .number(let text): self = .number(text)
    case .string(let text): self = .string(text)
    case .array(let items): self = .list(items.map { SampleValue($0) })
    case .object(let members):
      self = .object(members.map { SampleMember(name: $0.key, value: SampleValue($0.value)) })
    }
  }

  /// The members of an object; none of what is none.
  var objectMembers: [SampleMember] {
    if case .object(let members) = self { members } else { [] }
  }
}
