/// The pages for those who know something else.
extension HelpPages {
  static let limits = """
    What there is here that a plain mapper of tables has not:

      relationships whose other end follows, delete rules that are run, undo and redo, validation by predicates,
      fetched properties, contexts over contexts, histories that tell what others have changed, several stores as
      one, configurations, versions of models and migrations between them, predicates that mean the same in memory
      and in the store

    What there is not:

      SQL                 no statement of yours is run; --trace and explain show those that are
      other databases     only stores are opened; sqlite3 -json old.db 'SELECT ...' | graphstore import ENTITY -
                          brings the rows of one in
      relationships       lie in one store; between stores use a fetched property, or a URI in an attribute
      single attributes   an object is read whole; what is large belongs into an entity of its own
      transient           attributes are in memory alone: no fetch asks for them
      order               an unordered relationship and a fetch without --sort have none: keep an attribute to sort by
      contexts            do not see each other's unsaved objects unless one is the parent of the other
      no inverse          what refers to a deleted object by a relationship without an inverse keeps a dead link
      threads             an object belongs to the queue of its context

    What older guides for such frameworks forbid, and works here: contexts in contexts of any depth, several to-many
    steps and quantifiers in one predicate, relationships that are their own inverse, MATCHES in a fetch.
    graphstore predicate check --portable names what other implementations would refuse.
    """

  static let forSQLUsers = """
    What you write in SQL, and what it is here:

      CREATE TABLE            an entity in the model file; graphstore init hr.db --model company.json
      SELECT a, b FROM t      graphstore fetch T --fields a,b
      WHERE a > 1             -w 'a > 1'
      WHERE a IS NULL         -w 'a == nil'
      LIKE 'A%'               -w 'name BEGINSWITH "A"'; LIKE here has * and ?
      IN (1, 2)               -w 'a IN {1, 2}'
      JOIN                    a key path: -w 'department.name == "Sales"', --fields name,department.name
      EXISTS (SELECT ...)     -w 'ANY projects.title == "X"', or SUBQUERY(projects, $p, ...).@count > 0
      COUNT(*)                graphstore count T
      GROUP BY a HAVING ...   --group-by a --aggregate 'count, sum:salary' --having 'count > 1'
      LEFT JOIN o GROUP BY    --group-by orders.note: each value's objects, once each; null for those without orders
      AVG, percentile_cont    --aggregate 'avg:salary, median:salary, percentile:(salary, 0.9) as p90'
      strftime('%Y', at)      year:(at), truncated:(at, "month")
      COALESCE(a, b)          coalesce:(a, b)
      ORDER BY a DESC         --sort -a
      ... NULLS LAST          --sort a:nulls-last; without it nil is before small values
      ORDER BY month(a)       --sort 'month:(a)': any expression
      SELECT *, a * 2 AS b    --fields '*, a * 2 as b'
      LIMIT 5 OFFSET 10       --limit 5 --offset 10
      INSERT, UPDATE          graphstore insert T a=1; graphstore update T -w '...' a=2
      INSERT ... ON CONFLICT  graphstore upsert T key=1 a=2; graphstore import T file --key key
      DELETE                  graphstore delete T -w '...', by the delete rules of the model; --dry-run says what goes
      BEGIN ... COMMIT        a script: graphstore run FILE is one transaction
      EXPLAIN QUERY PLAN      graphstore explain T -w '...'
      VACUUM, ANALYZE         graphstore compact, graphstore stats --analyze
      .dump, .backup          graphstore dump, graphstore backup
      PRAGMA integrity_check  graphstore check

    Where a value is missing, a comparison is unknown, as in SQL: -w 'x != 2' leaves objects without x out; write
    'x != 2 OR x == nil' to have them. The file is SQLite's and can be read with its tools; it must not be written
    with them.
    """

  static let forCoreDataUsers = """
    What you know from Core Data, and what it is here:

      .xcdatamodeld                 read as it is; graphstore model convert X.xcdatamodeld company.graphmodel
      momc, compiled models         read as they are
      NSPersistentContainer         PersistentContainer; the command opens what --store names
      a store of Core Data's        opened for reading and writing; where it has something that cannot be kept, such
                                    as mirroring to a cloud, for reading alone, with the reason
      NSManagedObjectContext        ManagedObjectContext; each command is one context, .context new NAME in the shell
      NSPredicate(format:)          QueryPredicate(parsing:), the same language; graphstore predicate check
      NSFetchRequest                FetchRequest<Employee>; fetch, with --where, --sort, --limit, --prefetch
      NSFetchedResultsController    FetchedResultsController; graphstore fetch --watch
      NSExpressionDescription       ExpressionDescription; --fields 'salary * 12 as yearly', --aggregate
      NSBatchUpdateRequest          BatchUpdateRequest; graphstore update ... --batch
      NSMergePolicy                 MergePolicy; .policy in the shell
      persistent history            enableHistoryTracking(of:); graphstore history
      lightweight migration         graphstore migrate plan, graphstore migrate apply
      mapping models                JSON with expressions of the predicate language; graphstore migrate new-mapping
      -com.apple.CoreData.SQLDebug  --trace fetches,saves, and graphstore explain

    What differs: classes of objects are generated by graphstore model codegen; errors have codes that are words
    (graphstore help codes), with Core Data's numbers where it has one; a model is JSON that can be compared and merged.
    """
}
