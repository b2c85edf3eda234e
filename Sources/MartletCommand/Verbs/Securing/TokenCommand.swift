import ArgumentParser
import Foundation
import MartletServer

/// `martlet token`: the tokens by which clients show that they have a role.
///
/// Always true: a token's text is printed once, when it is made; files keep its hash alone.
struct TokenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token",
    abstract: "Make, list and revoke the tokens of a server.",
    discussion: """
      A server takes a change of its file of tokens after a reload: kill -HUP PID.

      EXAMPLES:
        martlet token create --config /etc/martlet/martlet.toml --role reader --name reports --expires 90d
        martlet token list --file /etc/martlet/tokens
        martlet token revoke --file /etc/martlet/tokens k3v9x0q2m4ab
      """,
    subcommands: [Create.self, List.self, Revoke.self])
}

extension TokenCommand {
  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a token, and print it: it is shown this once.",
      discussion:
        "The file is made with the mode 600 if it does not exist; the server's user has to be able to read it.")

    @OptionGroup var place: TokenFileArgument

    @Option(help: ArgumentHelp("The role of whoever shows it.", valueName: "name"))
    var role: String

    @Option(help: ArgumentHelp("What you call it, such as the program that gets it.", valueName: "name"))
    var name = ""

    @Option(
      name: .customLong("claim"),
      help: ArgumentHelp(
        "What roles are told of whoever shows it, such as tenant=acme. May be given several times.",
        valueName: "name=value"),
      transform: { text in
        guard let claim = TokenClaim(text) else { throw ValidationError("--claim is a name and a value: tenant=acme.") }
        return claim
      })
    var claims: [TokenClaim] = []

    @Option(
      help: ArgumentHelp(
        "When it ends to be valid: 30d, 12h, or a day such as 2027-01-01 (UTC). (default: never)", valueName: "time"),
      transform: { text in
        guard let expiry = TokenExpiry(text) else {
          throw ValidationError("--expires is a time such as 30d or 12h, or a day such as 2027-01-01.")
        }
        return expiry
      })
    var expires: TokenExpiry?

    func run() throws {
      do {
        let (file, roles) = try place.find()
        if let roles, !roles.contains(role) { throw CommandFailure(RoleReader.missing(role, roles)) }
        let now = Date()
        let end = expires?.date(after: now)
        if let end, end <= now {
          throw CommandFailure.tokenExpired
        }
        let (record, text) = try file.create(
          role: role, name: name, claims: try TokenClaim.dictionary(claims), expires: end, now: now)
        do {
          // Whoever reads it may go away, which must not end the program before the token is taken back.
          signal(SIGPIPE, SIG_IGN)
          try StandardOutput.write(Array((text + "\n").utf8), to: 1)
        } catch {
          // Nobody can ever show it, because the file holds no texts.
          let isRevoked = (try? file.revoke(record.id)) != nil
          throw CommandFailure.tokenNotPrinted(record.id, isRevoked: isRevoked)
        }
        StandardOutput.complain(
          "This is token \(record.id), shown this once: keep it now. A running server takes it after a reload (SIGHUP).\n"
        )
      } catch {
        throw CommandFailure.explaining(error)
      }
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the tokens of a file, without their texts.")

    @OptionGroup var place: TokenFileArgument

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
      do {
        let records = try place.find().file.list()
        let text = json ? try TokenListText.json(records) : TokenListText.text(records, now: Date())
        try StandardOutput.write(Array(text.utf8), to: 1)
      } catch {
        throw CommandFailure.explaining(error)
      }
    }
  }

  struct Revoke: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove a token, for good.")

    @OptionGroup var place: TokenFileArgument

    @Argument(help: ArgumentHelp("The token's id, which stands between its underscores.", valueName: "id"))
    var id: String

    func run() throws {
      do {
        try place.find().file.revoke(id)
        StandardOutput.complain("Token \(id) is revoked. A running server refuses it after a reload (SIGHUP).\n")
      } catch {
        throw CommandFailure.explaining(error)
      }
    }
  }
}
