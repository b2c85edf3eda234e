/// A Martlet server in this process, on a port that the system chose and on a Unix socket.
///
/// Always true: it has stopped when the value is gone.
import Foundation
import Logging
internal import MartletServer
package import MartletValues

package final class TestServer: Sendable {
  /// The path of its Unix socket.
  let socket: String
  private let server: Server
  private let tcp: MartletURL
  private let unix: MartletURL

  /// Serves `directory`.
  package init(directory: String, limits: Limits = Limits(), loops: Int = 0, keyFile: String? = nil) throws {
    // A socket's path has room for about a hundred bytes, so it does not stand in the directory.
    socket = NSTemporaryDirectory() + "martlet-\(UUID().uuidString.prefix(8)).sock"
    unix = try MartletURL(address: .unix(path: socket))
    var configuration = ServerConfiguration(
      directory: directory, listen: [try MartletURL("martlet://127.0.0.1:0"), unix], loops: loops, limits: limits,
      logger: Logger(label: "martlet-test") { _ in SwiftLogNoOpLogHandler() })
    configuration.keyFile = keyFile
    server = try Server(configuration: configuration)
    let urls = try server.start()
    guard let first = urls.first else { throw ServerError("The server listens nowhere.") }
    tcp = first
  }

  deinit { stop() }

  /// Stops gracefully.
  package func stop() { server.stop() }

  /// A database of the server over TCP.
  package func url(_ database: String) throws -> MartletURL { try tcp.with(database: database) }

  /// A database of the server over its Unix socket.
  package func unixURL(_ database: String) throws -> MartletURL { try unix.with(database: database) }
}
