import Foundation

/// Variables of the process's environment, each read by its name: Foundation makes a table of all of them
/// first, whose types and texts take longer than a query does.
package enum EnvironmentVariable {
  /// The value of a variable; bytes that are no UTF-8 are replaced. Nil for one that is not set.
  package static func value(of name: String) -> String? {
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }
}
