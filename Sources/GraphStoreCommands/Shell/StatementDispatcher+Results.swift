import GraphStoreReports

/// Dot commands on which store is worked on, and on what is printed where.
extension StatementDispatcher {
  func open(_ stores: [String]) throws {
    guard let executor = executor as? any StoreExecutor else { return }
    try executor.open(stores)
    // What was chosen for another model is not meant for this one.
    settings.fields = [:]
    guard settings.isInteractive else { return }
    let status = executor.status
    let counted = status.objectCount.map { ", \($0.counted("object"))" } ?? ""
    output.line("\(status.storeFile)" + (status.modelName.map { ", model \($0)" } ?? "") + counted)
  }

  /// `.fields` lists, `.fields ENTITY KEYS` sets, `.fields ENTITY` takes back.
  func setFields(_ arguments: [String]) throws {
    guard let entity = arguments.first else {
      if settings.fields.isEmpty { return output.line("every entity as usual") }
      for (entity, fields) in settings.fields.sorted(by: { $0.key < $1.key }) {
        output.line("\(entity)  \(fields)")
      }
      return
    }
    guard arguments.count > 1 else {
      settings.fields[entity] = nil
      return
    }
    try (executor as? any StoreExecutor)?.checkFields(arguments[1], of: entity)
    settings.fields[entity] = arguments[1]
  }

  func setOutput(_ command: DotCommand, _ path: String?) throws {
    guard let executor = executor as? any StoreExecutor else { return }
    let path = path == "-" ? nil : path
    if command == .once {
      settings.nextOutputPath = path
      return
    }
    try executor.redirectOutput(to: path)
    settings.outputPath = path
  }

  func setColor(_ word: String?) throws {
    guard let word else { return output.line((settings.color ?? .auto).rawValue) }
    guard let color = When(rawValue: word) else {
      throw ShellError(
        code: .wrongArgument, message: "there is no \"\(word)\" of colours",
        hint: "write .color \(When.allCases.map(\.rawValue).joined(separator: ", .color "))", wordIndex: 1)
    }
    settings.color = color
  }
}
