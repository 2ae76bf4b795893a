#if PostgreSQL
extension PostgreSQLFunction {
  /// Parts and beginnings of dates, which reach farther than those of the server: the calendar repeats every
  /// 146,097 days, 400 years.
  static func dates(_ dialect: PostgreSQLDialect) -> [String] {
    let range = "-3.155e18 AND 3.155e18"
    func head(_ function: PostgreSQLFunction, _ result: String) -> String {
      "CREATE FUNCTION \(dialect.tableName(function.rawValue))(x double precision, unit text) "
        + "RETURNS \(result) LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$"
    }
    let declarations = """
      DECLARE
        seconds bigint; days bigint; place integer; day timestamp;
      BEGIN
        IF x NOT BETWEEN \(range) THEN RETURN NULL; END IF;
        seconds := floor(x);
        days := (seconds - (seconds % 86400 + 86400) % 86400) / 86400;
        place := (days % 146097 + 146097) % 146097;
        day := date '2001-01-01' + place;
      """
    return [
      """
      \(head(.datePart, "bigint"))
      \(declarations)
        seconds := seconds - days * 86400;
        RETURN CASE unit
          WHEN 'hour' THEN seconds / 3600 WHEN 'minute' THEN seconds / 60 % 60 WHEN 'second' THEN seconds % 60
          WHEN 'year' THEN date_part('year', day) + 400 * ((days - place) / 146097)
          ELSE date_part(unit, day) END;
      END $$
      """,
      """
      \(head(.dateStart, "double precision"))
      \(declarations)
        seconds := CASE unit
          WHEN 'second' THEN seconds
          WHEN 'minute' THEN seconds - (seconds % 60 + 60) % 60
          WHEN 'hour' THEN seconds - (seconds % 3600 + 3600) % 3600
          ELSE (days - place + (date_trunc(unit, day)::date - date '2001-01-01')) * 86400 END;
        RETURN CASE WHEN seconds::double precision BETWEEN \(range) THEN seconds::double precision END;
      END $$
      """,
    ]
  }
}
#endif
