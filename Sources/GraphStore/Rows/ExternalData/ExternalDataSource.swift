import Foundation
import Synchronization

/// Location of the data that a row references.
package enum ExternalDataSource: Sendable {
  /// In memory: a value that was set and not saved, or that a store in memory keeps.
  case memory(Data)
  /// In a file of the program's, from which they are copied when the object is saved; it has to be the same
  /// then.
  case file(path: String, FileStamp)
  /// In the folder of a store.
  case folder(ExternalDataFolder)

  /// The number of bytes; nil where the file is missing.
  package func size(_ name: ExternalDataName) -> Int? {
    switch self {
    case .memory(let data): data.count
    case .file(let path, let stamp): FileStamp(path) == stamp ? stamp.size : nil
    case .folder(let folder): RegularFile.size(folder.path(of: name), followsLinks: false)
    }
  }

  /// The data; those of a file are mapped, so that memory holds what of them is being used. Nil where the
  /// file is missing or cannot be read.
  package func data(_ name: ExternalDataName) -> Data? {
    switch self {
    case .memory(let data): data
    case .file(let path, let stamp): FileStamp(path) == stamp ? RegularFile.mapped(path) : nil
    case .folder(let folder): RegularFile.mapped(folder.path(of: name), followsLinks: false)
    }
  }

  /// The path of the file; nil for data in memory.
  package func path(_ name: ExternalDataName) -> String? {
    switch self {
    case .memory: nil
    case .file(let path, _): path
    case .folder(let folder): folder.path(of: name)
    }
  }
}

/// Data that rows reference, wherever they are stored now: all copies of a row share it, so that they find
/// the data also once a save has moved them.
package final class ExternalData: Sendable {
  package let name: ExternalDataName
  private let place: Mutex<ExternalDataSource>

  package init(_ name: ExternalDataName, _ source: ExternalDataSource) {
    self.name = name
    place = Mutex(source)
  }

  package var source: ExternalDataSource {
    get { place.withLock { $0 } }
    set { place.withLock { $0 = newValue } }
  }

  package var size: Int? { source.size(name) }
  package var data: Data? { source.data(name) }
  /// Whether they are to be copied from a file of the program's.
  package var isInSource: Bool { if case .file = source { true } else { false } }
  /// The path of the file, or the name of data in memory.
  package var path: String { source.path(name) ?? "\(name)" }

  /// The error that they are missing, or cannot be read.
  ///
  /// - Parameter subject: The attribute, for people.
  package func missing(of subject: String? = nil) -> GraphStoreError {
    .missingExternalData(at: path, of: subject, isSource: isInSource)
  }
}
