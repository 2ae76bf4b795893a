extension Diagnostics {
  /// Reads the switches of Core Data's programs from the arguments of the process, as schemes and launch
  /// scripts pass them.
  ///
  /// | switch | sets |
  /// |---|---|
  /// | `-com.apple.CoreData.SQLDebug N` | ``sqlLevel``, cut to 4 |
  /// | `-com.apple.CoreData.MigrationDebug N` | ``migrationLevel``, cut to 3 |
  /// | `-com.apple.CoreData.ConcurrencyDebug 1` or `0` | ``checksQueues`` |
  ///
  /// They override the variables. A switch without a number is passed over with a warning, and so is nothing
  /// else: what other arguments mean is the program's affair. Call it first of all, since contexts keep what
  /// held when they were made.
  ///
  /// ```swift
  /// Diagnostics.readLaunchArguments(["-com.apple.CoreData.SQLDebug", "1"])
  /// print(Diagnostics.sqlLevel)  // 1
  /// Diagnostics.sqlLevel = 0
  /// ```
  ///
  /// - Parameter arguments: The arguments; those of the process by default.
  public static func readLaunchArguments(_ arguments: [String] = CommandLine.arguments) {
    for (position, argument) in arguments.enumerated() {
      guard let launchSwitch = LaunchSwitch(rawValue: argument) else { continue }
      let value = position + 1 < arguments.count ? arguments[position + 1] : ""
      guard let number = Int(value), number >= 0 else {
        write("\(argument): \"\(value)\" is not a number", as: .warning)
        continue
      }
      switch launchSwitch {
      case .sql: sqlLevel = number
      case .migration: migrationLevel = number
      case .concurrency: checksQueues = number > 0
      }
    }
  }

  private enum LaunchSwitch: String {
    case sql = "-com.apple.CoreData.SQLDebug"
    case migration = "-com.apple.CoreData.MigrationDebug"
    case concurrency = "-com.apple.CoreData.ConcurrencyDebug"
  }
}
