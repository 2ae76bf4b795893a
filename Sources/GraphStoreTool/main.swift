import Foundation
import GraphStoreCommands

exit(GraphStoreMain.run())
