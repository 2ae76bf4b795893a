/// Opens files of records.
enum RecordReaders {
  /// A reader for a file, or for standard input with the path `-`.
  static func open(path: String, format: InputFormat) throws(InputError) -> any RecordReader {
    reader(try InputFile(path: path), format: format)
  }

  /// A reader for a file that is open.
  static func reader(_ file: InputFile, format: InputFormat) -> any RecordReader {
    switch format {
    case .ndjson: NDJSONReader(file)
    case .json: JSONArrayReader(file)
    case .csv: CSVReader(file)
    case .tsv: TSVReader(file)
    }
  }
}
