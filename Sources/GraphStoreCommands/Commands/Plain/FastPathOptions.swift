import ArgumentParser

/// Options that can be read from a plain command line.
protocol FastPathOptions: ParsableArguments {
  /// The options as they are when none is given.
  static var plain: Self { get }

  /// Takes an option if it is one of these.
  /// - Returns: whether it is.
  mutating func take(_ option: String, _ line: inout FastPathArguments) -> Bool

  /// Checks the options together, as the package's parser does when all are read.
  mutating func validateAll() throws
}

extension FastPathOptions {
  mutating func validateAll() throws { try validate() }
}

extension StoreArguments: FastPathOptions {
  static var plain: StoreArguments {
    var options = StoreArguments()
    options.path = nil
    options.model = []
    options.readOnly = false
    options.timeout = nil
    return options
  }

  mutating func take(_ option: String, _ line: inout FastPathArguments) -> Bool {
    switch option {
    case "--store": path = line.text(option)
    case "--model": model += line.text(option).map { [$0] } ?? []
    case "--read-only": readOnly = line.flag(option)
    case "--timeout": timeout = line.number(option)
    default: return false
    }
    return true
  }
}

extension ShortStoreArguments: FastPathOptions {
  static var plain: ShortStoreArguments {
    var options = ShortStoreArguments()
    options.path = nil
    options.model = []
    return options
  }

  mutating func take(_ option: String, _ line: inout FastPathArguments) -> Bool {
    switch option {
    case "-s": path = line.text("--store")
    case "-m": model += line.text(option).map { [$0] } ?? []
    default: return false
    }
    return true
  }
}

extension SharedOptions: FastPathOptions {
  static var plain: SharedOptions {
    var options = SharedOptions()
    options.color = nil
    options.noColor = false
    options.errorFormat = nil
    options.quiet = false
    options.time = false
    options.yes = false
    options.noInput = false
    return options
  }

  mutating func take(_ option: String, _ line: inout FastPathArguments) -> Bool {
    switch option {
    case "--color": color = line.word(option)
    case "--no-color": noColor = line.flag(option)
    case "--error-format": errorFormat = line.word(option)
    case "--quiet": quiet = line.flag(option)
    case "--time": time = line.flag(option)
    case "--yes": yes = line.flag(option)
    case "--no-input": noInput = line.flag(option)
    default: return false
    }
    return true
  }
}

extension ShortOptions: FastPathOptions {
  static var plain: ShortOptions {
    var options = ShortOptions()
    options.quiet = false
    options.yes = false
    return options
  }

  mutating func take(_ option: String, _ line: inout FastPathArguments) -> Bool {
    switch option {
    case "-q": quiet = line.flag(option)
    case "-y": yes = line.flag(option)
    default: return false
    }
    return true
  }
}

extension OutputOptions: FastPathOptions {
  static var plain: OutputOptions {
    var options = OutputOptions()
    options.format = nil
    options.json = false
    options.ndjson = false
    options.file = OutputFileOptions()
    options.file.path = nil
    options.null = nil
    options.noHeader = false
    options.width = nil
    options.timeZone = nil
    return options
  }

  mutating func take(_ option: String, _ line: inout FastPathArguments) -> Bool {
    switch option {
    case "--format", "-f": format = line.word("--format")
    case "--json": json = line.flag(option)
    case "--ndjson": ndjson = line.flag(option)
    case "--output", "-o": file.path = line.text("--output")
    case "--null": null = line.text(option, isUnconditional: true)
    case "--no-header": noHeader = line.flag(option)
    case "--width": width = line.integer(option)
    case "--time-zone": timeZone = line.text(option)
    default: return false
    }
    return true
  }
}

extension FilterOptions: FastPathOptions {
  static var plain: FilterOptions {
    var options = FilterOptions()
    options.predicates = []
    options.variables = []
    options.subentities = true
    return options
  }

  mutating func take(_ option: String, _ line: inout FastPathArguments) -> Bool {
    switch option {
    case "--where", "-w": line.add(to: &predicates)
    case "--var": line.add(to: &variables)
    case "--subentities": subentities = line.flag("--subentities")
    case "--no-subentities": subentities = !line.flag("--subentities")
    default: return false
    }
    return true
  }
}

extension QueryOptions: FastPathOptions {
  static var plain: QueryOptions {
    var options = QueryOptions()
    options.filter = .plain
    options.sorts = []
    options.fieldLists = []
    options.limit = nil
    options.offset = nil
    options.template = nil
    return options
  }

  mutating func take(_ option: String, _ line: inout FastPathArguments) -> Bool {
    switch option {
    case "--sort": line.add(to: &sorts)
    case "--fields": line.add(to: &fieldLists)
    case "--limit": limit = line.integer(option)
    case "--offset": offset = line.integer(option)
    case "--template": template = line.text(option)
    default: return filter.take(option, &line)
    }
    return true
  }

  mutating func validateAll() throws {
    try filter.validateAll()
    try validate()
  }
}
