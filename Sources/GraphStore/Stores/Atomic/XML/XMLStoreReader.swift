import GraphStoreModel
import GraphStorePredicates

/// Reader of the objects of an XML store. Links name numbers, which may come later in the text: they are set
/// once all objects are there.
struct XMLStoreReader: ~Copyable {
  private typealias Failure = MarkupParser.Failure
  private typealias Element = XMLStoreFormat.Element
  private typealias Key = XMLStoreFormat.Key
  private typealias Identifier = AtomicStateBuilder.Identifier

  /// Object as an element says it.
  struct Identity {
    let entity: XMLStoreNames.Entity
    let number: Int64
    let identifier: AtomicStateBuilder.Identifier
  }

  /// Link of a to-one that is not set yet.
  private struct Reference {
    let row: Row
    let column: XMLStoreNames.Column
    let number: Int64
    /// The key of what is not there, where the number is not its key.
    let key: Int64?
    let offset: Int
  }

  /// Members of a to-many that are not linked yet.
  private struct List {
    let owner: Identifier
    let column: XMLStoreNames.Column
    let numbers: [Int64]
    let offset: Int
  }

  /// Object whose references are not set yet.
  private struct Unfinished {
    let row: Row
    let object: Identifier
    let offset: Int
  }

  private let names: XMLStoreNames
  private var rows: [Unfinished] = []
  private var objects: [Int64: Identifier] = [:]
  private var references: [Reference] = []
  private var lists: [List] = []

  init(_ layouts: [EntityLayout]) { names = XMLStoreNames(layouts) }

  /// Reads all objects from where a parser is to the end of the text.
  consuming func read(
    _ parser: MarkupParser, _ root: MarkupElement, lastNumber: Int64, into builder: inout AtomicStateBuilder
  ) throws(MarkupParser.Failure) {
    var parser = parser
    var reader = self
    try parser.readChildren(of: root) { element throws(Failure) in
      try reader.read(element, &builder)
      return true
    }
    try reader.link(&builder)
    builder.setHighestKey(ofAllTrees: max(lastNumber, reader.objects.keys.max() ?? 0))
  }

  // MARK: Names and numbers

  /// The object that an element says.
  borrowing func identity(of element: MarkupElement) throws(MarkupParser.Failure) -> Identity {
    guard element.name == Element.object else {
      throw Failure(offset: element.offset, message: "<\(Element.object)> is expected here.")
    }
    try check(element, has: [Key.type, Key.letterCase, Key.id, Key.key])
    guard let name = element[Key.type], let entity = names.entity(named: name, isExact: Self.isExact(element))
    else {
      throw Failure(
        offset: element.offset,
        message: "The model has no entity \"\((element[Key.type] ?? "").prefix(80))\", in whatever case.")
    }
    guard let number = element[Key.id].flatMap({ Self.number($0[...]) }) else {
      throw Failure(
        offset: element.offset,
        message: "\"\((element[Key.id] ?? "").prefix(80))\" is no id of an object, such as z3.")
    }
    let key = try key(of: element) ?? number
    return Identity(entity: entity, number: number, identifier: (entity.layout, key))
  }

  /// The property that an element names.
  borrowing func column(named element: MarkupElement, of layout: EntityLayout) -> XMLStoreNames.Column? {
    element[Key.name].flatMap {
      names.entities[layout.index].column(named: $0, isExact: Self.isExact(element))
    }
  }

  private static func isExact(_ element: MarkupElement) -> Bool {
    element[Key.letterCase] == XMLStoreFormat.Word.exact
  }

  /// The number of an id: `z` and the digits of a key.
  private static func number(_ id: Substring) -> Int64? {
    guard id.utf8.first == UInt8(ascii: "z"), let digit = id.utf8.dropFirst().first,
      (0x31...0x39).contains(digit),
      let number = Int64(id.dropFirst()), StoredKey.keys.contains(number)
    else { return nil }
    return number
  }

