/// Source of the numbers by which stores of one run of the suite are told apart.
final class StoreNumbers {
  private var last = 0

  func next() -> Int {
    last += 1
    return last
  }
}
