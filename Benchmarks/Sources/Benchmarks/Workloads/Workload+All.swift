extension Workload {
  /// Every workload, in the order of the table.
  static func all(_ files: WorkFiles, _ programs: Programs) -> [Workload] {
    let project = ProjectStore(files: files, model: programs.model)
    let searches = ProjectStore(files: files, model: programs.searchesModel)
    let measured: [Workload] = [
      .f1(files, project), .f2(files, project), .f3(files, project), .f4(files, project),
      .f5(files, project), .i1(files, project), .i2(files, project),
      .n1(files, project), .n2(files, project, part: 1, isLoaded: false),
      .n2(files, project, part: 2, isLoaded: true), .n3(project),
      .i3(files, project, part: 1, branches: Scale.rows(100)),
      .i3(files, project, part: 2, branches: Scale.rows(1_000)),
      .u1(files, project), .d1(files, project), .b1Update(files, project), .b1Delete(files, project),
      .b2(files, project), .b3(files, project), .e1Insert(files, project), .e1Update(files, project),
      .r1(files, project), .q1(files, project, part: 1, ascii: true),
      .q1(files, project, part: 2, ascii: false), .p1(), .p2(project),
      .q2(searches, part: 1, isIndexed: true), .q2(searches, part: 2, isIndexed: false), .q3(searches), .q4(),
      .k1(files, project, threads: 1), .k1(files, project, threads: 2), .k1(files, project, threads: 4),
      .k2(project),
      .a1Read(project), .a1Cached(project), .a1Stored(files, project), .a2(files, project),
      .y1(project), .h1Insert(files, project), .h1Update(files, project), .h1Read(project),
      .h1Growth(files, project), .h1Purge(files, project),
      .m1(files, project), .s1(files, project), .s1InMemory(project),
      .s1Types(files, project), .s1Synchronous(files, project),
      .c1(files, programs), .c2(files, programs), .c3(files, programs), .c4(files, project, programs),
      .c5(files, programs), .c6(files, programs), .v1Inferred(files, project), .v1Mapped(files, project),
      .v1Computed(files, project),
      .w1Dump(files, project, programs), .w1Load(files, project, programs),
      .w1Diff(files, project, programs), .w1Backup(files, project, programs), .w1Open(files, project),
      .l5First(project), .l5Changes(project), .l5Growth(project), .l5Merge(project), .l5Memory(project),
      .l6Waiting(project), .l6Cancelling(project),
      .l1(1, entities: 100, rounds: 20, goal: "≤ 20 ms a model"),
      .l1(2, entities: 1_000, rounds: 2, goal: "≤ 250 ms a model"),
      .l1Hashes(3, entities: 100, rounds: 20, goal: "≤ 10 ms a model"),
      .l1Version(4, entities: 100, rounds: 20, goal: "≤ 10 ms a store"),
    ]
    return measured + k3(project) + g1(files, project)
  }
}
