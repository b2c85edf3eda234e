import Logging
import MartletValues

/// What an operator says about a server, on the command line or in a file.
///
/// Always true: nil means that nothing was said; each value has passed its rule.
struct ServeSettings: Sendable, Equatable {
  var data: String?
  var listen: [MartletURL]?
  var readyFile: String?
  var socketMode: UInt32?
  var loops: Int?
  var logLevel: Logger.Level?
  var logFormat: LogFormat?
  var slowQueryMs: Int?
  var metricsListen: MetricsListener.Address?
  var deny: Permissions?
  var denyTCP: Permissions?
  var memory: Int?
  var pageChecksums: Bool?
  var keyFile: String?
  var isInsecure: Bool?
  var limits: [LimitOption: Int] = [:]

  static let standardData = "./martlet-data"

  /// These settings, and those of a file for what is not set here.
  func over(_ file: ServeSettings) -> ServeSettings {
    var result = ServeSettings()
    result.data = data ?? file.data
    result.listen = listen ?? file.listen
    result.readyFile = readyFile ?? file.readyFile
    result.socketMode = socketMode ?? file.socketMode
    result.loops = loops ?? file.loops
    result.logLevel = logLevel ?? file.logLevel
    result.logFormat = logFormat ?? file.logFormat
    result.slowQueryMs = slowQueryMs ?? file.slowQueryMs
    result.metricsListen = metricsListen ?? file.metricsListen
    result.deny = deny ?? file.deny
    result.denyTCP = denyTCP ?? file.denyTCP
    result.memory = memory ?? file.memory
    result.pageChecksums = pageChecksums ?? file.pageChecksums
    result.keyFile = keyFile ?? file.keyFile
    result.isInsecure = isInsecure ?? file.isInsecure
    result.limits = limits.merging(file.limits) { own, _ in own }
    return result
  }

  /// What holds of a limit.
  func limit(_ option: LimitOption) -> Int { limits[option] ?? option.standard }
}
