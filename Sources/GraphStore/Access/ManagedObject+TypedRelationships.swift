import OrderedCollections

/// What typed keys of to-many relationships do. None of it throws: an unknown name, a member of another class and a
/// store that cannot be read are kept in the context as errors, which its next save throws.
extension ManagedObject {
  /// Reads and sets the members of a to-many by a typed key.
  ///
  /// The first reading costs one statement; each makes a collection of all members, so keep it in a constant where
  /// it is used more than once. Setting goes the same way as ``setValue(_:forKey:)``: the other ends follow at once.
  public final subscript<Members: MemberCollection>(key: ToManyKey<Members>) -> Members {
    get {
      deferring { Members(uniqueMembers: typed(try members(of: try toMany(key)), key)) }
        ?? Members(uniqueMembers: [])
    }
    set { deferring { try setMembers(newValue.members, of: try toMany(key)) } }
  }

  /// Adds objects to a to-many, at the end of an ordered one; the other ends follow at once.
  ///
  /// Its members are not read for that (REL-101, REL-106).
  public final func add<Members>(_ objects: some Sequence<Members.Member>, to key: ToManyKey<Members>) {
    deferring { try add(Array(objects), to: try toMany(key)) }
  }

  /// Removes objects from a to-many; the other ends follow at once.
  public final func remove<Members>(_ objects: some Sequence<Members.Member>, from key: ToManyKey<Members>) {
    deferring { try remove(Array(objects), from: try toMany(key)) }
  }

  /// Inserts objects into an ordered to-many; those that are members already keep their places (REL-111).
  ///
  /// An index beyond the end changes nothing and is kept as the error `index-out-of-range` (REL-113).
  public final func insert<Member>(
    _ objects: some Sequence<Member>, into key: ToManyKey<OrderedSet<Member>>, at index: Int
  ) {
    changeMembers(of: key) { members in
      guard index >= 0, index <= members.count else {
        throw outOfRange(index, count: members.count, name: key.name)
      }
      var index = index
      for object in objects where members.insert(object, at: index).inserted { index += 1 }
    }
  }

  /// Removes the member of an ordered to-many that stands at an index.
  ///
  /// An index beyond the end changes nothing and is kept as the error `index-out-of-range`.
  public final func remove<Member>(at index: Int, from key: ToManyKey<OrderedSet<Member>>) {
    changeMembers(of: key) { members in
      guard members.indices.contains(index) else {
        throw outOfRange(index, count: members.count, name: key.name)
      }
      members.remove(at: index)
    }
  }

  /// Puts an object in the place of the member of an ordered to-many that stands at an index.
  ///
  /// An object that is a member already moves there. An index beyond the end changes nothing and is kept as the error
  /// `index-out-of-range`.
  public final func replace<Member>(
    at index: Int, in key: ToManyKey<OrderedSet<Member>>, with object: Member
  ) {
    changeMembers(of: key) { members in
      guard members.indices.contains(index) else {
        throw outOfRange(index, count: members.count, name: key.name)
      }
      if members[index] === object { return }
      members.remove(at: index)
      if let place = members.firstIndex(of: object) { members.remove(at: place) }
      members.insert(object, at: min(index, members.count))
    }
  }

  // MARK: Ways

  private func changeMembers<Member>(
    of key: ToManyKey<OrderedSet<Member>>, _ change: (inout OrderedSet<ManagedObject>) throws -> Void
  ) {
    deferring {
      let relationship = try toMany(key)
      var changed = OrderedSet(uncheckedUniqueElements: try members(of: relationship))
      try change(&changed)
      try setMembers(changed.elements, of: relationship)
    }
  }

  @discardableResult
  private func deferring<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      keepDeferred(error)
      return nil
    }
  }

  private func toMany<Members>(_ key: ToManyKey<Members>) throws -> RelationshipLayout {
    checkQueue()
    let property = unsafe InlineCache.property(&key.place, name: key.name, kinds: .toMany, in: layout)
    let relationship =
      try property.map { layout.relationships[$0.relationship] } ?? toManyRelationship(forKey: key.name)
    guard relationship.isOrdered == Members.isOrdered else { throw otherOrder(relationship) }
    return relationship
  }

  private func typed<Members>(_ objects: [ManagedObject], _ key: ToManyKey<Members>) -> [Members.Member] {
    var members: [Members.Member] = []
    members.reserveCapacity(objects.count)
    for object in objects {
      if let member = object as? Members.Member {
        members.append(member)
      } else {
        recordMismatch(object, type: Members.Member.self, name: key.name)
      }
    }
    return members
  }

  // MARK: Errors

  private func outOfRange(_ index: Int, count: Int, name: String) -> GraphStoreError {
    GraphStoreError(
      .indexOutOfRange, "\(entity.name).\(name) has \(count) members, so none at \(index).",
      remedy: "Ask for the number of members first.", entity: entity.name, property: name, objectID: objectID)
  }

  private func otherOrder(_ relationship: RelationshipLayout) -> GraphStoreError {
    let name = relationship.description.name
    return GraphStoreError(
      .wrongPropertyKind, "\(entity.name).\(name) \(relationship.isOrdered ? "is ordered" : "has no order").",
      remedy: "Name it with a ToManyKey of \(relationship.isOrdered ? "an OrderedSet" : "a Set").",
      entity: entity.name, property: name, objectID: objectID)
  }
}
