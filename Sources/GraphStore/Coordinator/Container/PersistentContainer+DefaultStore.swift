import Foundation
import Glibc

extension PersistentContainer {
  /// Puts a store that a program ships with its data where the container is going to load one, unless there
  /// is something already.
  ///
  /// It is called before ``loadPersistentStores(_:)``, at every start: what users have changed stays as it
  /// is. The store appears when it is whole, with its external data, so that nothing is there if the process
  /// ends before; of two processes one installs it. One that was shipped with an older version of the model
  /// is migrated when it is loaded, as any other.
  ///
  /// ```swift
  /// let container = try PersistentContainer(name: "Company")
  /// if let shipped = Bundle.main.url(forResource: "Company", withExtension: "sqlite") {
  ///   try container.installDefaultStore(from: shipped)
  /// }
  /// try await container.loadPersistentStores()
  /// ```
  ///
  /// Any thread may call it. It costs the time of copying the file once, and nothing later.
  ///
  /// - Parameters:
  ///   - source: The shipped store, which may lie where nothing can be written.
  ///   - description: Says where the store goes; nil for the first of ``persistentStoreDescriptions``.
  /// - Returns: Whether it was installed.
  /// - Throws: what is wrong with the shipped store, from `store-not-found` to `store-corrupt`;
  ///   `store-option` for a description of something else than a file; `store-permission`, `disk-full`,
  ///   `migration-destination` for a folder that is not there. Nothing is installed then.
  @discardableResult
  public func installDefaultStore(
    from source: URL, for description: PersistentStoreDescription? = nil
  ) throws -> Bool {
    guard let description = description ?? persistentStoreDescriptions.first else { return false }
    try checkIsFile(description)
    let path = description.url.path
    if RegularFile.isTaken(path) { return false }
    if isInDefaultFolder(description.url) { try DataDirectory.make(Self.defaultDirectoryURL) }
    do {
      try StoreBackup.make(ofStoreAt: source.path, at: path, timeout: description.timeout)
    } catch let error as GraphStoreError where error.code == .storeExists {
      return false
    }
    makeWritable(path)
    return true
  }

  /// Lets the user write a copy of what nobody may write.
  private func makeWritable(_ path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IWUSR == 0 else { return }
    unsafe chmod(path, status.st_mode & 0o7777 | S_IWUSR)
  }
}
