import GraphStorePredicates

/// What stands at one place of a keyed archive, one level deep.
enum ArchivedValue {
  /// Nothing.
  case null
  /// A number, text, date, or another value without parts.
  case value(Value)
  /// A list or a set, whose members have the order of the archive.
  case list([PropertyListNode])
  /// A dictionary, whose members have the order of the archive.
  case dictionary([(key: PropertyListNode, value: PropertyListNode)])
  /// Any other object.
  case object(ArchivedObject)
}
