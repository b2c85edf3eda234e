import Logging
import MartletValues

/// What each option of the server may be, for the command line and for the configuration file.
///
/// Always true: both refuse the same values with the same sentence; `name` is the option as it was written there.
enum OptionRule {
  static func socketMode(_ text: String, _ name: String) throws(InvalidOption) -> UInt32 {
    // With fewer digits the others would be zeros in front: 66 would leave the owner out and let everybody else in.
    let digits = text.utf8.count == 4 && text.hasPrefix("0") ? text.dropFirst() : text[...]
    let isOctal = digits.utf8.count == 3 && digits.utf8.allSatisfy { (48...55).contains($0) }
    guard isOctal, let mode = UInt32(digits, radix: 8) else {
      throw InvalidOption("\(name) is three octal digits, such as 660.")
    }
    return mode
  }

  static func logLevel(_ text: String, _ name: String) throws(InvalidOption) -> Logger.Level {
    guard let level = Logger.Level(rawValue: text) else {
      throw InvalidOption("The log level is trace, debug, info, notice, warning, error or critical.")
    }
    return level
  }

  static func logFormat(_ text: String, _ name: String) throws(InvalidOption) -> LogFormat {
    guard let format = LogFormat(rawValue: text) else { throw InvalidOption("\(name) is text or json.") }
    return format
  }

  static func metricsAddress(_ text: String, _ name: String) throws(InvalidOption) -> MetricsListener.Address {
    guard let address = MetricsListener.Address(text) else {
      throw InvalidOption("\(name) is an address and a port, such as 127.0.0.1:9278.")
    }
    return address
  }

  static func memory(_ text: String, _ name: String) throws(InvalidOption) -> Int {
    guard let size = ByteSize(text), size.bytes >= Limits.memoryBudgetBytesMin else {
      throw InvalidOption("\(name) is a number with a unit, such as 512M or 2G, and at least 64M.")
    }
    return size.bytes
  }

  static func onOrOff(_ text: String, _ name: String) throws(InvalidOption) -> Bool {
    guard text == "on" || text == "off" else { throw InvalidOption("\(name) is on or off.") }
    return text == "on"
  }

  static func slowQueryMs(_ number: Int, _ name: String) throws(InvalidOption) -> Int {
    guard (0...ConfigurationLimits.slowQueryMsMax).contains(number) else {
      throw InvalidOption("\(name) is 0 to \(ConfigurationLimits.slowQueryMsMax).")
    }
    return number
  }

  static func loops(_ number: Int, _ name: String) throws(InvalidOption) -> Int {
    let largest = ConfigurationLimits.loopsMax
    guard (0...largest).contains(number) else { throw InvalidOption("\(name) is 0 to \(largest).") }
    return number
  }

  static func path(_ text: String, _ name: String) throws(InvalidOption) -> String {
    guard !text.isEmpty else { throw InvalidOption("\(name) is a path.") }
    return text
  }

  /// Where to listen.
  static func url(_ text: String, _ name: String) throws(InvalidOption) -> MartletURL {
    let url: MartletURL
    do throws(InvalidMartletURL) { url = try MartletURL(text) } catch {
      throw InvalidOption(error.message)
    }
    guard url.database == nil else {
      throw InvalidOption("\(name) is an address alone: the databases are those of the data directory.")
    }
    return url
  }

  /// The words of permissions, and those for several.
  static let permissionWords = (Permissions.named + Permissions.groups).map(\.name)

  /// Words that commas separate.
  static func permissions(_ text: String, _ name: String) throws(InvalidOption) -> Permissions {
    var permissions: Permissions = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let found = Permissions(word: String(word)) else {
        let words = permissionWords.dropLast().joined(separator: ", ")
        throw InvalidOption("\(name) takes words out of \(words) and all, separated by commas.")
      }
      permissions.formUnion(found)
    }
    return permissions
  }
}
