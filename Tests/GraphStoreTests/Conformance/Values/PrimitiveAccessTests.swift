import Foundation
import GraphStore
import Testing

/// Trims its title, keeps a count of letters in a transient attribute, and writes a shadow when it is saved.
private final class Book: ManagedObject {
  static let title = AttributeKey<Book, String>("title")
  static let letters = AttributeKey<Book, Int64>("letters")
  nonisolated(unsafe) static var conversions = 0

  var title: String? {
    get {
      willAccessValue(forKey: "title")
      defer { didAccessValue(forKey: "title") }
      return (try? primitiveValue(forKey: "title")) as? String
    }
    set {
      willChangeValue(forKey: "title")
      defer { didChangeValue(forKey: "title") }
      try? setPrimitiveValue(newValue?.trimmingCharacters(in: .whitespaces), forKey: "title")
    }
  }

  /// The number of letters, worked out once a realisation.
  var letters: Int64 {
    willAccessValue(forKey: "letters")
    defer { didAccessValue(forKey: "letters") }
    if let known = (try? primitiveValue(forKey: "letters")) as? Int64 { return known }
    Book.conversions += 1
    let count = Int64(title?.count ?? 0)
    try? setPrimitiveValue(count, forKey: "letters")
    return count
  }

  override func willSave() {
    guard !isDeleted else { return }
    try? setPrimitiveValue(title?.lowercased(), forKey: "sortTitle")
  }

  override class var keyedAccessors: [KeyedAccessor] {
    [KeyedAccessor("title", \Book.title), KeyedAccessor("length", \Book.letters)]
  }
}

@Suite("Primitive accessors and their brackets", .everyStore, .serialized)
struct PrimitiveAccessTests {
  private let stack: TestStack
  private var context: ManagedObjectContext { stack.context }

