/// Method by which a SQLite store keeps the values of attributes with external storage.
package enum ExternalStorage: Sendable {
  /// In the row, without the prefix: stores that an earlier version of the library made (STO-177).
  case unprefixed
  /// In the row, with the prefix: stores in memory, and those opened with `externalStorageInline` (STO-186).
  case inline
  /// Those of more bytes than a threshold in files of the folder beside the store (STO-175).
  case files(threshold: Int)

  /// Whether values have a prefix that says where they are stored.
  package var isPrefixed: Bool { if case .unprefixed = self { false } else { true } }
}

/// Version since which the values with external storage of a store have the prefix that says where they are
/// stored.
package enum ExternalPrefix {
  case always
  /// From the next write on: an earlier version of the library made the store, and no such value.
  case sinceFirstWrite
  case never
}
