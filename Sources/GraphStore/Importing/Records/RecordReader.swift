import Foundation
import GraphStoreModel
import GraphStorePredicates

/// Reads records, whose values have names, into an importer, by roles that are resolved once for each name.
final class RecordReader {
  enum Role {
    case attribute(PropertyLayout)
    /// A relationship, and the attribute of its destination by which it is given, if not by identifiers.
    case link(RelationshipLayout, by: PropertyLayout?)
    /// The identifier of the object that the record is to change.
    case identifier
    /// A name that takes no value, and why.
    case refused(GraphStoreError)
  }

  let request: ImportRequest
  private var roles: [String: Role] = [:]
  let conversion: GivenValues
  /// Conversions of links, by the entity of their destination.
  private var conversions: [Int: GivenValues] = [:]
  /// Whether links that are missing mean something, because objects may be there already.
  private let keepsEmptyLinks: Bool

  private var layout: EntityLayout { request.layout }

  init(_ request: ImportRequest) throws {
    self.request = request
    conversion = GivenValues(request.layout, in: request.context)
    keepsEmptyLinks = request.options.conflictPolicy == .update || request.options.conflictPolicy == .replace
  }

  /// Adds a record to those that wait in the importer for the next flush.
  ///
  /// - Returns: all that is wrong with a record that cannot be read, which is not added.
  func read(_ record: ImportRecord, at position: Int, into importer: RecordImporter) -> GraphStoreError? {
    importer.begin(entityAt: layout.index, record: position, line: position)
    var failures: [GraphStoreError] = []
    for (name, value) in record {
      do { try read(value, of: role(of: name), into: importer) } catch {
        failures.append(error as? GraphStoreError ?? wrapped(error, name))
      }
    }
    guard !failures.isEmpty else {
      importer.end()
      return nil
    }
    let broken = (try? importer.brokenRules()) ?? []
    importer.discard()
    return combined(failures, broken).ofRecord(at: position)
  }

  /// The failures in the order of the properties, with the broken rules of those that could be read.
  private func combined(_ failures: [GraphStoreError], _ broken: [GraphStoreError]) -> GraphStoreError {
    func attribute(_ error: GraphStoreError) -> Substring? { error.property?.prefix { $0 != "." } }
    let unread = Set(failures.map(attribute))
    let rules = broken.flatMap(\.parts).filter { !unread.contains(attribute($0)) }
    let sorted = failures.sorted { ($0.property ?? "") < ($1.property ?? "") }
    return GraphStoreError.combining(sorted + rules) ?? failures[0]
  }

  private func wrapped(_ error: any Error, _ name: String) -> GraphStoreError {
    GraphStoreError(
      .valueType, "\(layout.entity.name).\(name): \(error)", remedy: "Give another value.",
      entity: layout.entity.name, property: name, underlying: error)
  }

  // MARK: Roles

  func role(of name: String) -> Role {
    if let known = roles[name] { return known }
    let role = resolve(name)
    roles[name] = role
    return role
  }

  private func resolve(_ name: String) -> Role {
    guard let property = layout.property(named: name) else {
      return request.identifiesByObjectID && name == "objectID"
        ? .identifier : .refused(layout.unknownKey(name))
    }
    if property.relationship >= 0, property.isPersistent {
      return .link(layout.relationships[property.relationship], by: request.lookups[name])
    }
    guard let attribute = property.attribute, !property.isDerived,
      property.isPersistent || !attribute.isOptional
    else { return .refused(readOnly(property)) }
    return property.kind == .none || property.kind == .undefined
      ? .refused(conversion.object.unsupported(property)) : .attribute(property)
  }

  private func readOnly(_ property: PropertyLayout) -> GraphStoreError {
    GraphStoreError(
      .readOnlyProperty,
      "\(layout.entity.name).\(property.name) is "
        + (property.isPersistent ? "computed" : "not stored") + " and cannot be imported.",
      remedy: "Leave it out of the records.", entity: layout.entity.name, property: property.name)
  }

  // MARK: Values

  @inline(__always)
  private func read(_ value: (any Sendable)?, of role: Role, into importer: RecordImporter) throws {
    switch role {
    case .attribute(let property):
      guard let value else { return importer.setValue(.null, property.number) }
      if !readInPlace(value, property, into: importer) {
        importer.setValue(try conversion.value(of: value, for: property), property.number)
      }
    case .link(let relationship, let lookup):
      if value == nil || relationship.isToMany, keepsEmptyLinks { importer.clearLinks(relationship.number) }
      guard let value else { return }
      for member in try members(value, of: relationship) {
        try link(relationship, to: member, by: lookup, into: importer)
      }
    case .identifier:
      if let value { importer.setLabel(try identifier(value, of: "objectID")) }
    case .refused(let error): if value != nil { throw error }
    }
  }

