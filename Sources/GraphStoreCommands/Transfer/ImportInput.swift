import GraphStoreReports

/// Input of one import pass: the records of a source, numbered through all sources.
final class ImportInput {
  private(set) var source: ImportSettings.Source
  /// How the record's text is written, which for records that were put aside is not always as in the source.
  let reader: any RecordReader
  /// How many bytes there are, where that is known.
  let size: Int?
  /// The number of the record read last, from 1 through all sources.
  private(set) var number: Int
  private let file: InputFile
  private let places: InputBuffer?
  /// The reader of a table whose columns are still to be checked.
  private var unchecked: (any DelimitedReader)?

  /// Reads a file whose first record comes behind so many others.
  init(_ source: ImportSettings.Source, _ file: InputFile, after count: Int) {
    self.source = source
    self.file = file
    reader = RecordReaders.reader(file, format: source.format, delimiter: source.delimiter)
    size = file.size
    number = count
    places = nil
    unchecked = reader as? any DelimitedReader
  }

  /// Reads what was put aside of a source.
  init(_ source: ImportSettings.Source, _ spool: RecordSpool) throws {
    self.source = source
    let opened = try spool.reopened()
    (reader, file, places, size) = (opened.reader, opened.file, opened.places, opened.size)
    number = 0
    unchecked = reader as? any DelimitedReader
  }

  /// How many bytes were read so far.
  var bytesRead: Int { file.bytesRead }

  /// Whether it reads what was put aside.
  var isSpool: Bool { places != nil }

  var isJSON: Bool { source.format == .ndjson || source.format == .json }

  /// The next record, or nil at the end.
  ///
  /// - Parameter checkHeader: is handed the names of the columns, once, before the first row.
  func next(_ checkHeader: (FieldNames) throws(InputFailure) -> Void) throws(InputFailure) -> Record? {
    var found: Record?
    var failure: InputError?
    do throws(InputError) { found = try reader.next() } catch { failure = error }
    if let unchecked, unchecked.hasHeader {
      self.unchecked = nil
      if let table = unchecked as? CSVReader { source.delimiter = table.delimiter }
      try checkHeader(reader.record.names)
    }
    if found != nil || failure?.isRecoverable == true { number += 1 }
    if let places, found != nil {
      do throws(InputError) { try place(found, places) } catch { throw .input(error) }
    }
    if let failure { throw .input(failure) }
    if let found, let text = source.nullText { found.removeValues(writtenAs: text) }
    return found
  }

  /// Gives a record that was put aside the place that it has in the source.
  private func place(_ record: Record?, _ places: InputBuffer) throws(InputError) {
    while unsafe places.bytes.count < 16, try places.fill() {}
    let words = unsafe UnsafeRawBufferPointer(places.bytes)
    guard words.count >= 16 else {
      throw InputError(.readFailed, "the records that were put aside cannot be read again")
    }
    number = unsafe Int(words.loadUnaligned(fromByteOffset: 0, as: Int64.self))
    record?.line = unsafe Int(words.loadUnaligned(fromByteOffset: 8, as: Int64.self))
    places.consume(16)
  }
}

/// Failure that ends the reading of an input.
enum InputFailure: Error {
  case input(InputError)
  /// The columns of a table are not those of the entity.
  case header(Diagnostic)
}
