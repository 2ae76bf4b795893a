extension XcodeModelConverter {
  mutating func readAttribute(
    _ element: MarkupElement, at path: ModelPath, depth: Int = 0
  ) -> AttributeDefinition {
    var fields = fields(of: element, at: path)
    var attribute = AttributeDefinition(fields.consume("name") ?? "", .undefined)
    origin(path, fields: fields)
    origin(path.key("name"), fields: fields, attribute: "name")
    attribute.isOptional = flag("optional", in: &fields)
    attribute.isTransient = flag("transient", in: &fields)
    attribute.renamingIdentifier = text("elementID", in: &fields)
    attribute.versionHashModifier = text("versionHashModifier", in: &fields)
    readType(of: &attribute, in: &fields)
    readDerivation(of: &attribute, in: &fields)
    readLimits(of: &attribute, in: &fields)
    readDefault(of: &attribute, in: &fields)
    attribute.pattern = text("regularExpressionString", in: &fields)
    attribute.transformer = text("valueTransformerName", in: &fields)
    attribute.externalStorage = flag("allowsExternalBinaryDataStorage", in: &fields)
    readHistoryFlag(of: &attribute, in: &fields)
    origin(path.key("pattern"), fields: fields, attribute: "regularExpressionString")
    origin(path.key("transformer"), fields: fields, attribute: "valueTransformerName")
    origin(path.key("externalStorage"), fields: fields, attribute: "allowsExternalBinaryDataStorage")
    if attribute.type == .composite { readElements(of: &attribute, in: fields, depth: depth) }
    var kept: [JSONValue] = []
    for child in element.children {
      if child.name == "userInfo" {
        readUserInfo(child, at: path, into: &attribute.userInfo)
      } else {
        keepUnknown(child, at: path, in: &kept)
      }
    }
    attribute.xcode = finish(fields, XMLAttributeNames.attribute)
    if attribute.xcode.text(XcodeKey.compositeAttribute) == XcodeText.compositeName(attribute.name) {
      attribute.xcode[XcodeKey.compositeAttribute] = nil
    }
    if !kept.isEmpty { attribute.xcode[XcodeKey.droppedElements] = .array(kept) }
    return attribute
  }

  private mutating func readType(of attribute: inout AttributeDefinition, in fields: inout XcodeFields) {
    let word = fields.consume("attributeType")
    if let word, let type = XcodeText.types[word] {
      attribute.type = type
    } else if let word {
      fields.keep(word, of: "attributeType", unless: nil)
    }
    guard attribute.type == .undefined else { return }
    let isKnown = word == nil || word == "Undefined" || word == "Object ID"
    if !isKnown || !attribute.isTransient {
      mend(
        "attributeType", in: fields,
        isKnown
          ? "An attribute without a type that can be stored is read as transient."
          : "The attribute type \"\(word ?? "")\" is not known; the attribute is read as transient.")
    }
    if !attribute.isTransient {
      attribute.isTransient = true
      fields.keep("NO", of: "transient", unless: nil)
    }
  }

  private mutating func readDerivation(of attribute: inout AttributeDefinition, in fields: inout XcodeFields)
  {
    let isDerived = flag("derived", in: &fields)
    guard isDerived else { return }
    if let text = fields.consume("derivationExpression"), !text.isEmpty {
      attribute.derivation = text
      origin(fields.path.key("derivation"), fields: fields, attribute: "derivationExpression")
    } else {
      fields.refuse("YES", of: "derived")
      mend("derived", in: fields, "A derived attribute without an expression is read as a plain one.")
    }
  }

  private mutating func readLimits(of attribute: inout AttributeDefinition, in fields: inout XcodeFields) {
    let path = fields.path
    if attribute.type == .string {
      attribute.minLength = length("minValueString", in: &fields)
      attribute.maxLength = length("maxValueString", in: &fields)
      origin(path.key("minLength"), fields: fields, attribute: "minValueString")
      origin(path.key("maxLength"), fields: fields, attribute: "maxValueString")
    } else if attribute.type == .date {
      attribute.minimum = date("minDateTimeInterval", in: &fields)
      attribute.maximum = date("maxDateTimeInterval", in: &fields)
      origin(path.key("min"), fields: fields, attribute: "minDateTimeInterval")
      origin(path.key("max"), fields: fields, attribute: "maxDateTimeInterval")
    } else if attribute.type.isNumber {
      attribute.minimum = value("minValueString", attribute.type, in: &fields)
      attribute.maximum = value("maxValueString", attribute.type, in: &fields)
      origin(path.key("min"), fields: fields, attribute: "minValueString")
      origin(path.key("max"), fields: fields, attribute: "maxValueString")
    } else {
      for name in ["minValueString", "maxValueString"] {
        guard let text = fields.consume(name) else { continue }
        refuse(
          text, of: name, in: &fields, "has no meaning for an attribute of type \(attribute.type.rawValue)")
      }
    }
  }

  private mutating func readDefault(of attribute: inout AttributeDefinition, in fields: inout XcodeFields) {
    let place = fields.path.key("default")
    if attribute.type == .date {
      attribute.defaultValue = date("defaultDateTimeInterval", in: &fields)
      origin(place, fields: fields, attribute: "defaultDateTimeInterval")
      guard attribute.defaultValue == nil, let text = fields.consume("defaultValueString") else { return }
      attribute.defaultValue = XcodeText.value(text, .date)
      if attribute.defaultValue == nil {
        refuse(text, of: "defaultValueString", in: &fields, "says no date")
      } else {
        mend("defaultValueString", in: fields, "The default \"\(text)\" is read as a date.")
      }
    } else {
      attribute.defaultValue = value("defaultValueString", attribute.type, in: &fields)
      origin(place, fields: fields, attribute: "defaultValueString")
    }
  }

  private mutating func readHistoryFlag(of attribute: inout AttributeDefinition, in fields: inout XcodeFields)
  {
    for name in ["preserveAfterDeletion", "preservesValueInHistoryOnDeletion"] {
      guard let text = fields.consume(name) else { continue }
      if XcodeText.flag(text) == nil { refuse(text, of: name, in: &fields, "is neither YES nor NO") }
      attribute.preservesValueInHistory = attribute.preservesValueInHistory || XcodeText.flag(text) == true
      if name == "preservesValueInHistoryOnDeletion" { fields.keep(text, of: name, unless: nil) }
    }
  }

  /// A default or limit; one that says nothing is refused, one that is read in its evident sense is recorded.
  private mutating func value(
    _ name: String, _ type: AttributeType, in fields: inout XcodeFields
  ) -> JSONValue? {
    guard let text = fields.consume(name) else { return nil }
    guard let value = XcodeText.value(text, type) else {
      refuse(text, of: name, in: &fields, "says no value of type \(type.rawValue)")
      return nil
    }
    let usual = XcodeText.text(value, type)
    if let usual, !XcodeText.says(text, type) {
      mend(
        name, in: fields, "\(name) \"\(text)\" of an attribute of type \(type.rawValue) is read as \(usual).")
    }
    fields.keep(text, of: name, unless: usual)
    return value
  }

  private mutating func date(_ name: String, in fields: inout XcodeFields) -> JSONValue? {
    guard let text = fields.consume(name) else { return nil }
    guard let value = XcodeText.date(text) else {
      refuse(text, of: name, in: &fields, "is no number of seconds")
      return nil
    }
    fields.keep(text, of: name, unless: XcodeText.seconds(value))
    return value
  }

  private mutating func length(_ name: String, in fields: inout XcodeFields) -> Int? {
    guard let text = fields.consume(name) else { return nil }
    guard let length = XcodeText.count(text), length >= 0 else {
      refuse(text, of: name, in: &fields, "is no length")
      return nil
    }
    fields.keep(text, of: name, unless: String(length))
    return length
  }

  private mutating func readElements(
    of attribute: inout AttributeDefinition, in fields: XcodeFields, depth: Int
  ) {
    guard let name = fields.element[XcodeKey.compositeAttribute], let composite = composites[name],
      depth <= ModelValidator.maximumCompositeDepth
    else { return }
    usedComposites.insert(name)
    for child in composite.children(named: "attribute") {
      compositeElements += 1
      guard compositeElements <= Self.maximumCompositeElements else { return reportCompositeSize(fields) }
      let place = fields.path.item("attributes", attribute.elements.count)
      attribute.elements.append(readAttribute(child, at: place, depth: depth + 1))
    }
  }

  private mutating func reportCompositeSize(_ fields: XcodeFields) {
    guard problems.isEmpty else { return }
    origin(fields.path, fields: fields)
    problems.append(
      ModelProblem(
        .badValue, at: fields.path.key("attributes"),
        message:
          "The composites of a model have at most \(Self.maximumCompositeElements) elements, counted at each use."
      ))
  }
}
