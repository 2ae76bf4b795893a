import GraphStoreReports

/// The sources of an import, and how each is read again.
final class ImportSources {
  /// Opens the sources of one pass, one after the other.
  typealias Reading = (Int) throws -> ImportInput?

  private let sources: [ImportSettings.Source]
  /// Files that can be read again.
  private var files: [Int: InputFile] = [:]
  /// By source: what was put aside of it.
  private var spools: [Int: RecordSpool] = [:]
  /// By source: how many records all before it have, as far as they are read.
  private(set) var starts: [Int] = [0]

  private let readsAgain: Bool

  /// - Parameter readsAgain: whether all of the input may have to be read again.
  init(_ sources: [ImportSettings.Source], readsAgain: Bool) {
    self.sources = sources
    self.readsAgain = readsAgain
  }

  var count: Int { sources.count }

  /// Whether records were put aside.
  var hasSpools: Bool { !spools.isEmpty }

  /// All sources as they are.
  var firstReading: Reading {
    { [self] index in
      let file: InputFile
      do throws(InputError) {
        file = try InputFile(path: sources[index].path, as: .text(sources[index].encoding))
      } catch {
        throw Diagnostic(code: error.code.rawValue, message: error.message, exitCode: error.exitCode)
      }
      if readsAgain, file.size != nil, file.path != "-" { files[index] = file }
      return ImportInput(sources[index], file, after: starts[index])
    }
  }

  /// What was put aside, and the files that need not be.
  var laterReading: Reading {
    { [self] index in
      if let spool = spools[index] { return try ImportInput(sources[index], spool) }
      guard let file = files[index] else { return nil }
      file.rewind()
      return ImportInput(sources[index], file, after: starts[index])
    }
  }

  /// Records that a source is read, up to the record of that number.
  func end(_ index: Int, at number: Int) {
    if starts.count == index + 1 { starts.append(number) }
  }

  /// Whether the records of a source have to be put aside while they are read, because they cannot be read
  /// twice.
  func needsSpool(_ index: Int) -> Bool { readsAgain && files[index] == nil }

  /// Where records of a source are put aside, in the form in which it is read.
  func spool(_ index: Int, of source: ImportSettings.Source) throws -> RecordSpool {
    if let spool = spools[index] { return spool }
    let spool = try RecordSpool(source)
    spools[index] = spool
    return spool
  }

  /// The source of a record.
  func index(ofRecord number: Int) -> Int {
    max(0, (starts.lastIndex { $0 < number } ?? 0)).clamped(to: sources.count - 1)
  }

  func path(ofRecord number: Int) -> String { sources[index(ofRecord: number)].path }

  /// Says where a record lies, for messages.
  var placeText: (Int, Int) -> String {
    { [self] record, line in
      sources.count > 1 ? "line \(line) of \(path(ofRecord: record))" : "line \(line)"
    }
  }
}

extension Int {
  fileprivate func clamped(to limit: Int) -> Int { Swift.min(self, limit) }
}
