import GraphStoreModel

/// The members of a to-many path or of a sub-query, as a SELECT inside another one.
struct SQLSubselect {
  /// The select whose rows are the members, one for each route.
  let scope: SQLScope
  /// What each row stands for.
  var member: Member

  enum Member {
    /// An object.
    case object(SQLEntityReference)
    /// A value of the row.
    case value(SQLOperand)
  }

  /// The member as one side of a comparison.
  var operand: SQLOperand {
    switch member {
    case .object(let node): SQLOperand(node.key, .object(node.entity))
    case .value(let operand): operand
    }
  }

  /// The finished select, with a further condition and the columns asked for.
  func select(where condition: SQLExpression? = nil, columns: [SQLExpression] = []) -> SQLSelect {
    var select = scope.select
    select.columns = columns
    if let condition { select.conditions.append(condition) }
    return select.pruned()
  }
}
