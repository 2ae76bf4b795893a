import Foundation

extension ModelDefinition {
  /// The definition as the text of a model file: pretty, in the order of the format's keys, without the keys
  /// that are at their defaults, and without `$schema`.
  public func jsonData() -> Data { Data((jsonText(depth: 0) + "\n").utf8) }

  private func jsonText(depth: Int) -> String {
    var object = JSONObjectText(depth: depth)
    object.add("name", name)
    object.add("version", version)
    object.addAlways("entities", entities) { $0.jsonText(depth: $1) }
    object.add("fetchRequests", fetchRequests) { $0.jsonText(depth: $1) }
    object.add("configurations", configurations) { $0.jsonText(depth: $1) }
    object.add("userInfo", userInfo)
    object.add("localization", localization.mapValues(JSONValue.string))
    object.add("xcode", xcode)
    return object.text
  }
}

extension EntityDefinition {
  fileprivate func jsonText(depth: Int) -> String {
    var object = JSONObjectText(depth: depth)
    object.add("name", name)
    object.add("parent", parent)
    object.add("abstract", isAbstract, unless: false)
    object.add("className", className)
    object.add("renamingIdentifier", renamingIdentifier)
    object.add("versionHashModifier", versionHashModifier)
    object.add("attributes", attributes) { $0.jsonText(depth: $1) }
    object.add("relationships", relationships) { $0.jsonText(depth: $1) }
    object.add("fetchedProperties", fetchedProperties) { $0.jsonText(depth: $1) }
    object.add("uniquenessConstraints", uniquenessConstraints) {
      JSONWriter.text(.array($0.map(JSONValue.string)), depth: $1)
    }
    object.add("indexes", indexes) { $0.jsonText(depth: $1) }
    object.add("userInfo", userInfo)
    object.add("xcode", xcode)
    return object.text
  }
}

extension AttributeDefinition {
  fileprivate func jsonText(depth: Int) -> String {
    var object = JSONObjectText(depth: depth)
    object.add("name", name)
    object.add("type", type.rawValue)
    object.add("optional", isOptional, unless: true)
    object.add("transient", isTransient, unless: false)
    object.add("default", defaultValue)
    object.add("min", minimum)
    object.add("max", maximum)
    object.add("minLength", minLength)
    object.add("maxLength", maxLength)
    object.add("pattern", pattern)
    object.add("transformer", transformer)
    object.add("externalStorage", externalStorage, unless: false)
    object.add("derivation", derivation)
    object.add("attributes", elements) { $0.jsonText(depth: $1) }
    object.add("preservesValueInHistory", preservesValueInHistory, unless: false)
    object.add("validations", validations) { $0.jsonText(depth: $1) }
    object.add("renamingIdentifier", renamingIdentifier)
    object.add("versionHashModifier", versionHashModifier)
    object.add("userInfo", userInfo)
    object.add("xcode", xcode)
    return object.text
  }
}

extension RelationshipDefinition {
  fileprivate func jsonText(depth: Int) -> String {
    var object = JSONObjectText(depth: depth)
    object.add("name", name)
    object.add("destination", destination)
    object.add("inverse", inverse)
    object.add("toMany", isToMany, unless: false)
    object.add("ordered", isOrdered, unless: false)
    object.add("optional", isOptional, unless: true)
    object.add("transient", isTransient, unless: false)
    object.add("minCount", minCount, unless: 0)
    object.add("maxCount", maxCount, unless: 0)
    object.add("deleteRule", deleteRule == .nullify ? nil : deleteRule.rawValue)
    object.add("validations", validations) { $0.jsonText(depth: $1) }
    object.add("renamingIdentifier", renamingIdentifier)
    object.add("versionHashModifier", versionHashModifier)
    object.add("userInfo", userInfo)
    object.add("xcode", xcode)
    return object.text
  }
}

extension FetchedPropertyDefinition {
  fileprivate func jsonText(depth: Int) -> String {
    var object = JSONObjectText(depth: depth)
    object.add("name", name)
    object.add("entity", entity)
    object.add("predicate", predicate)
    object.add("sort", sort)
    object.add("limit", limit, unless: 0)
    object.add("optional", isOptional, unless: true)
    object.add("renamingIdentifier", renamingIdentifier)
    object.add("versionHashModifier", versionHashModifier)
    object.add("userInfo", userInfo)
    object.add("xcode", xcode)
    return object.text
  }
}

extension ValidationDefinition {
  fileprivate func jsonText(depth: Int) -> String {
    var object = JSONObjectText(depth: depth)
    object.add("predicate", predicate)
    object.add("message", message)
    return object.text
  }
}

extension IndexDefinition {
  fileprivate func jsonText(depth: Int) -> String {
    var object = JSONObjectText(depth: depth)
    object.add("name", name)
    object.addAlways("elements", elements) { element, depth in
      var object = JSONObjectText(depth: depth)
      object.add("property", element.property)
      object.add("expression", element.expression)
      object.add("order", element.order == .ascending ? nil : element.order.rawValue)
      object.add("type", element.kind == .binary ? nil : element.kind.rawValue)
      return object.text
    }
    object.add("where", predicate)
    return object.text
  }
}

extension FetchRequestDefinition {
  fileprivate func jsonText(depth: Int) -> String {
    var object = JSONObjectText(depth: depth)
    object.add("name", name)
    object.add("entity", entity)
    object.add("predicate", predicate)
    object.add("sort", sort)
    object.add("limit", limit, unless: 0)
    object.add("offset", offset, unless: 0)
    object.add("batchSize", batchSize, unless: 0)
    object.add("resultType", resultType == .objects ? nil : resultType.rawValue)
    if properties.allSatisfy({ $0.expression == nil }) {
      object.add("properties", properties.map(\.name))
    } else {
      object.add("properties", properties) { $0.jsonText(depth: $1) }
    }
    object.add("groupBy", groupBy)
    object.add("having", having)
    object.add("distinct", distinct, unless: false)
    object.add("prefetch", prefetch)
    object.add("includesSubentities", includesSubentities, unless: true)
    return object.text
  }
}

extension ResultPropertyDefinition {
  fileprivate func jsonText(depth: Int) -> String {
    guard let expression else { return JSONWriter.quoted(name) }
    var object = JSONObjectText(depth: depth)
    object.add("name", name)
    object.add("expression", expression)
    object.add("type", type?.rawValue)
    return object.text
  }
}

extension ConfigurationDefinition {
  fileprivate func jsonText(depth: Int) -> String {
    var object = JSONObjectText(depth: depth)
    object.add("name", name)
    object.addAlways("entities", entities) { text, _ in JSONWriter.quoted(text) }
    return object.text
  }
}
