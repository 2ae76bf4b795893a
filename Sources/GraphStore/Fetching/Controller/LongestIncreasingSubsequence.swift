/// For each of some different numbers whether it belongs to a longest increasing subsequence, by patience
/// sorting.
package func longestIncreasingSubsequence(of numbers: [Int]) -> [Bool] {
  var ends: [Int] = []
  var previous = [Int](repeating: -1, count: numbers.count)
  for (position, number) in numbers.enumerated() {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
    }
    if low > 0 { previous[position] = ends[low - 1] }
    if low == ends.count { ends.append(position) } else { ends[low] = position }
  }
  var belongs = [Bool](repeating: false, count: numbers.count)
  var position = ends.last ?? -1
  while position >= 0 {
    belongs[position] = true
    position = previous[position]
  }
  return belongs
}
