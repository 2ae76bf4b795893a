extension XcodeModelWriter {
  /// - Parameter path: where the attribute is; nil for an element of a composite, whose extras are those of
  ///   the attribute.
  mutating func attribute(
    _ attribute: AttributeDefinition, at path: ModelPath?, isIndexed: Bool = false
  ) -> MarkupElement {
    let type = attribute.type
    let xcode = attribute.xcode
    var attributes = XMLAttributeList(xcode)
    attributes.set("name", attribute.name)
    attributes.set("optional", attribute.isOptional)
    let isMended = type == .undefined && xcode.text("transient") == "NO"
    attributes.set("transient", attribute.isTransient && !isMended)
    attributes.set("attributeType", XcodeText.word(type)) {
      type == .undefined && XcodeText.types[$0] == nil
    }
    setLimits(of: attribute, in: &attributes)
    setDefault(of: attribute, in: &attributes)
    attributes.set("regularExpressionString", attribute.pattern) { $0.isEmpty && attribute.pattern == nil }
    attributes.set("valueTransformerName", attribute.transformer) {
      $0.isEmpty && attribute.transformer == nil
    }
    if let derivation = attribute.derivation {
      attributes.set("derived", true)
      attributes.set("derivationExpression", derivation)
    }
    attributes.set("allowsExternalBinaryDataStorage", attribute.externalStorage)
    let keepsValue = attribute.preservesValueInHistory
    let isOldSpelling = xcode.text("preservesValueInHistoryOnDeletion").flatMap(XcodeText.flag) == keepsValue
    attributes.set("preserveAfterDeletion", keepsValue && !isOldSpelling)
    attributes.set("preservesValueInHistoryOnDeletion", nil) { XcodeText.flag($0) == keepsValue }
    attributes.set("versionHashModifier", attribute.versionHashModifier)
    attributes.set("elementID", attribute.renamingIdentifier)
    attributes.set("indexed", isIndexed ? "YES" : nil) { !isIndexed && XcodeText.flag($0) != nil }
    if type == .composite { attributes.set(XcodeKey.compositeAttribute, composite(of: attribute)) }
    var element = MarkupElement(name: "attribute", attributes: attributes.list(XMLAttributeNames.attribute))
    addDropped(xcode, to: &element)
    if let info = userInfo(attribute.userInfo, at: path) { element.children.append(info) }
    return element
  }

  private func setLimits(of attribute: AttributeDefinition, in attributes: inout XMLAttributeList) {
    let type = attribute.type
    if type == .string {
      for (name, length) in [
        ("minValueString", attribute.minLength), ("maxValueString", attribute.maxLength),
      ] {
        attributes.set(name, length.map(String.init)) { length != nil && XcodeText.count($0) == length }
      }
    } else if type == .date {
      for (name, date) in [
        ("minDateTimeInterval", attribute.minimum), ("maxDateTimeInterval", attribute.maximum),
      ] {
        attributes.set(name, XcodeText.seconds(date)) { date != nil && XcodeText.date($0) == date }
      }
    } else if type.isNumber {
      for (name, number) in [("minValueString", attribute.minimum), ("maxValueString", attribute.maximum)] {
        attributes.set(name, XcodeText.text(number, type)) {
          number != nil && XcodeText.value($0, type) == number
        }
      }
    }
  }

  private func setDefault(of attribute: AttributeDefinition, in attributes: inout XMLAttributeList) {
    let value = attribute.defaultValue
    if attribute.type == .date {
      // The text beside the seconds is what the editor shows of them.
      attributes.set("defaultDateTimeInterval", XcodeText.seconds(value)) {
        value != nil && XcodeText.date($0) == value
      }
    } else {
      attributes.set("defaultValueString", XcodeText.text(value, attribute.type)) {
        value != nil && XcodeText.value($0, attribute.type) == value
      }
    }
  }

  /// The name of the composite with an attribute's elements; a new one where none is alike.
  private mutating func composite(of attribute: AttributeDefinition) -> String {
    let wanted = attribute.xcode.text(XcodeKey.compositeAttribute) ?? XcodeText.compositeName(attribute.name)
    var name = wanted
    var number = 1
    while let known = composites.first(where: { $0.name == name }), known.elements != attribute.elements {
      number += 1
      name = "\(wanted)\(number)"
    }
    if !composites.contains(where: { $0.name == name }) {
      composites.append((name, attribute.elements))
    }
    return name
  }
}
