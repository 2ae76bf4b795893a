import GraphStoreModel

/// Cascade of one application of delete rules: the deleted objects, in the order of marking, and how each was
/// reached.
struct Cascade {
  /// The link through which an object was reached.
  struct Link {
    /// The position of the object that has it; -1 where deletion was asked of the object itself.
    let source: Int32
    /// The position of the relationship among the source's.
    let relationship: Int32
    /// The number of links from the object that was deleted by a call to this one.
    let depth: Int32

    static let none = Link(source: -1, relationship: -1, depth: 0)
  }

  /// Objects of one entity found one after the other through one relationship.
  struct Group {
    let layout: EntityLayout
    /// The relationship of their sources; nil where deletion was asked of them.
    let link: RelationshipLayout?
    var positions: Range<Int>

    /// Whether a relationship is the way back to the object from which each was reached, which is deleted
    /// itself.
    func leadsBack(_ relationship: RelationshipLayout) -> Bool {
      guard let link, !relationship.isToMany else { return false }
      return relationship.description === link.inverseDescription
    }

    fileprivate func continues(_ former: Group) -> Bool {
      layout === former.layout && link === former.link && positions.lowerBound == former.positions.upperBound
    }
  }

  private(set) var objects: [ManagedObject] = []
  /// By the position of the object.
  private(set) var links: [Link] = []
  /// The start of each run: those of different waves are apart. The last ends with the objects.
  private var starts: [(position: Int, layout: EntityLayout, link: RelationshipLayout?)] = []
  /// Entity and link of the last run, compared without counting references.
  private var last: (layout: ObjectIdentifier, link: ObjectIdentifier?)?

  var count: Int { objects.count }

  /// Adds an object that deletion was asked of.
  mutating func append(_ object: ManagedObject) { append(object, by: nil, link: .none) }

  /// Adds an object that was reached from another one.
  mutating func append(_ object: ManagedObject, from source: Int, by relationship: RelationshipLayout) {
    let link = Link(
      source: Int32(truncatingIfNeeded: source),
      relationship: Int32(truncatingIfNeeded: relationship.ordinal),
      depth: links[source].depth + 1)
    append(object, by: relationship, link: link)
  }

  private mutating func append(_ object: ManagedObject, by relationship: RelationshipLayout?, link: Link) {
    let kind = (layout: ObjectIdentifier(object.layout), link: relationship.map { ObjectIdentifier($0) })
    if last.map({ $0 == kind }) != true {
      starts.append((count, object.layout, relationship))
      last = kind
    }
    objects.append(object)
    links.append(link)
  }

  /// Begins a wave: what is added from now on forms runs of its own.
  mutating func beginWave() { last = nil }

  /// The runs of the waves from a position on.
  func runs(from position: Int) -> [Group] {
    var runs: [Group] = []
    var end = count
    for start in starts.reversed() {
      if start.position < position { break }
      runs.append(Group(layout: start.layout, link: start.link, positions: start.position..<end))
      end = start.position
    }
    return runs.reversed()
  }

  /// All runs, those that continue each other from wave to wave as one.
  var allRuns: [Group] {
    var runs: [Group] = []
    for run in self.runs(from: 0) {
      if let former = runs.last, run.continues(former) {
        runs[runs.count - 1].positions = former.positions.lowerBound..<run.positions.upperBound
      } else {
        runs.append(run)
      }
    }
    return runs
  }

  /// The object from which another one was reached; nil where deletion was asked of it.
  func source(at position: Int) -> ManagedObject? {
    let source = Int(links[position].source)
    return source < 0 ? nil : objects[source]
  }

  /// The relationship through which an object was reached.
  func relationship(at position: Int) -> RelationshipLayout? {
    source(at: position)?.layout.relationships[Int(links[position].relationship)]
  }
}
