import Foundation

#if PostgreSQL
import GraphStore
import GraphStoreCommands
import GraphStorePostgreSQL

StoreType.registerPostgreSQL()
exit(GraphStoreMain.run())
#else
// It is built with everything else, and takes over from graphstore where it is found.
FileHandle.standardError.write(
  Data(
    """
    error: this graphstore-postgresql was built without the trait PostgreSQL, and has no stores on servers   [store-type-unknown]
    hint: build it by make postgresql

    """.utf8))
exit(78)
#endif
