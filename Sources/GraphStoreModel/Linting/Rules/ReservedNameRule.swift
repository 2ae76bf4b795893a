/// A property named like a member that every object has (MDL-064).
enum ReservedNameRule: LintRule {
  static let rule = ModelRule(
    "reserved-name", "A property is named like a member that every object has.",
    reason:
      "In Swift the name means that member: the value is reached by its key, and a class declares it under another "
      + "name. In predicates \"entity\" and \"objectID\" mean those of the object.",
    remedy: "Choose another name, with the old one as its \"renamingIdentifier\" where stores exist.")

  static func check(_ model: LintedModel, report: inout LintReport) {
    for (position, entity) in model.definition.entities.enumerated() {
      let path = model.path(position)
      var names = entity.attributes.enumerated().map { ($1.name, path.item("attributes", $0)) }
      names += entity.relationships.enumerated().map { ($1.name, path.item("relationships", $0)) }
      names += entity.fetchedProperties.enumerated().map { ($1.name, path.item("fetchedProperties", $0)) }
      for (name, place) in names where ObjectMemberNames.all.contains(name) {
        report.add(at: place.key("name"), "\(entity.name).\(name) is named like a member of every object.")
      }
    }
  }
}
