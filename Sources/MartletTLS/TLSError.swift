internal import COpenSSL

/// Why certificates, keys or an encrypted connection cannot be used; the message is a sentence.
///
/// Always true: it says nothing of what is secret.
package struct TLSError: Error, Sendable, Equatable, CustomStringConvertible {
  package var message: String
  package init(_ message: String) { self.message = message }
  package var description: String { message }

  /// For keys that need a password: there is none. OpenSSL itself would ask for it at the terminal, and wait.
  static let noPassword:
    @Sendable @convention(c) (
      UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?
    ) -> Int32 = { _, _, _, _ in -1 }

  static func noContext() -> TLSError { TLSError("OpenSSL cannot make a context: \(lastReason()).") }

  /// OpenSSL's own words for what it refused last on this thread, and forgets the rest.
  static func lastReason() -> String {
    let code = ERR_peek_error()
    defer { ERR_clear_error() }
    if code == 0 { return "no reason is known" }
    guard let text = ERR_reason_error_string(code) else { return "error \(code)" }
    return String(cString: text)
  }
}
