import CFloors

extension Workload {
  static func u1(_ files: WorkFiles) -> Workload {
    Workload(
      id: "U1", title: "change one value in each of 50,000 loaded objects, save",
      goal: "≤ 2.5 × floor",
      expected: {
        var answer = Numbers.answer(rows: Numbers.written)
        answer.first += 1
        answer.last += 1
        answer.sum += Numbers.written
        return answer
      },
      contenders: {
        let template = try Numbers.template(files, rows: Numbers.written)
        return [
          FloorWrite(
            files, template: template, load: { try $0.loadNumbers() }, write: { try $0.updateLoaded() },
            check: Numbers.written(in:)),
          GRDBUpdate<NamedNumbers>("GRDB: struct, update", files, template) { try $0.update($1) },
          GRDBUpdate<RecordNumbers>("GRDB: class record, updateChanges", files, template) {
            _ = try $0.updateChanges($1)
          },
        ]
      })
  }
}
