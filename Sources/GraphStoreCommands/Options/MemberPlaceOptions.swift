import ArgumentParser

/// Options that say where members go in an ordered relationship.
struct MemberPlaceOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Their place in an ordered relationship; 0 is the first.", valueName: "place"))
  var at: Int?
  @Option(help: ArgumentHelp("Their place is before this member.", valueName: "id")) var before: String?
  @Option(help: ArgumentHelp("Their place is behind this member.", valueName: "id")) var after: String?

  func validate() throws {
    if [at != nil, before != nil, after != nil].filter({ $0 }).count > 1 {
      throw ValidationError("Give one of --at, --before and --after.")
    }
    if let at, at < 0 { throw ValidationError("--at takes a place, 0 or more.") }
  }

  /// The place that is asked for; nil leaves it to the relationship.
  func place(in session: CommandSession) throws -> MemberPlace? {
    if let at { return .position(at) }
    if let before { return .before(try session.object(before, .write)) }
    if let after { return .behind(try session.object(after, .write)) }
    return nil
  }
}
