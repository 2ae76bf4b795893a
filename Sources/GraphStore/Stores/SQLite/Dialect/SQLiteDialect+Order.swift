import Foundation
import GraphStoreModel
import GraphStorePredicates
import GraphStoreSQLite

extension SQLiteDialect {
  func order(by operand: SQLOperand, _ comparator: QuerySortDescriptor.Comparator) -> SQLAnswer {
    switch operand.type {
    case .decimal:
      return .exact(decimalOrder(operand.expression), note: "decimals by a function")
    case .string:
      switch comparator {
      case .compare: return .exact(operand.expression)
      case .caseInsensitive:
        return .exact(
          .call(SQLiteTextFunctions.foldName, [operand.expression, .number(1)]),
          note: "sorts by the folded text, which no index serves")
      case .localized: return localizedOrder(operand, .full)
      case .localizedCaseInsensitive: return localizedOrder(operand, .c)
      case .localizedStandard: return localizedOrder(operand, .standard)
      }
    case .integer, .double, .float:
      // Beyond 64 bits numbers are stored as blobs, which SQLite orders behind all others.
      guard operand.form > .plain else { return .exact(operand.expression) }
      return .exact(decimalOrder(operand.expression), note: "whole numbers by a function")
    case .entity: return .no(.differentKinds, "names of entities are ordered in memory")
    case .data where operand.isOpaque: return .no(.notInRow, "the values may be kept in files of their own")
    case .anything, .composite, .dictionary, .collection, .transformable:
      return .no(.differentKinds, "values of this type are ordered in memory")
    default: return .exact(operand.expression)
    }
  }

  /// What a column holds and is no decimal is damage; what is computed may be any number.
  private func decimalOrder(_ expression: SQLExpression) -> SQLExpression {
    let name =
      if case .column = expression {
        SQLiteDecimalFunctions.orderName
      } else {
        SQLiteDecimalFunctions.computedOrderName
      }
    return .call(name, [expression])
  }

  private func localizedOrder(_ operand: SQLOperand, _ form: SQLiteLocaleFunctions.Form) -> SQLAnswer {
    .exact(
      .collated(operand.expression, SQLiteLocaleFunctions.collation(form, locale)),
      note: "sorts by the collation of \(locale.identifier), which no index serves")
  }
}
