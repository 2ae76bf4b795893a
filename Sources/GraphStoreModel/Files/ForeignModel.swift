/// A model in another maker's form, as its reader understood it.
struct ForeignModel: Sendable {
  /// What the file describes, in its evident sense; not checked yet.
  var definition: ModelDefinition
  /// What was dropped or mended because it makes no sense, in document order.
  var findings: [ModelProblem] = []
}
