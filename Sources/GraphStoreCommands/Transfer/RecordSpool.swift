import Foundation
import GraphStoreReports

/// Spool of records of one source, to be read again in the form of the source, with their places in it.
final class RecordSpool {
  private let source: ImportSettings.Source
  private let texts: ScratchFile
  private let places: ScratchFile
  private var hasHeader = false

  init(_ source: ImportSettings.Source) throws {
    self.source = source
    texts = try ScratchFile()
    places = try ScratchFile()
  }

  private var delimiter: CSVDelimiter { source.delimiter ?? .comma }

  /// The form in which the records are put aside.
  private var format: InputFormat { source.format == .json ? .ndjson : source.format }

  /// Puts a record aside.
  func append(_ text: UnsafeBufferPointer<UInt8>, number: Int, line: Int, names: FieldNames) {
    let output = texts.output
    switch source.format {
    case .ndjson: unsafe output.append(text)
    case .json: unsafe output.append(RecordTexts.onOneLine(text))
    case .csv, .tsv:
      if !hasHeader { appendHeader(names) }
      unsafe output.append(text)
    }
    output.append(byte: 0x0A)
    for word in [Int64(number), Int64(line)] {
      unsafe withUnsafeBytes(of: word) { unsafe places.output.append($0.bindMemory(to: UInt8.self)) }
    }
  }

  private func appendHeader(_ names: FieldNames) {
    hasHeader = true
    let output = texts.output
    for index in 0..<names.count {
      if index > 0 { output.append(byte: source.format == .tsv ? 0x09 : delimiter.byte) }
      let name = names[index]
      switch source.format {
      case .tsv:
        output.append(
          name.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\n", with: "\\n")
            .replacing("\r", with: "\\r"))
      default: output.append("\"" + name.replacing("\"", with: "\"\"") + "\"")
      }
    }
    output.append(byte: 0x0A)
  }

  /// Reads the records again; one reading at a time.
  func reopened() throws -> (
    reader: any RecordReader, file: InputFile, places: InputBuffer, size: Int
  ) {
    let file = try texts.reopened(as: source.path)
    let size = texts.output.written
    let places = InputBuffer(try places.reopened(as: source.path))
    return (RecordReaders.reader(file, format: format, delimiter: delimiter), file, places, size)
  }
}

/// Anonymous temporary file: written once, then read from its beginning.
final class ScratchFile {
  let output: OutputBuffer
  private let descriptor: Int32

  init() throws(OutputError) {
    let folder = NSTemporaryDirectory()
    var template = Array((folder + "/graphstore.XXXXXX").utf8CString)
    descriptor = unsafe mkstemp(&template)
    guard descriptor >= 0 else { throw OutputError(errno: errno, path: folder, creating: true) }
    unsafe unlink(template)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    output = OutputBuffer(descriptor: descriptor, path: folder)
  }

  deinit { close(descriptor) }

  /// The file from its beginning, to be read by one reader at a time; nothing may be written after it.
  func reopened(as path: String) throws -> InputFile {
    try output.flush()
    lseek(descriptor, 0, SEEK_SET)
    return InputFile(descriptor: dup(descriptor), path: path)
  }
}
