/// Compiled model as a store of Core Data carries it, compressed with DEFLATE.
enum ModelCache {
  /// The greatest length of an archive, as a multiple of its compressed length; real ones have up to ten.
  private static let maximumExpansion = 256
  private static let maximumArchive = 1 << 28

  /// The keyed archive in the bytes of a cache.
  ///
  /// - Throws: `model-syntax` for bytes that are none.
  static func archive(of bytes: [UInt8]) throws(ModelError) -> [UInt8] {
    let limit = min(maximumArchive, bytes.count * maximumExpansion + 65_536)
    do throws(Inflate.Failure) {
      return try Inflate.content(of: bytes, limit: limit)
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
  }
}
