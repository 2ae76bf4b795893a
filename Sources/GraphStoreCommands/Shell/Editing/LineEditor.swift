import CGraphStoreEditline
import CGraphStoreShims
import Foundation
import GraphStorePredicates

/// Line editor at a terminal, over libedit.
///
/// Keys are read through a function of our own that waits for the terminal and for signals at once, so
/// Ctrl-C, a new window size and Ctrl-Z work whichever thread a signal reaches. The terminal is never asked
/// anything.
@safe final class LineEditor: LineReading {
  /// Completes the text before the cursor.
  typealias CompletionFunction = (_ line: String, _ cursor: Int) -> Completion

  var complete: CompletionFunction?
  private let editor: OpaquePointer
  private let history: OpaquePointer?
  private let input: UnsafeMutablePointer<FILE>
  private let output: UnsafeMutablePointer<FILE>
  private let understandsEscapes: Bool
  private let isColored: Bool
  private var promptBuffer = UnsafeMutablePointer<wchar_t>.allocate(capacity: 1)
  private var event: LineInput?
  private var lastListed: String?

  /// - Parameters:
  ///   - entries: the history, oldest first.
  ///   - isColored: colours the prompt.
  /// - Returns: nil if there is no terminal to edit on.
  init?(
    input: UnsafeMutablePointer<FILE>, output: UnsafeMutablePointer<FILE>,
    errors: UnsafeMutablePointer<FILE>, entries: [String], isColored: Bool
  ) {
    Self.useTerminalEncoding()
    guard let editor = unsafe el_init("graphstore", input, output, errors) else { return nil }
    unsafe gs_remember_terminal(fileno(input))
    unsafe self.editor = unsafe editor
    unsafe self.input = unsafe input
    unsafe self.output = unsafe output
    let terminal = EnvironmentVariable.value(of: "TERM") ?? ""
    understandsEscapes = !terminal.isEmpty && terminal != "dumb"
    self.isColored = isColored && understandsEscapes
    unsafe history = unsafe history_winit()
    unsafe promptBuffer.pointee = 0
    setUp(entries)
  }

  deinit {
    gs_forget_terminal()
    unsafe el_end(editor)
    if let history = unsafe history { unsafe history_wend(history) }
    unsafe promptBuffer.deallocate()
  }

  func remember(_ entry: String) {
    guard let history = unsafe history else { return }
    unsafe withWide(entry) { _ = unsafe gs_history_enter(history, $0) }
  }

  func readLine(prompt: ShellPrompt) -> LineInput {
    show(prompt)
    event = nil
    lastListed = nil
    SignalInbox.shared.catchSignals(SignalInbox.editing)
    defer { SignalInbox.shared.releaseSignals(SignalInbox.editing) }
    unsafe el_resize(editor)
    // Before the prompt is seen, or keys that follow it at once would still be taken as in a cooked line.
    unsafe gs_el_set_prepared(editor, 1)
    setPasteMode(true)
    var count: Int32 = 0
    let line = unsafe el_wgets(editor, &count)
    setPasteMode(false)
    if let event {
      unsafe el_reset(editor)
      write(event == .interrupted ? "^C\n" : "\n")
      return event
    }
    guard let line = unsafe line, count > 0 else {
      unsafe el_reset(editor)
      write("\n")
      return .endOfInput
    }
    var text = unsafe Self.string(line, count: Int(count))
    if text.unicodeScalars.last == "\n" { text.unicodeScalars.removeLast() }
    return .line(text)
  }

  // MARK: Keys

  private func setUp(_ entries: [String]) {
    unsafe gs_el_set_client_data(editor, Unmanaged.passUnretained(self).toOpaque())
    unsafe gs_el_set_prompt(editor, { unsafe LineEditor.of($0)?.promptBuffer }, 1)
    unsafe gs_el_set_read_function(editor) { editor, character in
      unsafe LineEditor.of(editor)?.readCharacter(into: character) ?? 0
    }
    if let history = unsafe history {
      unsafe gs_history_set_size(history, Int32(HistoryFile.limit))
      for entry in entries { remember(entry) }
      unsafe gs_el_set_history(editor, history)
    }
    unsafe withWide("emacs") { _ = unsafe gs_el_set_editor(editor, $0) }
    unsafe addFunction("gs-complete", help: "Complete the word before the cursor") { editor, _ in
      unsafe LineEditor.of(editor)?.completeWord() ?? UInt8(CC_ERROR)
    }
    unsafe addFunction("gs-paste", help: "Insert what is pasted, newlines included") { editor, _ in
      unsafe LineEditor.of(editor)?.insertPaste() ?? UInt8(CC_ERROR)
    }
    bindKeys()
    unsafe el_source(editor, nil)
    // Choosing vi in ~/.editrc drops the bindings made before.
    if unsafe gs_el_is_vi(editor) != 0 { bindKeys() }
  }

