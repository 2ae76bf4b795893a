import Foundation
import GraphStoreCommands

exit(GraphStoreMain.run(Array(CommandLine.arguments.dropFirst())))
