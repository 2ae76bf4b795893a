extension OutputColumn {
  /// Where a value may be cut that is too wide to be shown.
  package enum Cut: Sendable {
    /// Nowhere: a part of a number, a date or an id would be taken for another one.
    case never
    case anywhere
    /// Behind a member of a list.
    case betweenMembers

    /// A text cut to a width.
    func apply(to text: String, room: Int, mark: Character) -> String {
      switch self {
      case .never: text
      case .anywhere: DisplayWidth.cut(text, to: room, mark: mark)
      case .betweenMembers: DisplayWidth.cut(text, behind: ", ", to: room, mark: mark)
      }
    }
  }
}
