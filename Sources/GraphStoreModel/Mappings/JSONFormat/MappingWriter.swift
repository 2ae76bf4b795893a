import Foundation

extension MappingModel {
  /// The mapping as the text of a mapping file: pretty, in the order of the format's keys, without the keys
  /// that are at their defaults. It reads back to an equal mapping; the versions of one made in code are
  /// written as empty names.
  public func jsonData() -> Data { Data((jsonText(depth: 0) + "\n").utf8) }

  private func jsonText(depth: Int) -> String {
    var object = JSONObjectText(depth: depth)
    object.add("source", source ?? "")
    object.add("destination", destination ?? "")
    object.add("complete", isComplete, unless: false)
    object.addAlways("entityMappings", entityMappings) { $0.jsonText(depth: $1) }
    object.add("sourceHashes", sourceHashes.map(Self.json))
    object.add("destinationHashes", destinationHashes.map(Self.json))
    object.add("userInfo", userInfo)
    return object.text
  }

  private static func json(_ hashes: [String: [UInt8]]) -> JSONValue {
    .object(hashes.mapValues { .string(Data($0).base64EncodedString()) })
  }
}

extension EntityMapping {
  fileprivate func jsonText(depth: Int) -> String {
    var object = JSONObjectText(depth: depth)
    let isNamed = name != Self.defaultName(from: sourceEntityName, to: destinationEntityName)
    object.add("name", isNamed ? name : nil)
    object.add("source", sourceEntityName)
    object.add("destination", destinationEntityName.map(JSONValue.string) ?? .null)
    object.add("type", kind?.rawValue)
    object.add("where", filter?.predicateFormat)
    object.add("policy", policyName)
    object.add("complete", isComplete, unless: false)
    object.add("attributes", attributeMappings) { $0.jsonText(depth: $1) }
    object.add("relationships", relationshipMappings) { $0.jsonText(depth: $1) }
    object.add("userInfo", userInfo)
    return object.text
  }
}

extension PropertyMapping {
  fileprivate func jsonText(depth: Int) -> String {
    var object = JSONObjectText(depth: depth)
    object.add("name", name)
    switch value {
    case .inferred: break
    case .none: object.add("value", JSONValue.null)
    case .expression(let expression): object.add("value", expression.expressionFormat)
    case .objects(let mapping, let expression):
      object.add("mapping", mapping)
      object.add("from", expression.expressionFormat)
    }
    object.add("userInfo", userInfo)
    return object.text
  }
}
