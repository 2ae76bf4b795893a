import Foundation
import Testing

@testable import GraphStore

/// The numbers of errors.
@Suite("Numbers of errors")
struct ErrorNumberTests {
  /// Those by which Core Data and Foundation know failures.
  private static let known: Set<ClosedRange<Int>> = [
    256...259, 260...260, 513...513, 516...516, 640...640, 1550...1699, 3072...3072, 133_000...133_021,
    134_000...134_600,
  ]
  /// Two kinds of one failure, and what is told apart by words alone.
  private static let shared: Set<Int> = [133_000, 134_030, 136_022]

  @Test("DGN-114: numbers are known ones or the project's own, and two codes share one only where it is said")
  func numbers() {
    let numbered = Dictionary(grouping: GraphStoreError.Code.allCases, by: \.number)
    for (number, codes) in numbered {
      #expect(
        (136_000...136_999).contains(number) || Self.known.contains { $0.contains(number) }, "\(codes)")
      #expect(codes.count == 1 || Self.shared.contains(number), "\(number): \(codes)")
    }
  }

  @Test("DGN-151, DGN-123: codes that a program's own mistakes have keep their numbers")
  func kept() {
    #expect(GraphStoreError.Code.objectNotInserted.number == 136_026)
    #expect(GraphStoreError.Code.objectNotInserted.rawValue == "object-not-inserted")
    #expect(GraphStoreError.Code.internalInconsistency.rawValue == "internal")
    #expect(GraphStoreError.Code.internalInconsistency.number == 136_999)
  }
}
