import ArgumentParser
import GraphStore

/// Type of a store that a command makes, by its word.
enum StoreTypeName: String, ExpressibleByArgument, CaseIterable {
  case sqlite, json, xml, binary

  var type: StoreType {
    switch self {
    case .sqlite: .sqlite
    case .json: .json
    case .xml: .xml
    case .binary: .binary
    }
  }
}
