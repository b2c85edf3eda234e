/// A server of this process on a port and a socket of its own, with a data directory that goes with it.
///
/// Always true: it has stopped, and its files are gone, when the value is.
import Foundation
import Logging
import MartletServer
import MartletTestSupport
import MartletValues

final class LiveServer {
  let server: Server
  let tcp: MartletURL
  let unix: MartletURL
  /// If one was configured.
  let tls: MartletURL?
  private let folder: TemporaryFolder

  init(
    limits: Limits = Limits(), loops: Int = 2, denied: Permissions = [], deniedOverTCP: Permissions = [],
    configure: (inout ServerConfiguration, _ folder: String) throws -> Void = { _, _ in }
  ) throws {
    folder = try TemporaryFolder()
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    var configuration = try ServerConfiguration(
      directory: folder.path + "/data",
      listen: [MartletURL("martlet://127.0.0.1:0"), MartletURL("martlet+unix://\(folder.path)/s")], loops: loops,
      limits: limits, logger: logger, readyFile: folder.path + "/ready")
    configuration.denied = denied
    configuration.deniedOverTCP = deniedOverTCP
    try configure(&configuration, folder.path)
    server = try Server(configuration: configuration)
    let urls = try server.start()
    (tcp, unix) = (urls[0], urls[1])
    tls = urls.first { $0.isEncrypted }
  }

  deinit { server.stop() }

  var readyFile: String { (try? String(contentsOfFile: folder.path + "/ready", encoding: .utf8)) ?? "" }

  /// What the configuration's files are in.
  var files: String { folder.path }

  var directory: String { folder.path + "/data" }

  func counter(_ name: String) -> Int64 { server.counters.first { $0.name == name }?.value ?? -1 }

  func connect(_ database: String = "db") throws -> RawClient { try RawClient(tcp, database: database) }
}
