#if PostgreSQL
import GraphStore

/// Functions in the schema of a store, which compute what memory computes.
enum PostgreSQLFunction: String {
  /// Sums of doubles as IEEE 754 has them, where the server ends with an error at an overflow; what is no
  /// number is NULL.
  case add = "gs_add"
  /// Products of doubles.
  case multiply = "gs_multiply"
  /// Quotients of doubles; those by zero are NULL.
  case divide = "gs_divide"
  /// The sum of doubles with the rounding error carried along (PRD-188); 0 of nothing.
  case sum = "gs_sum"
  /// The mean of doubles; no value of nothing.
  case average = "gs_average"
  /// A sum of decimals divided by a number, rounded once to the digits of a decimal.
  case decimal = "gs_decimal"
  /// The mean of decimals, by their sum and their number.
  case decimalMean = "gs_decimal_mean"
  /// A part of a date in UTC (PRD-291).
  case datePart = "gs_date_part"
  /// The beginning of the unit that a date is in, in UTC (PRD-292).
  case dateStart = "gs_date_start"

  /// The statements that make all functions, each after those that it calls.
  static func statements(_ dialect: PostgreSQLDialect) -> [String] {
    arithmetic(dialect) + sums(dialect) + decimals(dialect) + dates(dialect)
  }

  /// The statements that remove all functions, each before those that it calls.
  static func removals(_ dialect: PostgreSQLDialect) -> [String] {
    signatures(dialect).reversed().map { "DROP \($0.kind) IF EXISTS \($0.signature)" }
  }

  /// The statements that move all functions into another schema, in which they call those of that schema.
  static func moves(_ dialect: PostgreSQLDialect, to destination: PostgreSQLDialect) -> [String] {
    let schema = PostgreSQLName.quoted(destination.schema)
    return signatures(dialect).map { "ALTER \($0.kind) \($0.signature) SET SCHEMA \(schema)" }
      + statements(destination).map { "CREATE OR REPLACE " + $0.dropFirst("CREATE ".count) }
  }

  /// The statements that give all functions to a role, as it is written in statements.
  static func owners(_ dialect: PostgreSQLDialect, _ role: String) -> [String] {
    signatures(dialect).map { "ALTER \($0.kind) \($0.signature) OWNER TO \(role)" }
  }

  /// What all functions are, and what they are called with.
  private static func signatures(_ dialect: PostgreSQLDialect) -> [(kind: String, signature: Substring)] {
    let schema = dialect.tableName("x").dropLast()
    return statements(dialect).compactMap { statement in
      let kind = statement.hasPrefix("CREATE AGGREGATE ") ? "AGGREGATE" : "FUNCTION"
      let signature = statement.dropFirst("CREATE \(kind) ".count)
      guard let end = signature.dropFirst(schema.count).firstIndex(of: ")") else { return nil }
      return (kind, signature[...end])
    }
  }

  /// The function in an expression.
  func call(_ arguments: [SQLExpression], _ dialect: PostgreSQLDialect) -> SQLExpression {
    .call(dialect.tableName(rawValue), arguments)
  }

  // MARK: Arithmetic

  private static func arithmetic(_ dialect: PostgreSQLDialect) -> [String] {
    let extremes = dialect.tableName("gs_extremes")
    func statement(_ function: PostgreSQLFunction, _ body: String) -> String {
      """
      CREATE FUNCTION \(dialect.tableName(function.rawValue))(l double precision, r double precision)
      RETURNS double precision LANGUAGE sql IMMUTABLE AS $$ SELECT \(body) $$
      """
    }
    func isUsual(_ number: String) -> String { "abs(\(number)) BETWEEN 1e-150 AND 1e150" }
    return [
      // Where a number is very large or very small: the error is told from the operands.
      """
      CREATE FUNCTION \(extremes)(l double precision, r double precision, divides boolean)
      RETURNS double precision LANGUAGE plpgsql IMMUTABLE STRICT AS $$
      BEGIN
        RETURN NULLIF(CASE WHEN divides THEN l / r ELSE l * r END, 'NaN');
      EXCEPTION WHEN numeric_value_out_of_range THEN
        IF (CASE WHEN divides THEN abs(l) > abs(r) ELSE abs(l) > 1 END) THEN
          RETURN sign(l) * sign(r) * 'Infinity'::double precision;
        END IF;
        RETURN 0;
      END $$
      """,
      // Beyond the first limit a quarter of the sum tells whether it overflows; less than the second one
      // changes nothing there.
      statement(
        .add,
        """
        CASE WHEN abs(l) < 8e307 AND abs(r) < 8e307 THEN l + r
        WHEN abs(l) < 1e290 THEN r WHEN abs(r) < 1e290 THEN l
        WHEN l / 4 + r / 4 = 'NaN' THEN NULL
        WHEN abs(l / 4 + r / 4) < 4.49423283715578976932326297697e307 THEN l + r
        WHEN l / 4 + r / 4 > 0 THEN 'Infinity'::double precision
        WHEN l / 4 + r / 4 < 0 THEN '-Infinity'::double precision END
        """),
      statement(
        .multiply,
        """
        CASE WHEN (l = 0 OR \(isUsual("l"))) AND (r = 0 OR \(isUsual("r"))) THEN l * r
        ELSE \(extremes)(l, r, false) END
        """),
      statement(
        .divide,
        """
        CASE WHEN r = 0 THEN NULL WHEN (l = 0 OR \(isUsual("l"))) AND \(isUsual("r")) THEN l / r
        ELSE \(extremes)(l, r, true) END
        """),
    ]
  }
}
#endif
