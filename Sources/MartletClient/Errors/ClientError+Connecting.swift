// MARK: - Where to

/// Why there is nothing to connect to, or nothing to connect with.
///
/// Always true: a condition has one member, whoever meets it; its sentences hold no token and no key.
extension ClientError {
  /// - Parameter message: what is wrong with the URL, as whoever read it says it.
  static func unreadableURL(_ message: String) -> ClientError { ClientError(.invalidURL, message) }

  static let noDatabaseInURL = ClientError(
    .invalidURL, "The URL names no database. Write it as martlet://host:port/database.")

  /// - Parameter sentence: which number makes no sense, without a full stop.
  static func unusableConfiguration(_ sentence: String) -> ClientError {
    ClientError(.invalidConfiguration, "The client's configuration cannot be used: \(sentence).")
  }

  static let noPort = ClientError(
    .invalidURL, "Port 0 is for listening: a client needs the port that the server has.")

  /// - Parameter reason: what went wrong, without a full stop; it may be a question.
  static func cannotConnect(
    to place: String, _ reason: String, code: Code = .cannotConnect, isRetryable: Bool = true
  ) -> ClientError {
    let end = reason.hasSuffix("?") ? "" : "."
    return ClientError(
      code, "Cannot connect to a Martlet server at \(place): \(reason)\(end)", isRetryable: isRetryable)
  }

  /// What the system reports is no error of a socket.
  static let connectionNotMade = ClientError(.cannotConnect, "The connection could not be made.", isRetryable: true)

  /// The connect timeout passed before there was anything to connect with.
  static func preparationLate(ofCredential: Bool) -> ClientError {
    ofCredential
      ? ClientError(
        .credentialFailed, "The credential was not there within the connect timeout, so nothing was connected.",
        isRetryable: true)
      : ClientError(.tlsFailed, "The files of TLS could not be read within the connect timeout.", isRetryable: true)
  }
}

// MARK: - TLS

extension ClientError {
  static let tlsNotPrepared = ClientError(.tlsFailed, "TLS was not prepared, so nothing was connected.")

  static let keyMissing = ClientError(.tlsFailed, "A client's certificate needs its key. Give the key's file too.")

  static let certificateMissing = ClientError(.tlsFailed, "A client's key needs its certificate. Give its file too.")

  /// - Parameter role: whose file it is, such as "the authorities".
  static func unreadableFile(_ file: String, of role: String, isMissing: Bool) -> ClientError {
    let reason = isMissing ? "does not exist" : "cannot be read; may this program read it?"
    return ClientError(.tlsFailed, "The file \(file) of \(role) \(reason)" + (isMissing ? "." : ""))
  }

  static func noCertificate(in file: String, of role: String) -> ClientError {
    ClientError(.tlsFailed, "The file \(file) of \(role) holds no certificate in PEM, or a damaged one.")
  }

  static func noPrivateKey(in file: String) -> ClientError {
    ClientError(
      .tlsFailed,
      "The file \(file) of this client's key holds no private key in PEM; one behind a passphrase is not taken.")
  }

  static func otherKey(_ key: String, certificate: String) -> ClientError {
    ClientError(.tlsFailed, "The key in \(key) is not the one of the certificate in \(certificate).")
  }

  static let noAuthorities = ClientError(
    .tlsFailed, "TLS cannot be set up: the system's authorities could not be read.")

  static let noFingerprint = ClientError(
    .tlsFailed,
    "The fingerprint is not the SHA-256 of a certificate: it has 64 hexadecimal digits, with or without colons.")
}

// MARK: - Credentials

extension ClientError {
  static func unreadableTokenFile(_ path: String) -> ClientError {
    ClientError(.credentialFailed, "The file \(path) of the token cannot be read.")
  }

  static func tokenFileNoText(_ path: String) -> ClientError {
    ClientError(.credentialFailed, "The file \(path) of the token is not text.")
  }

  /// Only the type, because a message of the program's may hold what no log should.
  static func credentialNotFetched(_ error: any Error) -> ClientError {
    ClientError(
      .credentialFailed, "The credential could not be fetched: its closure threw \(type(of: error)).",
      isRetryable: true)
  }

  static let credentialEmpty = ClientError(.credentialFailed, "The credential is empty. Give a token.")

  static func credentialTooLong(bytesMax: Int) -> ClientError {
    ClientError(.credentialFailed, "The credential is longer than the \(bytesMax) bytes of a token.")
  }

  static let credentialNoToken = ClientError(
    .credentialFailed, "The credential is no token: it holds a space, a line break or a letter that is not ASCII.")

  static func credentialInClear(to host: String) -> ClientError {
    ClientError(
      .credentialFailed,
      "The credential is not sent to \(host) in the clear, where others could read it. Connect to martlet+tls://.")
  }
}
