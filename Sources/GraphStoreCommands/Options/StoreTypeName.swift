import ArgumentParser
import GraphStore

/// Type of a store that a command makes, by its word.
enum StoreTypeName: String, ExpressibleByArgument, CaseIterable {
  case sqlite, json, binary

  var type: StoreType {
    switch self {
    case .sqlite: .sqlite
    case .json: .json
    case .binary: .binary
    }
  }
}
