extension ManagedObject {
  /// The old values of the properties that have changed since objects-did-change was last told, by name, in the types of
  /// ``value(forKey:)``; a missing value is there as nil (OBJ-098).
  ///
  /// Inside of an observer of objects-did-change these are the values from before the event that it is told of (CTX-419). Of a
  /// to-many it gives the set of its former members. It fires nothing, but reads the members of a to-many that has changed
  /// without being read.
  ///
  /// - Throws: What reading such members throws.
  public final func changedValuesForCurrentEvent() throws -> [String: Any?] {
    checkQueue()
    var values: [String: Any?] = [:]
    guard let change = changeOfEvent, context != nil else { return values }
    let before = change.before
    for property in layout.properties where property.isInRow {
      guard let former = before.row, let now = currentRow, !now.hasEqualValue(former, property) else {
        continue
      }
      values.updateValue(try formerValue(of: property, in: former), forKey: property.name)
    }
    for property in layout.properties where property.kind == .undefined {
      guard touchedInEvent(property, since: before) else { continue }
      values.updateValue(before.undefined[property.number], forKey: property.name)
    }
    for (ordinal, log) in change.members {
      let relationship = layout.relationships[ordinal]
      let present = try storedMembers(of: relationship)
      let members = Set(present)
      let former = toMany(relationship).members(before: log, among: members)
      guard former != members || log.order != nil else { continue }
      let name = relationship.description.name
      if relationship.isOrdered {
        let order = toMany(relationship).formerOrder(of: log) ?? present
        values.updateValue(order.filter(former.contains), forKey: name)
      } else {
        values.updateValue(former, forKey: name)
      }
    }
    return values
  }

  /// The change that an observer is being told of, or the one of the event that is open.
  private final var changeOfEvent: ContextChanges.Change? {
    if let before = eventSnapshot { return ContextChanges.Change(self, before: before) }
    return context?.telling?.change(of: self)
  }

  private final func touchedInEvent(_ property: PropertyLayout, since before: EventSnapshot) -> Bool {
    guard extra?.touched.contains(property.number) == true else { return false }
    guard let former = before.undefined[property.number] as? AnyHashable,
      let now = extra?.decoded[property.number] as? AnyHashable
    else { return true }
    return former != now
  }
}
