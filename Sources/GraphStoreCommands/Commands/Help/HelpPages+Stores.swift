/// The pages about stores.
extension HelpPages {
  static let storeSpeed = """
    A change is on the disk when its command ends: the disk is waited for at each save. Where that is felt to be slow,
    in this order:

      1. fewer saves     a script (graphstore run FILE) is one transaction, and so is an import;
                         --commit batch saves a long import in parts
      2. synchronous     a program that opens the store with the pragma synchronous NORMAL does not wait at each save:
                         a power cut may lose the last ones, and the store stays whole
      3. autosave        by time, every 15 seconds, instead of at each edit
      4. another type    of store, where the data are few

    What is searched for slowly is another question: see graphstore explain. graphstore stats --analyze renews the
    statistics by which indexes are chosen, graphstore compact gives back room on the disk.
    """

  static let largeValues = """
    Where a photo, a document or a recording belongs, by its size:

      kilobytes          in a binary attribute, in the row of its object
      100 KB and more    in a binary attribute with externalStorage, which keeps it in a file beside the store and copies,
                         moves and removes it with the store; or in an entity of its own, with a to-one to it, so that
                         objects are read without it
      files of your own  elsewhere, with the path as a text: they are not in a save, a backup or a rollback, and what
                         becomes of them is yours to see to

    Large values do not belong into json, xml and binary stores: these are in memory as a whole, and each save writes
    all of it anew. graphstore info says how many bytes lie in files, graphstore check whether one is missing.
    """

  static let postgresql = """
    A store on a PostgreSQL server: the same model and the same commands, with its address in place of a path.

      graphstore init postgresql://db.example/hr --model Models/company.json
      graphstore fetch Employee --where 'salary > 50000' --store postgresql://db.example/hr

    An address is what libpq, PostgreSQL's own client, takes as a URL: postgresql://USER@HOST:PORT/DATABASE?NAME=VALUE&…
    It stands wherever a store is named: --store, GRAPHSTORE_STORE, .graphstore.json and its profiles. A store is a
    schema of the database, "graphstore" or that of ?schema=NAME, and nothing outside of it is touched.

    graphstore itself does not link libpq. For an address it starts graphstore-postgresql, which is the same command with
    these stores, from beside itself or from PATH: "make install-postgresql" in GraphStore's sources installs it.

    Passwords belong into ~/.pgpass, PGPASSFILE, PGPASSWORD or a service file (PGSERVICE), as for every client of libpq. One
    in an address works, and is shown nowhere: neither in messages, nor in logs, nor, once it is read, in lists of
    processes. TLS is as libpq has it: ?sslmode=verify-full&sslrootcert=….

    For who operates the server:

      rights         init needs CREATE on the database, for the schema with its tables, indexes, views and functions; who
                     writes objects needs USAGE on the schema and SELECT, INSERT, UPDATE and DELETE on its tables; who only
                     reads, USAGE and SELECT; restore and migrate apply need what init needs, and to own the tables
      other tools    tables and columns have the names of the model; a view an entity (employee_view) shows dates as points
                     of time. What others write into the tables passes by the rules of the model
      connections    at most five of a program, of which one writes; they are opened as they are needed
      poolers        by session; one that pools by transaction needs ?pooling=transaction in the address: nothing is
                     prepared then, and watch looks twice a second
      standbys       a store at the address of a standby is open for reading only, as with --read-only
      history        saves that are recorded commit one after the other; the tables graphstore_transactions and
                     graphstore_changes grow until graphstore history purge removes what nobody needs any more
      watching       a connection each, which the server tells of commits (LISTEN); where nothing is told, as on a standby
                     or behind a pooler of transactions, a query twice a second
      backup         pg_dump --schema NAME, or whatever the server's databases are saved by; or graphstore backup, whose
                     copy is a store of any type
      care           check looks for what others have left in the tables, and --repair mends what it can, while others read;
                     VACUUM and ANALYZE are the server's affair
      versions       tested with PostgreSQL 15; CockroachDB, YugabyteDB and Aurora are not

    Writers take no lock of the whole store. Where another one comes between, insert, update, upsert, link and delete begin
    anew, for as long as --timeout says; a script and an import end with a conflict, and have written nothing.

    Programs on several machines hear of each other's commits: watch and fetch --watch, and graphstore history --follow once
    graphstore history enable has had the store keep a history. Beginning and ending one waits for all who are writing.

    A store moves to a server and back as a whole: "graphstore backup postgresql://db.example/hr --store hr.db", the other
    way round, by dump and load; diff finds nothing afterwards. restore puts a backup in the place of a store, which is kept
    as the schema NAME_backup; who has it open is told by the next request. A history stays behind.

    It is migrated by graphstore migrate, as a file is, in one transaction. Where a step only adds, renames and removes,
    tables are altered, rows stay where they are, and others wait. Else the steps run over a copy in the folder for
    temporary files (TMPDIR), and the migrated store, filled in a schema beside the old one, takes its place; others read
    meanwhile, and wait to write, as long as their --timeout says. The old store is kept as NAME_backup unless
    --no-backup is given, roles keep their rights on tables and views whose names stay, and inferred steps carry the
    history over.

    Refused are compact, stats --analyze, --sql-log and migrate apply --output, which work on files.
    """

  static let security = """
    A store is one SQLite file, which whoever may read it can read with any SQLite tool. In principle it is not safer
    than a file of XML or a binary one: secrecy is the business of the disk, or of the application, which may encrypt
    values before it sets them. A new file has the rights that the umask leaves; what stands beside it, the log and
    files of large values, has those of the file.

    Files from strangers may be opened, checked and read: no code in them is run, neither triggers nor views nor
    extensions, and nothing outside of the store's own files is written. What they say is a stranger's word all the
    same. Deleted values may stay in free pages until graphstore compact writes the file anew.
    """
}
