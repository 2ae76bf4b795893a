import Foundation
import GraphStore
import GraphStoreReports

/// Store that an option names: a path or the address of one on a server, or `NAME=PATH`.
struct StoreName: Hashable, Sendable {
  /// The value of the option as it was given, but for the passwords of an address.
  let text: String
  /// What tells its objects' ids from those of other stores; nil where no name was given.
  let name: String?
  let path: String

  /// Reads the value of an option.
  ///
  /// What names a file as it stands is a path, whatever is in it.
  init(_ text: String) {
    guard let equals = text.firstIndex(of: "="), Self.isName(text[..<equals]),
      !FileManager.default.fileExists(atPath: text)
    else {
      path = ServerAddress.shown(text)
      self.text = path
      name = nil
      return
    }
    let name = String(text[..<equals])
    path = ServerAddress.shown(String(text[text.index(after: equals)...]))
    self.text = "\(name)=\(path)"
    self.name = name
  }

  /// A store at a path that is no option: that of the environment or of a configuration file.
  init(path: String) {
    self.path = ServerAddress.shown(path)
    text = self.path
    name = nil
  }

  /// A store of a configuration file with a name; nil where that cannot be one.
  init?(_ name: String, path: String) {
    guard Self.isName(name[...]) else { return nil }
    self.path = ServerAddress.shown(path)
    (text, self.name) = (self.path, name)
  }

  private static func isName(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.first != UInt8(ascii: "-") && text.utf8.allSatisfy(isNameByte)
      && text != "x-coredata"
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// The name of its file without folder and ending, or that on a server, with what no name can have left
  /// out.
  private var nameOfFile: String {
    let file = ServerAddress(path).map { $0.name[...] } ?? path.split(separator: "/").last ?? ""
    let base = file.lastIndex(of: ".").map { file[..<$0] } ?? file
    let name = String(
      decoding: base.utf8.filter(Self.isNameByte).drop { $0 == UInt8(ascii: "-") }, as: UTF8.self)
    return name.isEmpty ? "store" : name
  }

  /// The stores with their names, or those of their files.
  ///
  /// - Throws: a usage error for two stores of one name.
  static func named(_ stores: [StoreName]) throws(Diagnostic) -> [NamedStore] {
    let named = stores.map { NamedStore(name: $0.name ?? $0.nameOfFile, path: $0.path) }
    var first: [String: String] = [:]
    for store in named {
      guard let other = first.updateValue(store.path, forKey: store.name) else { continue }
      throw Diagnostic(
        code: "usage", message: "\(other) and \(store.path) are both called \"\(store.name)\"",
        hints: ["name them: --store NAME=PATH --store OTHER=PATH"], exitCode: .usage)
    }
    return named
  }
}
