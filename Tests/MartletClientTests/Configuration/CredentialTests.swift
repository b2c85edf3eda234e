/// A credential is never shown, never sent where others read it, and its absence is a sentence.
import Foundation
import MartletTestSupport
import MartletValues
import Synchronization
import Testing

@testable import MartletClient

@Suite(.timeLimit(.minutes(1))) struct CredentialTests {
  private struct Secret: Error {
    var text = "mlt_secret"
  }

  private static func refusal(
    _ url: String, _ change: (inout ClientConfiguration) -> Void
  ) async throws -> ClientError? {
    var configuration = ClientConfiguration()
    configuration.connectAttemptsMax = 1
    change(&configuration)
    let client = try DatabaseClient(url, configuration: configuration)
    do {
      try await client.ping()
      await client.close()
      return nil
    } catch {
      await client.close()
      return error as? ClientError
    }
  }

  @Test func `nothing that prints a credential shows it`() {
    var configuration = ClientConfiguration()
    configuration.credential = .token("mlt_secret")
    let credential = ClientCredential.token("mlt_secret")
    var dumped = ""
    dump(credential, to: &dumped)
    dump(configuration, to: &dumped)
    for text in ["\(credential)", String(reflecting: credential), "\(configuration)", dumped] {
      #expect(!text.contains("mlt_") && text.contains("ClientCredential(hidden)"))
    }
    #expect(Mirror(reflecting: credential).children.isEmpty)
  }

  @Test(arguments: ["db.example", "10.0.0.1", "[2001:db8::1]", "127.1", "localhost.example", "[::ffff:10.0.0.1]"])
  func `a credential is not sent to another machine in the clear`(host: String) async throws {
    let isAsked = Atomic(false)
    let error = try await Self.refusal("martlet://\(host):1/shop") {
      $0.credential = .fetched {
        isAsked.store(true, ordering: .relaxed)
        return "mlt_secret"
      }
    }
    let shown = host.trimmingCharacters(in: ["[", "]"])
    #expect(error?.code == .credentialFailed && error?.isRetryable == false)
    #expect(
      error?.message
        == "The credential is not sent to \(shown) in the clear, where others could read it. Connect to martlet+tls://."
    )
    let wasAsked = isAsked.load(ordering: .relaxed)
    #expect(!wasAsked)
  }

  @Test(arguments: ["localhost", "127.0.0.1", "127.8.8.8", "[::1]"])
  func `this machine's own addresses get a credential without TLS`(host: String) async throws {
    let error = try await Self.refusal("martlet://\(host):1/shop") { $0.credential = .token("mlt_secret") }
    #expect(error?.code == .cannotConnect)
  }

  @Test func `a credential in the clear must be asked for`() async throws {
    // The system reads it as 127.0.0.1, and the client does not: what matters is that it is tried.
    let error = try await Self.refusal("martlet://127.1:1/shop") {
      $0.credential = .token("mlt_secret")
      $0.allowsCredentialInClear = true
    }
    #expect(error?.code == .cannotConnect)
  }

  @Test func `a Unix socket gets the credential with the hello`() async throws {
    let heard = Mutex<[String]>([])
    let server = try await FakeServer(greets: false) { message, peer in
      if case .hello(let hello) = message.kind {
        heard.withLock { $0.append(String(decoding: hello.credential, as: UTF8.self)) }
        peer.say(.hello())
      } else {
        peer.say(.pong(message.requestID))
      }
    }
    let database = try server.database { $0.credential = .token("mlt_local") }
    try await database.ping()
    #expect(heard.withLock { $0 } == ["mlt_local"])
    await database.close()
  }

  @Test func `a closure that throws is a sentence without its error's content`() async throws {
    let error = try await Self.refusal("martlet://localhost:1/shop") { $0.credential = .fetched { throw Secret() } }
    #expect(error?.message == "The credential could not be fetched: its closure threw Secret.")
    #expect(error?.code == .credentialFailed && error?.isRetryable == true)
    let own = try await Self.refusal("martlet://localhost:1/shop") {
      $0.credential = .fetched { throw ClientError(.credentialFailed, "The vault is sealed.") }
    }
    #expect(own?.message == "The vault is sealed.")
  }

  @Test func `a closure that takes too long ends with the connect timeout and is cancelled`() async throws {
    let isCancelled = Mutex(false)
    let error = try await Self.refusal("martlet://localhost:1/shop") {
      $0.connectTimeout = .milliseconds(20)
      $0.credential = .fetched {
        do { try await suspendUntil { false } } catch is CancellationError { isCancelled.withLock { $0 = true } }
        return "late"
      }
    }
    #expect(
      error?.message == "The credential was not there within the connect timeout, so nothing was connected.")
    #expect(error?.isRetryable == true)
    try await suspendUntil { isCancelled.withLock { $0 } }
  }

  @Test func `what is no token is refused`() async throws {
    let folder = NSTemporaryDirectory()
    for (credential, message) in [
      (ClientCredential.token(""), "The credential is empty. Give a token."),
      (.token(String(repeating: "a", count: 4_097)), "The credential is longer than the 4096 bytes of a token."),
      (
        .token("mlt a"),
        "The credential is no token: it holds a space, a line break or a letter that is not ASCII."
      ),
      (.file(folder + "no-such-token"), "The file \(folder)no-such-token of the token cannot be read."),
    ] {
      let error = try await Self.refusal("martlet://localhost:1/shop") { $0.credential = credential }
      #expect(error?.message == message)
      #expect(error?.code == .credentialFailed && error?.isRetryable == false)
    }
  }
}
