/// One server for all tests of a process, which is much faster than one for each.
///
/// Always true: tests share nothing but the server: each has a database of its own name. What it leaves on the disk is
/// removed when the process ends, since nothing that a process keeps for ever is ever deinitialized.
import Foundation

package enum SharedServer {
  private static let directory = TemporaryDirectory(name: "martlet-shared")

  /// The server. It listens from the first use on.
  package static let one: TestServer = {
    // Because a server that cannot start fails every test of it, the reason is best seen at once.
    let server = try! TestServer(directory: directory.path)
    atexit {
      unlink(SharedServer.one.socket)
      directory.remove()
    }
    return server
  }()
}
