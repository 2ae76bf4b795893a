import GraphStore

extension MigrationPlan {
  /// What is to be known of a store that needs no step although its model differs from the wanted one, by
  /// rules alone; nil where there is no such difference.
  var noticeOfRules: String? {
    guard steps.isEmpty, let carried = try? StoreModel.load(fromStoreAt: path, timeout: .zero).model,
      !ModelDifference(from: carried, to: target.model).changes.isEmpty
    else { return nil }
    return "The hashes of all entities are equal, so that no data change. What differs, such as defaults, "
      + "limits and delete rules (see model diff), counts once a command writes with --model and the new model."
  }
}
