import Foundation
import GraphStoreReports
import Testing

@testable import GraphStoreCommands

@Suite("Record readers")
struct RecordReaderTests {
  @Test("NDJSON: kinds, blank lines, CRLF, byte order mark and a last line without end")
  func ndjson() throws {
    let text =
      "\u{FEFF}{\"a\":1,\"b\":\"x\\ny\"}\r\n\n  \n{\"b\":null,\"c\":[1, 2],\"a\":-1.5}\n{\"d\":{\"e\":1},\"a\":true,\"b\":false}"
    #expect(
      try readAll(text, .ndjson) == [
        "a=integer:1;b=string:x\ny", "b=null:null;c=array:[1, 2];a=fraction:-1.5",
        "d=object:{\"e\":1};a=true:true;b=false:false",
      ])
  }

  @Test("NDJSON: a malformed line is located, and the next one is read")
  func ndjsonErrors() throws {
    let text = "{\"a\":1}\n{\"a\":}\n[1]\n\n{\"a\":1,\"a\":2}\n{\"a\":1} x\n{\"é\":01}\n{\"a\":2}\n"
    #expect(
      try readAll(text, .ndjson) == [
        "a=integer:1", "json-syntax 2:6", "not-an-object 3:1", "duplicate-key 5:9", "json-syntax 6:9",
        "json-syntax 7:6", "a=integer:2",
      ])
    #expect(try readAll([0x7B, 0x22, 0xFF, 0x22, 0x7D], .ndjson) == ["not-utf8 1:3"])
  }

  @Test("NDJSON: a duplicate key is seen when it is escaped, and in the order of the record before")
  func duplicateKeys() throws {
    let text =
      #"{"a":1,"b":2}"# + "\n" + #"{"b":1,"\u0062":2}"# + "\n" + #"{"a":1,"b":2,"a":3}"# + "\n"
      + #"{"b":1,"a":2}"#
    #expect(
      try readAll(text, .ndjson) == [
        "a=integer:1;b=integer:2", "duplicate-key 2:9", "duplicate-key 3:15", "b=integer:1;a=integer:2",
      ])
  }

  @Test("UTF-16 and UTF-32 are read by their byte-order marks")
  func byteOrderMarks() throws {
    let text = "{\"a\":\"é日👩\"}"
    for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian]
    {
      let bytes = Array(try #require("\u{FEFF}\(text)".data(using: encoding)))
      #expect(try readAll(bytes, .ndjson) == ["a=string:é日👩"], "\(encoding)")
    }
    #expect(try readAll([0xFF, 0xFE, 0x7B], .ndjson) == ["wrong-encoding 1:1 final"])
  }

  @Test("JSON: an array is read as a stream, a single object as one record")
  func jsonArray() throws {
    #expect(try readAll("[]", .json) == [])
    #expect(
      try readAll(" [ {\"a\":1} ,\n {\"a\":\"]},\\\"\"} ]\n", .json) == ["a=integer:1", "a=string:]},\""])
    #expect(try readAll("{\n \"a\": 1,\n \"b\": [{}]\n}\n", .json) == ["a=integer:1;b=array:[{}]"])
  }

  @Test("JSON: a malformed element is stepped over if its end can be told")
  func jsonArrayErrors() throws {
    #expect(
      try readAll("[{\"a\":1},\n {\"a\":x, \"b\":[\"]\"]},\n 7, {\"a\":2}]", .json) == [
        "a=integer:1", "json-syntax 2:7", "not-an-object 3:2", "a=integer:2",
      ])
    #expect(try readAll("[{\"a\":1},\n {\"a\":2", .json) == ["a=integer:1", "json-syntax 2:8 final"])
    #expect(try readAll("[{\"a\":1},]", .json) == ["a=integer:1", "json-syntax 1:10 final"])
    #expect(try readAll("[{\"a\":1} {\"a\":1}]", .json) == ["a=integer:1", "json-syntax 1:10 final"])
    #expect(try readAll("[{\"a\":1}] x", .json) == ["a=integer:1", "json-syntax 1:11 final"])
    #expect(try readAll("[{\"a\":1}", .json) == ["a=integer:1", "json-syntax 1:9 final"])
    #expect(try readAll("", .json) == ["json-syntax 1:1 final"])
    #expect(try readAll("\"text\"", .json) == ["json-syntax 1:1 final"])
    #expect(try readAll("{\"a\":1", .json) == ["json-syntax 1:7 final"])
  }

  @Test("CSV: quotes, doubled quotes, line ends in cells, null and the empty string")
  func csv() throws {
    let text = "\u{FEFF}a,b,\"c,d\"\r\n1,,\"\"\r\n\"x\"\"y\",\"l1\r\nl2\n\",é\n\n3,4,5"
    #expect(
      try readAll(text, .csv) == [
        "a=cell:1;b=null:;c,d=cell:", "a=cell:x\"y;b=cell:l1\r\nl2\n;c,d=cell:é",
        "a=cell:3;b=cell:4;c,d=cell:5",
      ])
    #expect(try readAll("a\n\nx\n", .csv) == ["a=null:", "a=cell:x"])
    #expect(try readAll("a,b\n", .csv) == [])
    #expect(try readAll("a,b\nx,\n", .csv) == ["a=cell:x;b=null:"])
    #expect(try readAll("a,b\n1,x\ry\n", .csv) == ["a=cell:1;b=cell:x\ry"])
  }

  @Test("CSV: problems are located, and reading goes on behind them")
  func csvErrors() throws {
    #expect(
      try readAll("a,b\n1\n1,2,3\n\"l1\nl2\",2\nx\"y,2\n\"x\"y,2\n1,2\n", .csv) == [
        "field-count 2:0", "field-count 3:0", "a=cell:l1\nl2;b=cell:2", "csv-syntax 6:2", "csv-syntax 7:4",
        "a=cell:1;b=cell:2",
      ])
    #expect(
      try readAll("a,b\n1,2\n3,\"open\nnext,line\n", .csv) == [
        "a=cell:1;b=cell:2", "unclosed-quote 3:3 final",
      ])
    #expect(try readAll("", .csv) == ["header-missing 1:0 final"])
    #expect(try readAll("a,,b\n", .csv) == ["header-invalid 1:0 final"])
    #expect(try readAll("a,b,a\n", .csv) == ["header-invalid 1:0 final"])
    #expect(try readAll("a,b\"\n1,2\n", .csv) == ["csv-syntax 1:4 final"])
    #expect(try readAll([0x61, 0x0A, 0xFF, 0x0A, 0x62, 0x0A], .csv) == ["not-utf8 2:1", "a=cell:b"])
  }

  @Test("TSV: null, escapes and the empty string")
  func tsv() throws {
    #expect(
      try readAll("a\tb\n\\N\t\nx\\ty\\nz\\r\\\\\té\r\n\n1\t\\\\N", .tsv) == [
        "a=null:;b=cell:", "a=cell:x\ty\nz\r\\;b=cell:é", "a=cell:1;b=cell:\\N",
      ])
    #expect(
      try readAll("a\tb\n1\n\\x\t2\n1\t2\\\n1\t2\n", .tsv) == [
        "field-count 2:0", "tsv-syntax 3:1", "tsv-syntax 4:4", "a=cell:1;b=cell:2",
      ])
    #expect(try readAll("", .tsv) == ["header-missing 1:0 final"])
  }

  @Test("Values of ten megabytes are read in every format", arguments: InputFormat.allCases)
  func largeValues(format: InputFormat) throws {
    let large = String(repeating: "0123456789", count: 1_000_000)
    let text =
      switch format {
      case .ndjson: "{\"a\":\"\(large)\"}\n{\"a\":\"x\"}\n"
      case .json: "[{\"a\":\"\(large)\"},{\"a\":\"x\"}]"
      case .csv: "a\n\"\(large)\"\nx\n"
      case .tsv: "a\n\(large)\nx\n"
      }
    let records = try readAll(text, format)
    #expect(records.count == 2)
    #expect(records.first?.utf8.count ?? 0 > 10_000_000)
    #expect(records.last?.hasSuffix(":x") == true)
  }

  @Test("Records that cross the borders of what is read at once come whole", arguments: InputFormat.allCases)
  func chunkBorders(format: InputFormat) throws {
    let count = 30_000
    var text = format == .csv ? "n,t\r\n" : format == .tsv ? "n\tt\n" : format == .json ? "[" : ""
    for index in 0..<count {
      switch format {
      case .ndjson: text += "{\"n\":\(index),\"t\":\"é\\n\(index)\"}\r\n"
      case .json: text += (index == 0 ? "" : ",\n") + "{\"n\":\(index),\"t\":\"é\\n\(index)\"}"
      case .csv: text += "\(index),\"é\n\(index)\"\r\n"
      case .tsv: text += "\(index)\té\\n\(index)\n"
      }
    }
    if format == .json { text += "]" }
    let kind = format == .csv || format == .tsv ? "cell" : "integer"
    let textKind = format == .csv || format == .tsv ? "cell" : "string"
    let records = try readAll(text, format)
    #expect(records.count == count)
    #expect(records.indices.allSatisfy { records[$0] == "n=\(kind):\($0);t=\(textKind):é\n\($0)" })
  }

  @Test(
    "Problems at the borders of what is read at once spoil no other record",
    arguments: [InputFormat.json, .csv])
  func malformedAtBorders(format: InputFormat) throws {
    for shift in stride(from: 0, to: 24, by: 3) {
      let filler = String(repeating: "x", count: InputBuffer.chunk - 30 + shift)
      let text =
        format == .csv
        ? "a,b\n\(filler),1\nbare\"quote,2\nx,\"3\"\n\"l1\nl2\"y,4\nx,5\n"
        : "[{\"a\":\"\(filler)\"},{\"a\":x, \"c\":1},{\"a\":2,\"b\":3,\"a\":4},{\"a\":5}]"
      let results = try readAll(text, format).dropFirst().map {
        $0.hasPrefix("a=") ? $0 : String($0.prefix { $0 != " " })
      }
      if format == .csv {
        #expect(
          results == ["csv-syntax", "a=cell:x;b=cell:3", "csv-syntax", "a=cell:x;b=cell:5"], "shift \(shift)")
      } else {
        #expect(results == ["json-syntax", "duplicate-key", "a=integer:5"], "shift \(shift)")
      }
    }
  }

  @Test("A pipe that gives a few bytes at a time is read like a file", arguments: InputFormat.allCases)
  func slowPipe(format: InputFormat) throws {
    let text =
      switch format {
      case .ndjson: "\u{FEFF}{\"a\":\"é\"}\r\n{\"a\":\"日本\"}"
      case .json: "\u{FEFF}[{\"a\":\"é\"},\n{\"a\":\"日本\"}]"
      case .csv: "\u{FEFF}a\r\n\"é\"\r\n日本"
      case .tsv: "\u{FEFF}a\r\né\r\n日本"
      }
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    OutputBuffer.reportBrokenPipes()
    #expect(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    Thread.detachNewThread {
      let descriptor = open(path, O_WRONLY)
      for byte in text.utf8 {
        _ = withUnsafeBytes(of: byte) { write(descriptor, $0.baseAddress, 1) }
        usleep(200)
      }
      close(descriptor)
    }
    let reader = try RecordReaders.open(path: path, format: format)
    var values: [String] = []
    while let record = try reader.next() { values += record.fields.map { record.text($0) } }
    #expect(values == ["é", "日本"])
    #expect(reader.record.number == 2)
  }

  @Test("A record shows its source as it came, its line and its number")
  func sources() throws {
    let test = try TestFile("n\n\"a\nb\"\nc\n", name: "x.csv")
    let file = try InputFile(path: test.path)
    let reader = RecordReaders.reader(file, format: .csv)
    var seen: [String] = []
    while let record = try reader.next() {
      seen.append("\(record.number) \(record.line) \(String(decoding: record.source, as: UTF8.self))")
    }
    #expect(seen == ["1 2 \"a\nb\"", "2 4 c"])
    #expect(file.bytesRead == test.text.utf8.count)
  }

  @Test("Files that cannot be read say why, with the right status")
  func unreadable() throws {
    let missing = #expect(throws: InputError.self) { try InputFile(path: "/nonexistent/x.ndjson") }
    #expect(missing?.code == .fileNotFound)
    #expect(missing?.exitCode == .noInput)
    let directory = #expect(throws: InputError.self) { try InputFile(path: "/tmp") }
    #expect(directory?.code == .isDirectory)
    #expect(InputError(errno: EACCES, path: "x").exitCode == .noPermission)
    #expect(InputError(errno: EIO, path: "x").exitCode == .ioError)
  }

  @Test("A whole file is read at once")
  func contents() throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    let file = try TestFile(bytes)
    #expect(try InputFile.contents(path: file.path) == bytes)
    let empty = try TestFile()
    #expect(try InputFile.contents(path: empty.path) == [])
  }

  @Test("The format comes from the flag, else from the file's name")
  func formats() throws {
    #expect(try InputFormat.choose(nil, path: "a/b.JSONL") == .ndjson)
    #expect(try InputFormat.choose(nil, path: "b.tsv") == .tsv)
    #expect(try InputFormat.choose(.csv, path: "b.json") == .csv)
    #expect(try InputFormat.choose(nil, path: "-") == .ndjson)
    let error = #expect(throws: InputError.self) { try InputFormat.choose(nil, path: "dir.csv/file") }
    #expect(error?.exitCode == .usage)
  }

  @Test("Too many different keys are refused instead of filling the memory")
  func tooManyNames() throws {
    let table = FieldNames()
    for index in 0..<FieldNames.limit {
      var name = "key\(index)"
      if name.withUTF8({ table.intern($0) }) != Int32(index) { Issue.record("\(index)") }
    }
    var name = "one more"
    name.withUTF8 { #expect(table.intern($0) == nil) }
    #expect(table.index(of: "key4711") == 4711)
    #expect(table[65_535] == "key65535")
  }
}
