import Foundation
import Synchronization

/// Table of the data that rows of a block name: those that are not, or were not, in the folder of the rows'
/// store.
package final class ExternalDataTable: Sendable {
  /// The folder of the store that rows were read from.
  private let folder: ExternalDataFolder?
  private let listed = Mutex<[ExternalDataName: ExternalData]>([:])

  /// - Parameter folder: The folder of data that the table does not list.
  package init(folder: ExternalDataFolder? = nil) { self.folder = folder }

  package subscript(name: ExternalDataName) -> ExternalData? {
    get { listed.withLock { $0[name] } ?? folder.map { ExternalData(name, .folder($0)) } }
    set { listed.withLock { $0[name] = newValue } }
  }

  /// The data that a row names.
  ///
  /// - Parameter subject: The attribute, for people.
  /// - Throws: `external-data-missing`.
  package func data(_ name: ExternalDataName, of subject: String) throws -> Data {
    guard let named = self[name] else {
      throw GraphStoreError.missingExternalData(at: "\(name)", of: subject)
    }
    guard let data = named.data else { throw named.missing(of: subject) }
    return data
  }
}

/// Value of a binary attribute with external storage, as its column and its slot in a row hold it: a byte
/// that says where the data are, then the data themselves, or the name of their file and a NUL (STO-177).
@safe package enum ExternalColumn {
  case inline(UnsafeBufferPointer<UInt8>)
  case file(ExternalDataName)

  /// The prefix of data that follow.
  package static let inlinePrefix: UInt8 = 1
  /// The prefix of a file's name.
  package static let filePrefix: UInt8 = 2

  /// Nil for bytes of no such form.
  package init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    switch unsafe bytes.first {
    case Self.inlinePrefix:
      unsafe self = .inline(UnsafeBufferPointer(rebasing: bytes.dropFirst()))
    case Self.filePrefix where unsafe bytes.count == ExternalDataName.length + 2 && bytes.last == 0:
      let text = unsafe String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
      guard let name = ExternalDataName(text) else { return nil }
      self = .file(name)
    default: return nil
    }
  }

  /// Data in the form of a column.
  package static func bytes(inline data: Data) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 1)
    bytes.append(inlinePrefix)
    bytes.append(contentsOf: data)
    return bytes
  }

  /// The name of a file in the form of a column.
  package static func bytes(file name: ExternalDataName) -> [UInt8] {
    [filePrefix] + Array(name.description.utf8) + [0]
  }
}

/// Name of the file that holds a value of an attribute with external storage: a UUID in capitals, so that
/// what a row holds cannot lead to any other file (STO-176, STO-182).
package struct ExternalDataName: Hashable, Sendable, CustomStringConvertible {
  /// Bytes of a name's text.
  package static let length = 36

  /// The name of the file.
  package let description: String

  /// A fresh name.
  package init() { description = UUID().uuidString }

  /// Nil for text that is no UUID.
  package init?(_ text: String) {
    guard text.utf8.count == Self.length, UUID(uuidString: text) != nil else { return nil }
    description = text
  }
}
