import Synchronization

/// Remembers the slot that a name has in the entity it was last used with.
@usableFromInline
final class KeyResolution: Sendable {
  let name: String
  /// Identity of the plan in the high half, then the property's number and its slot.
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
    if UInt32(truncatingIfNeeded: cached >> 32) == plan.identity { return Int(cached & 0xFFFF) }
    return resolve(in: plan)?.slot
  }

  /// The property in the plan, or nil where the entity has no such attribute of that kind.
  @inline(__always)
  func attribute(in plan: EntityPlan) -> PropertyPlan? {
    let cached = cache.load(ordering: .relaxed)
    if UInt32(truncatingIfNeeded: cached >> 32) == plan.identity {
      return plan.properties[Int(cached >> 16 & 0xFFFF)]
    }
    return resolve(in: plan)
  }

  @inline(never)
  private func resolve(in plan: EntityPlan) -> PropertyPlan? {
    guard let property = property(in: plan) else { return nil }
    if property.number <= 0xFFFF, property.slot <= 0xFFFF {
      let place = UInt64(property.number) << 16 | UInt64(property.slot)
      cache.store(UInt64(plan.identity) << 32 | place, ordering: .relaxed)
    }
    return property
  }

  func property(in plan: EntityPlan) -> PropertyPlan? {
    guard let property = plan.property(named: name), kinds.contains(AttributeKinds(property.kind)) else {
      return nil
    }
    return property
  }
}
