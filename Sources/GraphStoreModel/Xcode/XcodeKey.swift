/// Keys under `xcode` that hold more than one attribute of the XML.
enum XcodeKey {
  /// The texts of attributes that made no sense.
  static let dropped = "dropped"
  /// The elements that made no sense, as JSON.
  static let droppedElements = "droppedElements"
  /// The names of the indexes that stand as compound indexes.
  static let compoundIndexes = "compoundIndexes"
  /// What else is said about indexes, fetch requests and configurations, by name.
  static let fetchIndexes = "fetchIndexes"
  static let fetchRequests = "fetchRequests"
  static let configurations = "configurations"
  /// What else is said about the request of a fetched property.
  static let fetchRequest = "fetchRequest"
  /// The name of the composite that an attribute is made of.
  static let compositeAttribute = "compositeAttribute"
  /// The user information that holds what the XML has no words for.
  static let extras = "graphstore"

  /// All keys under `xcode`.
  static let all: Set<String> = [
    dropped, droppedElements, compoundIndexes, fetchIndexes, fetchRequests, configurations, fetchRequest,
    compositeAttribute,
  ]
}
