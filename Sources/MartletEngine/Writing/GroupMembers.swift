import MartletValues

/// The members of one group with their results and answers.
///
/// Always true: used on the writer's thread; a job is answered once, when none of its members is open any more; the
/// answers that one commit sets free leave together, those of one request in their order, and none before.
struct GroupMembers {
  /// A job, or one step of a batch whose steps are independent.
  struct Member {
    let job: WriteJob
    let step: Int
  }

  private var members: [Member] = []
  /// The replies that one commit sets free, so that each sink is called once.
  private var leaving: [(sink: any ReplySink, replies: [Reply])] = []
  private var held: [(Execution, HeldReplies)] = []

  var count: Int { members.count }

  subscript(_ index: Int) -> Member { members[index] }

  // MARK: Who they are

  init(_ jobs: [WriteJob] = []) { join(jobs) }

  /// They are members behind those that there are.
  mutating func join(_ jobs: [WriteJob]) {
    members.reserveCapacity(members.count + jobs.count)
    for job in jobs {
      job.turnNanoseconds = 0
      if case .looseBatch = job.work {
        if job.resumesAtStep == nil { job.openMembers = job.results.count }
        for step in (job.resumesAtStep ?? 0)..<job.results.count { members.append(Member(job: job, step: step)) }
      } else {
        members.append(Member(job: job, step: 0))
      }
    }
  }

  /// The later steps of the same batch.
  func followers(of index: Int) -> Set<Int> {
    let job = members[index].job
    var followers: Set<Int> = []
    for other in members.indices where other > index && members[other].job === job { followers.insert(other) }
    return followers
  }

  // MARK: Results

  /// An independent step begins, perhaps once more: what it returned before is let go.
  func stepBegins(_ index: Int) { keep(StatementResult(), ofStep: members[index]) }

  /// A statement or an independent step has run.
  func ran(_ result: StatementResult, _ index: Int) {
    let member = members[index]
    if case .looseBatch = member.job.work { keep(result, ofStep: member) } else { member.job.results[0] = result }
  }

  /// An atomic batch has run.
  func ran(_ results: [StatementResult], _ index: Int) { members[index].job.results = results }

  private func keep(_ result: StatementResult, ofStep member: Member) {
    member.job.heldBytes += result.byteCount - member.job.results[member.step].byteCount
    member.job.results[member.step] = result
  }

  /// The member failed, whatever it returned before.
  func fail(_ index: Int, _ error: RequestError) {
    let member = members[index]
    switch member.job.work {
    case .statement, .transaction: member.job.results[0] = .failed(error)
    case .looseBatch:
      keep(.failed(error), ofStep: member)
      member.job.batch?.script.stepFailed(member.step)
    case .atomicBatch:
      for step in member.job.results.indices { member.job.results[step] = .failed(error) }
    }
  }

  /// All of these failed with this error.
  func fail(_ indexes: some Sequence<Int>, _ error: RequestError) {
    for index in indexes { fail(index, error) }
  }

  /// The members that have not failed yet fail with this error.
  func failRest(of indexes: some Sequence<Int>, _ error: RequestError) {
    for index in indexes where !isFailed(index) { fail(index, error) }
  }

  private func isFailed(_ index: Int) -> Bool {
    let member = members[index]
    if case .atomicBatch = member.job.work { return member.job.results.contains(where: \.isFailed) }
    return member.job.results[member.step].isFailed
  }

  // MARK: Answers

  /// The results of these members are final, by the commit of that number.
  mutating func reply(_ indexes: [Int], commitSequence: UInt64) {
    for index in indexes {
      let member = members[index]
      if case .completed(var completion) = member.job.results[member.step].ending {
        completion.commitSequence = commitSequence
        member.job.results[member.step].ending = .completed(completion)
      }
      member.job.openMembers -= 1
      member.job.commitSequence = commitSequence
      if member.job.openMembers == 0 { deliver(member.job, commitSequence: commitSequence) }
    }
    for (sink, replies) in leaving { sink.deliver(replies) }
    leaving.removeAll(keepingCapacity: true)
    for (execution, replies) in held { replies.begin(execution) }
    held.removeAll(keepingCapacity: true)
  }

  private mutating func deliver(_ job: WriteJob, commitSequence: UInt64) {
    let execution = job.execution
    guard !execution.isAbandoned else { return }
    if job.batch == nil, job.results[0].batches.isEmpty, job.results[0].columns == nil {
      add(
        job.results[0].ending(to: execution.token, commitSequence: commitSequence, transaction: .none),
        for: execution.sink)
      return
    }
    let replies = job.replies(commitSequence: commitSequence, transaction: .none)
    var credit = execution.availableCredit
    var rest = 0
    while rest < replies.count {
      if case .rows(let batch) = replies[rest].event {
        guard credit > 0 else { break }
        let bytes = batch.byteCount
        credit -= bytes
        execution.spendCredit(bytes)
      }
      add(replies[rest], for: execution.sink)
      rest += 1
    }
    if rest < replies.count {
      held.append((execution, HeldReplies(Array(replies[rest...]), holds: job.results.compactMap(\.hold))))
    }
  }

  private mutating func add(_ reply: Reply, for sink: any ReplySink) {
    // There are about as many sinks as event loops, so looking at each is cheap.
    if let index = leaving.firstIndex(where: { $0.sink === sink }) {
      leaving[index].replies.append(reply)
    } else {
      leaving.append((sink, [reply]))
    }
  }
}
