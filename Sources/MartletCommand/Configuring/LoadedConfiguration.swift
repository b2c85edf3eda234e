import Foundation
import Logging
import MartletServer

/// A server's configuration as a whole: of a file, of the command line, or of both.
///
/// Always true: nothing in it contradicts itself; loading it again after a change gives the new one or an error.
struct LoadedConfiguration {
  /// The server's configuration, with `tls` and `access`.
  var server: ServerConfiguration
  var logLevel: Logger.Level
  var logFormat: LogFormat
  var metricsListen: MetricsListener.Address?
  /// The file's path; nil: there is none.
  var file: String?
  var warnings: [ConfigurationMistake] = []

  /// What the command line alone says.
  init(_ commandLine: ServeSettings) throws {
    self.init(settings: commandLine)
    let found =
      Contradiction.among(commandLine, name: Self.option) + Contradiction.atAddresses(server, name: Self.option)
    if let first = found.first { throw CommandFailure(first.sentence) }
  }

  private init(settings: ServeSettings) {
    server = settings.serverConfiguration()
    logLevel = settings.logLevel ?? .info
    logFormat = settings.logFormat ?? .text
    metricsListen = settings.metricsListen
  }

  /// Reads a file. What the command line says wins. Throws `InvalidConfiguration` with all that is wrong.
  static func load(_ path: String, under commandLine: ServeSettings = ServeSettings()) throws -> LoadedConfiguration {
    try read(try text(of: path), path: path, under: commandLine)
  }

  /// The same for a text; it looks at no file.
  static func read(
    _ text: String, path: String, under commandLine: ServeSettings = ServeSettings(),
    userID: (String) -> UInt32? = UnixUser.id
  ) throws -> LoadedConfiguration {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let reader = ConfigurationReader(text, folder: folder, userID: userID)
    let settings = commandLine.over(reader.settings)
    var loaded = LoadedConfiguration(settings: settings)
    loaded.server.tls = reader.tls
    loaded.server.access = reader.access
    loaded.server.audit = reader.audit
    loaded.file = path
    loaded.warnings = reader.warnings
    var mistakes = reader.mistakes
    let name = { (key: String) in commandLine.says(key) ? option(key) : key }
    // A text that is not TOML says nothing, so it would seem to lack everything.
    let isText = !reader.lines.isEmpty || mistakes.isEmpty
    let contradictions =
      Contradiction.among(settings, name: name) + (isText ? Contradiction.atAddresses(loaded.server, name: name) : [])
    for contradiction in contradictions {
      let line = commandLine.says(contradiction.key) ? nil : reader.lines[contradiction.key]
      let mistake = ConfigurationMistake(line: line, contradiction.sentence)
      if contradiction.isWarning { loaded.warnings.append(mistake) } else { mistakes.append(mistake) }
    }
    guard mistakes.isEmpty else { throw InvalidConfiguration(file: path, mistakes) }
    loaded.warnings = InvalidConfiguration.sorted(loaded.warnings)
    return loaded
  }

  /// The keys of the command itself, which a server does not know, that differ from those of its start: a reload does
  /// not take them.
  func keysThatStay(since start: LoadedConfiguration) -> [String] {
    let parts: [(String, Bool)] = [
      ("log-level", logLevel != start.logLevel), ("log-format", logFormat != start.logFormat),
      ("metrics-listen", metricsListen != start.metricsListen),
    ]
    return parts.filter(\.1).map(\.0)
  }

  /// The key as the command line calls it.
  private static func option(_ key: String) -> String { "--" + key }

  private static func text(of path: String) throws -> String {
    let bytes: Data
    do {
      let attributes = try FileManager.default.attributesOfItem(
        atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else {
        throw CommandFailure.configurationNotAFile(path)
      }
      guard (attributes[.size] as? Int ?? 0) <= ConfigurationLimits.fileBytesMax else {
        throw CommandFailure.configurationTooLarge(path, bytesMax: ConfigurationLimits.fileBytesMax)
      }
      bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch let failure as CommandFailure {
      throw failure
    } catch {
      let reason = (error as? CocoaError)?.code == .fileReadNoPermission ? "may not be read" : "cannot be read"
      throw CommandFailure.configurationUnreadable(path, reason)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let valid = String(decoding: bytes, as: UTF8.self).prefix { $0 != "\u{FFFD}" }
      throw InvalidConfiguration(
        file: path, [ConfigurationMistake(line: valid.utf8.count { $0 == 10 } + 1, "The file is no text in UTF-8.")])
    }
    return text
  }
}

extension ServeSettings {
  /// Whether the configuration says something about a key that can contradict others.
  fileprivate func says(_ key: String) -> Bool {
    switch key {
    case "listen": listen != nil
    case "deny": deny != nil
    case "deny-tcp": denyTCP != nil
    default: LimitOption(rawValue: key).map { limits[$0] != nil } ?? false
    }
  }
}
