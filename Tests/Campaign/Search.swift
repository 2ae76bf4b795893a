/// One kind of search: what it tries in a case is made from the case's random numbers alone.
protocol Search: Sendable {
  /// The name by which it is chosen and by which its cases are numbered.
  var name: String { get }
  /// What it looks for, in a line.
  var summary: String { get }
  /// Its part of the time, compared with the others'.
  var share: Double { get }

  /// Runs a case; what is wrong is recorded in the case. An error thrown is a defect of the search.
  func examine(_ trial: CampaignCase) throws
}
