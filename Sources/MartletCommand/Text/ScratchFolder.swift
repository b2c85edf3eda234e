import Foundation

/// A folder for files that are gone when the work is done.
///
/// Always true: it stands under `$TMPDIR` and only this user can look into it; it goes with everything in it when the
/// value does, or with the program if a signal ends that.
final class ScratchFolder {
  private let path: String

  /// Where such folders stand.
  static var parent: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  init() throws {
    var template = Array((Self.parent + "/martlet-XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else {
      throw CommandFailure.noTemporaryDirectory
    }
    path = String(cString: made)
    UnfinishedFiles.began(path)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
    UnfinishedFiles.ended(path)
  }

  func file(_ name: String) -> String { path + "/" + name }
}
