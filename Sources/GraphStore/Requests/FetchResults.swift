/// What a request returns, by its type.
public enum FetchResults {
  /// Of a request for objects.
  case objects([ManagedObject])
  /// Of one for identifiers.
  case identifiers([ManagedObjectID])
  /// Of one for dictionaries.
  case dictionaries([ResultDictionary])
  /// Of one for a count: a list of one number (FET-075).
  case count([Int])
}

extension FetchResults {
  /// How many results there are.
  public var count: Int {
    switch self {
    case .objects(let objects): objects.count
    case .identifiers(let identifiers): identifiers.count
    case .dictionaries(let dictionaries): dictionaries.count
    case .count(let numbers): numbers.count
    }
  }
}
