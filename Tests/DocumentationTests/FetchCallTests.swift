import Testing

/// Who can be asked to fetch.
@Suite("Calls that fetch")
struct FetchCallTests {
  /// A public function that takes a request for records, and the type that has it.
  private struct Call {
    let type: String
    let place: String
  }

  private static func calls(in file: SourceFile) -> [Call] {
    var calls: [Call] = []
    var type = ""
    var function: (text: String, line: Int)?
    for (index, line) in file.lines.enumerated() where !SourceFile.isComment(line) {
      // A look at a byte spares most lines the patterns.
      if line.first?.isWhitespace == false,
        let declaration = line.firstMatch(
          of:
            #/^(?:@\S+ |public |open |final |package |nonisolated |indirect )*(?:extension|class|struct|enum|protocol|actor) (\w+)/#
        )
      {
        type = String(declaration.1)
      }
      if line.contains(" func "), line.contains(#/\b(?:public|open)\b.* func /#) {
        function = ("", index + 1)
      }
      guard let open = function else { continue }
      function = (open.text + line, open.line)
      guard line.hasSuffix("{") || line.contains(#/\)(?: (?:async|throws|rethrows))*(?: ->.*)?$/#) else {
        continue
      }
      if function?.text.contains(#/: (?:Asynchronous)?FetchRequest</#) == true {
        calls.append(Call(type: type, place: "\(file.path):\(open.line)"))
      }
      function = nil
    }
    return calls
  }

  @Test("FET-042: fetches are made on contexts; no coordinator and no store takes a request")
  func contexts() throws {
    let calls = try SourceFile.all(of: "GraphStore").flatMap(Self.calls)
    // fetch, fetchBatched, fetchResults, count, execute and others.
    #expect(calls.count >= 10)
    for call in calls { #expect(call.type == "ManagedObjectContext", "\(call.place) of \(call.type)") }
  }
}
