internal import Logging
internal import MartletEngine
internal import MartletLoop
internal import MartletProtocol
internal import MartletValues

/// What all loops of a server read: engine, limits, greeting, log, and the way to what concerns all of them.
///
/// Always true: none of these is replaced; what a reload changes, each of them changes in itself.
final class ServerContext: Sendable {
  let limits: Limits
  let authenticator: Authenticator
  let engine: Engine
  let logger: Logger
  /// What clients can bring about is logged through these only.
  let notices: ClientNotices
  let greeting: HelloReply
  let slowQueries: SlowQueries
  let audit: AuditLog
  let refusedConnections = RefusedConnections()
  let quotas = QuotaDesk()
  let work: any ServerWork
  /// Opens databases, and what loops have of them.
  let openings = FairWorker(label: "martlet-open", WorkLimits.openings, stepsBack: true)

  init(
    version: String, limits: Limits, engine: Engine, logger: Logger, work: any ServerWork,
    authenticator: Authenticator = Authenticator(),
    slowQueryMs: Int? = nil, audit: AuditLog = AuditLog(), notices: ClientNotices? = nil
  ) {
    self.notices = notices ?? ClientNotices(logger: logger)
    self.audit = audit
    self.work = work
    self.limits = limits
    self.authenticator = authenticator
    self.engine = engine
    self.logger = logger
    slowQueries = SlowQueries(thresholdMs: slowQueryMs, logger: logger)
    greeting = HelloReply(
      server: version, sqlite: Engine.sqliteVersion, frameBytesMax: UInt32(clamping: limits.frameBytesMax),
      requestsMax: UInt32(clamping: limits.requestsPerConnectionMax),
      creditBytesMax: UInt64(clamping: limits.creditMaxBytes),
      creditBytesDefault: UInt32(clamping: limits.creditDefaultBytes), countsRequired: true,
      schemaObjectsMax: UInt32(clamping: limits.schemaObjectsMax),
      schemaBytesMax: UInt64(clamping: limits.schemaBytesMax))
  }
}