  init() throws {
    stack = try TestStack(
      ModelDefinition(entities: [
        EntityDefinition(
          "Book", className: "Book",
          attributes: [
            AttributeDefinition("title", .string), AttributeDefinition("sortTitle", .string),
            AttributeDefinition("pages", .int16),
            AttributeDefinition("letters", .int64, isTransient: true),
          ],
          relationships: [
            RelationshipDefinition("author", to: "Author", inverse: "books"),
            RelationshipDefinition("tags", to: "Tag", inverse: "books", isToMany: true),
          ]),
        EntityDefinition(
          "Author", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("books", to: "Book", inverse: "author", isToMany: true)]),
        EntityDefinition(
          "Tag", attributes: [AttributeDefinition("name", .string)],
          relationships: [RelationshipDefinition("books", to: "Book", inverse: "tags", isToMany: true)]),
      ]), classes: ["Book": Book.self])
  }

  private func book(_ title: String) throws -> Book {
    let book = try context.insert(Book.self, entityNamed: "Book")
    book.title = title
    return book
  }

  @Test(
    "OBJ-175, OBJ-101, CTX-037, OBJ-180: a primitive write is seen, changes no flag and is not saved by itself"
  )
  func untracked() throws {
    let book = try book("Emma")
    try context.save()
    try book.setPrimitiveValue("Persuasion", forKey: "title")
    #expect(try book.primitiveValue(forKey: "title") as? String == "Persuasion")
    #expect(try !book.hasChanges && book.changedValues().isEmpty && !context.hasChanges)
    try context.save()
    #expect(try stack.newContext().all("Book")[0].string("title") == "Emma")
    try context.refresh(book, mergeChanges: false)
    #expect(book.title == "Emma")
  }

  @Test("OBJ-106: a save for another reason writes what primitives have changed")
  func savedAlong() throws {
    let book = try book("Emma")
    try context.save()
    try book.setPrimitiveValue("Persuasion", forKey: "title")
    try book.setValue(200, forKey: "pages")
    #expect(book.changedKeys == ["pages"])
    try book.setValue("Persuasion", forKey: "title")
    #expect(book.changedKeys.sorted() == ["pages", "title"])
    try context.save()
    #expect(try stack.newContext().all("Book")[0].string("title") == "Persuasion")
    try book.setPrimitiveValue("Sanditon", forKey: "title")
    try book.setValue(201, forKey: "pages")
    try context.save()
    #expect(try stack.newContext().all("Book")[0].string("title") == "Sanditon")
  }

  @Test("OBJ-101, OBJ-096: of a new object a primitive write is not listed, a tracked one before it stays")
  func inserted() throws {
    let book = try book("Emma")
    #expect(book.changedKeys == ["title"])
    try book.setPrimitiveValue(12, forKey: "pages")
    try book.setPrimitiveValue("Persuasion", forKey: "title")
    #expect(book.changedKeys == ["title"])
    try book.setValue(13, forKey: "pages")
    #expect(book.changedKeys.sorted() == ["pages", "title"])
  }

  @Test("OBJ-174, OBJ-175, FLT-020, FLT-019: a fault reads nil by primitives, and fires by an access bracket")
  func fault() throws {
    _ = try book("Emma")
    try context.save()
    let book = try #require(try stack.newContext().all("Book")[0] as? Book)
    #expect(try book.primitiveValue(forKey: "title") == nil && book.isFault)
    #expect { try book.setPrimitiveValue("x", forKey: "title") } throws: {
      ($0 as? GraphStoreError)?.code == .notSupported
    }
    book.willAccessValue(forKey: nil)
    #expect(!book.isFault)
    #expect(try book.primitiveValue(forKey: "title") as? String == "Emma" && book.title == "Emma")
    let other = try #require(try stack.newContext().all("Book")[0] as? Book)
    #expect(other.title == "Emma" && !other.isFault)
  }

  @Test("OBJ-176: primitives check types and keys as setters do")
  func checks() throws {
    let book = try book("Emma")
    #expect { try book.setPrimitiveValue(1, forKey: "title") } throws: {
      ($0 as? GraphStoreError)?.code == .valueType
    }
    #expect { try book.setPrimitiveValue(70000, forKey: "pages") } throws: {
      ($0 as? GraphStoreError)?.code == .valueOutOfRange
    }
    #expect { try book.setPrimitiveValue(book, forKey: "author") } throws: {
      ($0 as? GraphStoreError)?.code == .wrongDestination
    }
    #expect { try book.primitiveValue(forKey: "titel") } throws: {
      ($0 as? GraphStoreError)?.suggestions == ["title"]
    }
  }

  @Test("OBJ-178, OBJ-182: a bracketed write is tracked, and saved")
  func bracket() throws {
    let book = try book("  Emma ")
    #expect(book.title == "Emma")
    try context.save()
    book.title = " Persuasion "
    #expect(book.isUpdated && book.changedKeys == ["title"])
    try context.save()
    #expect(try stack.newContext().all("Book")[0].string("title") == "Persuasion")
    #expect(try stack.newContext().all("Book")[0].string("sortTitle") == "persuasion")
  }

  @Test("OBJ-180, OBJ-178: a bracket that only ends does nothing, and brackets nest")
  func nesting() throws {
    let book = try book("Emma")
    try context.save()
    book.didChangeValue(forKey: "title")
    #expect(!book.hasChanges)
    book.willChangeValue(forKey: "title")
    book.willChangeValue(forKey: "pages")
    try book.setPrimitiveValue("Persuasion", forKey: "title")
    try book.setPrimitiveValue(300, forKey: "pages")
    #expect(!book.hasChanges)
    book.didChangeValue(forKey: "title")
    #expect(book.changedKeys == ["title"])
    book.didChangeValue(forKey: "pages")
    #expect(book.changedKeys.sorted() == ["pages", "title"])
  }

  @Test("OBJ-178, OBJ-175: a bracketed to-one moves the inverse, a bare primitive one does not")
  func toOne() throws {
    let (jane, mary) = (
      try context.insert("Author", ["name": "Jane"]), try context.insert("Author", ["name": "Mary"])
    )
    let book = try book("Emma")
    try book.setValue(jane, forKey: "author")
    try context.save()
    try book.setPrimitiveValue(mary, forKey: "author")
    #expect(
      try book.value(forKey: "author") as? ManagedObject === mary && mary.objects(forKey: "books") == [])
    #expect(!mary.hasChanges && !book.hasChanges)
    try book.setPrimitiveValue(jane, forKey: "author")
    book.willChangeValue(forKey: "author")
    try book.setPrimitiveValue(mary, forKey: "author")
    book.didChangeValue(forKey: "author")
    #expect(try mary.objects(forKey: "books") == [book] && jane.objects(forKey: "books") == [])
    #expect(book.changedKeys == ["author"] && mary.hasChanges && jane.hasChanges)
    try context.save()
    let stored = try stack.newContext().all("Author", "name == 'Mary'")[0]
    #expect(try stored.objects(forKey: "books").count == 1)
  }

  @Test("OBJ-179: a bracketed to-many moves the inverses")
  func toMany() throws {
    let tags = try ["a", "b", "c"].map { try context.insert("Tag", ["name": $0]) }
    let book = try book("Emma")
    try book.setValue(Set(tags[0...1]), forKey: "tags")
    try context.save()
    book.willChangeValue(forKey: "tags", withSetMutation: .union, using: [tags[2]])
    try book.setPrimitiveValue(Set(tags[1...2]), forKey: "tags")
    book.didChangeValue(forKey: "tags", withSetMutation: .union, using: [tags[2]])
    #expect(try tags.map { try $0.objects(forKey: "books").count } == [0, 1, 1])
    #expect(book.changedKeys == ["tags"])
    try context.save()
    #expect(try stack.newContext().all("Book")[0].names("tags") == ["b", "c"])
  }

  @Test("OBJ-181, OBJ-279: a cache filled by a primitive dirties nothing, and lives for one realisation")
  func cache() throws {
    let book = try book("Emma")
    try context.save()
    try context.refresh(book, mergeChanges: false)
    Book.conversions = 0
    #expect(book.letters == 4 && book.letters == 4 && Book.conversions == 1)
    #expect(!book.hasChanges && !context.hasChanges)
    try context.refresh(book, mergeChanges: false)
    #expect(book.letters == 4 && Book.conversions == 2)
  }

  @Test("OBJ-183, OBJ-200: access by key, key paths, predicates in memory and sorts call declared accessors")
  func keyedAccessors() throws {
    let books = try ["Sense", "Emma", "  Persuasion"].map(book)
    #expect(try books[1].value(forKey: "length") as? Int64 == 4)
    try books[1].setValue("  Em ", forKey: "title")
    #expect(try books[1].value(forKey: "title") as? String == "Em")
    #expect(try books[0].value(forKeyPath: "length") as? Int64 == 5)
    #expect(
      try QueryPredicate("length > 4").evaluate(with: books[0])
        && !QueryPredicate("length > 5").evaluate(with: books[0]))
    #expect { try books[0].setValue(1, forKey: "title") } throws: {
      ($0 as? GraphStoreError)?.code == .valueType
    }
    #expect(books[0]["length"] as? Int64 == 5)
    #expect { try books[0].value(forKey: "lenght") } throws: {
      let error = $0 as? GraphStoreError
      return error?.code == .unknownKey && error?.suggestions.first == "length"
        && error?.message.contains("not key value coding-compliant for the key lenght") == true
    }
  }

  @Test(
    "OBJ-106, OBJ-175: a primitive link to a new object is written with the key that an earlier save gave it")
  func primitiveLinkToNew() throws {
    let book = try book("Emma")
    try context.save()
    let jane = try context.insert("Author", ["name": "Jane"])
    try book.setPrimitiveValue(jane, forKey: "author")
    try context.save()
    try book.setValue(200, forKey: "pages")
    try context.save()
    let stored = try stack.otherProcess().all("Book")[0]
    #expect(try stored.object(forKey: "author")?.string("name") == "Jane")
    #expect(try stack.newContext().all("Book")[0].object(forKey: "author")?.objectID == jane.objectID)
  }

  @Test(
    "OBJ-175: what primitives have left stays when a link of the object is taken back by a refresh of the other end"
  )
  func primitiveAndRefresh() throws {
    let jane = try context.insert("Author", ["name": "Jane"])
    let book = try book("Emma")
    try context.save()
    try book.setPrimitiveValue("Persuasion", forKey: "title")
    try jane.addObjects([book], forKey: "books")
    try context.refresh(jane, mergeChanges: false)
    #expect(!book.hasChanges && book.title == "Persuasion")
    try book.setValue(1, forKey: "pages")
    try context.save()
    #expect(try stack.otherProcess().all("Book")[0].string("title") == "Persuasion")
  }

  @Test("OBJ-183, OBJ-203: an accessor that yields nil has no value, in key paths and predicates too")
  func nilAccessors() throws {
    let book = try context.insert(Book.self, entityNamed: "Book")
    #expect(try book.value(forKey: "title") == nil)
    #expect(try QueryPredicate("title == nil").evaluate(with: book))
    let jane = try context.insert("Author", ["name": "Jane", "books": [book] as Set<ManagedObject>])
    #expect(try jane.value(forKeyPath: "books.title") as? Set<AnyHashable> == [])
  }

  @Test("OBJ-183: fetches judge stored values, also where changes are not saved")
  func fetchesIgnoreAccessors() throws {
    let book = try book("Emma")
    try context.save()
    try book.setPrimitiveValue("  Emma", forKey: "title")
    try book.setValue(3, forKey: "pages")
    #expect(try context.all("Book", "title == '  Emma'") == [book])
    #expect(try context.all("Book", "title == 'Emma'").isEmpty)
  }

  @Test("OBJ-071: a merging refresh keeps transient values, whenever they were set")
  func mergingRefresh() throws {
    let book = try book("Emma")
    try book.setValue(4, forKey: "letters")
    try context.save()
    book.title = "Persuasion"
    try context.refresh(book, mergeChanges: true)
    #expect(try book.primitiveValue(forKey: "letters") as? Int64 == 4 && book.title == "Persuasion")
    let tag = try context.insert("Tag", ["name": "t"])
    try context.save()
    try book.addObjects([tag], forKey: "tags")
    try context.refresh(book, mergeChanges: true)
    #expect(try book.primitiveValue(forKey: "letters") as? Int64 == 4)
  }
}
