import GraphStoreModel

/// What is to be written for a model: every name and type settled, with what had to be left out.
struct CodePlan: Sendable {
  let model: ManagedObjectModel
  /// The model's name, without the ending of a file `NAME.graphmodel.json`.
  let modelName: String
  let types: TypeNames
  /// The classes, in the order of the first entity of each.
  let classes: [ClassPlan]
  /// The name of the model's own type.
  let namespace: String
  /// The functions for templates.
  let templates: [TemplatePlan]
  let findings: [ModelProblem]
  /// The class of each entity by the entity's position; nil for `ManagedObject`.
  private let classOfEntity: [Int?]

  init(_ model: ManagedObjectModel) {
    var planner = ClassPlanner(model)
    planner.plan()
    self.model = model
    types = planner.types
    classes = planner.classes
    classOfEntity = planner.classOfEntity
    let names = Set(planner.classes.map { SwiftName.plain($0.name) })
    let name = model.name.hasSuffix(".graphmodel") ? String(model.name.dropLast(11)) : model.name
    modelName = name
    let base = name.hasSuffix("Model") ? name : name + "Model"
    namespace = SwiftName.declared(SwiftName.capitalized(base), taken: names)
    var templates = TemplatePlanner(model, planner)
    templates.plan()
    self.templates = templates.templates
    findings = planner.findings + templates.findings
  }

  /// The model as the generated code carries it: every entity names its class.
  var definition: ModelDefinition {
    var definition = model.definition
    definition.name = modelName
    for (position, index) in classOfEntity.enumerated() {
      if let name = index.flatMap({ classes[$0].registeredName }) {
        definition.entities[position].className = name
      }
    }
    return definition
  }
}
