extension LoadedModel {
  /// The greatest length of an archive, as a multiple of its compressed length; real ones have up to ten.
  private static let maximumExpansion = 256
  private static let maximumArchive = 1 << 28

  /// Reads and checks the model that a store of Core Data carries: a compiled model, compressed with DEFLATE.
  ///
  /// - Parameter name: The model's name, which the store does not say.
  /// - Throws: ``ModelError``: `model-syntax` for bytes that are no such model, otherwise every problem of the model.
  package init(modelCache bytes: [UInt8], name: String) throws(ModelError) {
    let limit = min(Self.maximumArchive, bytes.count * Self.maximumExpansion + 65_536)
    let archive: [UInt8]
    do throws(Inflate.Failure) {
      archive = try Inflate.content(of: bytes, limit: limit)
    } catch {
      let reason =
        switch error {
        case .truncated: "It is cut short."
        case .damaged: "Its compression is damaged."
        case .tooLong: "It would be longer than \(limit) bytes."
        }
      throw ModelError(
        [ModelProblem(.syntax, at: ModelPath(), message: "The compiled model cannot be read. \(reason)")])
    }
    let model = try CompiledModelReader.read(archive, file: nil)
    var document = ModelDocument(model.definition)
    document.name = name
    document.findings = model.findings
    try self.init(document)
  }
}
