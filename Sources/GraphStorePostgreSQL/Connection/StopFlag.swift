#if PostgreSQL
import Synchronization

/// Whether statements are to end at once.
final class StopFlag: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool {
    get { flag.load(ordering: .relaxed) }
    set { flag.store(newValue, ordering: .relaxed) }
  }
}
#endif
