import GraphStoreModel
import GraphStorePredicates

/// Dictionaries as one statement, or not at all: a part of a group means nothing.
extension SelectBuilder {
  /// The statement that returns dictionaries, or counts them; where a part of them cannot be evaluated
  /// exactly, a plan that says which, and that all is left to memory.
  package mutating func finish(_ query: ResultQuery, _ output: StoreRequest.Output) -> SQLFetchPlan {
    let obstacle = joinMembers(of: query)
    var translation = translator
    var isWhole = residual.isEmpty
    isWhole = translateLeaves(of: query, &translation, obstacle) && isWhole
    var columns: [SQLExpression] = []
    var fields: [SQLField] = []
    isWhole = translateResults(of: query, &translation, columns: &columns, fields: &fields) && isWhole
    if let having = query.having {
      let written = query.writtenHaving ?? having
      isWhole =
        attempt(.having, ExplanationText.text(of: written), ExplanationText.range(of: written)) {
          (work: inout SelectBuilder) throws(NotPushable) in
          let condition = try work.fitting(try translation.translate(having))
          work.scope.select.having = condition
          return condition
        } && isWhole
    }
    isWhole = translateOrder(of: query, translation, columns) && isWhole
    guard isWhole else { return leftToMemory(output) }
    return statement(query, output, columns: columns, fields: fields)
  }

  private func statement(
    _ query: ResultQuery, _ output: StoreRequest.Output, columns: [SQLExpression], fields: [SQLField]
  ) -> SQLFetchPlan {
    var select = scope.select
    var fields = fields
    select.columns = columns
    select.isDistinct = query.isDistinct
    select.limit = request.fetchLimit > 0 ? request.fetchLimit : nil
    select.offset = request.fetchOffset
    var isCount = false
    if case .resultCount = output {
      isCount = true
      fields = []
      if !query.isDistinct { select.columns = query.isTotal ? [.call("COUNT", [])] : [] }
      select.order = []
    }
    select = planner.indexedForms.applied(to: select.pruned())
    let stated =
      query.expansions.isEmpty
      ? select : select.takingRowsOnce(by: root.key, as: scope.aliases.next())
    let rendered =
      isCount
      ? SQLRenderer.renderCount(of: stated, planner.dialect, isTotal: query.isTotal)
      : SQLRenderer.render(stated, planner.dialect)
    return SQLFetchPlan(
      select: select, sql: rendered.sql, bindings: rendered.bindings, fields: fields, columns: [],
      output: output, residual: nil, isSortedByStore: true, isWindowedByStore: true, notes: notes)
  }

  /// Groups and results that the store could run are run where the rest of them is.
  private func leftToMemory(_ output: StoreRequest.Output) -> SQLFetchPlan {
    let parts = notes.map { part in
      guard part.kind != .predicate, part.isInStore else { return part }
      var part = part
      (part.place, part.reason, part.detail) = (.memory, .mixed, "another part is made in memory")
      return part
    }
    return SQLFetchPlan(
      select: scope.select, sql: "", bindings: [], fields: [], columns: [], output: output,
      residual: residual.isEmpty ? nil : .all(of: residual), isSortedByStore: false, isWindowedByStore: false,
      hasResults: false, notes: parts)
  }

  /// Records a part by how it can be said.
  ///
  /// - Returns: Whether it can.
  private mutating func attempt(
    _ kind: FetchExplanation.Part.Kind, _ text: String, _ range: SourceRange?,
    _ body: (inout SelectBuilder) throws(NotPushable) -> SQLExpression
  ) -> Bool {
    do throws(NotPushable) {
      let expression = try body(&self)
      record(kind, text: text, range: range, expression: expression)
      return true
    } catch {
      record(kind, text: text, range: range, refusal: error)
      return false
    }
  }

  // MARK: Leaves

  /// Joins the members over which rows are grouped.
  ///
  /// - Returns: What is in the way of that, where something is.
  private mutating func joinMembers(of query: ResultQuery) -> NotPushable? {
    do throws(NotPushable) {
      for expansion in query.expansions {
        var owner = root
        if let name = expansion.owner { owner = try translator.variable(name) }
        let steps = try translator.resolve(expansion.keys, from: owner).steps
        translator.variables[expansion.variable] = try translator.expand(steps, from: owner)
      }
      return nil
    } catch {
      return error
    }
  }

