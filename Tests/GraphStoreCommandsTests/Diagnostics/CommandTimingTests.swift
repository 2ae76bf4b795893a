import Testing

@testable import GraphStoreCommands

@Suite("What --time measures")
struct CommandTimingTests {
  @Test("DGN-236: the printed time lies between those of a clock read within it and of one read around it")
  func clock() throws {
    let around = ContinuousClock.now
    let timing = CommandTiming(nil)
    let within = ContinuousClock.now
    while ContinuousClock.now - within < .milliseconds(20) {}
    let least = ContinuousClock.now - within
    let report = timing.report(answering: .zero, coordinator: nil)
    let most = ContinuousClock.now - around
    #expect(report.total >= least && report.total <= most)
    let printed = try #require(report.text.wholeMatch(of: #/time: ([0-9.]+) ms, .*/#)?.output.1)
    let seconds = try #require(Double(printed)) / 1000
    // Printed in tenths of a millisecond.
    #expect(seconds >= least / .seconds(1) - 0.0002 && seconds <= most / .seconds(1) + 0.0002)
  }

  @Test("DGN-110: waiting for answers is not the command's time")
  func answers() {
    let around = ContinuousClock.now
    let timing = CommandTiming(nil)
    let waited = ContinuousClock.now
    while ContinuousClock.now - waited < .milliseconds(20) {}
    let answering = ContinuousClock.now - waited
    let report = timing.report(answering: answering, coordinator: nil)
    #expect(report.total <= ContinuousClock.now - around - answering)
  }
}
