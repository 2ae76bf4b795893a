extension FetchExplanation {
  /// A change of the model that would make the request faster.
  public struct Advice: Sendable, Hashable {
    /// An index to add.
    public struct Index: Sendable, Hashable {
      /// A name that the entity has not given yet.
      public var name: String
      /// The properties, in order.
      public var elements: [Element]

      /// A property of an index.
      public struct Element: Sendable, Hashable {
        /// The property's name.
        public var property: String
        /// Whether the greatest value comes first.
        public var isDescending: Bool
      }
    }

    /// The entity to change.
    public var entity: String
    /// The index to add; nil where a normalised copy is advised, which the reason describes.
    public var index: Index?
    /// What it saves.
    public var reason: String
  }
}

extension FetchExplanation.Advice.Index {
  /// The index as a model file has it.
  public var json: String {
    let elements = elements.map {
      #"{"property": "\#($0.property)""# + ($0.isDescending ? #", "order": "descending"}"# : "}")
    }
    return #"{"name": "\#(name)", "elements": [\#(elements.joined(separator: ", "))]}"#
  }
}
