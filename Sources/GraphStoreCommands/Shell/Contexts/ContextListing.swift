/// Lines of `.context list`: the contexts as a tree, the present one marked, with their unsaved changes.
enum ContextListing {
  static func lines(_ contexts: [ContextStatus]) -> [String] {
    let names = contexts.map { String(repeating: "  ", count: $0.depth) + $0.name }
    let width = names.map(\.count).max() ?? 0
    return zip(contexts, names).map { context, name in
      let padding = String(repeating: " ", count: width - name.count)
      return "\(context.isPresent ? "* " : "  ")\(name)\(padding)  \(text(of: context))"
    }
  }

  private static func text(of context: ContextStatus) -> String {
    let kind = context.isScratch ? "scratch, " : context.keepsChanges ? "within .begin, " : ""
    return kind + context.changes
  }
}
