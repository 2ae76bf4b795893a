import Testing

@testable import GraphStore

@Suite("Links under refreshes and undo", .everyStore)
struct UndoRefreshTests {
  typealias Link = UndoLinkFixture.Link

  private let links: UndoLinkFixture
  private var manager: GraphUndoManager { links.manager }
  private var context: ManagedObjectContext { links.context }

  init() throws { links = try UndoLinkFixture() }

  @Test(
    "CTX-150, REL-067: both ends agree when a deletion is undone whose object had lost a link that a refresh of the other end has brought back",
    arguments: [Link.nullifiedPair, .leftPair])
  func lostAndRefreshed(_ link: Link) throws {
    let (owner, members) = try links.linked(by: link)
    try owner.setValue([ManagedObject](), forKey: link.name)
    try context.processPendingChanges()
    try context.delete(owner)
    try context.processPendingChanges()
    for member in members { try context.refresh(member, mergeChanges: false) }
    for member in members { _ = try member.objectIDs(forRelationshipNamed: link.inverse ?? "") }
    try context.undo()
    for member in members {
      let ends = try links.ends(link, owner, member)
      #expect(ends[0] == ends[1], "\(link)")
    }
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
    #expect(try links.ends(link, first, second) == [false, false])
    try other.setValue(3, forKey: "n")
    try context.processPendingChanges()
    while manager.canUndo {
      try context.undo()
      guard other.managedObjectContext != nil else { break }
      #expect(try links.ends(link, first, second) == [false, false] && other.managedObjectContext != nil)
    }
    while manager.canRedo { try context.redo() }
    #expect(try links.ends(link, first, second) == [false, false])
    try context.save()
    #expect(try links.stack.newContext().all("D").count == (refreshesOwner ? 1 : 2))
  }

  @Test(
    "FLT-099, CTX-052, REL-247, REL-282: what a pending deletion has cut stays cut through a refresh, is saved without a conflict, and comes back with the object",
    arguments: [Link.partner, .nullified, .nullifiedPair], [false, true])
  func refreshOfCut(_ link: Link, saves: Bool) throws {
    for deletesOwner in [true, false] {
      let (owner, members) = try links.linked(by: link)
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
      try links.expectLinked(link, owner, members, "\(link), owner deleted: \(deletesOwner)")
      manager.removeAllActions()
    }
  }

  @Test(
    "FLT-099, REL-247: a pending deletion cuts a link that a refresh has brought back, though both ends led elsewhere when it was made",
    arguments: [false, true])
  func refreshOfMovedPartner(deletesOwner: Bool) throws {
    let (owner, members) = try links.linked(by: .partner)
    let (gone, left) = deletesOwner ? (owner, members[0]) : (members[0], owner)
    let key = deletesOwner ? Link.partner.inverse! : Link.partner.name
    try context.delete(gone)
    try left.setValue(try context.insert(entityNamed: gone.entity.name), forKey: key)
    try context.processPendingChanges()
    try context.refresh(left, mergeChanges: false)
    #expect(try left.object(forKey: key) == nil)
    try context.save()
    let stored = try links.stack.newContext().existingObject(with: left.objectID)
    #expect(try stored.object(forKey: key) == nil)
  }

  @Test(
    "FLT-099, DGN-153, REL-067, CTX-153: a refresh leaves no half of a link that a returning object has brought back",
    arguments: Link.allCases.filter { $0.inverse != nil }, [true, false])
  func refreshAfterReturn(_ link: Link, deletesOwner: Bool) throws {
    let (owner, members) = try links.linked(by: link)
    try context.delete(deletesOwner ? owner : members[0])
    try links.saveIfAllowed(true)
    guard !context.hasChanges else { return }
    try context.undo()
    try context.refresh(deletesOwner ? members[0] : owner, mergeChanges: false)
    let ends = try links.ends(link, owner, members[0])
    #expect(ends[0] == ends[1])
    try context.save()
    #expect(try links.storedEnds(link, owner, members[0]) == ends)
  }

