import GraphStoreReports

/// Exit code of the process; the argument parser has a type of the same name.
typealias ExitCode = GraphStoreReports.ExitCode
