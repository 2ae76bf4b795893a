import GraphStoreTestSupport

/// Stores that real applications made, where there are any.
enum AppleStores {
  static let folder = Repository.sharedData("apple/stores")?.path
}