  // MARK: Prompt

  private func show(_ prompt: ShellPrompt) {
    let text = isColored ? prompt.colored { "\u{1}\($0)\u{1}" } : prompt.text
    let scalars = text.unicodeScalars.map(\.wide) + [0]
    unsafe promptBuffer.deallocate()
    unsafe promptBuffer = .allocate(capacity: scalars.count)
    unsafe promptBuffer.initialize(from: scalars, count: scalars.count)
  }

  private func setPasteMode(_ isOn: Bool) {
    guard understandsEscapes else { return }
    gs_note_pastes(isOn ? 1 : 0)
    write(isOn ? "\u{1B}[?2004h" : "\u{1B}[?2004l")
  }

  private func write(_ text: String) {
    unsafe fputs(text, output)
    unsafe fflush(output)
  }

  private func bindKeys() {
    bind("\t", "gs-complete")
    bind("\u{1B}[200~", "gs-paste")
    for key in ["\u{1B}[1;5D", "\u{1B}[1;3D", "\u{1B}[5D", "\u{1B}\u{1B}[D"] { bind(key, "ed-prev-word") }
    for key in ["\u{1B}[1;5C", "\u{1B}[1;3C", "\u{1B}[5C", "\u{1B}\u{1B}[C"] { bind(key, "em-next-word") }
    bind("\u{1B}[3~", "ed-delete-next-char")
    if unsafe gs_el_is_vi(editor) == 0 { bind("\u{12}", "em-inc-search-prev") }
  }

  private func bind(_ key: String, _ command: String) {
    unsafe withWide(key) { key in unsafe withWide(command) { _ = unsafe gs_el_bind(editor, key, $0) } }
  }

  private func addFunction(_ name: String, help: String, _ function: gs_el_command_function) {
    unsafe withWide(name) { name in
      unsafe withWide(help) { _ = unsafe gs_el_add_function(editor, name, $0, function) }
    }
  }

  /// Waits for the next character: 1 with it, 0 at the end of input, -1 if `event` ends the line.
  private func readCharacter(into character: UnsafeMutablePointer<wchar_t>?) -> Int32 {
    guard let character = unsafe character else { return 0 }
    unsafe fflush(output)
    while true {
      var waiting = unsafe [
        pollfd(fd: fileno(input), events: Int16(POLLIN), revents: 0),
        pollfd(fd: SignalInbox.shared.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let count = unsafe poll(&waiting, 2, -1)
      if count < 0 && errno != EINTR { return endInput() }
      while let signal = SignalInbox.shared.next() {
        if let event = handle(signal) {
          self.event = event
          return -1
        }
      }
      guard count > 0, waiting[0].revents != 0 else { continue }
      return unsafe readScalar(into: character)
    }
  }

  private func handle(_ signal: Int32) -> LineInput? {
    switch signal {
    case SIGINT: return .interrupted
    case SIGTERM, SIGHUP, SIGQUIT: return .terminated(signal: signal)
    case SIGWINCH: unsafe el_resize(editor)
    case SIGTSTP: suspend()
    case SIGCONT: resume()
    default: break
    }
    return nil
  }

  private func suspend() {
    setPasteMode(false)
    unsafe gs_el_set_prepared(editor, 0)
    write("\n")
    // The signal that wakes it up again is awaited right here.
    SignalInbox.shared.releaseSignals([SIGTSTP, SIGCONT])
    // A thread that blocks the signal would go on as if nothing had happened.
    var stop = sigset_t()
    var old = sigset_t()
    unsafe sigemptyset(&stop)
    unsafe sigaddset(&stop, SIGTSTP)
    unsafe pthread_sigmask(SIG_UNBLOCK, &stop, &old)
    raise(SIGTSTP)
    unsafe pthread_sigmask(SIG_SETMASK, &old, nil)
    SignalInbox.shared.catchSignals([SIGTSTP, SIGCONT])
    resume()
  }

  private func resume() {
    unsafe gs_el_set_prepared(editor, 1)
    setPasteMode(true)
    unsafe el_resize(editor)
    unsafe gs_el_redraw(editor)
    unsafe fflush(output)
  }

  private func endInput() -> Int32 {
    event = .terminated(signal: SIGHUP)
    return -1
  }

  private func readByte() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = unsafe read(fileno(input), &byte, 1)
      if count == 1 { return byte }
      if count < 0 && errno == EINTR { continue }
      return nil
    }
  }

