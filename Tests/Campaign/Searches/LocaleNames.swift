import Foundation

/// Names a locale in the environment by any bytes, and compares and sorts by its rules.
struct LocaleNames: Search {
  let name = "locales"
  let summary = "made names of locales in LC_ALL, LC_COLLATE, LC_MESSAGES and LANG"
  let share = 0.3

  private static let parts = [
    "en", "US", "_", "-", "@", ".", "UTF-8", " ", "English", "United", "States", "zh", "Hant", ";", "=", "'",
    "\"",
    "(", "1252", "x", "i-", "und", "root", "%s", "\n", "POSIX", "C", "euro", "é", "/", "..",
    "collation=phonebook",
    "u-co-phonebk", "aaaaaaaaaaaaaaaaa", String(repeating: "z", count: 300),
  ]

  func examine(_ trial: CampaignCase) throws {
    let sample = trial.setup.samples.kinds
    try Files.copyStore(sample.path, to: trial.path("k.db"))
    let variables = ["LC_ALL", "LC_COLLATE", "LC_MESSAGES", "LANG"]
    var environment = ["LC_ALL": ""]
    for _ in 0...trial.random.below(2) {
      let name = (0...trial.random.below(6)).map { _ in trial.random.pick(Self.parts) }.joined()
      environment[trial.random.pick(variables)] = name
    }
    let filter = try trial.run(
      ["filter", "a <[l] 'b' AND a ==[cl] 'A'"], input: Array("{\"a\":\"a\"}\n".utf8),
      environment: environment)
    trial.expectContract(filter, of: "filter", codes: [0])
    let fetch = try trial.run(
      ["fetch", "Thing", "-w", "s >=[l] ''", "--sort", "s:localizedStandard", "-s", "k.db", "-f", "ids"],
      environment: environment)
    trial.expectContract(fetch, of: "fetch", codes: [0])
  }
}
