import Testing

@testable import GraphStore

extension DeleteMatrixTests {
  @Test(
    "REL-393, REL-182: in children and grandchildren each cell ends as in a root, once the chain is saved",
    arguments: Case.all, [1, 2])
  func nested(_ cell: Case, _ depth: Int) throws {
    guard cell.isTurn else { return }
    let expected = try outcome(of: prepare(cell), cell)
    let prepared = try prepare(cell, depth: depth)
    let found = try outcome(of: prepared, cell)
    #expect(found.numbers == expected.numbers)
    #expect(found.graph == expected.graph)
    for context in prepared.chain { try context.checkInvariants() }
    let unsaved = prepared.chain.filter(\.hasChanges)
    #expect(unsaved.isEmpty == found.numbers.isEmpty)
  }

  /// The errors of the saves of a chain, and what is stored afterwards.
  private func outcome(
    of prepared: Prepared, _ cell: Case
  ) throws -> (numbers: [Int], graph: [String: [[String]]]) {
    try prepared.context.delete(prepared.source)
    let saved = Result { for context in prepared.chain.reversed() { try context.save() } }
    return (numbers(saved), try graph(cell.shape, prepared.stack.otherProcess()))
  }
}
