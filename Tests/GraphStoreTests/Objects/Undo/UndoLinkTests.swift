import Testing

@testable import GraphStore

@Suite("Links under undo", .everyStore)
struct UndoLinkTests {
  typealias Link = UndoLinkFixture.Link

  private let links: UndoLinkFixture
  private var manager: GraphUndoManager { links.manager }
  private var context: ManagedObjectContext { links.context }

  init() throws { links = try UndoLinkFixture() }

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
      let (owner, members) = try links.linked(by: link)
      let objects = isOwnerFirst ? [owner] + members : members + [owner]
      for object in objects {
        try context.delete(object)
        try context.processPendingChanges()
        try links.saveIfAllowed(savesBetween)
      }
      try links.saveIfAllowed(savesBehind)
      for _ in objects { #expect(try context.undo().isEmpty, "\(what)") }
      try links.expectLinked(link, owner, members, what)
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
      #expect(try links.ends(link, owner, member).allSatisfy { !$0 }, "\(link), round \(round)")
      try context.redo()
    }
    try context.undo()
    try context.save()
    let stored = links.stack.newContext()
    let (first, second) = (
      try stored.existingObject(with: owner.objectID), try stored.existingObject(with: member.objectID)
    )
    #expect(try links.ends(link, first, second).allSatisfy { !$0 }, "\(link), stored")
  }

  @Test(
    "OBJ-407, CTX-150: both objects of a link are deleted in one group, and come back when that is undone, redone and undone",
    arguments: Link.allCases)
  func bothDeletedInGroup(_ link: Link) throws {
    for isOwnerFirst in [true, false] {
      let (owner, members) = try links.linked(by: link)
      manager.beginUndoGrouping()
      for object in isOwnerFirst ? [owner] + members : members + [owner] {
        try context.delete(object)
        try context.processPendingChanges()
      }
      try manager.endUndoGrouping()
      try context.save()
      try context.undo()
      try context.redo()
      try links.saveIfAllowed(true)
      try context.undo()
      try links.expectLinked(link, owner, members, "\(link), owner first: \(isOwnerFirst)")
      manager.removeAllActions()
    }
  }

  @Test(
    "OBJ-407, OBJ-410, CTX-152: a denied deletion that a later step lifts is undone with the links, and redone",
    arguments: [Link.denied, .deniedPair], [false, true])
  func liftedDenial(_ link: Link, saves: Bool) throws {
    let (owner, members) = try links.linked(by: link)
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
      for member in members { #expect(try links.ends(link, owner, member) == [true, true]) }
      #expect(try context.redo().isEmpty && context.redo().isEmpty)
      #expect(owner.isDeleted || owner.managedObjectContext == nil)
    }
    #expect(try context.undo().isEmpty && context.undo().isEmpty)
    try links.expectLinked(link, owner, members, "\(link), saved: \(saves)")
  }

  @Test(
    "CTX-150, CTX-152: a deletion that is done again changes of the other ends what it changed at first",
    arguments: Link.allCases, [true, false])
  func flagsOfDeletion(_ link: Link, wasStored: Bool) throws {
    let (owner, members) = try links.linked(by: link)
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
    try links.saveIfAllowed(true)
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
    let (owner, other) = try links.unlinked()
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
    let (owner, other) = try links.unlinked()
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
    "CTX-150, REL-284, OBJ-410: a link that No Action had left to a deleted record waits for that, as undo of a later link cannot be saved with it",
    arguments: [Link.left, .oneWay], [false, true])
  func linkLeftToDeleted(_ link: Link, saves: Bool) throws {
    let (owner, other) = try links.unlinked()
    let gone = try context.insert(entityNamed: link == .left ? "D" : "E")
    let (holder, key) = link == .left ? (other, link.inverse!) : (owner, link.name)
    let destination = try context.insert(entityNamed: gone.entity.name)
    try holder.setValue(gone, forKey: key)
    try context.save()
    try context.delete(gone)
    try context.save()
    try holder.setValue(destination, forKey: key)
    try context.processPendingChanges()
    if saves { try context.save() }
    try context.undo()
    try holder.setValue(5, forKey: "n")
    try context.save()
    #expect(try holder.object(forKey: key)?.isFault != false)
    while manager.canUndo { try context.undo() }
    while manager.canRedo { try context.redo() }
  }

  @Test(
    "CTX-150, OBJ-407, OBJ-410: a returning object leads to no fault that stands for a record which is gone, and gets its link back with that"
  )
  func returnBesideFault() throws {
    let (owner, other) = try links.unlinked()
    let holder = try context.insert(entityNamed: "D")
    for object in [owner, holder] { try object.setValue(other, forKey: "oneWay") }
    try context.save()
    for object in [other, owner] {
      try context.delete(object)
      try context.processPendingChanges()
    }
    try context.save()
    #expect(try holder.object(forKey: "oneWay") !== other)
    try context.undo()
    #expect(try owner.isInserted && owner.object(forKey: "oneWay") == nil)
    try context.save()
    try context.undo()
    #expect(try owner.object(forKey: "oneWay") === other && other.isInserted)
    try context.save()
    let stored = try links.stack.newContext().existingObject(with: owner.objectID)
    #expect(try stored.object(forKey: "oneWay")?.objectID == other.objectID)
  }

  @Test(
    "CTX-153, REL-133: links to an object that came back, and was deleted again, are not written, whatever the rule leaves",
    arguments: [Link.left, .leftPair])
  func deletedAfterReturn(_ link: Link) throws {
    let (owner, members) = try links.linked(by: link)
    try context.delete(owner)
    try context.save()
    try context.undo()
    if link.isPair { try members[0].addObjects([owner], forKey: link.inverse!) }
    try context.redo()
    try members[0].setValue(7, forKey: "n")
    try context.save()
    #expect(try links.stack.newContext().all("D").isEmpty)
    #expect(
      try links.stack.newContext().existingObject(with: members[0].objectID).value(forKey: "n") as? Int64 == 7
    )
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
    try links.saveIfAllowed(true)
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
      let stored = try links.stack.newContext().existingObject(with: owner.objectID)
      #expect(try stored.object(forKey: "oneWay")?.value(forKey: "n") as? Int64 == 7)
    }
  }

  @Test(
    "REL-118, REL-282, OBJ-407: members of an ordered relationship that was not read get their places back, and keep them through a refresh",
    arguments: [false, true])
  func placesOfJoined(deletes: Bool) throws {
    let owner = try context.insert(entityNamed: "D")
    let members = try (0..<3).map { _ in try context.insert(entityNamed: "E") }
    try context.save()
    let (other, key) = (links.stack.newContext(), Link.denied.name)
    try other.setUndoManager(manager)
    let there = try members.map { try other.existingObject(with: $0.objectID) }
    let holder = try other.existingObject(with: owner.objectID)
    for member in [there[2], there[1], there[0]] { try holder.addObjects([member], forKey: key) }
    try other.processPendingChanges()
    if deletes { try other.delete(there[1]) } else { try holder.removeObjects([there[1]], forKey: key) }
    try other.processPendingChanges()
    for _ in 0..<2 {
      try other.undo()
      try other.redo()
    }
    try other.undo()
    let wanted = [there[2], there[1], there[0]]
    #expect(try holder.objects(forKey: key) == wanted)
    try other.refresh(holder, mergeChanges: true)
    #expect(try holder.objects(forKey: key) == wanted)
    try other.save()
    let stored = try links.stack.newContext().existingObject(with: owner.objectID)
    #expect(try stored.objects(forKey: key).map(\.objectID) == wanted.map(\.objectID))
  }

  @Test(
    "OBJ-410, OBJ-411, CTX-153: a record whose deletion was saved comes back into one-way to-manys, at its place",
    arguments: [false, true])
  func memberships(isOrdered: Bool) throws {
    let stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "D",
          relationships: [RelationshipDefinition("xs", to: "E", isToMany: true, isOrdered: isOrdered)]),
        EntityDefinition("E", attributes: [AttributeDefinition("n", .int64)]),
      ]))
    let context = stack.context
    let owner = try context.insert(entityNamed: "D")
    let members = try (0..<3).map { _ in try context.insert(entityNamed: "E") }
    for member in members { try owner.addObjects([member], forKey: "xs") }
    try context.save()
    try context.setUndoManager(manager)
    for isRead in [false, true] {
      if isRead {
        _ = try owner.objects(forKey: "xs")
      } else {
        try context.refresh(owner, mergeChanges: false)
      }
      try context.delete(members[0])
      try context.delete(members[1])
      try context.save()
      for round in 0..<2 {
        #expect(try context.undo().isEmpty)
        try context.save()
        let stored = try stack.newContext().existingObject(with: owner.objectID).objects(forKey: "xs")
        let wanted = members.map(\.objectID)
        #expect(
          isOrdered ? stored.map(\.objectID) == wanted : Set(stored.map(\.objectID)) == Set(wanted),
          "read: \(isRead), round \(round): \(stored.map(\.objectID.shortForm))")
        try context.redo()
        try context.save()
        #expect(try owner.objects(forKey: "xs") == [members[2]])
      }
      try context.undo()
      try context.save()
    }
  }

  @Test("OBJ-418: a record that another writer has made again is not brought back a second time")
  func madeAgain() throws {
    let (_, members) = try links.linked(by: .oneWay)
    let other = links.stack.newContext()
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
}
