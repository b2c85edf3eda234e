internal import Logging
internal import MartletValues

/// What happens to the server itself, for the audit log.
extension Server {
  func noteAudit(_ name: AuditEvent.Name) {
    guard context.audit.isOn else { return }
    var event = AuditEvent(name)
    event.statements = context.audit.level
    context.audit.note(event)
  }

  /// The configuration was to be taken anew, and something is wrong with it: the audit log says so. Its file is opened
  /// anew all the same, because that is what whoever renamed it waits for.
  public func reloadRefused() {
    let audit = context.audit
    guard let path = audit.path else { return }
    do throws(ServerError) {
      audit.goOn(with: try AuditFile(opening: path), level: audit.level ?? .refused, parameters: audit.parameters)
    } catch {
      context.logger.error(
        "Could not reopen the audit log; still writing to the old file",
        metadata: ["reason": "\(error.message)"])
    }
    var event = AuditEvent(.configurationRefused)
    event.outcome = "INVALID"
    audit.note(event)
  }

  /// What has changed is written to the former file, if there was one, and to the one that it goes on with.
  func goOn(auditing wanted: ServerConfiguration, to file: AuditFile?, tokens: Int) {
    let audit = context.audit
    var event = AuditEvent(.configurationReloaded)
    event.statements = wanted.audit?.statements
    event.roles = wanted.access.roles.count
    event.tokens = tokens
    event.outcome = AuditEvent.ok
    if let former = audit.path, former != file?.path { audit.note(event) }
    audit.goOn(
      with: file, level: wanted.audit?.statements ?? .refused, parameters: wanted.audit?.parameters ?? [])
    audit.note(event)
  }
}
