import Synchronization

/// What one writer has done so far: totals, and gauges of the moment.
///
/// Always true: only the writer's thread changes the totals, so a plain load and store is enough; anybody may read.
final class WriterCounters: Sendable {
  /// What the writer runs.
  let watch = StatementWatch()

  let requests = Atomic<Int64>(0)
  /// Rows that statements changed.
  let rows = Atomic<Int64>(0)
  /// Bytes of the rows that statements returned.
  let bytesReturned = Atomic<Int64>(0)
  let commits = Atomic<Int64>(0)
  let groupCommits = Atomic<Int64>(0)
  let groupMembers = Atomic<Int64>(0)
  let groupMembersMax = Atomic<Int64>(0)
  let reruns = Atomic<Int64>(0)
  let undone = Atomic<Int64>(0)
  let longTurns = Atomic<Int64>(0)
  let checkpoints = Atomic<Int64>(0)
  let checkpointFailures = Atomic<Int64>(0)
  let walBytes = Atomic<Int64>(0)
  let openTransactions = Atomic<Int64>(0)
  let queueDepth = Atomic<Int64>(0)
  /// 1 from the moment that the writer fences itself, which is before its schedule knows.
  let fenced = Atomic<Int64>(0)
  let fences = Atomic<Int64>(0)
  /// Fences that came because a file was moved, removed, replaced, linked or cut.
  let fileFaults = Atomic<Int64>(0)
  /// Writes that were refused because the disk was almost full.
  let diskRefusals = Atomic<Int64>(0)
  private let groupsOf1 = Atomic<Int64>(0)
  private let groupsTo4 = Atomic<Int64>(0)
  private let groupsTo16 = Atomic<Int64>(0)
  private let groupsTo64 = Atomic<Int64>(0)
  private let groupsAbove64 = Atomic<Int64>(0)

  func fenceBegan() { fenced.store(1, ordering: .releasing) }

  func groupCommitted(members: Int) {
    let size = Int64(members)
    Self.add(1, to: commits)
    Self.add(1, to: groupCommits)
    Self.add(size, to: groupMembers)
    if size > groupMembersMax.load(ordering: .relaxed) { groupMembersMax.store(size, ordering: .relaxed) }
    switch members {
    case ...1: Self.add(1, to: groupsOf1)
    case ...4: Self.add(1, to: groupsTo4)
    case ...16: Self.add(1, to: groupsTo16)
    case ...64: Self.add(1, to: groupsTo64)
    default: Self.add(1, to: groupsAbove64)
    }
  }

  /// For the one thread that changes the counter.
  @inline(__always)
  static func add(_ amount: Int64, to counter: borrowing Atomic<Int64>) {
    counter.store(counter.load(ordering: .relaxed) &+ amount, ordering: .relaxed)
  }

  /// The values under their stable names.
  func values() -> [EngineCounter] {
    func read(_ counter: borrowing Atomic<Int64>) -> Int64 { counter.load(ordering: .relaxed) }
    return [
      EngineCounter("write_requests", read(requests)), EngineCounter("write_rows", read(rows)),
      EngineCounter("write_bytes_returned", read(bytesReturned)), EngineCounter("commits", read(commits)),
      EngineCounter("group_commits", read(groupCommits)), EngineCounter("group_members", read(groupMembers)),
      EngineCounter("group_members_max", read(groupMembersMax), .maximum),
      EngineCounter("group_size_1", read(groupsOf1)), EngineCounter("group_size_2_4", read(groupsTo4)),
      EngineCounter("group_size_5_16", read(groupsTo16)), EngineCounter("group_size_17_64", read(groupsTo64)),
      EngineCounter("group_size_65_up", read(groupsAbove64)), EngineCounter("group_reruns", read(reruns)),
      EngineCounter("writes_undone_for_others", read(undone)), EngineCounter("long_write_turns", read(longTurns)),
      EngineCounter("checkpoints", read(checkpoints)),
      EngineCounter("checkpoint_failures", read(checkpointFailures)),
      EngineCounter("wal_bytes", read(walBytes), .gauge),
      EngineCounter("open_write_transactions", read(openTransactions), .gauge),
      EngineCounter("write_queue_depth", read(queueDepth), .gauge),
      EngineCounter("databases_fenced", read(fenced), .gauge),
      EngineCounter("fences", read(fences)), EngineCounter("file_faults", read(fileFaults)),
      EngineCounter("disk_refusals", read(diskRefusals)),
    ]
  }
}
