import CFloors
import GraphStore

extension Workload {
  static func u1(_ files: WorkFiles, _ project: ProjectStore) -> Workload {
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
        let own = try project.numbers(rows: Numbers.written)
        return [
          ProjectWrite(
            files, template: own,
            load: { context in
              let objects = try context.fetch(NumbersObject.self, FetchRequest(entityName: "Numbers"))
              _ = NumbersObject.answer(objects)
              return objects
            },
            write: { context, objects in
              for object in objects { object.i3 += 1 }
              try context.save()
            }, check: Numbers.written(in:)),
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
