/// Label of binary data where people read: their size, and of which kind they are.
enum BinaryLabel {
  /// `<1.4 MB image/png>`; `<12 bytes binary>` of a kind that is not known.
  static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    unsafe "<\(size(bytes.count)) \(MediaType.of(bytes) ?? "binary")>"
  }

  /// A size in the units of a thousand, with a digit behind the point below ten of them.
  static func size(_ count: Int) -> String {
    guard count >= 1000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
    var unit = 1000
    for name in ["kB", "MB", "GB"] {
      // What would be rounded to the next unit is told in that.
      if (count + unit / 2) / unit < 1000 || name == "GB" {
        let tenths = (count + unit / 20) / (unit / 10)
        return tenths < 100 ? "\(tenths / 10).\(tenths % 10) \(name)" : "\((count + unit / 2) / unit) \(name)"
      }
      unit *= 1000
    }
    return "\(count) bytes"
  }
}

/// Media types of well-known kinds of files, told by their first bytes.
enum MediaType {
  /// The media type of what begins so; nil for a kind that is not known.
  static func of(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    let start = unsafe Array(bytes.prefix(16))
    if let found = signatures.first(where: { start.starts(with: $0.bytes) }) { return found.type }
    guard start.count >= 12 else { return nil }
    if start.starts(with: Array("RIFF".utf8)), start[8..<12].elementsEqual("WEBP".utf8) {
      return "image/webp"
    }
    guard start[4..<8].elementsEqual("ftyp".utf8) else { return nil }
    return brands[String(decoding: start[8..<12], as: UTF8.self)] ?? "video/mp4"
  }

  private static let signatures: [(bytes: [UInt8], type: String)] = [
    ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
    ([0xFF, 0xD8, 0xFF], "image/jpeg"),
    (Array("GIF87a".utf8), "image/gif"),
    (Array("GIF89a".utf8), "image/gif"),
    (Array("%PDF-".utf8), "application/pdf"),
    ([0x50, 0x4B, 0x03, 0x04], "application/zip"),
    ([0x50, 0x4B, 0x05, 0x06], "application/zip"),
    ([0x1F, 0x8B, 0x08], "application/gzip"),
    (Array("bplist00".utf8), "application/x-plist"),
    (Array("SQLite format 3".utf8), "application/vnd.sqlite3"),
  ]

  /// The types of containers of ISO's base media format, by their brand.
  private static let brands = [
    "heic": "image/heic", "heix": "image/heic", "heim": "image/heic", "heis": "image/heic",
    "hevc": "image/heic-sequence", "mif1": "image/heif", "msf1": "image/heif-sequence", "avif": "image/avif",
    "qt  ": "video/quicktime", "M4A ": "audio/mp4", "M4V ": "video/x-m4v",
  ]
}
