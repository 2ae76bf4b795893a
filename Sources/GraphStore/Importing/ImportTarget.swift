import Foundation
import GraphStorePredicates

/// Target of a link in a record.
enum ImportTarget: Hashable {
  /// Nothing: the link is cleared.
  case nothing
  /// `Employee/p2`: a record of the input with that id, else the object with that key.
  case reference(entity: Int, number: Int64)
  /// Any other text: a record of the entity tree with that id; the tree by its root.
  case label(tree: Int, name: [UInt8])
  /// An object by the value of an attribute, by the attribute's number; the text is what the input says.
  case lookup(attribute: Int, text: String)
}

/// A link of one record.
struct ImportLink {
  let property: Int
  let target: ImportTarget
}

/// A link between two objects that have keys.
struct ImportConnection {
  let owner: ObjectKey
  let property: Int
  var members: [ObjectKey]
  /// Whether the members replace the present ones.
  var isExact: Bool
  let record: Int
  let line: Int
}

/// A link that waits for the end of the input.
struct ImportPendingLink {
  let owner: ObjectKey
  let property: Int
  let target: ImportTarget
  let record: Int
  let line: Int
}

/// A reference of one record to another one, by their positions in the input.
struct ImportDependency {
  let record: Int
  let line: Int
  let target: Int
}

/// A record that took part in how many links an object has by a relationship, where the model limits that.
struct ImportTouch {
  /// Role of the record.
  struct Role: OptionSet {
    let rawValue: Int
    /// It makes the object.
    static let maker = Role(rawValue: 1)
    /// It takes a link away from the object.
    static let taker = Role(rawValue: 2)
  }

  let object: ObjectKey
  /// The number of the relationship.
  let property: Int
  let record: Int
  let line: Int
  var role: Role = []
}

/// Outcome of one flush for the records that were not written.
package struct ImportBatch: Sendable {
  /// Records that cannot be imported.
  package var failures: [ImportFailure] = []
  /// Records that refer to what is not there yet, as the caller numbered them, where batches have to be
  /// whole.
  package var waiting: [Int] = []

  /// The batch with the records that wait in the order of the input.
  func sorted() -> ImportBatch {
    var batch = self
    batch.waiting.sort()
    return batch
  }
}

/// The values of a record's key, compared as the store compares them: text by its bytes.
struct ImportKey: Hashable {
  private enum Part: Hashable {
    case text([UInt8])
    case other(Value)
  }

  private let parts: [Part]

  /// Nil where a value is missing: such a record equals none.
  init?(_ values: [Value]) {
    guard !values.contains(where: \.isNull) else { return nil }
    parts = values.map { value in
      if case .string(let text) = value { return .text(Array(text.utf8)) }
      return .other(value)
    }
  }

  /// The key as bytes that are equal for equal keys of the same attributes.
  var bytes: [UInt8] {
    parts.flatMap { part -> [UInt8] in
      let text =
        switch part {
        case .text(let text): text
        case .other(let value): Array("\(value)".utf8)
        }
      return Array("\(text.count):".utf8) + text
    }
  }
}
