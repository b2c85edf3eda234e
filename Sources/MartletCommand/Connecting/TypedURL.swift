import ArgumentParser
import Foundation
import MartletValues

/// A URL as somebody types it who has not learned the form yet, and what was probably meant.
///
/// Always true: what is suggested is a URL that can be parsed.
struct TypedURL {
  let text: String

  init(_ text: String) { self.text = text }

  /// Throws a sentence about the form with one about this text.
  func parsed() throws -> MartletURL {
    do {
      return try MartletURL(text)
    } catch {
      throw ValidationError(error.message + advice)
    }
  }

  /// With a blank before it; empty if the text has the form, or resembles nothing.
  var advice: String {
    if ["martlet://", "martlet+tls://", "martlet+unix://"].contains(where: text.hasPrefix) { return "" }
    if let url = socket { return CommandFailure.didYouMean(url: url) }
    if isFile { return CommandFailure.fileForURL(text) }
    guard let url = meant else { return "" }
    return CommandFailure.didYouMean(url: url)
  }

  private var socket: String? {
    var status = stat()
    guard text.hasPrefix("/"),
      text.hasSuffix(".sock") || stat(text, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK
    else { return nil }
    return try? MartletURL(address: .unix(path: text), database: "NAME").description
  }

  private var isFile: Bool {
    let endings = [".db", ".db3", ".sqlite", ".sqlite3", ".sql", ".dump"]
    guard !text.isEmpty, !text.contains("://") else { return false }
    return ["/", "./", "../", "~/"].contains(where: text.hasPrefix) || FileManager.default.fileExists(atPath: text)
      || TextFormat(fileName: text) != nil
      || endings.contains(where: text.lowercased().hasSuffix)
  }

  /// `localhost:6278/name`, `name` alone, or the same behind another scheme or too few slashes.
  private var meant: String? {
    var rest = Substring(text)
    var scheme = "martlet"
    if let colon = rest.firstIndex(of: ":"),
      rest[rest.index(after: colon)...].hasPrefix("/")
        || rest[..<colon].lowercased().hasPrefix("martlet")
    {
      if rest[..<colon].lowercased() == "martlet+tls" { scheme = "martlet+tls" }
      rest = rest[rest.index(after: colon)...].drop { $0 == "/" }
    }
    let isHost = rest.lowercased().hasPrefix("localhost") || rest.contains { ".:/[".contains($0) }
    let url = isHost ? "\(scheme)://\(rest)" : "\(scheme)://localhost/\(rest)"
    return rest.isEmpty ? nil : try? MartletURL(url).description
  }
}
