import Foundation
import Testing

@testable import GraphStoreModel

@Suite struct VersionInfoTests {
  @Test("A hash of another length than a SHA-256 is none", arguments: [0, 31, 32, 33])
  func lengths(_ length: Int) throws {
    let list: [String: Any] = [
      "NSManagedObjectModel_VersionHashes": [
        "One": ["A": Data(repeating: 1, count: 32), "B": Data(repeating: 2, count: length)]
      ]
    ]
    let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
    let info = try #require(VersionInfo(Array(bytes)))
    #expect(info.hashes["One"]?.keys.sorted() == (length == 32 ? ["A", "B"] : ["A"]))
  }
}
