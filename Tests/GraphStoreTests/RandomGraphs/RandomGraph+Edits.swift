import GraphStore

extension RandomGraph {
  /// A link that is made or cut from one of its ends.
  struct Edit {
    let pair: Int
    let link: Link
    /// The end that is set, its object, and the object that the link leads to.
    let side: Side
    let source: Int
    let target: Int
  }

  private func edit(_ pair: Int, _ link: Link, isFromLeft: Bool) -> Edit {
    isFromLeft
      ? Edit(pair: pair, link: link, side: pairs[pair].left, source: link.left, target: link.right)
      : Edit(pair: pair, link: link, side: pairs[pair].right, source: link.right, target: link.left)
  }

  // MARK: Drawing

  /// A link to make, of objects that may be linked; nil where the pair that is drawn has none.
  func drawNewLink(
    _ random: inout SeededGenerator, where mayLink: (_ left: Int, _ right: Int) -> Bool = { _, _ in true }
  ) -> Edit? {
    let pair = Int.random(in: 0..<pairs.count, using: &random)
    guard let left = live(pairs[pair].left.entity).randomElement(using: &random),
      let right = live(pairs[pair].right.entity).filter({ mayLink(left, $0) }).randomElement(using: &random)
    else { return nil }
    return edit(pair, Link(left: left, right: right), isFromLeft: Bool.random(using: &random))
  }

  /// A link to cut; nil where the pair that is drawn has none.
  func drawLink(_ random: inout SeededGenerator) -> Edit? {
    let pair = Int.random(in: 0..<pairs.count, using: &random)
    let live = links[pair].filter { !deleted.contains($0.left) && !deleted.contains($0.right) }
    guard let link = live.randomElement(using: &random) else { return nil }
    return edit(pair, link, isFromLeft: Bool.random(using: &random))
  }

  /// One or two objects to delete.
  func drawDeletion(_ random: inout SeededGenerator) -> [Int] {
    let all = live("P") + live("R")
    return Array(all.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random)))
  }

  // MARK: Applying

  /// Makes a link in graphs of objects, and in the model of sets.
  mutating func link(_ edit: Edit, in graphs: [[Int: ManagedObject]]) throws -> String {
    for objects in graphs {
      guard let source = objects[edit.source], let target = objects[edit.target] else { continue }
      try edit.side.link(source, to: target)
    }
    link(edit.pair, edit.link.left, edit.link.right)
    return "link \(edit.source).\(edit.side.name) to \(edit.target)"
  }

  /// Cuts a link in graphs of objects, and in the model of sets.
  mutating func unlink(_ edit: Edit, in graphs: [[Int: ManagedObject]]) throws -> String {
    for objects in graphs {
      guard let source = objects[edit.source], let target = objects[edit.target] else { continue }
      try edit.side.unlink(source, from: target)
    }
    unlink(edit.pair, edit.link.left, edit.link.right)
    return "unlink \(edit.source).\(edit.side.name) from \(edit.target)"
  }
}

extension RandomGraph.Side {
  func link(_ source: ManagedObject, to target: ManagedObject) throws {
    if isToMany {
      try source.addObjects([target], forKey: name)
    } else {
      try source.setValue(target, forKey: name)
    }
  }

  func unlink(_ source: ManagedObject, from target: ManagedObject) throws {
    if isToMany {
      try source.removeObjects([target], forKey: name)
    } else {
      try source.setValue(nil, forKey: name)
    }
  }
}
