import Foundation
import Testing

@testable import GraphStoreModel

@Suite("Packages of Xcode")
struct XcodePackageTests {
  @Test("MDL-331: a package loads wherever a model file does, in its current version")
  func package() throws {
    let folder = try TemporaryFolder()
    let text = { (name: String) in xcodeModel("<entity name=\"\(name)\"/>") }
    try folder.write(text("One"), to: "Shop.xcdatamodeld/Shop.xcdatamodel/contents")
    try folder.write(text("Two"), to: "Shop.xcdatamodeld/Shop 2.xcdatamodel/contents")
    try folder.write(text("Ten"), to: "Shop.xcdatamodeld/Shop 10.xcdatamodel/contents")
    try folder.write(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>Shop 2.xcdatamodel</string></dict></plist>
      """, to: "Shop.xcdatamodeld/.xccurrentversion")
    let path = folder.path + "/Shop.xcdatamodeld"
    #expect(try ManagedObjectModel(contentsOf: path).entities.map(\.name) == ["Two"])
    #expect(try ModelVersions(at: path).names == ["Shop", "Shop 2", "Shop 10"])
    let bare = try LoadedModel(contentsOf: path + "/Shop 10.xcdatamodel")
    #expect(bare.model.name == "Shop 10")
    #expect(bare.model.entities.map(\.name) == ["Ten"])
  }

  @Test("MDL-331: a folder of a very old Xcode is refused with a clear message")
  func archives() throws {
    let folder = try TemporaryFolder()
    try folder.write("bplist00", to: "Old.xcdatamodel/elements")
    try folder.write("bplist00", to: "Old.xcdatamodel/layout")
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(contentsOf: folder.path + "/Old.xcdatamodel")
    }
    #expect(error?.code == "model-unreadable")
    #expect(error?.description.contains("Xcode 4 or later") == true)
    try folder.write("bplist00", to: "Odd.xcdatamodel/contents")
    #expect(throws: ModelError.self) { try ManagedObjectModel(contentsOf: folder.path + "/Odd.xcdatamodel") }
  }

  @Test(
    "MDL-331, MDL-334: the project's models and those of real apps load without a finding",
    arguments: XcodeModelText.all)
  func wholeModels(_ text: XcodeModelText) throws {
    let model = try XcodeModelReader.read(text.bytes, file: text.name)
    #expect(model.findings.isEmpty)
    let loaded = try ManagedObjectModel(model.definition)
    #expect(!loaded.entities.isEmpty)
    #expect(try ManagedObjectModel(json: loaded.jsonData()).definition == model.definition)
  }

  @Test(
    "MDL-384: damaged XML gives an error or a model",
    arguments: TestSeed.sequence(1, from: 20_261_121))
  func damage(seed: TestSeed) throws {
    var random = seed.generator
    let texts = [XcodeRelationshipTests.inverseOnParent, XcodeSamples.everything].map { Array($0.utf8) }
    let words = [
      "<", ">", "\"", "&", "/>", "<entity", "name=\"A\"", "]]>", "<!--", "NO", "99999999999", "-1", "\u{0}",
      "é",
    ]
    var models = 0
    for _ in 0..<1500 {
      var bytes = texts[Int.random(in: 0..<texts.count, using: &random)]
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...20, using: &random)))
        case 2:
          bytes.insert(
            contentsOf: Array(words[Int.random(in: 0..<words.count, using: &random)].utf8), at: place)
        default:
          let end = min(bytes.count, place + Int.random(in: 1...60, using: &random))
          bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
        }
        if bytes.isEmpty { bytes = [0x3C] }
      }
      models += Self.reads(bytes, seed: seed) ? 1 : 0
    }
    #expect(models > 10, "\(seed)")
  }

  /// Whether a text is a model; what is none is an error that says why.
  private static func reads(_ bytes: [UInt8], seed: TestSeed) -> Bool {
    do throws(ModelError) {
      let model = try XcodeModelReader.read(bytes, file: nil)
      _ = try ManagedObjectModel(model.definition)
      return true
    } catch {
      #expect(!error.problems.isEmpty, "\(seed)")
      return false
    }
  }
}
