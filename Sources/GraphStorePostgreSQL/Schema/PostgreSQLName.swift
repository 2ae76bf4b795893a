#if PostgreSQL
/// Names and texts as written in statements.
enum PostgreSQLName {
  /// The most bytes of a name, in servers as they are built.
  static let limit = 63

  /// A name as written: bare where it consists of small letters of ASCII, digits and underscores and is no
  /// word of the language, else in double quotes with quotes within it doubled.
  static func quoted(_ name: String) -> String {
    isPlain(name) && !words.contains(name) ? name : "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// A text as written; none with the character zero can be.
  static func literal(_ text: String) -> String {
    let quoted = "'" + text.replacing("'", with: "''") + "'"
    return text.contains("\\") ? "E" + quoted.replacing("\\", with: "\\\\") : quoted
  }

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x61...0x7a, 0x5f: true
      default: false
      }
    }
  }

  /// The words that mean something else somewhere in a statement, those of later versions among them.
  private static let words: Set<String> = Set(
    """
    all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both case \
    cast char character check coalesce collate collation column concurrently constraint create cross \
    current_catalog current_date current_role current_schema current_time current_timestamp current_user dec \
    decimal default deferrable desc distinct do else end except exists extract false fetch float for foreign \
    freeze from full grant greatest group grouping having ilike in initially inner inout int integer intersect \
    interval into is isnull join json json_array json_arrayagg json_exists json_object json_objectagg json_query \
    json_scalar json_serialize json_table json_value lateral leading least left like limit localtime \
    localtimestamp merge_action national natural nchar none normalize not notnull null nullif numeric offset on \
    only or order out outer overlaps overlay placing position precision primary real references returning right \
    row select session_user setof similar smallint some substring symmetric system_user table tablesample then \
    time timestamp to trailing treat trim true union unique user using values varchar variadic verbose when \
    where window with xmlattributes xmlconcat xmlelement xmlexists xmlforest xmlnamespaces xmlparse xmlpi \
    xmlroot xmlserialize xmltable
    """.split(separator: " ").map(String.init))
}
#endif