  private mutating func translateLeaves(
    of query: ResultQuery, _ translation: inout SQLTranslator, _ obstacle: NotPushable?
  ) -> Bool {
    var isWhole = true
    for (position, leaf) in query.leaves.enumerated() {
      let key = ResultQuery.leafKey(position)
      if position < query.keyCount {
        let base = translation
        var operand: SQLOperand?
        isWhole =
          attempt(.group, query.groupTexts[position], nil) {
            (work: inout SelectBuilder) throws(NotPushable) in
            if let obstacle { throw obstacle }
            let found = try Self.comparable(try base.operand(leaf.expression))
            let expression = try work.fitting(found.expression)
            guard work.planner.dialect.canGroup(by: expression) else {
              throw NotPushable(.differentKinds, "rows are grouped by an expression with constants in memory")
            }
            work.scope.select.groups.append(expression)
            operand = found
            return expression
          } && isWhole
        translation.leaves[key] = operand
        continue
      }
      // An untranslatable leaf is reported by the part that uses it.
      translation.leaves[key] = try? operand(of: leaf)
    }
    return isWhole
  }

  /// The value of a leaf that makes no groups.
  private func operand(of leaf: ResultQuery.Leaf) throws(NotPushable) -> SQLOperand {
    switch leaf.role {
    case .value: return try translator.operand(leaf.expression)
    case .sort(let descriptor): return try sortOperand(descriptor)
    case .aggregate(let function, let isDistinct):
      let operand = try translator.operand(leaf.expression)
      if isDistinct {
        return try translator.require(
          planner.dialect.aggregate(function, overDistinct: try Self.comparable(operand)))
      }
      return try translator.require(planner.dialect.aggregate(function, over: operand))
    }
  }

  /// A value that the engine finds equal to another one exactly where memory does.
  private static func comparable(_ operand: SQLOperand) throws(NotPushable) -> SQLOperand {
    guard operand.constant == nil else { throw NotPushable(.function, "a constant is compared in memory") }
    guard !operand.isOpaque else {
      throw NotPushable(.notInRow, "the values may be kept in files of their own")
    }
    switch operand.type {
    case .anything, .composite, .dictionary, .collection:
      throw NotPushable(.differentKinds, "values of this type are compared in memory")
    default: break
    }
    let isExact = operand.type == .decimal || !operand.type.isNumber || operand.form <= .plain
    guard isExact, !operand.isForComparisonOnly else {
      throw NotPushable(.differentKinds, "numbers of several kinds are compared in memory")
    }
    return operand
  }

  // MARK: Results

  private mutating func translateResults(
    of query: ResultQuery, _ translation: inout SQLTranslator, columns: inout [SQLExpression],
    fields: inout [SQLField]
  ) -> Bool {
    var isWhole = true
    var added = columns
    for (position, result) in query.results.enumerated() {
      let base = translation
      var operand: SQLOperand?
      var kind = SQLField.Kind.inMemory
      let place = added.count
      isWhole =
        attempt(.result, result.name, nil) { (work: inout SelectBuilder) throws(NotPushable) in
          let found = try work.value(of: result, query, base)
          if query.isDistinct {
            _ = try Self.comparable(found.operand)
            if let conversion = result.conversion, ExpressionType(conversion) != found.operand.type {
              throw NotPushable(.differentKinds, "values are compared after they are converted")
            }
          }
          let expressions = try found.columns.map { (column) throws(NotPushable) in try work.fitting(column) }
          (operand, kind) = (found.operand, found.kind)
          added += expressions
          return expressions[0]
        } && isWhole
      translation.leaves[ResultQuery.resultKey(position)] = operand
      fields.append(SQLField(keyPath: result.name, kind: kind, column: place))
    }
    columns = added
    return isWhole
  }

  /// A result in the statement: its value, its columns, and how these are decoded.
  private func value(
    of result: ResultQuery.Result, _ query: ResultQuery, _ translation: SQLTranslator
  ) throws(NotPushable) -> (operand: SQLOperand, columns: [SQLExpression], kind: SQLField.Kind) {
    if let leaf = query.directLeaf(of: result) {
      switch leaf.role {
      case .value, .sort:
        if var object = try self.object(leaf.expression) {
          // The number of its entity follows from the key by which rows are grouped.
          if query.isGrouped { object.columns[1] = planner.dialect.valueInGroup(object.columns[1]) }
          return object
        }
        if let attribute = result.attribute { return try stored(attribute, leaf.expression) }
        return try computed(try translator.operand(leaf.expression), result)
      case .aggregate:
        // Throws the reason.
        return try computed(try operand(of: leaf), result)
      }
    }
    try requireLeaves(of: result.expression, query)
    return try computed(try translation.operand(result.expression), result)
  }

  /// Throws what is in the way of the first leaf of an expression that cannot be said.
  private func requireLeaves(of expression: QueryExpression, _ query: ResultQuery) throws(NotPushable) {
    for name in expression.names.keys where name.hasPrefix("#") {
      guard let position = Int(name.dropFirst()), position >= query.keyCount else { continue }
      _ = try operand(of: query.leaves[position])
    }
  }

