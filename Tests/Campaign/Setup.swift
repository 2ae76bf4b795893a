/// Setup that all cases share: the command under trial, the repository, and stores made before the first
/// case.
struct Setup: Sendable {
  var command: String
  var repository: String
  /// Where cases have their folders.
  var scratch: String

  var companyModel: String { repository + "/Models/company.json" }
  var companyRecords: String { repository + "/Examples/company/company.ndjson" }
  /// Stores made once, to be copied.
  var samples: Samples { Samples(folder: scratch + "/samples", companyModel: companyModel) }
}
