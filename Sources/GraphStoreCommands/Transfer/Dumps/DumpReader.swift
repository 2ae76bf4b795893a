import Foundation
import GraphStore
import GraphStoreReports

/// Reader of a dump, line by line: its first line, its objects, and its last one.
final class DumpReader {
  private let path: String
  private let file: InputFile
  private let lines: NDJSONReader
  /// The number of objects that the last line says; nil until it is read.
  private var stated: Int?

  /// - Throws: the diagnostic of a file that cannot be read.
  init(path: String) throws {
    self.path = path
    do throws(InputError) { file = try InputFile(path: path) } catch {
      throw Diagnostic(ImportProblem(error), file: path)
    }
    lines = NDJSONReader(file)
  }

  /// What is to be known of the store, from the first line.
  func readForm() throws -> StoreForm {
    guard let record = try next() else { throw notADump("it is empty") }
    return try DumpHeader(record, file: path).form
  }

  /// Begins a store of the form that the first line says.
  ///
  /// - Throws: the diagnostic of a first line that is wrong, or that asks for what its model has not; what
  ///   making the store throws.
  func beginFilling(at path: String) throws -> StoreFilling {
    let form = try readForm()
    do { return try StoreFilling(form, at: path) } catch let error as GraphStoreError
      where [.unknownConfiguration, .modelTooWide, .metadataReserved, .metadataInvalid].contains(error.code)
    {
      var diagnostic = DiagnosticMapper.diagnostic(error)
      diagnostic.location = Diagnostic.Location(file: self.path, line: 1)
      diagnostic.exitCode = .dataError
      throw diagnostic
    }
  }

  /// Hands the objects to a store that is being filled.
  ///
  /// - Throws: the diagnostic of the first line that is wrong, and of a dump without its last line.
  func read(
    into filling: StoreFilling, prunes: Bool, interruption: StatementInterruption, terminal: TerminalInfo?
  ) throws {
    var progress = terminal.map { ProgressBar(title: "loading \(path)", total: file.size, terminal: $0) }
    defer { progress?.finish() }
    let objects = DumpObjectReader(filling)
    while let record = try next() {
      if try readEnd(record) { break }
      do throws(DumpObjectReader.Failure) { try objects.read(record) } catch {
        throw diagnostic(error, record)
      }
      do { try filling.endObject() } catch { throw located(error) }
      if filling.count & 255 == 0 {
        try interruption.check()
        progress?.update(done: file.bytesRead, rows: filling.count)
      }
    }
    do { try filling.flush() } catch { throw located(error) }
    try check(filling, prunes: prunes)
  }

  /// Finishes the store.
  func finish(_ filling: StoreFilling, prunes: Bool) throws -> FilledStore {
    do { return try filling.finish(prunes: prunes) } catch { throw located(error) }
  }

  private func next() throws -> Record? {
    do throws(InputError) { return try lines.next() } catch {
      throw Diagnostic(ImportProblem(error), file: path)
    }
  }

  // MARK: The end

  /// Reads the last line; false for any other.
  private func readEnd(_ record: Record) throws -> Bool {
    guard record.count == 1, let field = unsafe record.fields.first, field.kind == .integer,
      record.name(field) == DumpFormat.endKey
    else { return false }
    stated = Int(record.text(field))
    if let more = try next() {
      throw Diagnostic(
        code: "json-syntax", message: "the dump goes on behind its end",
        location: Diagnostic.Location(file: path, line: more.line),
        hints: ["load one dump at a time"], exitCode: .dataError)
    }
    return true
  }

  private func check(_ filling: StoreFilling, prunes: Bool) throws {
    if prunes || stated == filling.count { return }
    let found = filling.count
    guard let stated else {
      throw Diagnostic(
        code: "dump-incomplete",
        message: "the dump is cut short: its last line is missing, after \(found) objects",
        location: Diagnostic.Location(file: path),
        hints: ["make it anew; if lines were taken out on purpose, say --pruned"], exitCode: .dataError)
    }
    throw Diagnostic(
      code: "dump-incomplete", message: "the dump says that it has \(stated) objects, and has \(found)",
      location: Diagnostic.Location(file: path),
      hints: ["if lines were taken out on purpose, say --pruned"], exitCode: .dataError)
  }

  private func notADump(_ reason: String) -> Diagnostic { DumpHeader.notADump(reason, file: path) }

  // MARK: Problems

  private func diagnostic(_ failure: DumpObjectReader.Failure, _ record: Record) -> Diagnostic {
    let place = failure.field.flatMap { RecordTexts.position($0, in: record, isJSON: true) }
    var diagnostic = failure.diagnostic
    diagnostic.location = Diagnostic.Location(
      file: path, line: place?.line ?? record.line, column: place?.column)
    return diagnostic
  }

  private func located(_ error: any Error) -> any Error {
    guard let problem = error as? FillingError else { return error }
    var diagnostic = DiagnosticMapper.diagnostic(problem.error)
    diagnostic.location = Diagnostic.Location(file: path, line: problem.line)
    return diagnostic
  }
}
