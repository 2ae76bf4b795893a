import GraphStore

extension Workload {
  /// A search that folds every text (PRD-273), against a function that does nothing.
  static func q1(_ files: WorkFiles, _ project: ProjectStore, part: Int, ascii: Bool) -> Workload {
    Workload(
      id: "Q1.\(part)",
      title: "CONTAINS[cd] over 200,000 strings, \(ascii ? "ASCII" : "three of four not ASCII")",
      goal: ascii ? "≥ 2 million rows a second" : "none; for comparison", rows: Words.count,
      expected: { Words.answer(ascii: ascii) },
      contenders: {
        let name = ascii ? "words-ascii.db" : "words-marked.db"
        let path = try files.floorTemplate(name) { try $0.fillWords(Words.count, ascii: ascii) }
        let own = try project.template(name) { try $0.fillWords(Words.count, ascii: ascii) }
        let expected = Words.answer(ascii: ascii)
        let predicate = try QueryPredicate(parsing: #"name CONTAINS[cd] "e""#)
        return [
          try ProjectRead(own) {
            Answer(count: Int64(try $0.count(for: FetchRequest(entityName: "Word", predicate: predicate))))
          },
          // A function that does nothing cannot know the answer: that it saw every row has to do.
          try FloorRead(path) { try $0.callWords() == Words.count ? expected : Answer(count: -1) },
        ]
      })
  }
}
