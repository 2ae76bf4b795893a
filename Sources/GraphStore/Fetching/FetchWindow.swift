/// The window of a request: its limit and offset.
extension ManagedObjectContext.PreparedFetch {
  /// The number of records at which the window ends; 0 where it has no end.
  var windowEnd: Int {
    let (end, isBeyond) = request.fetchLimit.addingReportingOverflow(request.fetchOffset)
    return request.fetchLimit == 0 || isBeyond ? 0 : end
  }

  /// Whether the order of the answer is said: by sort descriptors, or for the sake of a window (FET-047).
  var isOrdered: Bool {
    !request.sortDescriptors.isEmpty || request.fetchLimit > 0 || request.fetchOffset > 0
  }

  /// The number of objects that the window leaves of so many.
  func windowed(_ count: Int) -> Int {
    let rest = max(0, count - request.fetchOffset)
    return request.fetchLimit > 0 ? min(rest, request.fetchLimit) : rest
  }

  /// The elements within the window.
  func windowed<Element>(_ elements: [Element]) -> [Element] {
    guard request.fetchOffset > 0 || request.fetchLimit > 0 else { return elements }
    let rest = elements.dropFirst(request.fetchOffset)
    return Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
  }
}
