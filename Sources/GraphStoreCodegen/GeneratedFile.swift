import GraphStoreModel

/// A file of generated Swift.
public struct GeneratedFile: Hashable, Sendable {
  /// Who the file belongs to.
  public enum Owner: Hashable, Sendable {
    /// The generator, which rewrites it.
    case machine
    /// People: it is made once and then left alone.
    case human
  }

  /// The file's name, without a folder.
  public var name: String
  /// Who the file belongs to.
  public var owner: Owner
  /// What is in it.
  public var text: String

  /// Makes a file.
  public init(name: String, owner: Owner, text: String) {
    self.name = name
    self.owner = owner
    self.text = text
  }
}

/// What the generator made of a model.
public struct GeneratedCode: Sendable {
  /// The files, in the order of the model's entities; the model's own file last.
  public var files: [GeneratedFile]
  /// What was left out or named otherwise, and why.
  public var findings: [ModelProblem]
}
