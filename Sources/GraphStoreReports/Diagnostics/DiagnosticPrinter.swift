import GraphStore

/// Printer of diagnostics, for people or for programs.
package struct DiagnosticPrinter: Sendable {
  /// The form errors are printed in.
  package enum Format: String, Sendable, CaseIterable {
    case text
    case json
    /// Annotations of a workflow at GitHub, which shows them at the line of the file.
    case github
  }

  var format: Format
  /// What the diagnostics go to.
  var terminal: TerminalInfo

  /// A printer for people or for programs.
  package init(format: Format = .text, terminal: TerminalInfo = .plain) {
    self.format = format
    self.terminal = terminal
  }

  /// Writes a diagnostic to a file descriptor, standard error by default.
  package func print(_ diagnostic: Diagnostic, to descriptor: Int32 = 2) {
    let output = OutputBuffer(descriptor: descriptor, path: nil)
    output.append(describe(diagnostic))
    // There is nowhere left to report that errors cannot be reported.
    try? output.flush()
  }

  /// A diagnostic as it is printed, its last line end included, without the passwords of addresses.
  package func describe(_ diagnostic: Diagnostic) -> String {
    let text =
      switch format {
      case .text: describeText(diagnostic)
      case .json: describeJSON(diagnostic)
      case .github: WorkflowAnnotation.lines(of: diagnostic)
      }
    return ServerAddress.hidingPasswords(in: text)
  }

  // MARK: For people

  private func describeText(_ diagnostic: Diagnostic) -> String {
    let style: Style = diagnostic.severity == .error ? .boldRed : .boldYellow
    var lines: [String] = []
    var first = ""
    if let location = diagnostic.location {
      let numbers = [location.line, location.column].compactMap { $0.map { ":\($0)" } }.joined()
      first = VisibleText.escape(location.file) + numbers + ": "
    }
    first += style.apply("\(diagnostic.severity.rawValue):", if: terminal.usesColor)
    first += " " + VisibleText.escape(Self.cut(diagnostic.message))
    first += "   " + Style.dim.apply("[\(diagnostic.code)]", if: terminal.usesColor)
    lines += LineBreaking.lines(first, columns: terminal.columns, indent: 2)
    if let source = diagnostic.source {
      lines += excerpt(source, line: source.isInFile ? diagnostic.location?.line : nil)
    }
    lines += diagnostic.details.flatMap {
      LineBreaking.lines("  " + VisibleText.escape(Self.cut($0)), columns: terminal.columns, indent: 4)
    }
    let hint = Style.cyan.apply("hint:", if: terminal.usesColor)
    lines += diagnostic.hints.flatMap {
      LineBreaking.lines("\(hint) " + VisibleText.escape(Self.cut($0)), columns: terminal.columns, indent: 6)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// A text that quotes what somebody gave, which may be of any length, with its middle left out where it is
  /// long.
  static func cut(_ text: String) -> String {
    let count = text.utf8.count
    guard count > longest else { return text }
    return "\(text.prefix(longest / 2)) … (\(count.grouped) bytes) … \(text.suffix(longest / 8))"
  }

  /// In bytes.
  private static let longest = 2000

  /// The line of the source in which the problem lies, and a line of carets under the problem.
  private func excerpt(_ source: Diagnostic.Source, line: Int?) -> [String] {
    let excerpt = SourceExcerpt(source, columns: max(40, terminal.columns ?? 160) - 12)
    let carets = Style.boldRed.apply(excerpt.carets, if: terminal.usesColor)
    guard let line else { return ["  " + excerpt.text, "  " + excerpt.indent + carets] }
    let gutter = String(repeating: " ", count: "\(line)".count)
    return ["  \(line) | " + excerpt.text, "  \(gutter) | " + excerpt.indent + carets]
  }

  // MARK: For programs

  private func describeJSON(_ diagnostic: Diagnostic) -> String {
    let output = OutputBuffer.memory()
    var json = JSONBuilder(output)
    json.beginObject()
    json.key(diagnostic.severity.rawValue)
    describe(diagnostic, &json)
    json.endObject()
    output.append(byte: 0x0A)
    guard terminal.isTerminal else { return output.consumeString() }
    let shown = OutputBuffer.memory()
    unsafe shown.append(visibleJSON: output.bytes)
    return shown.consumeString()
  }

  private func describe(_ diagnostic: Diagnostic, _ json: inout JSONBuilder) {
    json.beginObject()
    json.member("code", diagnostic.code)
    if let number = diagnostic.number { json.member("number", number) }
    json.member("message", Self.cut(diagnostic.message))
    if let entity = diagnostic.entity { json.member("entity", entity) }
    if let property = diagnostic.property { json.member("property", Self.cut(property)) }
    if let object = diagnostic.object { json.member("object", object) }
    if let value = diagnostic.value, case .string(let text) = value.cast(to: .string) {
      json.member("value", Self.cut(text))
    }
    if let location = diagnostic.location {
      json.member("file", location.file)
      if let line = location.line { json.member("line", line) }
      if let column = location.column { json.member("column", column) }
    }
    if let source = diagnostic.source {
      json.member("source", source.label)
      json.member("offset", source.offset)
      json.member("length", source.length)
    }
    // Details of several failures are their texts, and details of conflicts those of their values.
    if diagnostic.errors.isEmpty, diagnostic.conflicts.isEmpty {
      json.member("details", diagnostic.details.map(Self.cut))
    }
    if !diagnostic.hints.isEmpty {
      json.member("hint", diagnostic.hints.map(Self.cut).joined(separator: "\n"))
    }
    json.member("suggestions", diagnostic.suggestions)
    json.list("errors", of: diagnostic.errors) { error, json in describe(error, &json) }
    json.list("conflicts", of: diagnostic.conflicts) { conflict, json in describe(conflict, &json) }
    if let cause = diagnostic.cause { json.member("cause", Self.cut(cause)) }
    json.member("exit", Int(diagnostic.exitCode.rawValue))
    json.endObject()
  }

  private func describe(_ conflict: ConflictingValue, _ json: inout JSONBuilder) {
    json.beginObject()
    json.member("object", conflict.object)
    if let property = conflict.property {
      json.member("property", property)
      for (name, text) in [("mine", conflict.mine), ("theirs", conflict.theirs), ("base", conflict.base)] {
        json.key(name)
        if let text { json.value(text) } else { json.null() }
      }
    }
    json.endObject()
  }
}
