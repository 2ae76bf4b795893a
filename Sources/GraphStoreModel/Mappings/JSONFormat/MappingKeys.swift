/// The keys of each object of a mapping file, in the order they are written (MIG-132, MIG-133).
enum MappingKeys {
  static let mapping = [
    "$schema", "source", "destination", "complete", "entityMappings", "sourceHashes", "destinationHashes",
    "userInfo",
  ]
  static let entityMapping = [
    "name", "source", "destination", "type", "where", "policy", "complete", "attributes", "relationships",
    "userInfo",
  ]
  static let attributeMapping = ["name", "value", "userInfo"]
  static let relationshipMapping = ["name", "value", "mapping", "from", "userInfo"]

  /// All keys, in an order that keeps that of each object.
  static let all = mapping + entityMapping + relationshipMapping
}
