import Foundation
import GraphStorePredicates

/// Reads property lists, binary ones and those in XML.
package enum PropertyListReader {
  /// The deepest nesting of a property list in XML; Foundation's reader has no bound of its own.
  private static let maximumDepth = 64

  /// The dictionary that a property list holds; nil for bytes that are none.
  package static func dictionary(of data: Data) -> [String: Value]? {
    if BinaryPropertyList.isOne(data) {
      guard case .dictionary(let values)? = BinaryPropertyList.node(of: Array(data))?.value else {
        return nil
      }
      return values
    }
    guard data.starts(with: Array("<?xml".utf8)) || data.starts(with: Array("<plist".utf8)),
      MarkupNesting.isAtMost(maximumDepth, in: Array(data))
    else { return nil }
    return try? PropertyListDecoder().decode([String: PropertyListItem].self, from: data).mapValues(\.value)
  }
}
