/// Opens files of records.
enum RecordReaders {
  /// A reader for a file, or for standard input with the path `-`.
  static func open(path: String, format: InputFormat) throws(InputError) -> any RecordReader {
    reader(try InputFile(path: path), format: format)
  }

  /// A reader for a file that is open.
  ///
  /// - Parameter delimiter: what stands between the cells of CSV.
  static func reader(
    _ file: InputFile, format: InputFormat, delimiter: UInt8 = UInt8(ascii: ",")
  ) -> any RecordReader {
    switch format {
    case .ndjson: NDJSONReader(file)
    case .json: JSONArrayReader(file)
    case .csv: CSVReader(file, delimiter: delimiter)
    case .tsv: TSVReader(file)
    }
  }
}
