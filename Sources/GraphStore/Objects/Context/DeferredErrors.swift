extension ManagedObject {
  /// Runs what an accessor does that cannot throw; nil where it failed, and the error is kept.
  @discardableResult
  final func deferring<Result>(_ body: () throws -> Result) -> Result? {
    do {
      return try body()
    } catch {
      keepDeferred(error)
      return nil
    }
  }

  /// Keeps an error that an accessor cannot throw for the next save of the context, and reports it.
  @inline(never)
  final func keepDeferred(_ error: any Error) {
    if state.contains([.refaulting, .invalidated]) { return }
    // A deinit runs on any thread, where the context may not be touched.
    guard let context, !isBeingReleased else { return Diagnostics.reportDeferred(error) }
    context.keepDeferred(error)
  }
}

extension ManagedObjectContext {
  /// More errors than these are reported, but not kept: the first is what a save throws.
  private static let mostDeferredErrors = 1000

  /// Keeps an error that no call can throw for the next save, and reports it.
  func keepDeferred(_ error: any Error) {
    if saving.deferredErrors.count < Self.mostDeferredErrors { saving.deferredErrors.append(error) }
    Diagnostics.reportDeferred(error)
  }
}
