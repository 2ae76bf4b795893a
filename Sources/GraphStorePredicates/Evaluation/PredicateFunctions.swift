/// The functions an application has registered for `FUNCTION(target, "name:", …)`, by name.
public struct PredicateFunctions: Sendable {
  /// A function: from its target and arguments to its result.
  public typealias Body = @Sendable (_ target: Operand, _ arguments: [Operand]) throws -> Operand

  private var bodies: [String: Body] = [:]

  /// The functions there are from the start: `uppercaseString` and `lowercaseString`.
  public static let standard: PredicateFunctions = {
    var functions = PredicateFunctions()
    functions.register("uppercaseString") { target, _ in text(target) { $0.uppercased() } }
    functions.register("lowercaseString") { target, _ in text(target, CaseMapping.lowercased) }
    return functions
  }()

  /// Registers a function under a name, in place of any other of that name.
  public mutating func register(_ name: String, _ body: @escaping Body) {
    bodies[name] = body
  }

  /// The function of a name, when there is one.
  public subscript(name: String) -> Body? { bodies[name] }

  /// The registered names in order.
  public var names: [String] { bodies.keys.sorted() }

  private static func text(_ operand: Operand, _ change: (String) -> String) -> Operand {
    if case .value(.string(let text)) = operand { return .value(.string(change(text))) }
    return .null
  }
}
