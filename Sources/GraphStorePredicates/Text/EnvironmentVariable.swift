import Foundation

/// Variables of the process's environment, each read by its name: Foundation makes a table of all of them
/// first, whose types and texts take longer than a query does.
package enum EnvironmentVariable {
  /// What a variable says; what is no UTF-8 is replaced. Nil for one that is not set.
  package static func value(of name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
