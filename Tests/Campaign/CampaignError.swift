/// Failure of the campaign itself or of what it stands on, not of the command that it tries.
struct CampaignError: Error, CustomStringConvertible {
  var message: String
  var description: String { message }
}