  /// Sets an attribute to a value of its own type that takes no conversion; false for any other.
  @inline(__always)
  private func readInPlace(
    _ value: any Sendable, _ property: PropertyLayout, into importer: RecordImporter
  ) -> Bool {
    switch property.kind {
    case .string:
      guard var text = value as? String else { return false }
      text.withUTF8 { unsafe importer.setText($0, property.number) }
    case .int16, .int32, .int64:
      guard let number = value as? Int, property.kind.holds(Int64(number)) else { return false }
      importer.setInteger(Int64(number), property.number)
    case .double:
      guard let number = value as? Double, !number.isNaN else { return false }
      importer.setDouble(number, property.number)
    case .date:
      guard let seconds = (value as? Date)?.timeIntervalSinceReferenceDate, seconds.isFinite else {
        return false
      }
      importer.setDouble(seconds, property.number)
    default: return false
    }
    return true
  }

  // MARK: Links

  func members(_ value: any Sendable, of relationship: RelationshipLayout) throws -> [Any] {
    guard relationship.isToMany else { return [value] }
    if let list = value as? [Any] { return list }
    if !relationship.isOrdered, let set = value as? Set<AnyHashable> { return set.map(\.base) }
    let name = relationship.qualifiedName
    throw GraphStoreError(
      .wrongCardinality, "\(name) takes a collection of links, not a value of type \(type(of: value)).",
      remedy: relationship.isOrdered ? "Give an array." : "Give an array or a set.",
      entity: layout.entity.name,
      property: relationship.description.name)
  }

  private func link(
    _ relationship: RelationshipLayout, to value: Any, by lookup: PropertyLayout?,
    into importer: RecordImporter
  ) throws {
    guard let lookup else {
      return importer.addLink(
        relationship.number, to: try identifier(value, of: relationship.description.name))
    }
    importer.addLookup(
      relationship.number, attribute: lookup.number,
      text: try keyText(value, of: lookup, through: relationship))
  }

  /// The value of a destination's key as text.
  func keyText(
    _ value: Any, of lookup: PropertyLayout, through relationship: RelationshipLayout
  ) throws -> String {
    let known = conversions[relationship.destination]
    let destination =
      known ?? GivenValues(request.coordinator.layout.entities[relationship.destination], in: request.context)
    if known == nil { conversions[relationship.destination] = destination }
    do {
      return try destination.value(of: value, for: lookup).importText
    } catch var error as GraphStoreError {
      error.entity = layout.entity.name
      error.property = relationship.description.name
      throw error
    }
  }

  /// The identifier of a stored object, as such, or as its short form or URI.
  func identifier(_ value: Any, of name: String) throws -> ManagedObjectID {
    let coordinator = request.coordinator
    let id: ManagedObjectID? =
      switch value {
      case let id as ManagedObjectID: id
      case let text as String:
        coordinator.managedObjectID(forShortForm: text)
          ?? URL(string: text).flatMap(coordinator.managedObjectID(forURIRepresentation:))
      case let uri as URL: coordinator.managedObjectID(forURIRepresentation: uri)
      default: nil
      }
    guard let id else {
      throw GraphStoreError(
        .unresolvedLink, "\(layout.entity.name).\(name): \(value) names no object of a store that is open.",
        remedy: "Give an identifier, or say in links by which attribute objects are named.",
        entity: layout.entity.name, property: name, value: (value as? any ValueConvertible)?.queryValue)
    }
    if id.isTemporaryID { throw id.refusalOfTemporary(entity: layout.entity.name, property: name) }
    guard let place = request.context.place(of: id), place.1 == request.mount.index else {
      throw GraphStoreError(
        .crossStoreRelationship,
        "\(layout.entity.name).\(name): \(id.shortForm) is in another store than the records.",
        remedy: "Import into its store, or name an object of this one.", entity: layout.entity.name,
        property: name, objectID: id)
    }
    return ManagedObjectID(scope: request.mount.scope, entityIndex: place.0.index, key: id.key)
  }
}

extension Value {
  /// The text that `value(fromText:)` reads as the value again.
  fileprivate var importText: String {
    switch self {
    case .string(let text): text
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .decimal(let number): "\(number)"
    case .bool(let flag): flag ? "true" : "false"
    case .date(let date): DateText.text(of: date.timeIntervalSinceReferenceDate) ?? ""
    case .uuid(let uuid): uuid.uuidString
    case .uri(let uri): uri.absoluteString
    case .data(let data): data.base64EncodedString()
    case .null, .object, .list, .dictionary: ""
    }
  }
}
