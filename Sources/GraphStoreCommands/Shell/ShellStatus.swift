/// What the prompt, the banner and `.status` show; names without anything that a terminal would obey.
struct ShellStatus: Hashable, Sendable {
  /// The store's name without its folder and extension: `hr`.
  var storeName: String
  /// The store's file name: `hr.db`.
  var storeFile: String
  /// The model's name and version: `HR v1`.
  var modelName: String?
  var objectCount: Int?
  /// True between `.begin` and `.commit` or `.rollback`.
  var isInTransaction = false
  var inserted = 0
  var updated = 0
  var deleted = 0
  /// True if another program has changed the file since it was opened or saved.
  var isChangedElsewhere = false

  init(storeName: String, storeFile: String? = nil, modelName: String? = nil, objectCount: Int? = nil) {
    self.storeName = VisibleText.escape(storeName)
    self.storeFile = VisibleText.escape(storeFile ?? storeName)
    self.modelName = modelName.map { VisibleText.escape($0) }
    self.objectCount = objectCount
  }

  /// The number of objects with unsaved changes.
  var pendingCount: Int { inserted + updated + deleted }
}
