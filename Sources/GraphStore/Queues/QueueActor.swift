/// Actor whose methods run on the queue of a context, so that a block that a task awaits is a part of the task: it sees the
/// task's cancellation and its task-local values.
actor QueueActor {
  private nonisolated let queue: ContextQueue

  init(_ queue: ContextQueue) { self.queue = queue }

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }

  func run<Result: Sendable, Failure: Error>(
    _ block: @Sendable () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try block()
  }
}

extension ContextQueue: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
