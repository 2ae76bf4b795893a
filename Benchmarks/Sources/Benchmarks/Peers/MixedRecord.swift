import Foundation
import GRDB

/// Text, date, money and nil as a struct that reads its row by name.
struct MixedRecord: FetchableRecord, DigestReading {
  static let table = "ZMIXED"
  static let columns = "ZFLAG, ZBORN, ZPRICE, ZRATING, ZNAME, ZNOTE"

  var key: Int64
  var entity: Int64
  var version: Int64
  var flag: Bool
  var born: Date
  var price: Double
  var rating: Double?
  var name: String
  var note: String?

  init(row: Row) {
    key = row["Z_PK"]
    entity = row["Z_ENT"]
    version = row["Z_OPT"]
    flag = row["ZFLAG"]
    born = Date(timeIntervalSinceReferenceDate: row["ZBORN"])
    price = row["ZPRICE"]
    rating = row["ZRATING"]
    name = row["ZNAME"]
    note = row["ZNOTE"]
  }

  var digest: Int64 {
    var sum = Int64(flag ? 1 : 0) + Int64(born.timeIntervalSinceReferenceDate) + Int64(price * 100 + 0.5)
    sum += rating.map { Int64($0 * 8) } ?? 1
    sum += Mixed.digest(of: name)
    sum += note.map(Mixed.digest(of:)) ?? 1
    return sum
  }
}
