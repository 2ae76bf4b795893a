import ArgumentParser
import Foundation
import GraphStore
import Testing

@testable import GraphStoreCommands

@Suite("Options that are parsed are read")
struct OptionUseTests {
  /// Properties that protocols of commands ask for, whose extensions apply them.
  private static let required: [String: Set<String>] = [
    "options": [
      "ExecutableCommand", "StoreCommand", "AskingCommand", "RecordCommand", "ObjectCommand",
      "OutputFileCommand",
    ],
    "output": ["RecordCommand", "ObjectCommand", "OutputFileCommand"],
    "identifiers": ["ObjectCommand"], "archives": ["ObjectCommand"], "saving": ["SavingCommand"],
    // The root has them for its help: leaves take what stands in front of them.
    "store": ["ParsableCommand"], "consent": ["ParsableCommand"], "shared": ["ParsableCommand"],
  ]
  /// An option of one word, which says what holds anyhow.
  private static let ofOneWord: Set<String> = ["ModelCodegenCommand.language"]

  @Test("The value of every option is read by somebody")
  func values() throws {
    let unread = try OptionSources.ofCommand().unread.map { "\($0.type).\($0.property)" }
    #expect(Set(unread) == Self.ofOneWord)
  }

  @Test("A group of options is read by the command that takes it, or by its protocols")
  func groups() throws {
    let unread = try OptionSources.ofCommand().unread(required: Self.required)
    #expect(unread.map { "\($0.owner).\($0.property)" } == [])
  }

  @Test("The declarations that are looked at are those of all options that commands have")
  func tables() throws {
    let declared = Set(try OptionSources.ofCommand().declarations.flatMap(\.names))
    let described = Set(Self.optionNames(of: RootCommand.self))
    // What the parser adds: help, the version, and the other word of a flag with two.
    let added = described.subtracting(declared)
    #expect(added == ["h", "help", "version", "no-progress", "no-subentities"])
    #expect(declared.isSubset(of: described), "\(declared.subtracting(described))")
  }

  private static func optionNames(of command: any ParsableCommand.Type) -> [String] {
    guard case .object(let root)? = try? JSONText.value(Array(command._dumpHelp().utf8)),
      case .object(let members)? = root["command"]
    else { return [] }
    return optionNames(members)
  }

  private static func optionNames(_ command: [String: JSONValue]) -> [String] {
    func objects(_ value: JSONValue?) -> [[String: JSONValue]] {
      guard case .array(let values)? = value else { return [] }
      return values.compactMap { if case .object(let members) = $0 { members } else { nil } }
    }
    let own = objects(command["arguments"]).filter { $0["kind"] != "positional" }.flatMap {
      argument in
      objects(argument["names"]).compactMap { name -> String? in
        if case .string(let text)? = name["name"] { text } else { nil }
      }
    }
    return own + objects(command["subcommands"]).flatMap(optionNames)
  }

  @Test("An option, or a group, that nobody reads is found")
  func made() {
    let sources = OptionSources([
      "A.swift": """

      struct ACommand: StoreCommand {
        /// Not idle in comments alone.
        @Option(name: .customLong("long-name"), help: "idle") var idle: String?
        @Flag var usedFlag = false
        @Flag(help: "Filled, and told of: \\(1)") var filled = false
        @OptionGroup var output: OutputOptions
        @OptionGroup(title: "G") var group: GOptions
        @OptionGroup var options: StoreCommandOptions
        func execute() { print(usedFlag, "idle \\(group.first)", idle: 1) }
        static var plain: ACommand {
          var command = ACommand()
          command.filled = false
        }
        mutating func consume() {
          filled = line.flag(filled)
        }
      }
      """,
      "G.swift": """

      struct GOptions: ParsableArguments {
        @Option var first: Int?
        @Option var second = 1
      }
      """,
      "B.swift": "func apply(_ options: ACommand) { options.filled = true }",
      "C.swift": "func other(_ value: HOptions) { print(value.second) }",
    ])
    #expect(
      sources.declarations.map(\.names) == [
        ["long-name"], ["used-flag"], ["filled"], ["first"], ["second"],
      ])
    #expect(sources.unread.map(\.property) == ["idle", "filled", "second"])
    #expect(sources.unread(required: Self.required).map(\.property) == ["output"])
  }
}
