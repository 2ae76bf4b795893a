import GraphStorePredicates

extension FetchRequest: CustomStringConvertible {
  /// What is asked for, as far as it is said: `Employee where salary > 75000 sorted by -salary, limit 10`.
  public var description: String {
    var text = entityName.isEmpty ? "\(Object.self)" : entityName
    if let predicate { text += " where \(predicate)" }
    if !sortDescriptors.isEmpty {
      text += " sorted by \(sortDescriptors.map { "\($0)" }.joined(separator: ","))"
    }
    if fetchLimit > 0 { text += ", limit \(fetchLimit)" }
    if fetchOffset > 0 { text += ", offset \(fetchOffset)" }
    if resultType != .managedObject { text += ", as \(resultType)" }
    return text
  }
}
