/// A sorted map in pages: a tree of two levels, of which copies share what neither of them changes.
///
/// A copy costs nothing. The first change after one copies the list of pages, a word for each few hundred
/// entries, and each page that is changed; a map of its own changes in place. Keys that ascend, as those of
/// new records do, fill the pages.
struct SortedPages<Key: Comparable & Sendable, Element: Sendable>: Sendable {
  private struct Page: Sendable {
    var keys: [Key]
    var elements: [Element]
  }

  private static var capacity: Int { 256 }

  /// None is empty.
  private var pages: [Page] = []
  private(set) var count = 0

  subscript(key: Key) -> Element? {
    guard let page = page(holding: key) else { return nil }
    let place = pages[page].keys.firstPlace(from: key)
    guard place < pages[page].keys.count, pages[page].keys[place] == key else { return nil }
    return pages[page].elements[place]
  }

  /// Stores an element, replacing the one that had the key.
  mutating func put(_ element: Element, for key: Key) {
    guard let page = page(holding: key) else {
      return insert(element, for: key, page: 0, place: 0)
    }
    let place = pages[page].keys.firstPlace(from: key)
    if place < pages[page].keys.count, pages[page].keys[place] == key {
      pages[page].elements[place] = element
    } else {
      insert(element, for: key, page: page, place: place)
    }
  }

  private mutating func insert(_ element: Element, for key: Key, page: Int, place: Int) {
    count += 1
    guard page < pages.count else {
      return pages.append(Page(keys: [key], elements: [element]))
    }
    let size = pages[page].keys.count
    if size < Self.capacity {
      pages[page].keys.insert(key, at: place)
      pages[page].elements.insert(element, at: place)
    } else if place == size {
      pages.insert(Page(keys: [key], elements: [element]), at: page + 1)
    } else {
      split(page)
      let half = pages[page].keys.count
      let (page, place) = place <= half ? (page, place) : (page + 1, place - half)
      pages[page].keys.insert(key, at: place)
      pages[page].elements.insert(element, at: place)
    }
  }

  private mutating func split(_ page: Int) {
    let half = pages[page].keys.count / 2
    let upper = Page(
      keys: Array(pages[page].keys[half...]), elements: Array(pages[page].elements[half...]))
    pages[page].keys.removeSubrange(half...)
    pages[page].elements.removeSubrange(half...)
    pages.insert(upper, at: page + 1)
  }

  /// Removes an element and returns it.
  @discardableResult
  mutating func remove(_ key: Key) -> Element? {
    guard let page = page(holding: key) else { return nil }
    let place = pages[page].keys.firstPlace(from: key)
    guard place < pages[page].keys.count, pages[page].keys[place] == key else { return nil }
    count -= 1
    if pages[page].keys.count == 1 { return pages.remove(at: page).elements[0] }
    pages[page].keys.remove(at: place)
    return pages[page].elements.remove(at: place)
  }

  /// Shows the elements in the order of their keys, from a key on, until the body says false.
  func scan(from first: Key? = nil, _ body: (Key, Element) throws -> Bool) rethrows {
    var page = first.flatMap { self.page(holding: $0) } ?? 0
    guard page < pages.count else { return }
    var place = first.map { pages[page].keys.firstPlace(from: $0) } ?? 0
    while page < pages.count {
      let (keys, elements) = (pages[page].keys, pages[page].elements)
      while place < keys.count {
        guard try body(keys[place], elements[place]) else { return }
        place += 1
      }
      (page, place) = (page + 1, 0)
    }
  }

  /// The last page whose first key is not greater than a key, or the first page; nil where there is none.
  private func page(holding key: Key) -> Int? {
    if pages.isEmpty { return nil }
    var (low, high) = (0, pages.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if pages[middle].keys[0] <= key { low = middle } else { high = middle }
    }
    return low
  }
}

extension Array where Element: Comparable {
  /// The position of the first element of a sorted list that is not less than a value.
  fileprivate func firstPlace(from value: Element) -> Int {
    if let last, last < value { return count }
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
