import Foundation

/// Syntax of delimited text: what stands between cells, and how text is made safe.
protocol DelimitedSyntax {
  /// What stands between two cells.
  static var separator: UInt8 { get }
  /// What a cell without a value says, unless another text is asked for.
  static var nullText: String { get }

  /// Appends a text so that it reads back as it is, and not as null.
  static func append(_ utf8: UnsafeBufferPointer<UInt8>, to cells: OutputBuffer, nullText: [UInt8])
}
