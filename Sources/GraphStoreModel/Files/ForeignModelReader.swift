/// Where the readers of other makers' models plug in.
enum ForeignModelReader {
  /// Reads the bytes of one model.
  ///
  /// - Throws: `model-unreadable`, `model-syntax`; what makes no sense in an otherwise good file is a finding.
  static func read(
    _ bytes: [UInt8], _ format: ModelFormat, file: String?
  ) throws(ModelError) -> ForeignModel {
    switch format {
    case .compiled: return try CompiledModelReader.read(bytes, file: file)
    case .xcodeModel: return try XcodeModelReader.read(bytes, file: file)
    default:
      throw ModelFile.unreadable(file ?? "the model", "Models of this kind cannot be read.")
    }
  }
}
