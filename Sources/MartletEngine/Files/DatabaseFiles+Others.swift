import MartletSQLite
import MartletValues
import Synchronization

/// Other programs that have a database's file open with SQLite.
///
/// Always true: each is told of once for as long as it stays.
extension DatabaseFiles {
  /// What an operator should know when a process has the file open that was not told of before; nil otherwise.
  func foreignProcessNotice() -> EngineNotice? {
    let process = foreignProcessNow ?? -1
    guard toldProcess.exchange(process, ordering: .relaxed) != process, process != -1 else { return nil }
    return EngineNotice(.warning, database: name, Self.warning(process))
  }

  /// A sentence without its full stop.
  static func warning(_ process: Int32) -> String {
    let risk =
      SQLiteLibrary.hasCheckpointHazard
      ? ": SQLite \(SQLiteLibrary.versionText) can lose pages when one connection checkpoints while another commits"
      : ""
    return "\(ProcessName.describe(process)) has the file open with SQLite; it may read, but must neither write nor "
      + "checkpoint while this server runs\(risk)"
  }
}
