import Foundation
import Synchronization

/// Table of the data that rows of a block name: those that are not, or were not, in the folder of the rows' store.
final class ExternalDataTable: Sendable {
  /// The folder of the store that rows were read from.
  private let folder: ExternalDataFolder?
  private let listed = Mutex<[ExternalDataName: ExternalData]>([:])

  /// - Parameter folder: Where data lie that the table does not list.
  init(folder: ExternalDataFolder? = nil) { self.folder = folder }

  subscript(name: ExternalDataName) -> ExternalData? {
    get { listed.withLock { $0[name] } ?? folder.map { ExternalData(name, .folder($0)) } }
    set { listed.withLock { $0[name] = newValue } }
  }

  /// The data that a row names.
  ///
  /// - Parameter subject: The attribute, for people.
  /// - Throws: `external-data-missing`.
  func data(_ name: ExternalDataName, of subject: String) throws -> Data {
    guard let named = self[name] else {
      throw GraphStoreError.missingExternalData(at: "\(name)", of: subject)
    }
    guard let data = named.data else { throw named.missing(of: subject) }
    return data
  }
}
