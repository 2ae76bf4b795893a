/// Watch over what is committed to a store, by this process and by others; it lasts until it is ended.
package protocol StoreWatch: AnyObject, Sendable {
  /// Ends it; a call that is under way may still come to its end.
  func end()
}
