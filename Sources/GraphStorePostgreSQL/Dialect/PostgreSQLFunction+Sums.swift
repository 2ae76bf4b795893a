#if PostgreSQL
extension PostgreSQLFunction {
  /// Sums and means of doubles. Their state is the sum so far, what rounding has lost of it, and the number
  /// of values.
  static func sums(_ dialect: PostgreSQLDialect) -> [String] {
    let step = dialect.tableName("gs_sum_step")
    func aggregate(_ function: PostgreSQLFunction, _ end: String) -> String {
      """
      CREATE AGGREGATE \(dialect.tableName(function.rawValue))(double precision)
      (SFUNC = \(step), STYPE = double precision[], FINALFUNC = \(end), INITCOND = '{0,0,0}')
      """
    }
    let (sumEnd, averageEnd) = (dialect.tableName("gs_sum_end"), dialect.tableName("gs_average_end"))
    return [
      """
      CREATE FUNCTION \(step)(state double precision[], x double precision)
      RETURNS double precision[] LANGUAGE plpgsql IMMUTABLE STRICT AS $$
      DECLARE
        sum double precision := state[1];
        next double precision := coalesce(\(dialect.tableName(add.rawValue))(sum, x), 'NaN');
      BEGIN
        state[2] := state[2] + CASE WHEN abs(sum) >= abs(x) THEN (sum - next) + x ELSE (x - next) + sum END;
        state[1] := next;
        state[3] := state[3] + 1;
        RETURN state;
      END $$
      """,
      """
      CREATE FUNCTION \(sumEnd)(state double precision[]) RETURNS double precision LANGUAGE sql IMMUTABLE AS $$
      SELECT CASE WHEN state[2] = 'NaN' THEN NULLIF(state[1], 'NaN')
        ELSE \(dialect.tableName(add.rawValue))(state[1], state[2]) END $$
      """,
      """
      CREATE FUNCTION \(averageEnd)(state double precision[]) RETURNS double precision LANGUAGE sql IMMUTABLE
      AS $$ SELECT \(dialect.tableName(divide.rawValue))(\(sumEnd)(state), state[3]) $$
      """,
      aggregate(.sum, sumEnd), aggregate(.average, averageEnd),
    ]
  }

  /// Sums of decimals, which the server has exactly, as decimals: rounded half to even to 38 digits, and
  /// means once more to six places more than the sum has (PRD-188).
  static func decimals(_ dialect: PostgreSQLDialect) -> [String] {
    let name = dialect.tableName(decimal.rawValue)
    return [
      """
      CREATE FUNCTION \(name)(total numeric, divisor bigint)
      RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      DECLARE
        above numeric; below numeric; quotient numeric; rest numeric; places integer;
      BEGIN
        IF total = 0 THEN RETURN 0; END IF;
        places := 37 - floor(log(abs(total) / divisor));
        LOOP
          above := abs(total);
          below := divisor;
          IF places > 0 THEN
            above := above * ('1e' || places)::numeric;
          ELSE
            below := below * ('1e' || -places)::numeric;
          END IF;
          quotient := div(above, below);
          EXIT WHEN quotient >= 1e37 AND quotient < 1e38;
          places := places + CASE WHEN quotient < 1e37 THEN 1 ELSE -1 END;
        END LOOP;
        rest := 2 * (above - quotient * below);
        IF rest > below OR rest = below AND mod(quotient, 2) = 1 THEN quotient := quotient + 1; END IF;
        RETURN trim_scale(sign(total) * quotient * ('1e' || -places)::numeric);
      END $$
      """,
      """
      CREATE FUNCTION \(dialect.tableName(decimalMean.rawValue))(total numeric, number bigint)
      RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
      DECLARE
        mean numeric := abs(\(name)(total, number));
        places integer := 6 + scale(\(name)(total, 1));
        kept numeric := trunc(mean, places);
        unit numeric := ('1e' || -places)::numeric;
        rest numeric := 2 * (mean - kept);
      BEGIN
        IF rest > unit OR rest = unit AND mod(div(kept, unit), 2) = 1 THEN kept := kept + unit; END IF;
        RETURN trim_scale(sign(total) * kept);
      END $$
      """,
    ]
  }
}
#endif