  private borrowing func key(of element: MarkupElement) throws(Failure) -> Int64? {
    guard let text = element[Key.key] else { return nil }
    guard let key = Int64(text), StoredKey.keys.contains(key) else {
      throw Failure(offset: element.offset, message: "\"\(text.prefix(80))\" is no key of an object.")
    }
    return key
  }

  private borrowing func check(_ element: MarkupElement, has keys: [String]) throws(Failure) {
    for attribute in element.attributes where !keys.contains(attribute.name) {
      throw Failure(
        offset: attribute.offset,
        message: "<\(element.name)> has nothing that is called \"\(attribute.name)\".")
    }
    if let letterCase = element[Key.letterCase], letterCase != XMLStoreFormat.Word.exact {
      throw Failure(
        offset: element.offset, message: "The case of a name is \"\(XMLStoreFormat.Word.exact)\" or not said."
      )
    }
  }

  // MARK: Objects

  private mutating func read(
    _ element: MarkupElement, _ builder: inout AtomicStateBuilder
  ) throws(Failure) {
    let object = try identity(of: element)
    let row: Row
    do { row = try builder.begin(object.identifier, version: 1) } catch {
      throw Failure(offset: element.offset, message: error.message)
    }
    guard objects.updateValue(object.identifier, forKey: object.number) == nil else {
      throw Failure(offset: element.offset, message: "There are two objects with the id z\(object.number).")
    }
    if !element.text.utf8.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) {
      throw Failure(offset: element.offset, message: "No text is expected in <\(Element.object)>.")
    }
    var seen = PropertySet()
    var leaves: Set<String> = []
    for child in element.children {
      let column = try column(of: child, object.entity, builder.checksDeclarations)
      let isNew =
        column.property.path.isEmpty
        ? !seen.contains(column.property.number) : leaves.insert(column.property.name).inserted
      guard isNew else {
        throw Failure(offset: child.offset, message: "\(column.property.name) occurs twice.")
      }
      seen.insert(column.property.number)
      if column.relationship != nil {
        try readLinks(child, column, of: object.identifier, row)
      } else {
        try readValue(child, column, into: row)
      }
    }
    if builder.checksDeclarations { try checkDemands(of: object.entity, seen, element) }
    rows.append(Unfinished(row: row, object: object.identifier, offset: element.offset))
  }

  private borrowing func column(
    of element: MarkupElement, _ entity: XMLStoreNames.Entity, _ checksDeclarations: Bool
  ) throws(Failure) -> XMLStoreNames.Column {
    guard element.name == Element.attribute || element.name == Element.relationship else {
      throw Failure(
        offset: element.offset,
        message: "<\(Element.attribute)> or <\(Element.relationship)> is expected here.")
    }
    let found = element[Key.name].flatMap { entity.column(named: $0, isExact: Self.isExact(element)) }
    guard let found, (found.relationship == nil) == (element.name == Element.attribute) else {
      throw Failure(
        offset: element.offset,
        message: "\(entity.layout.entity.name) has no \(element.name) "
          + "\"\((element[Key.name] ?? "").prefix(80))\", in whatever case.")
    }
    guard element.children.isEmpty else {
      throw Failure(offset: element.children[0].offset, message: "No element is expected in here.")
    }
    if checksDeclarations { try checkDeclaration(element, found) }
    return found
  }

  private static func message(_ column: XMLStoreNames.Column, _ problem: String) -> String {
    "\(column.property.name) \(problem)."
  }

  private borrowing func readValue(
    _ element: MarkupElement, _ column: XMLStoreNames.Column, into row: Row
  ) throws(Failure) {
    try check(element, has: [Key.name, Key.letterCase, Key.type, Key.encoding])
    let encoding = element[Key.encoding]
    guard encoding == nil || encoding == XMLStoreFormat.Word.base64 else {
      throw Failure(
        offset: element.offset, message: "There is no encoding \"\((encoding ?? "").prefix(80))\".")
    }
    guard let value = XMLStoreText.value(element.text, column.property, isBase64: encoding != nil) else {
      let kind = column.property.kind.nameInXML
      throw Failure(
        offset: element.offset,
        message: Self.message(
          column, "cannot be \"\(element.text.prefix(80))\", which is none of type \(kind)"))
    }
    row.block.setValue(value, of: column.property, inRow: row.index)
  }

  // MARK: Links

  private mutating func readLinks(
    _ element: MarkupElement, _ column: XMLStoreNames.Column, of owner: Identifier, _ row: Row
  ) throws(Failure) {
    try check(
      element, has: [Key.name, Key.letterCase, Key.type, Key.destination, Key.references, Key.key])
    guard element.text.utf8.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) else {
      throw Failure(offset: element.offset, message: "No text is expected in <\(Element.relationship)>.")
    }
    var numbers: [Int64] = []
    for id in (element[Key.references] ?? "").split(separator: " ") {
      guard let number = Self.number(id) else {
        throw Failure(
          offset: element.offset, message: "\"\(id.prefix(80))\" is no id of an object, such as z3.")
      }
      numbers.append(number)
    }
    if column.relationship?.isToMany == true {
      return lists.append(List(owner: owner, column: column, numbers: numbers, offset: element.offset))
    }
    guard let number = numbers.first else { return }
    guard numbers.count == 1 else {
      throw Failure(offset: element.offset, message: Self.message(column, "leads to one object at most"))
    }
    let key = try key(of: element)
    references.append(Reference(row: row, column: column, number: number, key: key, offset: element.offset))
  }

  private borrowing func link(_ builder: inout AtomicStateBuilder) throws(Failure) {
    for reference in references {
      builder.refer(reference.row, by: reference.column.property, to: try destination(of: reference, builder))
    }
    for unfinished in rows {
      do { try builder.end(unfinished.row, unfinished.object) } catch {
        throw Failure(offset: unfinished.offset, message: error.message)
      }
    }
    for list in lists {
      guard let relationship = list.column.relationship else { continue }
      var members: [Identifier] = []
      members.reserveCapacity(list.numbers.count)
      for number in list.numbers {
        guard let member = objects[number] else { throw Self.missing(number, list.column, list.offset) }
        members.append(member)
      }
      builder.list(members, by: relationship, of: list.owner)
    }
  }

  private borrowing func destination(
    of reference: Reference, _ builder: borrowing AtomicStateBuilder
  ) throws(Failure) -> Identifier {
    if let object = objects[reference.number] { return object }
    guard let relationship = reference.column.relationship, relationship.mayDangle else {
      throw Self.missing(reference.number, reference.column, reference.offset)
    }
    return (builder.layouts[relationship.destination], reference.key ?? reference.number)
  }

  private static func missing(_ number: Int64, _ column: XMLStoreNames.Column, _ offset: Int) -> Failure {
    Failure(offset: offset, message: message(column, "names z\(number), which is not there"))
  }

  // MARK: Declarations

  /// Makes sure that an element says of a property what the model does (STO-073).
  private borrowing func checkDeclaration(
    _ element: MarkupElement, _ column: XMLStoreNames.Column
  ) throws(Failure) {
    guard element[Key.type] == column.type else {
      throw Failure(
        offset: element.offset,
        message: Self.message(
          column,
          "is of type \"\((element[Key.type] ?? "").prefix(40))\" here, and \"\(column.type)\" in the model"))
    }
    guard let relationship = column.relationship else { return }
    let destination = names.entities[relationship.destination].name.text
    guard element[Key.destination] == destination else {
      throw Failure(
        offset: element.offset,
        message: Self.message(
          column,
          "leads to \"\((element[Key.destination] ?? "").prefix(80))\" here, and to \(destination) in the model"
        ))
    }
  }

  /// Makes sure that what has to have a value has one.
  private borrowing func checkDemands(
    of entity: XMLStoreNames.Entity, _ seen: PropertySet, _ element: MarkupElement
  ) throws(Failure) {
    for column in entity.attributes
    where !column.property.isOptional && column.property.path.isEmpty
      && !seen.contains(column.property.number)
    {
      throw Failure(
        offset: element.offset, message: Self.message(column, "has to have a value, and has none"))
    }
  }
}
