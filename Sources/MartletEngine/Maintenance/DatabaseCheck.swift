import Foundation
import MartletSQLite
import MartletValues
import Synchronization

/// Looks a database over while others use it, and answers with rows of what it found.
///
/// Always true: runs on a thread of its own; each slice has a snapshot of its own, which the log's limit ends as it
/// ends every other; it is answered once.
final class DatabaseCheck: Sendable {
  private let file: DatabaseFile
  private let execution: Execution
  private let isWhole: Bool
  let connection: CheckConnection
  private let ending = Mutex<SnapshotEnd?>(nil)
  private let registration = Mutex<UInt64>(0)
  private let held: Mutex<Held>

  /// Rows that wait for their reader's credit, and what they take of the connection's memory.
  private struct Held {
    var replies: [Reply] = []
    var bytes = 0
    let hold: MemoryHold?
    var hasNoRoom = false

    mutating func add(_ reply: Reply, bytes more: Int) {
      bytes += more
      if hold?.grow(toBytes: bytes) == false { hasNoRoom = true }
      if !hasNoRoom { replies.append(reply) }
    }
  }

  private var snapshots: SnapshotRegistry { file.scopes.empty.pool.context.snapshots }

  static let columns = ResultColumns(
    columns: ["check", "object", "ok", "message", "value"].map { ResultColumns.Column(name: $0) })

  /// Opens the connection. On the thread that is to run it.
  init(_ file: DatabaseFile, execution: Execution, isWhole: Bool) throws(RequestError) {
    self.file = file
    self.execution = execution
    self.isWhole = isWhole
    held = Mutex(Held(hold: execution.account.map { MemoryHold($0) }))
    connection = try CheckConnection(
      file.parts.files, limits: file.configuration.limits, clock: file.configuration.clock)
  }

  func run() {
    execution.setDriver(self)
    if execution.isCancelled { connection.stop() }
    let id = snapshots.enter(self, due: execution.deadline)
    registration.withLock { $0 = id }
    execution.deliver(.columns(Self.columns))
    var last: ReplyEvent
    do throws(RequestError) {
      try look("integrity") { () throws(RequestError) in if isWhole { try checkWhole() } else { try checkTables() } }
      // CHECK constraints would be compiled with each trigger that writes to their table.
      try connection.lookAtChecks(false)
      try look("definitions") { () throws(RequestError) in try checkDefinitions() }
      try checkPages()
      try look("pages") { () throws(RequestError) in try countPages() }
      lookAtFiles()
      last = .completed(Completion(commitSequence: file.parts.commitClock.sequence))
    } catch {
      last = .failed(reason(for: error))
    }
    snapshots.leave(registration.withLock { $0 })
    execution.setDriver(nil)
    connection.retire()
    let (rest, hold) = held.withLock { ($0.replies, $0.hold) }
    if case .completed(var completion) = last {
      completion.rowsReturned = Int64(rowCount.load(ordering: .relaxed))
      last = .completed(completion)
    }
    // Before the answer, so that its receiver can ask for the next check at once.
    file.maintenance.end()
    HeldReplies(rest + [Reply(token: execution.token, event: last)], holds: hold.map { [$0] } ?? []).begin(execution)
  }

  // MARK: - Slices

  /// What a slice finds; that the file is damaged is a finding behind what SQLite said before it met that, and not the
  /// end of the check.
  func findings(_ body: (inout [[String]]) throws(RequestError) -> Void) throws(RequestError) -> [[String]] {
    var found: [[String]] = []
    do throws(RequestError) {
      try slice { () throws(RequestError) in try body(&found) }
    } catch {
      guard Self.isOfFile(error) else { throw error }
      found.append([error.message])
    }
    return found
  }

  /// One part of the check. If the file is too damaged for it, that is its finding, and the next part is done.
  private func look(_ check: String, _ body: () throws(RequestError) -> Void) throws(RequestError) {
    do throws(RequestError) { try body() } catch {
      guard Self.isOfFile(error) else { throw error }
      report(check, "", problems: [[error.message]])
    }
  }

  /// Whether what the file holds, or the disk gives of it, is at fault.
  private static func isOfFile(_ error: RequestError) -> Bool {
    error.code == .dataLoss || [SQLiteCode.ioRead, SQLiteCode.ioShortRead].contains(error.sqliteCode)
  }

