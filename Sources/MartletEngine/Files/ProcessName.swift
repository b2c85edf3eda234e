import Foundation

/// What an operator calls a process.
///
/// Always true: the name is the process's own choice, so it is cut and has printable characters only.
enum ProcessName {
  /// `sqlite3 (process 4711)`, or `Process 4711` if the system does not tell its name.
  static func describe(_ process: Int32) -> String {
    guard let name = name(of: process) else { return "Process \(process)" }
    return "\(name) (process \(process))"
  }

  private static func name(of process: Int32) -> String? {
    #if os(Linux)
      guard process > 0, let bytes = FileManager.default.contents(atPath: "/proc/\(process)/comm") else { return nil }
      let text = String(decoding: bytes.prefix(EngineLimits.processNameBytesMax), as: UTF8.self)
      let shown = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.isASCII && (32...126) ~= $0.value }))
      return shown.isEmpty ? nil : shown
    #else
      return nil
    #endif
  }
}
