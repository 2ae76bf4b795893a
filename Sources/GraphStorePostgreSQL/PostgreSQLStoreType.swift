#if PostgreSQL
import CGraphStorePostgreSQL
import GraphStore
#endif
