import GraphStoreTestSupport

/// Stores that real applications made, where there are any.
enum AppleStores {
  static let folder = Repository.sharedData("apple/stores")?.path
  /// The versions of the model of most of them.
  static let versions = Repository.sharedData("apple/models/Moody.xcdatamodeld")?.path
  /// The mappings between these versions.
  static let mappings = Repository.sharedData("apple/mappings")?.path
}