  private func stored(
    _ attribute: AttributeDescription, _ expression: QueryExpression
  ) throws(NotPushable) -> (operand: SQLOperand, columns: [SQLExpression], kind: SQLField.Kind) {
    let operand = try translator.operand(expression)
    guard attribute.type != .composite, schema.stored.holds(attribute) else {
      throw NotPushable(.notInRow, "\(attribute.type.rawValue) values are made of rows")
    }
    return (operand, [operand.expression], .attribute(attribute))
  }

  /// An object that an expression leads to; nil where it leads to something else.
  private func object(
    _ expression: QueryExpression
  ) throws(NotPushable) -> (operand: SQLOperand, columns: [SQLExpression], kind: SQLField.Kind)? {
    var node = root
    var isMember = false
    switch expression.kind {
    case .evaluatedObject: break
    case .variable(let name):
      node = try translator.variable(name)
      isMember = true
    case .keyPath(let path):
      guard let start = try translator.start(of: path) else { return nil }
      let resolved = try translator.resolve(path.steps, from: start)
      guard resolved.collectionOperator == nil, case .object = resolved.type,
        case .object(let found) = try translator.walk(resolved.steps, from: start)
      else { return nil }
      node = found
    default: return nil
    }
    let number: SQLExpression
    if node === root {
      number = .column(scope.alias, schema.systemColumns.entity)
    } else if isMember, schema.entity(node.entity).sharesTable {
      number = .column(node.row(in: schema), schema.systemColumns.entity)
    } else {
      number = node.entityNumber ?? .null
    }
    return (SQLOperand(node.key, .object(node.entity)), [node.key, number], .object(node.entity))
  }

  private func computed(
    _ operand: SQLOperand, _ result: ResultQuery.Result
  ) throws(NotPushable) -> (operand: SQLOperand, columns: [SQLExpression], kind: SQLField.Kind) {
    guard operand.constant == nil else { throw NotPushable(.function, "a constant is no value of the store") }
    guard !operand.isOpaque else {
      throw NotPushable(.notInRow, "the values may be kept in files of their own")
    }
    switch operand.type {
    case .anything, .composite, .dictionary, .collection, .transformable, .object:
      throw NotPushable(.differentKinds, "values of this type are made of rows")
    default: break
    }
    guard !operand.isForComparisonOnly else {
      throw NotPushable(.differentKinds, "numbers of two kinds are told apart in memory")
    }
    let value = ComputedValue(type: operand.type, isSum: result.isSum, range: result.range)
    return (operand, [operand.expression], .computed(value))
  }

  // MARK: Order

  private mutating func translateOrder(
    of query: ResultQuery, _ translation: SQLTranslator, _ columns: [SQLExpression]
  ) -> Bool {
    var isWhole = true
    var hasKey = false
    for order in query.order {
      var sorted: SQLExpression?
      let body: (inout SelectBuilder) throws(NotPushable) -> SQLExpression = {
        (work: inout SelectBuilder) throws(NotPushable) in
        let operand = try work.operand(of: order.subject, query, translation)
        let expression = try work.fitting(try work.sortExpression(of: operand, order.comparator))
        guard
          !query.isDistinct || work.planner.dialect.ordersDistinctRowsByAnything
            || columns.contains(expression)
        else {
          throw NotPushable(.differentKinds, "different results are ordered by something else in memory")
        }
        sorted = expression
        return expression
      }
      if let text = order.text {
        isWhole = attempt(.sort, text, order.range, body) && isWhole
      } else if (try? body(&self)) == nil {
        isWhole = false
      }
      guard let sorted else { continue }
      scope.select.order.append(
        .init(expression: sorted, ascending: order.ascending, nilPlacement: order.nilPlacement))
      hasKey = hasKey || sorted == root.key
    }
    let isWindowed = !request.hasNoWindow
    if !query.joinsRows, !hasKey, isWindowed || !query.order.isEmpty {
      scope.select.order.append(
        .init(expression: root.key, ascending: query.order.last?.ascending ?? true))
    }
    return isWhole
  }

  private func operand(
    of subject: ResultQuery.Order.Subject, _ query: ResultQuery, _ translation: SQLTranslator
  ) throws(NotPushable) -> SQLOperand {
    if let operand = translation.leaves[subject.key] { return operand }
    if case .leaf(let position) = subject { return try operand(of: query.leaves[position]) }
    throw NotPushable(.mixed, "the result that is sorted by is computed in memory")
  }
}
