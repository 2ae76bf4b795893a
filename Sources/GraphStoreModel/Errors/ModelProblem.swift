/// One fault of a model: what is wrong, where, and what to do.
public struct ModelProblem: Hashable, Sendable {
  /// The stable codes of faults; they never change meaning.
  public enum Code: String, CaseIterable, Hashable, Sendable {
    /// There is no file.
    case notFound = "model-not-found"
    /// The file is there and cannot be read.
    case unreadable = "model-unreadable"
    /// The text is not JSON, or not of the form that its kind of model has.
    case syntax = "model-syntax"
    /// A key occurs twice in one object.
    case duplicateKey = "model-duplicate-key"
    /// A key that the format does not have.
    case unknownKey = "model-unknown-key"
    /// A required key is missing.
    case missingKey = "model-missing-key"
    /// A value of another JSON type than asked for.
    case wrongType = "model-wrong-type"
    /// A name with characters that are not allowed.
    case badName = "model-bad-name"
    /// A property named like a member of every object.
    case reservedName = "model-reserved-name"
    /// A name that is used twice.
    case duplicateName = "model-duplicate-name"
    /// A name that no entity has.
    case unknownEntity = "model-unknown-entity"
    /// A name that no property of the entity has.
    case unknownProperty = "model-unknown-property"
    /// A chain of parents that returns to its start.
    case inheritanceCycle = "model-inheritance-cycle"
    /// A property that an ancestor already has.
    case propertyRedefined = "model-property-redefined"
    /// An inverse that does not lead back.
    case badInverse = "model-bad-inverse"
    /// A value that is not allowed where it stands.
    case badValue = "model-bad-value"
    /// A key that has no meaning where it stands.
    case notApplicable = "model-not-applicable"
    /// A predicate, expression or pattern with a mistake.
    case badExpression = "model-bad-expression"
    /// A version that does not exist.
    case badVersion = "model-bad-version"
    /// Two models that define one name differently.
    case mergeClash = "model-merge-clash"
  }

  /// What kind of fault it is.
  public var code: Code
  /// Where it is in the model.
  public var path: ModelPath
  /// The file, where several are read together; else it is that of the ``ModelError``.
  public var file: String?
  /// The line in the file, from 1; nil for a model made in code.
  public var line: Int?
  /// The column in the line, from 1 and in characters; nil for a model made in code.
  public var column: Int?
  /// The offset in the text of the predicate, expression or pattern at `path`, in UTF-8 bytes from 0.
  public var offset: Int?
  /// The offending value as text.
  public var value: String?
  /// What is wrong, as a sentence.
  public var message: String
  /// The name that was probably meant.
  public var suggestion: String?
  /// What to do, as a sentence.
  public var remedy: String?

  /// Makes a problem; positions are filled in by what reads the file.
  public init(
    _ code: Code, at path: ModelPath, value: String? = nil, _ message: String, suggestion: String? = nil,
    remedy: String? = nil, offset: Int? = nil, line: Int? = nil, column: Int? = nil
  ) {
    self.code = code
    self.path = path
    self.value = value
    self.message = message
    self.suggestion = suggestion
    self.remedy = remedy
    self.offset = offset
    self.line = line
    self.column = column
  }
}

extension ModelProblem: CustomStringConvertible {
  /// One line: position, code, path, sentence, offset, suggestion and remedy.
  public var description: String { ModelFinding(self).line(titled: code.rawValue) }
}