  @Test(
    "FLT-099, REL-067: a link that was cut before its object was deleted, and comes back by a refresh, comes back on both ends",
    arguments: [true, false])
  func refreshOfCutPartner(deletesOwner: Bool) throws {
    let (owner, members) = try links.linked(by: .partner)
    try owner.setValue(nil, forKey: Link.partner.name)
    try context.processPendingChanges()
    try context.delete(deletesOwner ? owner : members[0])
    try context.processPendingChanges()
    try context.refresh(deletesOwner ? members[0] : owner, mergeChanges: false)
    try context.undo()
    let ends = try links.ends(.partner, owner, members[0])
    #expect(ends[0] == ends[1])
    try context.save()
    #expect(try links.ends(.partner, owner, members[0]) == ends)
    #expect(try links.storedEnds(.partner, owner, members[0]) == ends)
  }

  @Test(
    "FLT-099, REL-067: a member that was lost before it was deleted comes back on both ends of a link by a refresh"
  )
  func refreshOfLostMember() throws {
    let (owner, members) = try links.linked(by: .left)
    try members[0].setValue(nil, forKey: Link.left.inverse!)
    try context.processPendingChanges()
    try context.delete(members[0])
    try context.processPendingChanges()
    try context.refresh(owner, mergeChanges: false)
    try context.undo()
    let ends = try links.ends(.left, owner, members[0])
    #expect(ends[0] == ends[1])
    try context.save()
    #expect(try links.ends(.left, owner, members[0]) == ends)
    #expect(try links.storedEnds(.left, owner, members[0]) == ends)
  }

  @Test("FLT-114, CTX-150: what waits for another object is forgotten with the changes that a refresh drops")
  func refreshOfPostponed() throws {
    try context.setUndoManager(manager)
    let (key, member) = (Link.nullified.inverse!, try context.insert(entityNamed: "E"))
    let owners = try (0..<2).map { _ in try context.insert(entityNamed: "D") }
    try context.save()
    try member.setValue(owners[0], forKey: key)
    try context.processPendingChanges()
    try context.delete(owners[0])
    try member.setValue(owners[1], forKey: key)
    try context.save()
    try context.undo()
    try context.refresh(member, mergeChanges: false)
    #expect(try links.ends(.nullified, owners[1], member) == [true, true])
    for _ in 0..<2 {
      try context.redo()
      try context.undo()
      let ends = try links.ends(.nullified, owners[1], member)
      #expect(ends[0] == ends[1])
    }
  }

  @Test(
    "CTX-150, REL-067: a link that was made without being recorded stays, at both ends, where an older change is undone"
  )
  func unrecordedLink() throws {
    let (owner, members) = try links.linked(by: .nullifiedPair)
    let other = try context.insert(entityNamed: "D")
    try context.save()
    manager.removeAllActions()
    try members[0].addObjects([other], forKey: Link.nullifiedPair.inverse!)
    try context.processPendingChanges()
    manager.disableUndoRegistration()
    try owner.removeObjects([members[0]], forKey: Link.nullifiedPair.name)
    try context.processPendingChanges()
    manager.enableUndoRegistration()
    try context.undo()
    #expect(members[0].hasChanges && owner.hasChanges)
    try context.refresh(owner, mergeChanges: false)
    let ends = try links.ends(.nullifiedPair, owner, members[0])
    #expect(ends[0] == ends[1])
    try context.save()
    #expect(try links.ends(.nullifiedPair, owner, members[0]) == ends)
  }

  @Test(
    "CTX-159, OBJ-418: undo past a merging refresh, or a settled conflict, leads to what others have stored")
  func rebased() throws {
    for isSettled in [false, true] {
      let (owner, members) = try links.linked(by: .oneWay)
      let second = try context.insert(entityNamed: "E")
      try owner.setValue(1, forKey: "n")
      try context.save()
      manager.removeAllActions()
      try owner.setValue(2, forKey: "n")
      try owner.setValue(second, forKey: "oneWay")
      try context.processPendingChanges()
      try owner.setValue(3, forKey: "n")
      try context.processPendingChanges()
      let other = links.stack.newContext()
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
