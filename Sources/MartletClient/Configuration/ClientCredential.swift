internal import Foundation
internal import MartletProtocol

/// A token that says to a server who asks, or where to get one.
///
/// Always true: nothing that prints it, copies it out or looks into it shows the token.
public struct ClientCredential: Sendable {
  /// The longest token in bytes: with the rest of a hello it stays below what servers take.
  public static let bytesMax = ProtocolLimits.credentialBytesMax

  private let fetch: @Sendable () async throws -> String

  private init(fetch: @escaping @Sendable () async throws -> String) { self.fetch = fetch }

  /// The same token for all connections.
  public static func token(_ token: String) -> ClientCredential { ClientCredential { token } }

  /// A closure that is asked anew for each connection that is opened. It has as long as the connection has
  /// (`connectTimeout`); after that its task is cancelled.
  public static func fetched(_ closure: @escaping @Sendable () async throws -> String) -> ClientCredential {
    ClientCredential(fetch: closure)
  }

  /// The content of a file, without the white space around it; read anew for each connection that is opened.
  public static func file(_ path: String) -> ClientCredential {
    ClientCredential {
      let content: Data
      do {
        content = try Data(contentsOf: URL(filePath: path))
      } catch {
        throw ClientError.unreadableTokenFile(path)
      }
      guard let text = String(validating: content, as: UTF8.self) else {
        throw ClientError.tokenFileNoText(path)
      }
      return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// The token for a connection that is opened now. Throws `ClientError`, also of what the closure throws.
  package func current() async throws(ClientError) -> String {
    let token: String
    do {
      token = try await fetch()
    } catch let error as ClientError {
      throw error
    } catch {
      throw .credentialNotFetched(error)
    }
    try Self.check(token)
    return token
  }

  private static func check(_ token: String) throws(ClientError) {
    guard !token.isEmpty else { throw .credentialEmpty }
    guard token.utf8.count <= bytesMax else {
      throw .credentialTooLong(bytesMax: bytesMax)
    }
    guard token.utf8.allSatisfy({ (33...126).contains($0) }) else {
      throw .credentialNoToken
    }
  }
}

extension ClientCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String { "ClientCredential(hidden)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