  private func readScalar(into character: UnsafeMutablePointer<wchar_t>) -> Int32 {
    guard let first = readByte() else { return endInput() }
    var bytes = [first]
    let length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    while bytes.count < length, let byte = readByte() { bytes.append(byte) }
    let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first ?? "\u{FFFD}"
    unsafe character.pointee = scalar.wide
    return 1
  }

  // MARK: Paste

  /// Reads up to the mark that ends a paste. The last newline is dropped: the block waits for Enter.
  private func insertPaste() -> UInt8 {
    let end = Array("\u{1B}[201~".unicodeScalars)
    var pasted: [Unicode.Scalar] = []
    while !pasted.suffix(end.count).elementsEqual(end) {
      var character: wchar_t = 0
      guard unsafe el_wgetc(editor, &character) == 1 else { return UInt8(CC_ERROR) }
      pasted.append(Unicode.Scalar(wide: character))
    }
    pasted.removeLast(end.count)
    let text = String(String.UnicodeScalarView(pasted))
      .replacingOccurrences(of: "\r\n", with: "\n")
      .replacingOccurrences(of: "\r", with: "\n")
    var scalars = Array(
      text.unicodeScalars.filter { $0 == "\n" || $0 == "\t" || ($0.value >= 32 && $0.value != 127) })
    while scalars.last == "\n" { scalars.removeLast() }
    guard !scalars.isEmpty else { return UInt8(CC_NORM) }
    return insert(String(String.UnicodeScalarView(scalars))) ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
  }

  private func insert(_ text: String) -> Bool {
    unsafe withWide(text) { unsafe el_winsertstr(editor, $0) } == 0
  }

  // MARK: Completion

  private func completeWord() -> UInt8 {
    guard let complete, let info = unsafe el_wline(editor)?.pointee else { return UInt8(CC_ERROR) }
    let length = unsafe info.lastchar - info.buffer
    let cursor = unsafe info.cursor - info.buffer
    let line = unsafe Self.string(info.buffer, count: length)
    let before = unsafe Self.string(info.buffer, count: cursor)
    let completion = complete(line, before.utf8.count)
    let replacement = completion.commonText
    let typed = String(
      decoding: Array(before.utf8)[completion.range.clamped(to: 0..<before.utf8.count)], as: UTF8.self)
    if replacement != typed, !replacement.isEmpty,
      replacement.hasPrefix(typed) || completion.candidates.count == 1
    {
      unsafe el_deletestr(editor, Int32(typed.unicodeScalars.count))
      lastListed = nil
      return insert(replacement) ? UInt8(CC_REFRESH) : UInt8(CC_ERROR)
    }
    guard completion.candidates.count > 1 else { return UInt8(CC_ERROR) }
    // The first Tab that cannot go on only beeps; the second one lists.
    guard lastListed == before else {
      lastListed = before
      return UInt8(CC_REFRESH_BEEP)
    }
    write("\n" + CompletionList.text(completion.candidates.map(\.display), columns: columns))
    return UInt8(CC_REDISPLAY)
  }

  private var columns: Int {
    var size = winsize()
    guard unsafe ioctl(fileno(output), UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  // MARK: Wide text

  private static func of(_ editor: OpaquePointer?) -> LineEditor? {
    unsafe gs_el_client_data(editor).map { unsafe Unmanaged<LineEditor>.fromOpaque($0).takeUnretainedValue() }
  }

  private static func string(_ start: UnsafePointer<wchar_t>, count: Int) -> String {
    var view = String.UnicodeScalarView()
    for index in 0..<count { unsafe view.append(Unicode.Scalar(wide: start[index])) }
    return String(view)
  }

  /// Only the encoding of characters comes from the environment: numbers keep their point.
  private static func useTerminalEncoding() {
    unsafe setlocale(LC_CTYPE, "")
    if unsafe String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" {
      unsafe setlocale(LC_CTYPE, "C.UTF-8")
    }
  }
}

private func withWide<Result>(_ text: String, _ body: (UnsafePointer<wchar_t>) -> Result) -> Result {
  let scalars = text.unicodeScalars.filter { $0 != "\0" }.map(\.wide) + [0]
  return unsafe scalars.withUnsafeBufferPointer { buffer in
    guard let base = buffer.baseAddress else { return unsafe withUnsafePointer(to: 0, body) }
    return unsafe body(base)
  }
}

extension Unicode.Scalar {
  /// The scalar as libedit takes it.
  fileprivate var wide: wchar_t { wchar_t(bitPattern: value) }

  fileprivate init(wide: wchar_t) {
    self = Unicode.Scalar(UInt32(bitPattern: wide)) ?? "\u{FFFD}"
  }
}
