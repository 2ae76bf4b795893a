import Synchronization

/// Remembers the slot that a name has in the entity it was last used with.
@usableFromInline
final class KeyResolution: Sendable {
  private let name: String
  /// Identity of the plan in the high half, slot in the low half.
  private let cache = Atomic<UInt64>(0)

  private let kinds: AttributeKinds

  init(_ name: String, _ kinds: AttributeKinds) {
    self.name = name
    self.kinds = kinds
  }

  /// The slot in the plan, or nil where the entity has no such attribute of that kind.
  @inline(__always)
  func slot(in plan: EntityPlan) -> Int? {
    let cached = cache.load(ordering: .relaxed)
    if UInt32(truncatingIfNeeded: cached >> 32) == plan.identity { return Int(cached & 0xFFFF_FFFF) }
    return resolve(in: plan)
  }

  @inline(never)
  private func resolve(in plan: EntityPlan) -> Int? {
    guard let property = property(in: plan) else { return nil }
    cache.store(UInt64(plan.identity) << 32 | UInt64(property.slot), ordering: .relaxed)
    return property.slot
  }

  func property(in plan: EntityPlan) -> PropertyPlan? {
    guard let property = plan.property(named: name), kinds.contains(AttributeKinds(property.kind)) else {
      return nil
    }
    return property
  }
}
