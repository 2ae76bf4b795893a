/// Builds archives of predicates and expressions for tests.
package enum ArchivedPredicate {
  package static func comparison(
    _ left: Archived, _ type: Int, _ right: Archived, modifier: Int = 0, options: [String: Archived] = [:]
  ) -> Archived {
    .object(
      ["NSComparisonPredicate", "NSPredicate", "NSObject"],
      [
        "NSLeftExpression": left, "NSRightExpression": right,
        "NSPredicateOperator": .object(
          ["NSEqualityPredicateOperator", "NSPredicateOperator", "NSObject"],
          options.merging(["NSOperatorType": .int(type), "NSModifier": .int(modifier)]) { $1 }),
      ])
  }

  package static func compound(_ type: Int, _ members: [Archived]) -> Archived {
    .object(
      ["NSCompoundPredicate", "NSPredicate", "NSObject"],
      ["NSCompoundPredicateType": .int(type), "NSSubpredicates": .list(members)])
  }

  package static func expression(_ className: String, _ type: Int, _ fields: [String: Archived] = [:])
    -> Archived
  {
    .object(
      [className, "NSExpression", "NSObject"], fields.merging(["NSExpressionType": .int(type)]) { $1 })
  }

  package static let evaluatedObject = expression("NSSelfExpression", 1)

  package static func constant(_ value: Archived) -> Archived {
    expression("NSConstantValueExpression", 0, ["NSConstantValue": value])
  }

  package static func variable(_ name: String) -> Archived {
    expression("NSVariableExpression", 2, ["NSVariable": .string(name)])
  }

  package static func key(_ path: String, of target: Archived = evaluatedObject) -> Archived {
    let specifier = expression("NSKeyPathSpecifierExpression", 10, ["NSKeyPath": .string(path)])
    return expression(
      "NSKeyPathExpression", 3,
      [
        "NSSelectorName": .string(path.contains(".") ? "valueForKeyPath:" : "valueForKey:"),
        "NSOperand": target, "NSArguments": .list([specifier]),
      ])
  }

  /// A function of the language.
  package static func function(_ name: String, _ arguments: [Archived]) -> Archived {
    expression(
      "NSFunctionExpression", 4,
      [
        "NSSelectorName": .string(name), "NSArguments": .list(arguments),
        "NSOperand": expression(
          "NSConstantValueExpression", 0, ["NSConstantValueClassName": "_NSPredicateUtilities"]),
      ])
  }
}
