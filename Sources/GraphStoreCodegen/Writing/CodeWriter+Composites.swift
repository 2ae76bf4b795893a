extension CodeWriter {
  /// The structure of a composite attribute, those of its elements inside it.
  func write(_ structure: CompositePlan) {
    documentation(structure.summary)
    let protocols =
      [types["CompositeValue"], types["KeyPathNaming"]]
      + (structure.isPlain ? [types["Hashable"], types["Sendable"]] : [])
    block("\(access)struct \(structure.name): \(protocols.joined(separator: ", "))") {
      for element in structure.elements {
        documentation(element.summary)
        line("\(access)var \(element.name): \(element.type)?")
      }
      line()
      documentation("The names of the elements by key paths.")
      line("\(access)static let keyPaths: \(types["PropertyKeyPaths"]) = [")
      for element in structure.elements {
        line("  \\Self.\(element.name): \(SwiftLiteral.text(element.key)),")
      }
      line("]")
      line()
      writeInitializers(of: structure)
      line()
      writeElements(of: structure)
      for nested in structure.elements.compactMap(\.nested) {
        line()
        write(nested)
      }
    }
  }

  private func writeInitializers(of structure: CompositePlan) {
    let parameters = structure.elements.map { "\($0.name): \($0.type)? = nil" }.joined(separator: ", ")
    documentation("Makes a value of the elements that are given.")
    block("\(access)init(\(parameters))") {
      for element in structure.elements { line("self.\(element.name) = \(element.name)") }
    }
    line()
    documentation("Makes a value of elements by name.")
    block("\(access)init(elements: [\(types["String"]): Any?])") {
      for element in structure.elements {
        let value = "elements[\(SwiftLiteral.text(element.key))]"
        line(
          element.nested == nil
            ? "self.\(element.name) = \(value) as? \(element.type)"
            : "self.\(element.name) = (\(value) as? [\(types["String"]): Any?]).map(\(element.type).init(elements:))"
        )
      }
    }
  }

  private func writeElements(of structure: CompositePlan) {
    documentation("The elements by name.")
    block("\(access)var elements: [\(types["String"]): Any?]") {
      line("[")
      for element in structure.elements {
        let value = "self.\(element.name)" + (element.nested == nil ? "" : "?.elements")
        line("  \(SwiftLiteral.text(element.key)): \(value),")
      }
      line("]")
    }
  }
}
