/// Ports for what has to be told one before it listens.
///
/// Always true: nobody listens there, or did a moment ago.
import MartletTestSupport

enum PortNumber {
  static func free() throws -> Int {
    let listener = try LoopbackListener()
    defer { listener.close() }
    return listener.port
  }
}
