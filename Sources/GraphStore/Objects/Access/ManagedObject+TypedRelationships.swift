import OrderedCollections

/// Access by typed keys of to-many relationships. None of it throws: an unknown name, a member of another
/// class and a store that cannot be read are kept in the context as errors, which its next save throws.
extension FetchableObject where Self: ManagedObject {
  /// Reads and sets the members of a to-many by a typed key.
  ///
  /// The first reading costs one statement; each makes a collection of all members, so keep it in a constant
  /// where it is used more than once. Setting works as ``ManagedObject/setValue(_:forKey:)``: the other ends
  /// follow at once.
  public subscript<Members: MemberCollection>(key: ToManyKey<Self, Members>) -> Members {
    get {
      deferring { Members(uniqueMembers: typed(try members(of: try toMany(key)), key)) }
        ?? Members(uniqueMembers: [])
    }
    set { deferring { try setMembers(newValue.members, of: try toMany(key)) } }
  }

  /// Adds objects to a to-many, at the end of an ordered one; the other ends follow at once.
  ///
  /// Its members are not read for that.
  public func add<Members>(_ objects: some Sequence<Members.Member>, to key: ToManyKey<Self, Members>) {
    deferring { try add(Array(objects), to: try toMany(key)) }
  }

  /// Removes objects from a to-many; the other ends follow at once.
  public func remove<Members>(_ objects: some Sequence<Members.Member>, from key: ToManyKey<Self, Members>) {
    deferring { try remove(Array(objects), from: try toMany(key)) }
  }

  /// Inserts objects into an ordered to-many; those that are members already keep their places.
  ///
  /// An index beyond the end changes nothing and is kept as the error `index-out-of-range`.
  public func insert<Member>(
    _ objects: some Sequence<Member>, into key: ToManyKey<Self, OrderedSet<Member>>, at index: Int
  ) {
    deferring { try insert(objects.lazy.map { $0 }, into: try toMany(key), at: index) }
  }

  /// Removes the member of an ordered to-many at an index.
  ///
  /// An index beyond the end changes nothing and is kept as the error `index-out-of-range`.
  public func remove<Member>(at index: Int, from key: ToManyKey<Self, OrderedSet<Member>>) {
    deferring { try remove(at: index, from: try toMany(key)) }
  }

  /// Replaces the member at an index of an ordered to-many by an object.
  ///
  /// An object that is a member already moves there. An index beyond the end changes nothing and is kept as
  /// the error `index-out-of-range`.
  public func replace<Member>(
    at index: Int, in key: ToManyKey<Self, OrderedSet<Member>>, with object: Member
  ) {
    deferring { try replace(at: index, in: try toMany(key), with: object) }
  }

  /// Moves a member of an ordered to-many to another index, counted once it has left its own.
  ///
  /// An index beyond the end changes nothing and is kept as the error `index-out-of-range`.
  public func move<Member>(
    from index: Int, to destination: Int, in key: ToManyKey<Self, OrderedSet<Member>>
  ) {
    deferring { try move(from: index, to: destination, in: try toMany(key)) }
  }

  /// Puts the members of an ordered to-many in order by comparing them; equal ones stay in the order that
  /// they have.
  public func sort<Member>(
    _ key: ToManyKey<Self, OrderedSet<Member>>, by areInIncreasingOrder: (Member, Member) throws -> Bool
  ) {
    deferring {
      try sort(try toMany(key)) { try typed($0, key).sorted(by: areInIncreasingOrder) }
    }
  }
}

extension ManagedObject {
  // MARK: Ways

  fileprivate func toMany<Owner, Members>(_ key: ToManyKey<Owner, Members>) throws -> RelationshipLayout {
    checkQueue()
    let property = unsafe InlineCache.property(&key.place, name: key.propertyName, kinds: .toMany, in: layout)
    let relationship =
      try property.map { layout.relationships[$0.relationship] }
      ?? toManyRelationship(forKey: key.propertyName)
    guard relationship.isOrdered == Members.isOrdered else { throw otherOrder(relationship) }
    return relationship
  }

  fileprivate func typed<Owner, Members>(
    _ objects: [ManagedObject], _ key: ToManyKey<Owner, Members>
  ) -> [Members.Member] {
    var members: [Members.Member] = []
    members.reserveCapacity(objects.count)
    for object in objects {
      if let member = object as? Members.Member {
        members.append(member)
      } else {
        recordMismatch(object, type: Members.Member.self, name: key.propertyName)
      }
    }
    return members
  }

  // MARK: Errors

  private func otherOrder(_ relationship: RelationshipLayout) -> GraphStoreError {
    let name = relationship.description.name
    return GraphStoreError(
      .wrongPropertyKind, "\(entity.name).\(name) \(relationship.isOrdered ? "is ordered" : "has no order").",
      remedy: "Name it with a ToManyKey of \(relationship.isOrdered ? "an OrderedSet" : "a Set").",
      entity: entity.name, property: name, objectID: objectID)
  }
}
