/// Matching of the parts of two models by their names and renaming identifiers.
///
/// The name that counts is the renaming identifier, and the name itself where there is none. A thing is
/// paired with the one of the same such name; failing that, with the one whose plain name is its identifier;
/// failing that, with the one of its plain name.
struct NamePairing {
  /// A thing that has a name.
  struct Item {
    var name: String
    /// The renaming identifier, or the name.
    var identifier: String
  }

  /// For each new thing the position of the old one.
  private(set) var sources: [Int?]
  /// For each old thing the position of the new one.
  private(set) var destinations: [Int?]
  /// For new things that claim an old one that another thing got: the position of that other thing.
  private(set) var winners: [Int: Int] = [:]

  /// - Parameter recorded: What versions between say of the new things; nothing else claims the old ones that
  ///   they name.
  init(old: [Item], new: [Item], recorded: PairingHistory.Recorded = PairingHistory.Recorded()) {
    sources = Array(repeating: nil, count: new.count)
    destinations = Array(repeating: nil, count: old.count)
    for (newer, older) in recorded.known {
      sources[newer] = older
      destinations[older] = newer
    }
    winners = recorded.rivals
    let taken = Set(recorded.known.values)
    let claims = Self.claims(old, new).filter {
      recorded.known[$0.new] == nil && recorded.rivals[$0.new] == nil && !taken.contains($0.old)
    }
    for claim in claims {
      if let winner = destinations[claim.old] {
        winners[claim.new] = winner
      } else {
        destinations[claim.old] = claim.new
        sources[claim.new] = claim.old
      }
    }
  }

  private struct Claim {
    var old: Int
    var new: Int
    /// Smaller is stronger.
    var rank: Int
  }

  /// Every new thing's claim, the strongest first.
  private static func claims(_ old: [Item], _ new: [Item]) -> [Claim] {
    var byIdentifier: [String: [Int]] = [:]
    var byName: [String: Int] = [:]
    for (position, item) in old.enumerated() {
      byIdentifier[item.identifier, default: []].append(position)
      if byName[item.name] == nil { byName[item.name] = position }
    }
    let kept = Set(new.map(\.name))
    var claims: [Claim] = []
    for (position, item) in new.enumerated() {
      let candidates = byIdentifier[item.identifier] ?? []
      let namesake = candidates.first { old[$0].name == item.name }
      if let namesake {
        claims.append(Claim(old: namesake, new: position, rank: 0))
      } else if let match = candidates.first(where: { !kept.contains(old[$0].name) }) ?? candidates.first {
        claims.append(Claim(old: match, new: position, rank: 1))
      } else if let match = byName[item.identifier] {
        claims.append(Claim(old: match, new: position, rank: 2))
      } else if let match = byName[item.name] {
        claims.append(Claim(old: match, new: position, rank: 3))
      }
    }
    return claims.sorted { ($0.rank, $0.new) < ($1.rank, $1.new) }
  }
}
