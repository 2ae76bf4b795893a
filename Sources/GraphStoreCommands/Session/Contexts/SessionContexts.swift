import GraphStore

/// The contexts of a session over one coordinator, of which one is the present one: statements run in it.
final class SessionContexts {
  /// The name of the context that a session begins with, and that stays.
  static let mainName = "main"

  /// All of them, in the order in which they were made.
  private(set) var all: [SessionContext]
  private(set) var present: SessionContext

  init(main: ManagedObjectContext) {
    present = SessionContext(Self.mainName, main)
    all = [present]
  }

  func named(_ name: String) -> SessionContext? { all.first { $0.name == name } }

  /// The scratch contexts of a context.
  func children(of context: SessionContext) -> [SessionContext] { all.filter { $0.parent === context } }

  /// All of them, each before its scratch contexts.
  var tree: [SessionContext] {
    func subtree(_ context: SessionContext) -> [SessionContext] {
      [context] + children(of: context).flatMap(subtree)
    }
    return all.filter { !$0.isScratch }.flatMap(subtree)
  }

  /// All of them, each behind its scratch contexts, whose changes are saved into it or dropped first.
  var upwards: [SessionContext] {
    all.sorted { $0.ancestors.count > $1.ancestors.count }
  }

  /// The first of some names that no context has: `scratch`, `scratch2`, `scratch3` and so on.
  func freeName(_ base: String) -> String {
    if named(base) == nil { return base }
    var number = 2
    while named(base + String(number)) != nil { number += 1 }
    return base + String(number)
  }

  /// Adds a context, which is the present one then.
  func add(_ context: SessionContext) {
    all.append(context)
    present = context
  }

  func makePresent(_ context: SessionContext) { present = context }

  /// Removes a context without scratch contexts; its parent, or the main one, is present in its place.
  func remove(_ context: SessionContext) {
    assert(children(of: context).isEmpty, "a context goes behind those that read from it")
    all.removeAll { $0 === context }
    if present === context { present = context.parent ?? all[0] }
  }

  // MARK: Returning

  /// Which contexts there were at one time, and which was present.
  struct State {
    let all: [SessionContext]
    let present: SessionContext
  }

  var state: State { State(all: all, present: present) }

  /// Has the contexts again that there were at one time.
  func restore(_ state: State) { (all, present) = (state.all, state.present) }
}