  /// Compares the checksum of each page, free ones included, if the file has them.
  private func checkPages() throws(RequestError) {
    var page: Int? = 1
    var damaged: [Int] = []
    var hasChecksums = false
    while let first = page {
      if connection.wasStopped { throw .cancelledByOwner }
      guard let slice = connection.verifyPages(from: first, count: EngineLimits.verifiedPagesPerSlice) else { return }
      hasChecksums = true
      damaged += slice.damaged
      page = slice.next
    }
    guard hasChecksums else { return }
    report(
      "checksums", "",
      problems: damaged.isEmpty ? [["ok"]] : damaged.map { ["page \($0) is not what was written to it"] })
  }

  private func countPages() throws(RequestError) {
    let numbers = try slice { () throws(RequestError) in try connection.rows(MaintenanceSQL.pageNumbers, columns: 3) }
    for (name, number) in zip(["page_bytes", "page_count", "free_pages"], numbers.first ?? []) {
      deliver([["pages", .text(name), 1, .null, .integer(Int64(number) ?? 0)]])
    }
  }

  private func lookAtFiles() {
    let files = file.parts.files
    let names = [("database_bytes", ""), ("log_bytes", "-wal")]
    for (name, ending) in names {
      let bytes = (try? FileStatus.look(at: files.path + ending))?.bytes ?? 0
      deliver([["files", .text(name), 1, .null, .integer(bytes)]])
    }
    if let fault = files.checkAll() { deliver([["files", "", 0, .text(fault.words), .null]]) }
    // This is no fault, but should be known.
    if SQLiteLibrary.hasCheckpointHazard { deliver([["library", "SQLite", 1, .text(Self.hazard), .null]]) }
    if let process = files.foreignProcessNow {
      deliver([["others", "", 1, .text(DatabaseFiles.warning(process)), .integer(Int64(process))]])
    }
  }

  private static let hazard =
    "SQLite \(SQLiteLibrary.versionText) can lose pages when one connection checkpoints while another commits (fixed in "
    + "3.51.3); this server checkpoints on its writer only, so let no other program write to or checkpoint its files"

  /// One look in one snapshot, which others may need to end.
  func slice<Result>(_ body: () throws(RequestError) -> Result) throws(RequestError) -> Result {
    if connection.wasStopped { throw .cancelledByOwner }
    snapshots.snapshotTaken(by: registration.withLock { $0 })
    return try connection.inSnapshot(body)
  }

  // MARK: - Answers

  private let rowCount = Atomic<Int>(0)

  /// Says something of the check itself, which is no fault.
  func note(_ check: String, _ words: String) { deliver([[.text(check), "", 1, .text(words), .null]]) }

  func report(_ check: String, _ object: String, problems: [[String]]) {
    if problems == [["ok"]] { return deliver([[.text(check), .text(object), 1, .null, .null]]) }
    deliver(problems.map { [.text(check), .text(object), 0, .text($0[0]), .null] })
  }

  /// Delivers at once if there is credit, so that the client sees the progress.
  private func deliver(_ rows: [[Value]]) {
    let batch = RowBatch(rows: rows, columnCount: Self.columns.columns.count)
    rowCount.add(rows.count, ordering: .relaxed)
    let reply = Reply(token: execution.token, event: .rows(batch))
    let (isHeld, hasNoRoom) = held.withLock { held in
      guard !held.replies.isEmpty || !execution.hasCredit else { return (false, false) }
      held.add(reply, bytes: batch.byteCount)
      return (true, held.hasNoRoom)
    }
    if hasNoRoom { connection.stop() }
    if isHeld { return }
    execution.spendCredit(batch.byteCount)
    execution.deliver(reply.event)
  }

  private func reason(for error: RequestError) -> RequestError {
    if held.withLock({ $0.hasNoRoom }) { return .noMemory("what the check has found") }
    if execution.isCancelled { return .cancelledByOwner }
    switch ending.withLock({ $0 }) {
    case .due: return .deadlineInCheck
    case .shutDown: return .shuttingDown
    case .some(let end): return .snapshotEnded(end)
    case nil: return error
    }
  }
}

extension DatabaseCheck: ExecutionDriver {
  func creditExtended(_ execution: Execution) {}
  func cancelled(_ execution: Execution) { connection.stop() }
}

extension DatabaseCheck: SnapshotHolder {
  func snapshotMustEnd(_ end: SnapshotEnd) {
    ending.withLock { if $0 == nil { $0 = end } }
    connection.stop()
  }
}
