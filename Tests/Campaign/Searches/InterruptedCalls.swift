import CGraphStoreCampaign
import Foundation
import Synchronization

/// Kills writing commands at each of their system calls in turn, or lets the call fail: the store is as
/// before or as after, `check` says ok, and the next command works.
final class InterruptedCalls: Search {
  let name = "calls"
  let summary = "writing commands killed at each system call, or with the call failing"
  let share = 3.0

  /// What a work is known to do when nothing interferes with it.
  private struct Plan {
    var calls: Int
    var callsWithReading: Int
    var code: Int32
    /// The states that may be left behind; the last is the one of success.
    var states: [[String]]
    /// What a command that only reads answers.
    var answer: [UInt8]
  }

  private let plans = Mutex<[String: Plan]>([:])

  private static let deeds: [(deed: Int, error: Int32, reads: Bool)] = [
    (gs_campaign_kill, 0, false), (gs_campaign_tear, 0, false),
    (gs_campaign_fail, EIO, false), (gs_campaign_fail, ENOSPC, false),
    (gs_campaign_fail, EINTR, false), (gs_campaign_fail, EIO, true),
    (gs_campaign_fail, EACCES, true), (gs_campaign_fill, ENOSPC, false),
  ]

  func examine(_ trial: CampaignCase) throws {
    // The calls of a work in turn, in an order that the seed chooses, so that none is tried twice before all
    // were tried.
    let works = Work.all
    let modes = ["company", "rollback", "logged"]
    let work = works[trial.number % works.count]
    let turn = trial.number / works.count
    let mode = modes[turn % modes.count]
    let plan = try plan(work, mode: mode, trial)
    let spaces = Self.deeds.map { $0.reads ? plan.callsWithReading : plan.calls }
    let total = spaces.reduce(0, +)
    var place = Self.shuffled(turn / modes.count, total: total, seed: trial.seed)
    var index = 0
    while place >= spaces[index] {
      place -= spaces[index]
      index += 1
    }
    let deed = Self.deeds[index]
    var injection = gs_campaign_injection()
    (injection.deed, injection.error) = (Int32(deed.deed), deed.error)
    injection.counts_reading = deed.reads ? 1 : 0
    injection.number = UInt64(place + 1)
    try prepare(work, mode: mode, trial)
    let command = work.command(trial)
    let ending = trial.recorded(try command.run(with: &injection), input: work.input)
    let call = withUnsafeBytes(of: injection.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let subject = withUnsafeBytes(of: injection.subject) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    let what =
      deed.error == 0
      ? "killed"
      : String(cString: strerror(deed.error)) + (deed.deed == gs_campaign_fill ? " from then on" : "")
    trial.record("\(mode), call \(injection.number) of \(total): \(call) \(subject): \(what)")
    try judge(ending, work: work, plan: plan, key: "\(work.name) \(call) \(what)", call: call, trial)
  }

  /// Where a turn lies among all that there is to try: a permutation for each seed.
  private static func shuffled(_ turn: Int, total: Int, seed: UInt64) -> Int {
    func divisor(_ left: Int, _ right: Int) -> Int { right == 0 ? left : divisor(right, left % right) }
    var step = Int(seed % 7919) + total * 5 / 8 + 1
    while divisor(step, total) != 1 { step += 1 }
    return (turn * (step % total) + Int(seed % 104_729)) % total
  }

  private func judge(
    _ ending: Ending, work: Work, plan: Plan, key: String, call: String, _ trial: CampaignCase
  ) throws {
    let isKilled = ending.signal == SIGKILL && !ending.hasTimedOut
    if !isKilled {
      trial.expectContract(ending, of: key, codes: [0, 65, 66, 73, 74, 75, 77, 78, plan.code])
    }
    let store = trial.path(work.store)
    let state = try self.state(of: trial, work: work, from: "copy")
    // The store and a file beside it are two: one may be as before and the other as after.
    let files = work.written.count
    let isWhole =
      plan.states.contains { $0.dropLast(files) == state.dropLast(files) }
      && plan.states.contains { $0.suffix(files) == state.suffix(files) }
    if !isWhole {
      trial.violate("half-written", key: key, difference(state, plan.states))
    } else if !isKilled, ending.code == plan.code, state != plan.states[plan.states.count - 1], plan.code == 0
    {
      trial.violate("success without the change", key: key, difference(state, plan.states))
    }
    if !isKilled, ending.code == plan.code, work.isReading, ending.output != plan.answer {
      trial.violate("wrong answer", key: key, ending.outputText)
    }
    if work.makesStore {
      try judgeNewStore(store, key: key, trial)
    }
    try judgeNext(key: key, trial, store: work.store)
    let hasOutput =
      try work.arguments.contains("--output") && judgeOutput(ending, isKilled: isKilled, key: key, trial)
    let allowed = Set(
      ["tmp"] + work.files + [work.store, work.store + "-wal", work.store + "-shm"]
        + (hasOutput ? ["new.db"] : []))
    let left =
      Files.names(in: trial.folder).filter { !allowed.contains($0) } + Files.names(in: trial.path("tmp"))
    // Nobody takes away the unfinished file of a process that was killed, or one that cannot be taken away.
    if !left.isEmpty, !isKilled || left.contains(where: { !$0.hasPrefix(".") }), !call.hasPrefix("unlink") {
      trial.violate("files left behind", key: key, left.joined(separator: ", "))
    }
  }

  /// What was written to another place is whole where that was told, and is not there where it was not. Who
  /// is killed right after it was put in place has told nothing, and leaves it whole.
  ///
  /// - Returns: Whether it is there by right.
  private func judgeOutput(
    _ ending: Ending, isKilled: Bool, key: String, _ trial: CampaignCase
  ) throws -> Bool {
    let isThere = Files.exists(trial.path("new.db"))
    guard ending.code == 0 || isKilled && isThere else {
      if isThere { trial.violate("output of a failure", key: key, "new.db") }
      return false
    }
    let check = try trial.run(["check", "-s", "new.db"])
    let counts = try ["hr.db", "new.db"].map { try trial.run(["count", "Employee", "-s", $0]).outputText }
    if check.code != 0 || counts[0] != counts[1] {
      trial.violate("output", key: "\(key) \(check.code)", "\(counts) " + check.errorText + check.outputText)
    }
    for suffix in ["-wal", "-shm"] { Files.remove(trial.path("new.db" + suffix)) }
    return true
  }

  private func judgeNewStore(_ store: String, key: String, _ trial: CampaignCase) throws {
    let size = Files.read(store)?.count
    if let size, size > 0 { return }
    let again = try trial.run(["init", "made.db", "--model", trial.setup.companyModel])
    if again.code != 0 {
      trial.violate("init does not work again", key: "\(key) \(again.code)", again.errorText)
    }
  }

  private func judgeNext(key: String, _ trial: CampaignCase, store: String) throws {
    let check = try trial.run(["check", "-s", store])
    if check.code != 0 {
      trial.violate("check", key: "\(key) \(check.code)", check.errorText + check.outputText)
    }
    let next = try trial.run(["insert", "Department", "name=next", "-s", store])
    if next.code != 0 { trial.violate("next command", key: "\(key) \(next.code)", next.errorText) }
  }

  private func difference(_ state: [String], _ states: [[String]]) -> String {
    let nearest = states.min { distance($0, state) < distance($1, state) } ?? []
    return "too much: \(Set(state).subtracting(nearest).sorted().prefix(5)), missing: "
      + "\(Set(nearest).subtracting(state).sorted().prefix(5))"
  }

  private func distance(_ left: [String], _ right: [String]) -> Int {
    Set(left).symmetricDifference(right).count
  }

  // MARK: What is expected

  private func prepare(_ work: Work, mode: String, _ trial: CampaignCase) throws {
    Files.remove(trial.folder)
    try Files.makeFolder(trial.path("tmp"))
    if !work.makesStore {
      let sample = trial.setup.samples.all.first { $0.name == mode } ?? trial.setup.samples.company
      try Files.copyStore(sample.path, to: trial.path(work.store))
    }
    for (name, text) in work.given {
      try Files.write(text == Work.nextModel ? nextModel(trial) : text, to: trial.path(name))
    }
  }

  /// The model of the samples with one attribute more.
  private func nextModel(_ trial: CampaignCase) throws -> String {
    let text = String(decoding: Files.read(trial.setup.companyModel) ?? [], as: UTF8.self)
    let opening = #""name": "Department""#
    guard let entity = text.range(of: opening),
      let list = text.range(of: #""attributes": ["#, range: entity.upperBound..<text.endIndex)
    else { throw CampaignError(message: "\(trial.setup.companyModel) has no attributes of departments") }
    return text.replacingCharacters(in: list, with: #""attributes": [{"name": "note", "type": "string"}, "#)
  }

  private func plan(_ work: Work, mode: String, _ trial: CampaignCase) throws -> Plan {
    let key = work.makesStore ? work.name : "\(work.name) \(mode)"
    if let plan = plans.withLock({ $0[key] }) { return plan }
    try prepare(work, mode: mode, trial)
    var states = [try state(of: trial, work: work, from: "copy")]
    for input in work.steps {
      try prepare(work, mode: mode, trial)
      var step = work
      step.input = Array(input.utf8)
      _ = try step.command(trial).run()
      states.append(try state(of: trial, work: work, from: "copy"))
    }
    var counts: [Int] = []
    var code: Int32 = 0
    var answer: [UInt8] = []
    for reads: Int32 in [1, 0] {
      try prepare(work, mode: mode, trial)
      var injection = gs_campaign_injection()
      injection.counts_reading = reads
      let ending = try work.command(trial).run(with: &injection)
      code = ending.code
      guard [0, 5].contains(code) else {
        throw CampaignError(message: "\(work.name) \(mode): \(ending.code) \(ending.errorText)")
      }
      counts.append(Int(injection.made))
      answer = ending.output
    }
    states.append(try state(of: trial, work: work, from: "copy"))
    let plan = Plan(calls: counts[1], callsWithReading: counts[0], code: code, states: states, answer: answer)
    plans.withLock { $0[key] = plan }
    return plan
  }

  /// What the store and the written files hold, seen through a copy, so that the store itself stays as it was
  /// left.
  private func state(of trial: CampaignCase, work: Work, from name: String) throws -> [String] {
    let copy = trial.aside(name)
    Files.remove(copy)
    try Files.makeFolder(copy)
    try Files.copyStore(trial.path(work.store), to: copy + "/" + work.store)
    var state = try SecondReader.contents(
      of: copy + "/" + work.store,
      leavingOut: work.makesStore || work.given.values.contains(Work.nextModel) ? "Z_METADATA" : nil)
    // What a stopped `init` has left is nothing yet, as long as it can be done again.
    if work.makesStore, state?.contains("Z_PRIMARYKEY") != true { state = nil }
    let written = work.written.map { name in
      "\(name): \(Files.read(trial.path(name)).map { String(decoding: $0, as: UTF8.self) } ?? "none")"
    }
    return (state ?? []) + written
  }
}

/// A command that is interfered with.
private struct Work: Sendable {
  var name: String
  var arguments: [String]
  var input: [UInt8] = []
  var store = "hr.db"
  var makesStore = false
  var isReading = false
  /// Files that it is given.
  var given: [String: String] = [:]
  /// Files that it writes beside the store, which are to be whole or as they were.
  var written: [String] = []
  /// Inputs that lead to the states between the first and the last, where the command may stop half way.
  var steps: [String] = []

  var files: [String] { Array(given.keys) + written }

  /// Stands for the model of the samples with one attribute more.
  static let nextModel = "NEXT"

  /// Migrations to that model: by statements, object by object, and the two to another place, which leave the
  /// store alone.
  private static let migrations: [Work] = {
    let mapping = """
      {"source": "1", "destination": "2", "entityMappings": [{"source": "Department", "destination": "Department",
        "attributes": [{"name": "note", "value": "uppercase:($source.name)"}]}]}
      """
    func work(_ name: String, _ more: [String], _ given: [String: String] = [:]) -> Work {
      Work(
        name: name, arguments: ["migrate", "apply", "--to", "next.json", "--no-backup"] + more,
        given: given.merging(["next.json": nextModel]) { $1 })
    }
    let byMapping = ["--mapping", "map.json"]
    return [
      work("migrate", []), work("migrate by mapping", byMapping, ["map.json": mapping]),
      work("migrate elsewhere", ["--output", "new.db"]),
      work("migrate elsewhere by mapping", ["--output", "new.db"] + byMapping, ["map.json": mapping]),
    ]
  }()

  func command(_ trial: CampaignCase) -> CommandRun {
    let arguments = arguments.map { $0 == "MODEL" ? trial.setup.companyModel : $0 }
    return trial.command(
      arguments + (makesStore || arguments.contains("-s") ? [] : ["-s", store]), input: input)
  }

  private static func works(_ name: String, _ arguments: String..., input: String = "") -> Work {
    Work(name: name, arguments: [name] + arguments, input: Array(input.utf8))
  }

  static let all: [Work] = {
    let records = (1...9).map {
      #"{"entity":"Employee","name":"New \#($0)","badge":\#(100 + $0),"department":"Department/p\#($0 % 3 + 1)"}"#
        + "\n"
    }
    let script = [
      "insert Department name=Research\n", "update Employee --where 'salary > 50000' salary+=10\n",
      "link Project/p1.members Employee/p5\n", "delete Employee/p9\n",
    ]
    var csv = works(
      "import", "Employee", "people.csv", "--key", "badge", "--on-conflict", "update", "--on-error", "skip",
      "--rejects",
      "rejects.ndjson", "-y")
    csv.name = "import with rejects"
    csv.given = ["people.csv": "badge,name,salary\n1,Grace,5\n50,Neu,7\n51,Bad,x\n2,Ada,9\n"]
    csv.written = ["rejects.ndjson"]
    var batches = works(
      "import", "--all", "-", "--from", "ndjson", "--commit", "batch", "--batch-size", "3",
      input: records.joined())
    batches.name = "import in batches"
    batches.steps = [3, 6].map { records.prefix($0).joined() }
    var steps = works("run", "--no-transaction", "-", input: script.joined())
    steps.name = "run without transaction"
    steps.steps = (1...3).map { script.prefix($0).joined() }
    var shell = works("shell", input: script.joined())
    shell.name = "shell"
    var export = works("export", "--all", "-f", "ndjson", "-o", "out.ndjson", "-y")
    export.given = ["out.ndjson": "what was there\n"]
    export.written = ["out.ndjson"]
    var updateSet = works("update", "Employee", "--all", "-y", "--batch", "salary=7")
    updateSet.name = "update as one set"
    var deleteSet = works("delete", "Project", "--all", "-y", "--batch")
    deleteSet.name = "delete as one set"
    var fetch = works("fetch", "Employee", "--ndjson")
    fetch.isReading = true
    return [
      Work(
        name: "init", arguments: ["init", "made.db", "--model", "MODEL"], store: "made.db", makesStore: true),
      works("insert", "Department", "name=New"), works("update", "Employee", "--all", "-y", "salary+=1"),
      works("delete", "Department/p3", "-y"), updateSet, deleteSet,
      works("upsert", "Employee", "--key", "badge", "badge=3", "name=Other"),
      works("import", "--all", "-", "--from", "ndjson", input: records.joined()), batches, csv,
      works("run", "-", input: script.joined()), steps, shell, export, fetch,
      works("metadata", "set", "answer=42"), works("unlink", "Project/p1.members", "Employee/p2"),
    ] + migrations
  }()
}
