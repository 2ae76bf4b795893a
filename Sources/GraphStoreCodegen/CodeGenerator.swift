import GraphStoreModel

/// Code generator from models to Swift: a class for each entity with typed properties, and a namespace for
/// the model.
///
/// Equal models and options yield equal text, byte by byte. A generator is a value and may be used from any
/// thread.
///
/// Rules that the text follows:
/// - An entity's class is named as its `className` says, without the module; an entity without one gets a
///   class of its own name, and the model inside the generated code names it.
/// - `codegen` = `manual` in the user info of a property leaves the property to its author, in that of an
///   entity the whole class. An entity of an Xcode model whose `codeGenerationType` is `category` gets no
///   file for people; any other setting, none at all too, gets both files, since asking for code is what that
///   setting waits for.
/// - A composite attribute has a structure of its own inside the class, with a member for each element.
/// - A fetched property is an array that can be read; conditions have no path to it.
public struct CodeGenerator: Sendable {
  /// The model.
  public let model: ManagedObjectModel
  private let options: CodegenOptions
  private let plan: CodePlan

  /// Prepares the code of a model.
  ///
  /// - Throws: ``ModelLookupError`` when an entity of the options does not exist.
  public init(_ model: ManagedObjectModel, options: CodegenOptions = CodegenOptions())
    throws(ModelLookupError)
  {
    for name in options.entities { _ = try model.entity(named: name) }
    self.model = model
    self.options = options
    plan = CodePlan(model)
  }

  /// The files for a folder of sources: two an entity, and one for the model.
  public func files() -> GeneratedCode {
    var files: [GeneratedFile] = []
    for planned in wanted {
      let machine = CodeWriter(plan, options)
      machine.writeHeader()
      machine.writeProperties(of: planned)
      files.append(
        GeneratedFile(name: "\(planned.fileName)+Properties.swift", owner: .machine, text: machine.text))
      guard planned.hasHumanFile else { continue }
      let human = CodeWriter(plan, options)
      human.line("import GraphStore")
      human.writeClass(planned)
      files.append(GeneratedFile(name: "\(planned.fileName).swift", owner: .human, text: human.text))
    }
    let namespace = CodeWriter(plan, options)
    namespace.writeHeader()
    namespace.writeNamespace()
    files.append(
      GeneratedFile(name: "\(SwiftName.plain(plan.namespace)).swift", owner: .machine, text: namespace.text))
    return GeneratedCode(files: files, findings: plan.findings)
  }

  /// Files in a folder that were generated from this model and are none of those it generates now: those of
  /// removed entities, by name, in order.
  public func staleFiles(in folder: CodeFolder) -> [String] {
    let known = Set(files().files.map(\.name))
    return folder.files(beginningWith: CodeWriter.mark(plan.modelName)).filter { !known.contains($0) }
  }

  /// Everything in one file, for build tools.
  ///
  /// - Parameter ownClasses: names of classes that the sources declare themselves, which are left out.
  public func singleFile(named name: String, ownClasses: Set<String> = []) -> GeneratedCode {
    let writer = CodeWriter(plan, options)
    writer.writeHeader()
    for planned in wanted {
      if !planned.isManual, !ownClasses.contains(SwiftName.plain(planned.name)) { writer.writeClass(planned) }
      writer.writeProperties(of: planned)
    }
    writer.writeNamespace()
    return GeneratedCode(
      files: [GeneratedFile(name: name, owner: .machine, text: writer.text)], findings: plan.findings)
  }

  private var wanted: [ClassPlan] {
    plan.classes.filter { planned in
      guard !planned.isManual else { return false }
      return options.entities.isEmpty || planned.entities.contains { options.entities.contains($0.name) }
    }
  }
}

/// Options of the code generator.
public struct CodegenOptions: Hashable, Sendable {
  /// Access level of the generated declarations.
  public enum Access: String, CaseIterable, Hashable, Sendable {
    /// Other modules too.
    case `public`
    /// The module only.
    case `internal`
  }

  /// The access level of the generated declarations.
  public var access: Access
  /// The names of the entities that get files; empty for all. The model's own file is made for all of them.
  public var entities: [String]

  /// Makes options.
  public init(access: Access = .internal, entities: [String] = []) {
    self.access = access
    self.entities = entities
  }
}
