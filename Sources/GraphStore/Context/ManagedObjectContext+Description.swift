extension ManagedObjectContext: CustomStringConvertible {
  /// The name and the kind of queue; may be asked for from anywhere.
  public var description: String {
    let kind = concurrencyType == .mainQueue ? "main queue" : "private queue"
    return name.map { "ManagedObjectContext \"\($0)\" (\(kind))" } ?? "ManagedObjectContext (\(kind))"
  }
}
