import Foundation

/// Value of a binary attribute with external storage, as its column and its slot in a row hold it: a byte that says where
/// the data are, then the data themselves, or the name of their file and a NUL (STO-177).
@safe enum ExternalColumn {
  case inline(UnsafeBufferPointer<UInt8>)
  case file(ExternalDataName)

  /// The prefix of data that follow.
  static let inlinePrefix: UInt8 = 1
  /// The prefix of a file's name.
  static let filePrefix: UInt8 = 2

  /// Nil for bytes of no such form.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    switch unsafe bytes.first {
    case Self.inlinePrefix:
      unsafe self = .inline(UnsafeBufferPointer(rebasing: bytes.dropFirst()))
    case Self.filePrefix where unsafe bytes.count == ExternalDataName.length + 2 && bytes.last == 0:
      let text = unsafe String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
      guard let name = ExternalDataName(text) else { return nil }
      self = .file(name)
    default: return nil
    }
  }

  /// Data in the form of a column.
  static func bytes(inline data: Data) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + 1)
    bytes.append(inlinePrefix)
    bytes.append(contentsOf: data)
    return bytes
  }

  /// The name of a file in the form of a column.
  static func bytes(file name: ExternalDataName) -> [UInt8] {
    [filePrefix] + Array(name.description.utf8) + [0]
  }
}
