import Testing

@testable import GraphStore

@Suite("Links under undo", .everyStore)
struct UndoLinkTests {
  /// The relationships of a department to an employee, of each kind and rule.
  enum Link: CaseIterable {
    case denied, deniedPair, left, leftPair, oneWay, nullified, nullifiedPair, partner

    var name: String { "\(self)" }
    var inverse: String? { self == .oneWay ? nil : "\(self)Of" }
    var isToMany: Bool { self != .oneWay && self != .partner }
    fileprivate var isPair: Bool { [.deniedPair, .leftPair, .nullifiedPair].contains(self) }
    fileprivate var rule: DeleteRule {
      switch self {
      case .denied, .deniedPair: .deny
      case .left, .leftPair: .noAction
      default: .nullify
      }
    }
  }

  private let stack: TestStack
  private let manager = GraphUndoManager()
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    let model = ModelDefinition(entities: [
      EntityDefinition(
        "D", attributes: [AttributeDefinition("n", .int64)],
        relationships: Link.allCases.map {
          RelationshipDefinition(
            $0.name, to: "E", inverse: $0.inverse, isToMany: $0.isToMany, isOrdered: $0 == .denied,
            deleteRule: $0.rule)
        }),
      EntityDefinition(
        "E", attributes: [AttributeDefinition("n", .int64)],
        relationships: Link.allCases.compactMap { link in
          link.inverse.map {
            RelationshipDefinition(
              $0, to: "D", inverse: link.name, isToMany: link.isPair, deleteRule: .nullify)
          }
        }),
    ])
    stack = try TestStack(model)
  }

  /// A department and two employees that a relationship links to it, saved.
  private func linked(by link: Link) throws -> (owner: ManagedObject, members: [ManagedObject]) {
    let owner = try context.insert(entityNamed: "D")
    let members = try (0..<(link.isToMany ? 2 : 1)).map { _ in try context.insert(entityNamed: "E") }
    try owner.setValue(link.isToMany ? members as Any : members[0], forKey: link.name)
    try context.save()
    try context.setUndoManager(manager)
    return (owner, members)
  }

  /// A department and an employee without links, saved.
  private func unlinked() throws -> (owner: ManagedObject, other: ManagedObject) {
    try context.setUndoManager(manager)
    let pair = try (context.insert(entityNamed: "D"), context.insert(entityNamed: "E"))
    try context.save()
    return pair
  }

  /// Whether the first member is linked, seen from each end.
  private func ends(_ link: Link, _ owner: ManagedObject, _ member: ManagedObject) throws -> [Bool] {
    let here = try owner.objectIDs(forRelationshipNamed: link.name).contains(member.objectID)
    guard let inverse = link.inverse else { return [here] }
    return [here, try member.objectIDs(forRelationshipNamed: inverse).contains(owner.objectID)]
  }

  private func expectLinked(
    _ link: Link, _ owner: ManagedObject, _ members: [ManagedObject], _ what: String,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    for object in [owner] + members {
      #expect(
        context.registeredObject(for: object.objectID) === object && !object.isDeleted, "\(what)",
        sourceLocation: location)
    }
    if link.isToMany {
      let present = try owner.objects(forKey: link.name)
      #expect(
        link == .denied ? present == members : Set(present) == Set(members), "\(what)",
        sourceLocation: location)
    }
    for member in members {
      #expect(try ends(link, owner, member).allSatisfy(\.self), "\(what)", sourceLocation: location)
    }
    try context.save()
    #expect(!context.hasChanges, "\(what)", sourceLocation: location)
    let stored = stack.newContext()
    let found = try stored.existingObject(with: owner.objectID)
    for member in members {
      #expect(
        try ends(link, found, stored.existingObject(with: member.objectID)).allSatisfy(\.self),
        "\(what), stored",
        sourceLocation: location)
    }
  }

  private func saveIfAllowed(_ saves: Bool) throws {
    guard saves else { return }
    do {
      try context.save()
    } catch let error as GraphStoreError
      where [.deleteDenied, .multipleValidationErrors].contains(error.code)
    {
      #expect(context.hasChanges)
    }
  }

  @Test(
    "REL-282, OBJ-407, OBJ-410, OBJ-411, CTX-150, CTX-152, CTX-153: both objects of a link are deleted one after the other, and come back with it, whichever goes first and whenever it is saved",
    arguments: Link.allCases)
  func bothDeleted(_ link: Link) throws {
    for (isOwnerFirst, savesBetween, savesBehind) in [
      (true, false, false), (true, false, true), (true, true, true), (false, false, false),
      (false, false, true),
      (false, true, true),
    ] {
      let what =
        "\(link), owner first: \(isOwnerFirst), saved between: \(savesBetween), behind: \(savesBehind)"
      let (owner, members) = try linked(by: link)
      let objects = isOwnerFirst ? [owner] + members : members + [owner]
      for object in objects {
        try context.delete(object)
        try context.processPendingChanges()
        try saveIfAllowed(savesBetween)
      }
      try saveIfAllowed(savesBehind)
      for _ in objects { #expect(try context.undo().isEmpty, "\(what)") }
      try expectLinked(link, owner, members, what)
      manager.removeAllActions()
    }
  }

  @Test(
    "CTX-150, REL-067: a link that is made in the event that deletes its owner is there after no undo of that, however often it is redone",
    arguments: Link.allCases.filter { $0 != .denied && $0 != .deniedPair })
  func linkedAndDeleted(_ link: Link) throws {
    let owner = try context.insert(entityNamed: "D")
    let member = try context.insert(entityNamed: "E")
    try context.save()
    try context.setUndoManager(manager)
    try owner.setValue(link.isToMany ? [member] as Any : member, forKey: link.name)
    try context.delete(owner)
    try context.processPendingChanges()
    try context.delete(member)
    try context.save()
    try context.undo()
    for round in 0..<3 {
      try context.undo()
      #expect(try ends(link, owner, member).allSatisfy { !$0 }, "\(link), round \(round)")
      try context.redo()
    }
    try context.undo()
    try context.save()
    let stored = stack.newContext()
    let (first, second) = (
      try stored.existingObject(with: owner.objectID), try stored.existingObject(with: member.objectID)
    )
    #expect(try ends(link, first, second).allSatisfy { !$0 }, "\(link), stored")
  }

  @Test(
    "CTX-150, REL-067: both ends agree when a deletion is undone whose object had lost a link that a refresh of the other end has brought back",
    arguments: [Link.nullifiedPair, .leftPair])
  func lostAndRefreshed(_ link: Link) throws {
    let (owner, members) = try linked(by: link)
    try owner.setValue([ManagedObject](), forKey: link.name)
    try context.processPendingChanges()
    try context.delete(owner)
    try context.processPendingChanges()
    for member in members { try context.refresh(member, mergeChanges: false) }
    for member in members { _ = try member.objectIDs(forRelationshipNamed: link.inverse ?? "") }
    try context.undo()
    for member in members {
      let ends = try ends(link, owner, member)
      #expect(ends[0] == ends[1], "\(link)")
    }
  }

  @Test("OBJ-407, CTX-150: the same in one group, and undone, redone and undone", arguments: Link.allCases)
  func bothDeletedInGroup(_ link: Link) throws {
    for isOwnerFirst in [true, false] {
      let (owner, members) = try linked(by: link)
      manager.beginUndoGrouping()
      for object in isOwnerFirst ? [owner] + members : members + [owner] {
        try context.delete(object)
        try context.processPendingChanges()
      }
      try manager.endUndoGrouping()
      try context.save()
      try context.undo()
      try context.redo()
      try saveIfAllowed(true)
      try context.undo()
      try expectLinked(link, owner, members, "\(link), owner first: \(isOwnerFirst)")
      manager.removeAllActions()
    }
  }

  @Test(
    "OBJ-407, OBJ-410, CTX-152: a denied deletion that a later step lifts is undone with the links, and redone",
    arguments: [Link.denied, .deniedPair], [false, true])
  func liftedDenial(_ link: Link, saves: Bool) throws {
    let (owner, members) = try linked(by: link)
    try context.delete(owner)
    try context.processPendingChanges()
    for member in members {
      if link.isPair {
        try member.removeObjects([owner], forKey: link.inverse!)
      } else {
        try member.setValue(nil, forKey: link.inverse!)
      }
    }
    try context.processPendingChanges()
    if saves { try context.save() }
    for _ in 0..<2 {
      #expect(try context.undo().isEmpty && context.undo().isEmpty)
      for member in members { #expect(try ends(link, owner, member) == [true, true]) }
      #expect(try context.redo().isEmpty && context.redo().isEmpty)
      #expect(owner.isDeleted || owner.managedObjectContext == nil)
    }
    #expect(try context.undo().isEmpty && context.undo().isEmpty)
    try expectLinked(link, owner, members, "\(link), saved: \(saves)")
  }

  @Test(
    "FLT-114, REL-315, CTX-158: a refresh that takes links back is no step, and undo brings none of them back",
    arguments: [Link.partner, .nullified, .nullifiedPair], [true, false])
  func refreshOfLink(_ link: Link, refreshesOwner: Bool) throws {
    try context.setUndoManager(manager)
    let owner = try context.insert(entityNamed: "D")
    let member = try context.insert(entityNamed: "E")
    try context.save()
    let other = try context.insert(entityNamed: refreshesOwner ? "E" : "D")
    try context.processPendingChanges()
    let (first, second) = refreshesOwner ? (owner, other) : (other, member)
    if link.isToMany {
      try first.addObjects([second], forKey: link.name)
    } else {
      try first.setValue(second, forKey: link.name)
    }
    try context.processPendingChanges()
    try context.refresh(refreshesOwner ? owner : member, mergeChanges: false)
    #expect(try ends(link, first, second) == [false, false])
    try other.setValue(3, forKey: "n")
    try context.processPendingChanges()
    while manager.canUndo {
      try context.undo()
      guard other.managedObjectContext != nil else { break }
      #expect(try ends(link, first, second) == [false, false] && other.managedObjectContext != nil)
    }
    while manager.canRedo { try context.redo() }
    #expect(try ends(link, first, second) == [false, false])
    try context.save()
    #expect(try stack.newContext().all("D").count == (refreshesOwner ? 1 : 2))
  }

  @Test(
    "FLT-099, CTX-052, REL-247, REL-282: what a pending deletion has cut stays cut through a refresh, is saved without a conflict, and comes back with the object",
    arguments: [Link.partner, .nullified, .nullifiedPair], [false, true])
  func refreshOfCut(_ link: Link, saves: Bool) throws {
    for deletesOwner in [true, false] {
      let (owner, members) = try linked(by: link)
      let (gone, left) = deletesOwner ? (owner, members[0]) : (members[0], owner)
      try left.setValue(5, forKey: "n")
      try context.processPendingChanges()
      try context.delete(gone)
      try context.processPendingChanges()
      try context.refresh(left, mergeChanges: false)
      #expect(try left.value(forKey: "n") == nil)
      let key = deletesOwner ? link.inverse! : link.name
      #expect(try !left.objectIDs(forRelationshipNamed: key).contains(gone.objectID))
      if saves { try context.save() }
      #expect(try context.undo().isEmpty)
      if !saves { #expect(!context.hasChanges) }
      try expectLinked(link, owner, members, "\(link), owner deleted: \(deletesOwner)")
      manager.removeAllActions()
    }
  }

  @Test(
    "FLT-099, REL-247: a pending deletion cuts a link that a refresh has brought back, though both ends led elsewhere when it was made",
    arguments: [false, true])
  func refreshOfMovedPartner(deletesOwner: Bool) throws {
    let (owner, members) = try linked(by: .partner)
    let (gone, left) = deletesOwner ? (owner, members[0]) : (members[0], owner)
    let key = deletesOwner ? Link.partner.inverse! : Link.partner.name
    try context.delete(gone)
    try left.setValue(try context.insert(entityNamed: gone.entity.name), forKey: key)
    try context.processPendingChanges()
    try context.refresh(left, mergeChanges: false)
    #expect(try left.object(forKey: key) == nil)
    try context.save()
    let stored = try stack.newContext().existingObject(with: left.objectID)
    #expect(try stored.object(forKey: key) == nil)
  }

  @Test(
    "CTX-150, CTX-152: a deletion that is done again changes of the other ends what it changed at first",
    arguments: Link.allCases, [true, false])
  func flagsOfDeletion(_ link: Link, wasStored: Bool) throws {
    let (owner, members) = try linked(by: link)
    if !wasStored {
      try owner.setValue(link.isToMany ? [ManagedObject]() as Any : nil, forKey: link.name)
      try context.save()
      manager.removeAllActions()
      try owner.setValue(link.isToMany ? members as Any : members[0], forKey: link.name)
    }
    try context.processPendingChanges()
    func flags() -> [Bool] { members.map(\.hasChanges) }
    try context.delete(owner)
    try context.processPendingChanges()
    let former = flags()
    for _ in 0..<2 {
      try context.undo()
      try context.redo()
      #expect(flags() == former)
    }
    try saveIfAllowed(true)
    guard !context.hasChanges else { return }
    for _ in 0..<2 {
      try context.undo()
      try context.redo()
      #expect(!context.hasChanges && flags().allSatisfy { !$0 })
    }
  }

  @Test(
    "CTX-150, OBJ-410: a link to an object that has left waits for it, however often it is undone and redone")
  func postponedLink() throws {
    let (owner, other) = try unlinked()
    let first = try context.insert(entityNamed: "E")
    try owner.setValue(first, forKey: "oneWay")
    try context.processPendingChanges()
    try context.delete(first)
    try context.processPendingChanges()
    try owner.setValue(other, forKey: "oneWay")
    try context.processPendingChanges()
    for _ in 0..<3 {
      try context.undo()
      #expect(try owner.object(forKey: "oneWay") !== other)
      try context.redo()
      #expect(try owner.object(forKey: "oneWay") === other)
    }
    try context.undo()
    try context.undo()
    #expect(try owner.object(forKey: "oneWay") === first && first.isInserted)
  }

  @Test(
    "CTX-150: a link is undone also where it had led to an object that was inserted and deleted in one event")
  func linkToShortLived() throws {
    let (owner, other) = try unlinked()
    let shortLived = try context.insert(entityNamed: "E")
    try owner.setValue(shortLived, forKey: "oneWay")
    try context.delete(shortLived)
    try context.processPendingChanges()
    try owner.setValue(other, forKey: "oneWay")
    try context.undo()
    #expect(try owner.object(forKey: "oneWay") !== other)
    try context.redo()
    #expect(try owner.object(forKey: "oneWay") === other)
  }

  @Test(
    "CTX-153, REL-133: links to an object that came back, and was deleted again, are not written, whatever the rule leaves",
    arguments: [Link.left, .leftPair])
  func deletedAfterReturn(_ link: Link) throws {
    let (owner, members) = try linked(by: link)
    try context.delete(owner)
    try context.save()
    try context.undo()
    if link.isPair { try members[0].addObjects([owner], forKey: link.inverse!) }
    try context.redo()
    try members[0].setValue(7, forKey: "n")
    try context.save()
    #expect(try stack.newContext().all("D").isEmpty)
    #expect(
      try stack.newContext().existingObject(with: members[0].objectID).value(forKey: "n") as? Int64 == 7)
  }

  @Test(
    "FLT-099, REL-067, CTX-153: a refresh leaves no half of a link that a returning object has brought back",
    arguments: Link.allCases.filter { $0.inverse != nil }, [true, false])
  func refreshAfterReturn(_ link: Link, deletesOwner: Bool) throws {
    let (owner, members) = try linked(by: link)
    try context.delete(deletesOwner ? owner : members[0])
    try saveIfAllowed(true)
    guard !context.hasChanges else { return }
    try context.undo()
    try context.refresh(deletesOwner ? members[0] : owner, mergeChanges: false)
    let ends = try ends(link, owner, members[0])
    #expect(ends[0] == ends[1])
    try context.save()
    let stored = stack.newContext()
    let (storedOwner, member) = try (
      stored.existingObject(with: owner.objectID), stored.existingObject(with: members[0].objectID)
    )
    #expect(try self.ends(link, storedOwner, member) == ends)
  }

  @Test(
    "FLT-099, REL-067: a link that was cut before its object was deleted, and comes back by a refresh, comes back on both ends",
    arguments: [true, false])
  func refreshOfCutPartner(deletesOwner: Bool) throws {
    let (owner, members) = try linked(by: .partner)
    try owner.setValue(nil, forKey: Link.partner.name)
    try context.processPendingChanges()
    try context.delete(deletesOwner ? owner : members[0])
    try context.processPendingChanges()
    try context.refresh(deletesOwner ? members[0] : owner, mergeChanges: false)
    try context.undo()
    let ends = try ends(.partner, owner, members[0])
    #expect(ends[0] == ends[1])
    try context.save()
    #expect(try self.ends(.partner, owner, members[0]) == ends)
    let stored = stack.newContext()
    #expect(
      try self.ends(
        .partner, stored.existingObject(with: owner.objectID),
        stored.existingObject(with: members[0].objectID))
        == ends)
  }

  @Test(
    "CTX-150, CTX-152: redoing the deletion of an object that was never saved leaves nothing to be saved",
    arguments: Link.allCases.filter { $0 != .left })
  func flagsOfNeverSaved(_ link: Link) throws {
    try context.setUndoManager(manager)
    let member = try context.insert(entityNamed: "E")
    let owner = try context.insert(entityNamed: "D")
    try context.processPendingChanges()
    try owner.setValue(link.isToMany ? [member] as Any : member, forKey: link.name)
    try context.delete(owner)
    try context.processPendingChanges()
    try saveIfAllowed(true)
    guard !context.hasChanges else { return }
    for _ in 0..<2 {
      try context.undo()
      try context.redo()
      #expect(!context.hasChanges && !member.hasChanges)
    }
  }

  @Test("CTX-002, OBJ-407: a record has one object, also where a fault stood for it while its own had left")
  func oneObject() throws {
    try context.setUndoManager(manager)
    for isSaved in [false, true] {
      let (owner, member) = (try context.insert(entityNamed: "D"), try context.insert(entityNamed: "E"))
      try member.setValue(7, forKey: "n")
      try owner.setValue(member, forKey: "oneWay")
      if isSaved { try context.save() } else { try context.obtainPermanentIDs(for: [member]) }
      try context.processPendingChanges()
      try context.delete(member)
      try context.processPendingChanges()
      if isSaved { try context.save() }
      let stand = try owner.object(forKey: "oneWay")
      let found = try context.object(with: member.objectID)
      #expect(found !== member)
      try context.undo()
      #expect(context.registeredObject(for: member.objectID) === member)
      #expect(try owner.object(forKey: "oneWay") === member && member.value(forKey: "n") as? Int64 == 7)
      #expect(found.managedObjectContext == nil && stand?.managedObjectContext == nil || stand === member)
      try context.checkInvariants()
      try context.save()
      let stored = try stack.newContext().existingObject(with: owner.objectID)
      #expect(try stored.object(forKey: "oneWay")?.value(forKey: "n") as? Int64 == 7)
    }
  }

  @Test("OBJ-418: a record that another writer has made again is not brought back a second time")
  func madeAgain() throws {
    let (_, members) = try linked(by: .oneWay)
    let other = stack.newContext()
    try other.setUndoManager(GraphUndoManager())
    let theirs = try other.existingObject(with: members[0].objectID)
    try context.delete(members[0])
    try context.save()
    try other.delete(theirs)
    other.mergePolicy = .mergeByPropertyObjectTrump
    try other.save()
    try other.undo()
    try other.save()
    let again = try context.existingObject(with: members[0].objectID)
    #expect(try context.undo() == [members[0].objectID])
    #expect(context.registeredObject(for: again.objectID) === again && again !== members[0])
  }

  @Test(
    "CTX-159, OBJ-418: undo past a merging refresh, or a settled conflict, leads to what others have stored")
  func rebased() throws {
    for isSettled in [false, true] {
      let (owner, members) = try linked(by: .oneWay)
      let second = try context.insert(entityNamed: "E")
      try owner.setValue(1, forKey: "n")
      try context.save()
      manager.removeAllActions()
      try owner.setValue(2, forKey: "n")
      try owner.setValue(second, forKey: "oneWay")
      try context.processPendingChanges()
      try owner.setValue(3, forKey: "n")
      try context.processPendingChanges()
      let other = stack.newContext()
      let theirs = try other.existingObject(with: owner.objectID)
      try theirs.setValue(9, forKey: "n")
      try theirs.setValue(nil, forKey: "oneWay")
      try other.save()
      context.mergePolicy = .mergeByPropertyObjectTrump
      if isSettled { try context.save() } else { try context.refresh(owner, mergeChanges: true) }
      #expect(try owner.value(forKey: "n") as? Int64 == 3 && owner.object(forKey: "oneWay") === second)
      try context.undo()
      #expect(try owner.value(forKey: "n") as? Int64 == 2)
      try context.undo()
      #expect(try owner.value(forKey: "n") as? Int64 == 9 && owner.object(forKey: "oneWay") == nil)
      #expect(owner.hasChanges == isSettled)
      try context.redo()
      #expect(try owner.value(forKey: "n") as? Int64 == 2 && owner.object(forKey: "oneWay") === second)
      try context.save()
      manager.removeAllActions()
      _ = members
    }
  }
}
