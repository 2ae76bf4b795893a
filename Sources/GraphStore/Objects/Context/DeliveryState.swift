/// The delivery of a context's messages: who is told of its changes, what they are being told at the moment,
/// and what they are told at the end of a transaction.
struct DeliveryState {
  /// What is told of the context's changes.
  var observers = ContextObservers()
  /// Who observes keys of objects; nil until somebody does.
  var keyObservers: KeyObservers?
  /// What observers are being told of at the moment.
  var changes: DeliveredChanges?
  /// Whether saves into the parent by other contexts are merged as they happen.
  var mergesAutomatically = false
  /// What saves within the open transaction have written, to be told when it is committed.
  var undeliveredSaves: [ManagedObjectContext.UndeliveredSave] = []
}
