/// What objects of one entity need of their context after they have left it.
final class Departure {
  /// Where their identifiers count.
  let scope: IdentifierScope
  /// Kept alive for them.
  let plan: EntityPlan

  init(scope: IdentifierScope, plan: EntityPlan) {
    self.scope = scope
    self.plan = plan
  }
}
