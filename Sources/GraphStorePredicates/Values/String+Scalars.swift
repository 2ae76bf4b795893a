extension String {
  /// Whether both strings have the same scalars; Swift's `==` also equates composed and decomposed text.
  package func hasSameScalars(as other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// Whether the string stands before another one by its UTF-8 bytes, which is scalar order.
  func precedesByScalars(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}
